"""`minebot calibrate`: makes a skin from screenshots or from the live window."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.common import (
    FILE,
    PACE,
    InputError,
    console,
    games_option,
    output_options,
    print_json,
    read_text,
    remark,
    window_option,
)

if TYPE_CHECKING:
    from bot.board import Board
    from bot.calibrate.build import Margins
    from bot.calibrate.from_pictures import Calibration, Findings, Look
    from bot.vision.skin import Skin
    from bot.words import Pace

LEAVE_OUT = "-"
CHOICES = (
    "0-8 open   # covered   F flag   ? question mark   * mine   X mine that went off   x wrong flag   - leave it out"
)


@click.command()
@click.argument("images", metavar="[IMAGE…]", nargs=-1)
@click.option("--name", metavar="NAME", required=True, help="What the skin is called; letters, digits, _ and -.")
@click.option("--board", "boards", metavar="FILE", multiple=True, help="The board in an IMAGE, as text; repeatable.")
@click.option("--to", metavar="DIR", type=FILE, help="Write the skin to DIR (default: the user's data folder).")
@click.option("--yes", is_flag=True, help="Ask nothing: replace a skin that is there, stop when something is not sure.")
@window_option
@games_option(20, "Live: most games.")
@click.option("--pace", type=PACE, default="fast", show_default=True, help="Live: how fast to click.")
@output_options
def calibrate(
    images: tuple[str, ...],
    name: str,
    boards: tuple[str, ...],
    to: Path | None,
    yes: bool,
    window: str | None,
    games: int,
    pace: Pace,
    as_json: bool,
    quiet: bool,
) -> None:
    """Make a skin, the look of a game, from pictures or by playing.

    \b
    From pictures it groups tiles by look, names the groups by known skins, by the
    rules of the game and by --board files, and asks about the rest. Without
    IMAGE it plays the game in the window until it has seen its tiles.
    Example: minebot calibrate shot.png --board shot.txt --name mine
    Example: minebot calibrate --window Mines --name gnome
    """
    from bot.vision.skin import NAME, user_folder

    if not NAME.fullmatch(name):
        raise click.UsageError(f'"{name}" is no name for a skin: use letters, digits, _ and -')
    folder = to if to is not None else user_folder() / name
    if images or not boards:
        _may_be_replaced(name, folder, yes)
    if images:
        _from_pictures(images, boards, name, folder, yes, as_json, quiet)
    elif boards:
        raise click.UsageError("--board tells what is in an IMAGE, and there is none")
    else:
        _from_window(name, folder, window, games, pace, as_json, quiet)


def _may_be_replaced(name: str, folder: Path, yes: bool) -> None:
    """Ask before a skin is overwritten. Raises `InputError` when it is to stay, or nobody is there to ask."""
    if yes or not (folder / "skin.toml").exists():
        return
    other = "take another --name, or replace it with --yes"
    if not sys.stdin.isatty():
        raise InputError(f'there is a skin "{name}" in {folder} already: {other}')
    if not click.confirm(f'there is a skin "{name}" already; replace it?', err=True):
        raise InputError(f'the skin "{name}" stays as it is: {other}')


def _from_pictures(
    images: tuple[str, ...], boards: tuple[str, ...], name: str, folder: Path, yes: bool, as_json: bool, quiet: bool
) -> None:
    from bot.calibrate.from_pictures import examine, finish
    from bot.picture import load

    truths = _truths(images, boards)
    found = examine([(image, load(image), truths.get(image)) for image in images])
    _show_sure(found, quiet)
    answers = _answers(found, name, yes)
    result = finish(name, found, answers)
    _write(result.skin, folder)
    document = {
        "looks": [_look_json(look, answers) for look in result.looks],
        "read_back": [
            {"image": check.sample.name, "right": check.right, "unread": check.unread, "wrong": len(check.wrong)}
            for check in result.read_back
        ],
    }
    _report(result.skin, result.margins, folder, _read_back_lines(result), document, as_json, quiet)


def _from_window(
    name: str, folder: Path, window: str | None, games: int, pace: Pace, as_json: bool, quiet: bool
) -> None:
    from bot.calibrate.build import margins
    from bot.calibrate.from_window import calibrate_live
    from bot.desktop import open_desktop
    from bot.desktop.timing import PRESETS

    desktop = open_desktop(window, PRESETS[pace])
    result = calibrate_live(desktop, PRESETS[pace], name, games, lambda text: remark(text, quiet))
    _write(result.skin, folder)
    lines = [f"{result.games} games, {result.pictures} pictures, all read back without an error"]
    document = {"games": result.games, "pictures": result.pictures, "stopped": result.stopped}
    _report(result.skin, margins(result.skin), folder, lines, document, as_json, quiet)


def _truths(images: tuple[str, ...], boards: tuple[str, ...]) -> dict[str, Board]:
    """Return the truth of each image: by equal file names, if no two are the same, or else in the order given."""
    from bot.board import Board, BoardError

    by_stem = {Path(image).stem: image for image in images}
    if len(by_stem) == len(images) and all(Path(board).stem in by_stem for board in boards):
        pairs = {by_stem[Path(board).stem]: board for board in boards}
    elif len(boards) == len(images):
        pairs = dict(zip(images, boards, strict=True))
    else:
        raise click.UsageError("--board FILEs need the names of their IMAGEs, or there must be one for each")
    truths = {}
    for image, board in pairs.items():
        try:
            truths[image] = Board.parse(read_text(board))
        except BoardError as error:
            raise InputError(f'"{board}" is no board: {error}') from error
    return truths


def _show_sure(found: Findings, quiet: bool) -> None:
    from bot.board import SYMBOLS

    for look in found.looks:
        if look.value is not None:
            remark(f"{SYMBOLS[look.value]}  {_times(look.count)}: {look.proof}", quiet)


def _answers(found: Findings, name: str, yes: bool) -> dict[int, int]:
    """Return what the user says about the looks that nothing proves. Raises `UnsureError` with nobody to ask."""
    from bot.board import SYMBOLS
    from bot.calibrate import UnsureError

    questions = found.open_questions
    crops = _save_crops(questions, name)
    if questions and yes:
        where = ", ".join(f'"{crops[look.number]}"' for look in questions[:4])
        raise UnsureError(
            f"{len(questions)} looks are not sure, see {where}; tell them with --board, or answer without --yes"
        )
    answers = {}
    for look in questions:
        image, row, col = look.where
        _show_crop(look)
        where = f'row {row + 1}, column {col + 1} of "{image}", {_times(look.count)}'
        click.echo(f"{where}; larger: {crops[look.number]}", err=True)
        click.echo(CHOICES, err=True)
        likely = "".join(SYMBOLS[value] for value in look.candidates)
        legal = click.Choice([*SYMBOLS[:-1], LEAVE_OUT])
        try:
            answer = click.prompt(f"what is it, perhaps one of {likely}?", type=legal, show_choices=False, err=True)
        except click.Abort as error:
            raise UnsureError(f'nobody answers what "{crops[look.number]}" is') from error
        if answer != LEAVE_OUT:
            answers[look.number] = SYMBOLS.index(answer)
    return answers


CROP_WIDTH = 24
"""Characters that a tile is wide in a terminal; each shows two points, one above the other."""


def _show_crop(look: Look) -> None:
    """Print what the user is asked about, where a terminal has colours for it."""
    from bot.show.terminal import colours_of, picture_text

    out = console(stderr=True)
    if out.is_terminal and colours_of(out):
        out.print(picture_text(look.crop, CROP_WIDTH))


def _times(count: int) -> str:
    return "seen once" if count == 1 else f"seen {count} times"


def _save_crops(looks: Sequence[Look], name: str) -> dict[int, Path]:
    """Write down, enlarged, what the user is asked about; return each look's file by its number."""
    import tempfile

    import cv2
    import numpy as np

    from bot.picture import save

    if not looks:
        return {}
    folder = Path(tempfile.mkdtemp(prefix=f"minebot-{name}-"))  # a name that nobody can have put a link at
    files = {look.number: folder / f"look-{look.number}.png" for look in looks}
    for look in looks:
        enlarged = cv2.resize(look.crop, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST)
        save(files[look.number], np.asarray(enlarged, dtype=np.uint8))
    return files


