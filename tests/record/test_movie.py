"""A recorded game as a moving picture."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.cli import run
from bot.record import export
from bot.record.recording import Recording, load_recording
from tests.record.games import record


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    folder = tmp_path_factory.mktemp("movie")
    record(folder, seed=12)
    return load_recording(folder / "game-0001")


@pytest.mark.parametrize("ending", ["webp", "png", "gif"])
def test_every_move_becomes_a_frame_and_the_end_is_shown(game: Recording, ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"game.{ending}"
    assert run(["replay", str(game.folder), "--movie", str(file), "--quiet"]) == 0
    found, film = cv2.imreadanimation(str(file))
    assert found
    assert len(film.frames) == len([frame for frame in game.frames if frame.decision is not None]) + 1
    last, shown = (
        cv2.blur(picture, (5, 5)).astype(float) for picture in (game.picture(game.frames[-1]), film.frames[-1])
    )
    assert (
        np.abs(shown[:, :, :3] - last).mean() < 12
    )  # nothing is marked on it; formats lose a little, GIF the pure colours


def test_an_mp4_shows_every_look_as_long_as_the_others_do(game: Recording, tmp_path: Path) -> None:
    file = tmp_path / "game.MP4"
    assert run(["replay", str(game.folder), "--movie", str(file), "--quiet"]) == 0
    video = cv2.VideoCapture(str(file))
    pictures = []
    while (read := video.read())[0]:
        pictures.append(read[1])
    decisions = [frame.decision for frame in game.frames if frame.decision is not None]
    shown = (
        sum(export.GUESS_MS if decision.must_guess else export.CERTAIN_MS for decision in decisions) + export.LAST_MS
    )
    assert len(pictures) / video.get(cv2.CAP_PROP_FPS) == pytest.approx(shown / 1000, rel=0.1)
    last = game.picture(game.frames[-1]).astype(float)
    height, width = last.shape[:2]
    assert np.abs(pictures[-1][:height, :width] - last).mean() < 12
    assert pictures[-1].shape[0] in (height, height + 1)


@pytest.mark.parametrize("ending", ["webp", "gif"])
def test_guesses_are_shown_longer_than_certain_moves(game: Recording, ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"game.{ending}"
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
    monkeypatch.setattr(export, "MOST_FILM_BYTES", 1_000_000)
    assert run(["replay", str(game.folder), "--movie", str(tmp_path / "game.webp")]) == 2
    assert "too long for one film" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_film_that_cant_be_written_is_refused_in_one_sentence(
    game: Recording, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay", str(game.folder), "--movie", str(tmp_path / "game.avi")]) == 2
    assert "a film is .webp, .gif, .png or .mp4" in capsys.readouterr().err
    assert run(["replay", str(game.folder), "--movie", str(tmp_path / "no" / "game.webp")]) == 2
    assert not list(tmp_path.iterdir())
