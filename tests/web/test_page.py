"""The page in a real browser: what a person does with it, and what they see then."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bot.board import SYMBOLS, Board, Cell, places
from bot.cli import run
from bot.clone.game import Game
from bot.coach.review import solved_without_guess
from bot.level import LEVELS
from bot.record.replay import write_bundle
from bot.vision.reader import Reader
from bot.vision.skin import user_folder
from bot.web.answers import LARGEST_UPLOAD
from bot.web.server import Server
from tests.browser import CTRL, Browser
from tests.calibrate.madeup import PALETTES
from tests.calibrate.madeup import board as madeup_board
from tests.outside import outside
from tests.program import started
from tests.record.games import record
from tests.web.conftest import FIXTURES, Client
from tests.web.test_server import bomb

GENUINE = outside("screenshots/win7") / "win7-12-010.png"
"""A window of the real game, with its truth beside it; where it is missing, one that the clone has drawn."""

SHAFT = "mines: 6\n#######\n#1#1###\n#######\n#######"
"""Nothing is certain here."""


def stuck() -> Board:
    """A game in which nothing is certain and several guesses are close."""
    game = Game(LEVELS["intermediate"], "open", seed=1)
    game.open(2, 2)
    assert not solved_without_guess(game)
    return game.board()


@pytest.fixture(autouse=True)
def fresh(shown: Browser, client: Client) -> Iterator[None]:
    """A page without a board; whatever is done with it, it has nothing to complain of."""
    shown.resize(1280, 900)
    load(shown, client)
    shown.complaints.clear()
    yield
    assert [complaint for complaint in shown.complaints if " 422 " not in complaint and " 413 " not in complaint] == []


def load(shown: Browser, client: Client, fragment: str = "") -> None:
    shown.open(client.address, fragment)
    shown.until("document.body.dataset.ready")


def put(shown: Browser, text: str, **rest: Any) -> None:
    """Show a board, as if it had been read."""
    shown.value(f"begin({{...parsePosition({json.dumps(text)}), ...{json.dumps(rest)}}}, 'a test'), 1")
    answered(shown)


def answered(shown: Browser) -> Any:
    """Wait for the answer about the board that is shown, and return the solver's document."""
    return shown.until("state.analysis && state.analysis.decision")


def board(shown: Browser) -> Board:
    return Board.parse(shown.value("boardText(current())"))


def said(shown: Browser) -> str:
    return str(shown.value("element('say').textContent"))


def middle(shown: Browser, expression: str) -> tuple[float, float]:
    box = shown.value(
        f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({expression}.getBoundingClientRect())"
    )
    return box[0], box[1]


def tap(shown: Browser, row: int, col: int, button: str = "left") -> None:
    shown.click(*middle(shown, f"cellAt({row}, {col})"), button)


def covered(shown: Browser) -> tuple[int, int]:
    """The first covered tile."""
    row, col = np.argwhere(board(shown).cells == Cell.COVERED)[0].tolist()
    return row, col


def pixels(shown: Browser) -> Any:
    return cv2.imdecode(np.frombuffer(shown.screenshot(), np.uint8), cv2.IMREAD_COLOR)


def orange(shown: Browser) -> int:
    """How many pixels have the colour in which doubts are outlined."""
    return int((np.abs(pixels(shown).astype(int) - (0, 149, 255)).max(axis=2) < 12).sum())


def truth(picture: Path) -> Board:
    told = picture.with_suffix(".json")
    if told.exists():
        document = json.loads(told.read_text(encoding="utf-8"))
        return Board(Board.parse("\n".join(document["cells"])).cells, document["mines"])
    return Board.parse(picture.with_suffix(".txt").read_text(encoding="utf-8"))


