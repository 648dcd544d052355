"""A recorded game as a moving picture."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.cli import run
from bot.record import movie
from bot.record.recording import Recording, load_recording
from tests.record.games import record


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    folder = tmp_path_factory.mktemp("movie")
    record(folder, seed=12)
    return load_recording(folder / "game-0001")


@pytest.mark.parametrize("ending", ["webp", "png"])
def test_every_move_becomes_a_frame_and_the_end_is_shown(game: Recording, ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"game.{ending}"
    assert run(["replay", str(game.folder), "--movie", str(file), "--quiet"]) == 0
    found, film = cv2.imreadanimation(str(file))
    assert found
    assert len(film.frames) == len([frame for frame in game.frames if frame.decision is not None]) + 1
    last = game.picture(game.frames[-1]).astype(float)
    assert np.abs(film.frames[-1][:, :, :3] - last).mean() < 12  # nothing is marked on it, but formats lose a little


def test_guesses_are_shown_longer_than_certain_moves(game: Recording, tmp_path: Path) -> None:
    file = tmp_path / "game.webp"
    assert run(["replay", str(game.folder), "--movie", str(file), "--quiet"]) == 0
    durations = cv2.imreadanimation(str(file))[1].durations
    guesses = [frame.decision.must_guess for frame in game.frames if frame.decision is not None]
    assert any(guesses)
    assert not all(guesses)
    longest_certain = max(time for time, guess in zip(durations, guesses, strict=False) if not guess)
    assert all(time > longest_certain for time, guess in zip(durations, guesses, strict=False) if guess)


def test_a_film_that_would_fill_the_memory_is_refused(
    game: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(movie, "MOST_BYTES", 1_000_000)
    assert run(["replay", str(game.folder), "--movie", str(tmp_path / "game.webp")]) == 2
    assert "too long for one film" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_film_that_cant_be_written_is_refused_in_one_sentence(
    game: Recording, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay", str(game.folder), "--movie", str(tmp_path / "game.avi")]) == 2
    assert "a film is .webp or .png" in capsys.readouterr().err
    assert run(["replay", str(game.folder), "--movie", str(tmp_path / "no" / "game.webp")]) == 2
    assert not list(tmp_path.iterdir())
