"""Input with a structure, well formed and absurd: only documented exit codes, and what is promised on stdout."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bot.board import SYMBOLS, Board
from bot.picture import declared_size
from bot.record import RecordingError
from bot.record.recorder import MANIFEST
from bot.record.recording import load_recording
from bot.record.replay import replay
from tests.fuzz.kinds import FORMATS, KINDS, Kind, call
from tests.record.games import record

MANY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
SOME = settings(MANY, max_examples=15)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.parametrize("name", KINDS)
def test_good_input_is_taken(name: str, tmp_path: Path) -> None:
    kind = KINDS[name](tmp_path)
    codes = [call(kind.arguments(content))[0] for content in kind.good()]
    assert set(codes) <= kind.codes
    assert 0 in codes


@pytest.mark.parametrize("name", KINDS)
def test_spoilt_input_ends_in_a_documented_exit_code_and_one_sentence(name: str, tmp_path: Path) -> None:
    kind = KINDS[name](tmp_path)
    good = kind.good()
    refused = 0
    for number in range(60):
        content = kind.spoilt(good, random.Random(f"{name} {number}"))
        code, printed, remarks = call(kind.arguments(content))
        assert code in kind.codes, (number, remarks)
        assert "Traceback" not in remarks
        if code == 2:
            refused += 1
            assert printed == "" or json.loads(printed)["exit_code"] == 2
            assert remarks.startswith("minebot: ")
    assert refused > 0


@pytest.fixture
def boards(tmp_path: Path) -> Kind:
    return KINDS["solve"](tmp_path)


@MANY
@given(text=st.text(alphabet=SYMBOLS + "\n: mines019x", max_size=120))
def test_any_text_is_a_board_or_refused(boards: Kind, text: str) -> None:
    code, printed, _ = call([*boards.arguments(text.encode())[:2], "--json", "--think", "0"])
    assert code in boards.codes
    assert code == 2 or set(json.loads(printed)) >= {"move", "odds", "safe", "mined", "problems"}


@MANY
@given(
    cells=arrays(np.uint8, st.tuples(st.integers(1, 7), st.integers(1, 7)), elements=st.integers(0, 15)), data=st.data()
)
def test_any_board_is_solved_or_contradicts_itself(boards: Kind, cells: Any, data: st.DataObject) -> None:
    board = Board(cells, data.draw(st.none() | st.integers(0, cells.size)))
    code, printed, _ = call([*boards.arguments(str(board).encode())[:2], "--json", "--think", "0"])
    answer = json.loads(printed)
    assert (code == 4) == (answer["move"] is None and bool(answer["problems"]))
    chances = [chance for row in answer["odds"] for chance in row if chance is not None]
    assert all(0.0 <= chance <= 1.0 for chance in chances)


@SOME
@given(
    picture=arrays(np.uint8, st.tuples(st.integers(1, 90), st.integers(1, 90), st.just(3))),
    form=st.sampled_from(FORMATS),
)
def test_any_pixels_are_a_picture_of_the_size_that_its_header_tells(tmp_path: Path, picture: Any, form: str) -> None:
    raw = cv2.imencode(form, picture)[1].tobytes()
    assert declared_size(raw) == (picture.shape[1], picture.shape[0])
    code, _, _ = call(KINDS["read"](tmp_path).arguments(raw))
    assert code in (0, 3)


@MANY
@given(chosen=st.dictionaries(st.sampled_from(("style", "think", "window", "skin", "pace", "other")), JSON, max_size=3))
def test_any_settings_are_taken_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: dict[str, Any]
) -> None:
    monkeypatch.setenv("MINEBOT_CONFIG", str(tmp_path))
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in chosen.items()]
    (tmp_path / "settings.toml").write_text("".join(lines), encoding="utf-8")
    code, printed, _ = call(["settings", "--json"])
    assert code in (0, 2)
    assert code == 2 or json.loads(printed)["settings"] == chosen


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any]]:
    folder = tmp_path_factory.mktemp("recorded")
    record(folder)
    game = folder / "game-0001"
    return game, [json.loads(line) for line in (game / MANIFEST).read_text(encoding="utf-8").splitlines()[:5]]


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every container in a document with every key it has."""
    keys = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for key in keys:
        yield node, key
        yield from places(node[key])


@MANY
@given(data=st.data(), value=JSON)
def test_any_value_anywhere_in_a_recording_is_replayed_or_refused(
    recorded: tuple[Path, list[Any]], data: st.DataObject, value: Any
) -> None:
    game, good = recorded
    documents = json.loads(json.dumps(good))
    everywhere = list(places(documents))
    container, key = everywhere[data.draw(st.integers(0, len(everywhere) - 1))]
    container[key] = value
    (game / MANIFEST).write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
    assert MANIFEST in (told := _refusal(game)) or ".png" in told or not told


def _refusal(game: Path) -> str:
    try:
        list(replay(load_recording(game)))
    except RecordingError as error:
        return str(error)
    return ""