def test_a_pasted_picture_becomes_its_board_with_the_odds_of_solve(
    shown: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = GENUINE if GENUINE.exists() else FIXTURES / "clone/default-size-midgame.png"
    raw = base64.b64encode(picture.read_bytes()).decode()
    blob = f"new Blob([Uint8Array.from(atob('{raw}'), c => c.charCodeAt(0))], {{type: 'image/png'}})"
    shown.value(f"navigator.clipboard.write([new ClipboardItem({{'image/png': {blob}}})])")
    shown.paste()
    shown.until("state.picture !== null")
    assert "Reading" in said(shown) or shown.value("state.at >= 0")
    told = answered(shown)
    assert board(shown) == truth(picture)
    (tmp_path / "board.txt").write_text(str(truth(picture)), encoding="utf-8")
    assert run(["solve", str(tmp_path / "board.txt"), "--json"]) == 0
    solved = json.loads(capsys.readouterr().out)
    assert told["odds"] == solved["odds"]
    assert (told["safe"], told["mined"], told["steps"]) == (solved["safe"], solved["mined"], solved["steps"])
    shown.click(*middle(shown, "element('view-picture')"))
    lattice = shown.value("element('lattice').getContext('2d').getImageData(0, 0, 2000, 2000).data.some(v => v > 0)")
    assert lattice


@pytest.mark.parametrize(
    "name", ["clone/every-digit-green", "winemine/expert-under-way", "clone/fractional-pitch-blue"]
)
def test_dropped_pictures_are_read(name: str, shown: Browser) -> None:
    shown.drop(FIXTURES / f"{name}.png")
    answered(shown)
    expected = truth(FIXTURES / f"{name}.png")
    assert np.array_equal(board(shown).cells, expected.cells)


def test_doubts_are_marked_in_the_picture_until_they_are_settled(shown: Browser, tmp_path: Path) -> None:
    picture = cv2.imread(str(FIXTURES / "clone/default-size-midgame.png"))
    assert picture is not None
    at = Reader().read(np.asarray(picture, np.uint8)).grid
    left, top = round(at.left + 20 * at.pitch_x), round(at.top + 8 * at.pitch_y)
    picture[top + 2 : top + 16, left + 2 : left + 16] = np.random.default_rng(1).integers(0, 255, (14, 14, 3))
    cv2.imwrite(str(tmp_path / "smudged.png"), picture)
    shown.drop(tmp_path / "smudged.png")
    answered(shown)
    assert shown.value("current().cells[8][20]") == "."
    assert shown.value("state.selected") == [8, 20]
    assert "could not be read" in said(shown)
    shown.value("state.view = 'picture', show()")
    shown.press("ArrowRight")  # what is chosen is framed in white
    before = orange(shown)
    shown.press("ArrowLeft")
    shown.press("1")
    assert shown.value("current().cells[8][20]") == "1"
    shown.press("ArrowRight")
    assert orange(shown) < before


def test_an_edit_changes_the_odds_and_undo_and_redo_bring_them_back(shown: Browser) -> None:
    put(shown, SHAFT)
    before = answered(shown)["odds"]
    tap(shown, 0, 6)
    shown.press("2")
    after = answered(shown)["odds"]
    assert board(shown).cells[0, 6] == 2
    assert after != before
    assert after[0][6] is None
    shown.press("z", CTRL)
    assert answered(shown)["odds"] == before
    assert board(shown) == Board.parse(SHAFT)
    shown.press("y", CTRL)
    assert answered(shown)["odds"] == after


def test_every_symbol_can_be_set_by_a_key_and_by_the_palette(shown: Browser) -> None:
    put(shown, "mines: 9\n" + "\n".join(["#" * 9] * 9))
    tap(shown, 4, 4)
    for key, symbol in [*zip("012345678", "012345678", strict=True), ("f", "F"), ("?", "?"), (" ", "#"), ("*", "*")]:
        shown.press(key)
        assert shown.value("current().cells[4][4]") == symbol
    for symbol in "3F?#8":
        shown.click(*middle(shown, f"document.querySelector('[data-symbol=\"{symbol}\"]')"))
        assert shown.value("current().cells[4][4]") == symbol
    shown.press("ArrowRight")
    shown.press("ArrowDown")
    assert shown.value("state.selected") == [5, 5]
    assert shown.value("document.activeElement.getAttribute('aria-label')").startswith("row 6, column 6: covered")
    tap(shown, 8, 8, "right")
    assert shown.value("current().cells[8][8]") == "F"


def test_a_proof_lights_its_numbers(shown: Browser) -> None:
    put(shown, "mines: 2\n####\n1221\n0000")
    shown.point(5, 5)
    before = pixels(shown)
    shown.point(*middle(shown, "document.querySelector('#steps [data-step]')"))
    numbers = shown.until("state.lit && state.lit.numbers")
    step = shown.value("state.analysis.decision.steps[0].because")
    assert all(f"row {row + 1}, column {col + 1}" in step for row, col in numbers)
    lit = pixels(shown)
    for row in range(3):
        for col in range(4):
            x, y = (round(at) for at in middle(shown, f"cellAt({row}, {col})"))
            brightness = [int(picture[y - 6 : y + 6, x - 6 : x + 6].sum()) for picture in (before, lit)]
            shines = [row, col] in [*numbers, *shown.value("[...state.lit.mines, ...state.lit.cells]")]
            assert (brightness[1] > 0.9 * brightness[0]) == shines, (row, col)
    shown.point(5, 5)
    shown.until("state.lit === null")
    assert np.array_equal(pixels(shown), before)


def test_a_certain_tile_shows_its_proof_from_the_first_step_on(shown: Browser) -> None:
    put(shown, (FIXTURES / "clone/default-size-midgame.txt").read_text(encoding="utf-8"))
    deep = shown.value("state.analysis.proofs.findIndex(proof => proof.after.length > 0)")
    row, col = shown.value(f"state.analysis.decision.steps[{deep}].cells[0]")
    tap(shown, row, col)
    chain = shown.value("[...document.querySelectorAll('#chain button')].map(b => Number(b.dataset.step))")
    assert chain[-1] == deep
    assert set(shown.value(f"state.analysis.proofs[{deep}].after")) <= set(chain[:-1])


def test_contradictions_are_shown_on_the_tiles_that_clash(shown: Browser) -> None:
    put(shown, "mines: 3\n##0\n130\n##0")
    assert "contradict" in shown.value("element('verdict').textContent")
    assert shown.value("cellAt(1, 1).getAttribute('aria-label')").endswith("contradicts")
    x, y = (round(at) for at in middle(shown, "cellAt(1, 1)"))
    blue, _, red = pixels(shown)[y - 12, x - 12].tolist()
    assert red > blue + 20


def test_the_candidates_of_a_guess_improve_and_tell_what_they_may_show(shown: Browser) -> None:
    put(shown, str(stuck()))
    assert shown.value("element('verdict').textContent") == "You must guess"
    shown.until("state.thoughts >= 2")
    first = shown.value("JSON.stringify(state.analysis.decision.candidates)")
    shown.until("!state.thinking")
    assert shown.value("JSON.stringify(state.thought.decision.candidates)") != first
    assert shown.value("document.querySelectorAll('#candidates tr').length") >= 2
    tells = shown.value("state.thought.tells[0]")
    risk = shown.value("state.thought.decision.candidates[0].risk")
    assert sum(tells) == pytest.approx(1 - risk)
    assert "%" in shown.value("document.querySelector('#candidates .tells').getAttribute('aria-label')")
    assert shown.value("element('busy').textContent") == ""


def test_an_outdated_guess_is_given_up(shown: Browser) -> None:
    put(shown, str(stuck()))
    shown.until("state.thinking")
    put(shown, "mines: 2\n####\n1221\n0000")
    assert shown.value("[state.thinking, state.thought]") == [False, None]
    assert "safe" in shown.value("element('verdict').textContent")


def test_playing_on_keeps_a_list_of_moves(shown: Browser) -> None:
    put(shown, "mines: 2\n####\n1221\n0000")
    shown.press("n")
    row, col = shown.value("state.selected")
    assert shown.value(f"state.analysis.decision.odds[{row}][{col}]") == 0
    shown.press("1")
    answered(shown)
    moves = shown.value("[...document.querySelectorAll('#moves button')].map(button => button.textContent)")
    assert moves == ["a test", f"row {row + 1}, column {col + 1} shows 1, safe"]
    shown.value("document.querySelector('#moves button').click()")
    answered(shown)
    assert shown.value("state.at") == 0


def test_a_link_leads_back_to_the_position(shown: Browser, client: Client) -> None:
    put(shown, "mines: 6\n##F?*X\n0128x.", rule="safe", cut=["top", "left"])
    shown.click(*middle(shown, "element('copy-link')"))
    shown.until("element('say').textContent === 'copied as a link'")
    link = shown.value("navigator.clipboard.readText()")
    before = shown.value("JSON.stringify(current())")
    requests = len(shown.requests)
    load(shown, client, link[len(client.address) :])
    answered(shown)
    assert shown.value("JSON.stringify(current())") == before
    assert not any("#" in request.partition("#b=")[2] or "/##" in request for request in shown.requests[requests:])
    shown.value(f"readText({json.dumps('see ' + link)})")  # pasted as text, wherever it is from
    answered(shown)
    assert shown.value("JSON.stringify(current())") == before


def test_the_board_is_copied_as_text_and_as_a_picture_that_can_be_read_again(shown: Browser) -> None:
    text = (FIXTURES / "clone/every-digit.txt").read_text(encoding="utf-8").strip()
    put(shown, text)
    shown.click(*middle(shown, "element('copy-text')"))
    shown.until("element('say').textContent === 'copied as text'")
    assert shown.value("navigator.clipboard.readText()") == text
    shown.press("o")  # the odds would hide tiles
    shown.click(*middle(shown, "element('copy-png')"))
    shown.until("element('say').textContent === 'copied as a picture'")
    cells = board(shown).cells
    shown.value("state.at = -1, state.entries = [], 1")
    shown.paste()
    shown.until("state.at >= 0 && state.analysis")
    assert np.array_equal(board(shown).cells, cells)


def test_the_heat_map_can_be_switched_off(shown: Browser) -> None:
    put(shown, SHAFT)
    with_odds = pixels(shown)
    assert "% risk" in shown.value("cellAt(0, 0).getAttribute('aria-label')")
    shown.press("o")
    assert not np.array_equal(with_odds, pixels(shown))
    assert "risk" not in shown.value("cellAt(0, 0).getAttribute('aria-label')")


def test_sides_can_be_cut_and_mines_set(shown: Browser) -> None:
    put(shown, "#1\n11")
    assert answered(shown)["mined"] == [[0, 0]]
    shown.value("openSettings()")
    shown.value(
        "document.querySelectorAll('.cut').forEach(box => { box.checked = true; }), element('mines').value = '1', 1"
    )
    shown.value("document.querySelector('#settings-dialog .main').click()")
    shown.until("current().cut.length === 4")
    assert answered(shown)["mined"] == []
    assert shown.value("current().mines") == 1
    shown.press("z", CTRL)
    assert answered(shown)["mined"] == [[0, 0]]


def test_an_empty_board_of_any_size_can_be_begun(shown: Browser) -> None:
    shown.value("openNew()")
    shown.value("['rows', 'cols', 'mines'].forEach((name, at) => { element(`new-${name}`).value = [5, 7, 36][at]; })")
    shown.value("document.querySelector('#new-dialog .main').click()")
    shown.until("!document.querySelector('#new-dialog .problem').hidden")
    shown.value("element('new-mines').value = 6, document.querySelector('#new-dialog .main').click()")
    answered(shown)
    assert board(shown) == Board.covered(5, 7, 6)
    assert "first click" in shown.value("element('reason').textContent")


def test_a_board_is_pasted_as_text(shown: Browser) -> None:
    shown.value("navigator.clipboard.writeText('4x3x2\\nHHHH\\n1221\\n0000\\n')")
    shown.paste()
    answered(shown)
    assert board(shown) == Board.parse("mines: 2\n####\n1221\n0000")
    assert "JSMinesweeper" in said(shown)


def test_what_can_not_be_read_is_refused_and_the_board_stays(shown: Browser, tmp_path: Path) -> None:
    put(shown, SHAFT)
    large = tmp_path / "large.png"
    with large.open("wb") as file:
        file.write((FIXTURES / "clone/won.png").read_bytes())
        file.truncate(50_000_000)
    assert large.stat().st_size > LARGEST_UPLOAD
    (tmp_path / "bomb.png").write_bytes(bomb(50_000, 50_000))
    (tmp_path / "letter.txt").write_text("Dear bot,\n", encoding="utf-8")
    blank = np.full((300, 400, 3), 255, np.uint8)
    cv2.imwrite(str(tmp_path / "blank.png"), blank)
    for name, why in (("large.png", "too large: 50.0 MB"), ("bomb.png", "too large for a screenshot"),
                      ("letter.txt", "is no board")):  # fmt: skip
        shown.drop(tmp_path / name)
        shown.until(f"element('say').textContent.includes({json.dumps(why)})")
        assert shown.value("element('say').classList.contains('problem')")
        assert board(shown) == Board.parse(SHAFT)
        assert not shown.value("element('tray').hidden")


def test_a_recording_can_be_gone_through(shown: Browser, tmp_path: Path) -> None:
    record(tmp_path, seed=5)
    write_bundle(tmp_path / "game-0001", tmp_path / "game.zip")
    shown.drop(tmp_path / "game.zip")
    answered(shown)
    looks = shown.value("state.entries.length")
    assert looks > 2
    assert board(shown) == Board.covered(9, 9, 10)
    shown.press("y", CTRL)
    answered(shown)
    assert board(shown) != Board.covered(9, 9, 10)
    shown.drop(tmp_path / "game-0001" / "recording.jsonl")
    shown.until(f"state.at === 0 && state.entries.length === {looks}")
    shown.drop(tmp_path / "game-0001")
    shown.until(f"element('say').textContent === 'a recording of {looks} looks'")


def test_practice_is_played_hinted_and_reviewed(shown: Browser) -> None:
    shown.value("practise('beginner', 'no-guess')")
    shown.until("state.mode === 'practice'")
    assert not shown.value("element('odds').checked")
    tap(shown, 4, 4)
    shown.until("state.practice.state === 'playing'")
    assert shown.value("state.analysis") is None  # nothing is told that nobody has asked for
    tap(
        shown,
        *covered(shown),
        "right",
    )
    shown.until("current().cells.join('').includes('F')")
    while shown.value("state.practice.review") is None:
        shown.value("hint()")
        cells = shown.until("state.lit && state.lit.cells")
        assert "safe" in said(shown)
        row, col = cells[0]
        if shown.value(f"current().cells[{row}][{col}]") == "F":
            tap(shown, row, col, "right")
            tap(shown, row, col, "right")
            shown.until(f"current().cells[{row}][{col}] === '#'")
            continue
        before = shown.value("state.at")
        tap(shown, row, col)
        shown.until(f"state.at > {before}")
    assert shown.value("state.practice.state") == "won"
    assert "no risk was taken" in shown.value("element('review').textContent")
    shown.value("study()")
    answered(shown)
    assert shown.value("state.mode") == "analyse"


@pytest.mark.parametrize("size", [(1280, 800), (390, 780)])
def test_no_tile_moves_away_while_hints_come_and_go(shown: Browser, size: tuple[int, int]) -> None:
    shown.resize(*size)
    shown.value("practise('expert', 'no-guess')")
    shown.until("state.mode === 'practice'")
    tap(shown, 4, 4)
    shown.until("state.practice.state === 'playing'")
    places = [middle(shown, "cellAt(0, 0)")]
    shown.value("hint()")
    shown.until("state.lit && state.lit.cells")
    assert "safe" in said(shown)
    places.append(middle(shown, "cellAt(0, 0)"))
    shown.value("say('')")
    places.append(middle(shown, "cellAt(0, 0)"))
    assert len(set(places)) == 1


def test_a_needless_risk_is_shown_where_it_was_taken(shown: Browser) -> None:
    shown.value("practise('9x9/35', 'open')")
    shown.until("state.mode === 'practice'")
    tap(shown, 4, 4)
    shown.until("state.practice.state !== 'new'")
    for _ in range(80):
        if shown.value("state.practice.review") is not None:
            break
        at = shown.value("state.at")
        row, col = covered(shown)
        tap(shown, row, col)
        shown.until(f"state.at > {at}")
    shown.until("!element('review').hidden")
    shown.until("document.querySelectorAll('[data-risk]').length")
    shown.value("document.querySelector('[data-risk]').click()")
    answered(shown)
    assert shown.value("state.marks.length") >= 1
    assert shown.value("boardText(current()) === state.practice.review.risks[0].board")


def test_a_look_is_taught_by_clicks(shown: Browser, tmp_path: Path) -> None:
    made = madeup_board(1)
    picture = tmp_path / "another.png"
    cv2.imwrite(str(picture), PALETTES["dark"].paint_board(made))
    shown.drop(picture)
    shown.until("document.querySelectorAll('#teach').length")
    shown.value("element('teach').click()")
    shown.until("element('teach-dialog').open")
    for look in shown.value("[...document.querySelectorAll('.look img')].map(each => each.alt)"):
        (cell,) = places(look)
        symbol = SYMBOLS[made.cells[cell]]
        group = f"[...document.querySelectorAll('.look')].find(each => each.children[0].alt === {json.dumps(look)})"
        button = f"[...{group}.querySelectorAll('button')].find(each => each.textContent === {json.dumps(symbol)})"
        shown.value(f"{button}.click()")
    shown.value("element('look-name').value = 'taught', document.querySelector('#teach-dialog .main').click()")
    shown.until("element('say').textContent.startsWith('learnt the look')")
    answered(shown)
    assert np.array_equal(board(shown).cells, made.cells)
    assert (user_folder() / "taught" / "skin.toml").is_file()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_wide_and_narrow_screens(width: int, dark: bool, shown: Browser) -> None:
    shown.resize(width, 844, dark)
    put(shown, (FIXTURES / "clone/default-size-midgame.txt").read_text(encoding="utf-8"))
    assert shown.value("document.documentElement.scrollWidth") <= width
    ground = shown.value("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, ground[4:-1].split(","))) < 200) == dark


@pytest.mark.parametrize("width", [1280, 390])
def test_rows_and_columns_are_numbered_beside_the_board(width: int, shown: Browser) -> None:
    shown.resize(width, 844)
    put(shown, str(Board.covered(16, 30)))
    middles = """[...document.querySelectorAll(SELECTED)].map(each => {
        const {x, y, width, height} = each.getBoundingClientRect();
        return [x + width / 2, y + height / 2, each.textContent]; })"""
    for ruler, cells, count, axis in (
        ("columns", "#grid > :first-child > *", 30, 0),
        ("rows", "#grid > div > :first-child", 16, 1),
    ):
        numbers = shown.value(middles.replace("SELECTED", f"'#{ruler} > *'"))
        tiles = shown.value(middles.replace("SELECTED", f"'{cells}'"))
        assert [number[2] for number in numbers] == [str(number) for number in range(1, count + 1)]
        assert [number[axis] for number in numbers] == pytest.approx([tile[axis] for tile in tiles], abs=1)


def test_everything_has_a_name_for_those_who_listen(shown: Browser) -> None:
    put(shown, SHAFT)
    nameless = shown.value(
        """[...document.querySelectorAll("button, input, select, textarea, [role=gridcell], dialog, canvas")]
        .filter(each => !each.closest("[hidden], [aria-hidden]") && !each.parentElement.closest("button"))
        .filter(each => !each.textContent.trim() && !(each.labels && each.labels.length))
        .filter(each => !each.getAttribute("aria-label") && !each.getAttribute("aria-labelledby"))
        .map(each => each.outerHTML)"""
    )
    assert nameless == []
    assert shown.value("[...document.querySelectorAll('#grid [tabindex=\"0\"]')].length") == 1


def test_the_network_is_asked_for_nothing_but_the_server(shown: Browser, client: Client) -> None:
    put(shown, SHAFT)
    shown.until("!state.thinking")
    assert all(request.startswith((client.address, "data:", "blob:", "about:", "file:")) for request in shown.requests)


def test_a_second_page_without_the_secret_gets_nothing(shown: Browser, client: Client) -> None:
    for path in ("/", "/wrong/"):
        shown.open(f"http://{client.host}{path}")
        assert "analyser" not in shown.value("document.documentElement.outerHTML").lower()
    shown.open("about:blank")
    cross = f"fetch('{client.address}start').then(answer => answer.text(), () => 'nothing')"
    assert shown.value(cross) == "nothing"
    framed = f"""new Promise(done => {{
        const frame = document.createElement("iframe");
        frame.src = "{client.address}";
        frame.onload = () => setTimeout(() => done(frame.contentWindow.length), 500);
        document.body.append(frame);
    }})"""
    before = len(shown.requests)
    shown.value(framed)
    assert not any(request.endswith(("start", "alive")) for request in shown.requests[before:])  # its script never ran
    shown.complaints.clear()


def test_the_server_ends_when_its_page_is_closed(shown: Browser) -> None:
    with started("analyse", "--no-browser", "--json") as process:
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["address"]
        shown.open(address)
        shown.until("document.body.dataset.ready")
        shown.open("about:blank")
        assert process.wait(timeout=60) == 0


def test_a_page_whose_server_has_ended_says_so(shown: Browser) -> None:
    with Server({"kind": "board", "board": SHAFT}) as server:
        shown.open(server.address)
        shown.until("document.body.dataset.ready")
        answered(shown)
        assert board(shown) == Board.parse(SHAFT)
        assert shown.value("element('lost').hidden")
    shown.until("!element('lost').hidden")
    shown.complaints.clear()