def _write(skin: Skin, folder: Path) -> None:
    from bot.calibrate.build import contact_sheet

    skin.save(folder, contact_sheet(skin))


def _look_json(look: Look, answers: dict[int, int]) -> dict[str, Any]:
    from bot.board import SYMBOLS

    value = look.value if look.value is not None else answers.get(look.number)
    image, row, col = look.where
    proof = look.proof or ("your answer" if value is not None else "left out")
    cell = None if value is None else SYMBOLS[value]
    return {"cell": cell, "count": look.count, "proof": proof, "image": image, "row": row, "col": col}


def _read_back_lines(result: Calibration) -> list[str]:
    lines = []
    for check in result.read_back:
        unread = f", {check.unread} not sure" if check.unread else ""
        lines.append(f'read back "{check.sample.name}": {check.right} tiles right{unread}, none wrong')
    return lines


def _report(
    skin: Skin, found: Margins, folder: Path, lines: list[str], document: dict[str, Any], as_json: bool, quiet: bool
) -> None:
    """Tell what was made: how well its tiles can be told apart, what it has not seen, and where it is."""
    from bot.board import SYMBOLS
    from bot.calibrate.build import GOOD
    from bot.vision.skin import SHEET

    closest = sorted(found.items(), key=lambda item: item[1])
    if as_json:
        pairs = [{"cells": [SYMBOLS[a], SYMBOLS[b]], "distance": round(far, 1)} for (a, b), far in closest]
        print_json({"name": skin.name, "folder": str(folder), "tile": skin.tile, "tiles": skin.known,
                    "missing": skin.missing, "margins": pairs, "sheet": str(folder / SHEET), **document})  # fmt: skip
        return
    for line in lines:
        click.echo(line)
    if closest:
        nearest = ", ".join(f"{SYMBOLS[a]} and {SYMBOLS[b]} {far:.0f}" for (a, b), far in closest[:4])
        verdict = "all far enough" if closest[0][1] >= GOOD else f"below {GOOD:.0f} is near"
        click.echo(f"apart, in grey levels: {nearest} … of {len(closest)} pairs ({verdict})")
    click.echo(f"tiles known: {skin.known}" + (f"; not seen yet: {skin.missing}" if skin.missing else ""))
    click.echo(f'skin "{skin.name}" written to {folder} (all its tiles: {SHEET})')
