"""Commands that look and tell: `read`, `solve`, `dry-run`. None of them clicks.

Pictures come from files, stdin, the clipboard, or a folder that is watched.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from bot import signals
from bot.cli.common import (
    FILE,
    InputError,
    console,
    exit_code_for,
    mines_option,
    output_options,
    print_json,
    read_text,
    remark,
    rule_of_a_window_option,
    rule_option,
    sentence_for,
    skin_option,
    think_option,
)
from bot.errors import Exit

if TYPE_CHECKING:
    from bot.board import Board
    from bot.picture import Picture
    from bot.solver.decision import Decision
    from bot.vision.reader import Reader, Reading
    from bot.words import Rule


images_argument = click.argument("images", metavar="[IMAGE…]", nargs=-1)
clipboard_option = click.option("--clipboard", is_flag=True, help="Take the picture that was copied last.")


@dataclass(frozen=True)
class Source:
    """A picture that is still to be fetched, and what to call it."""

    name: str
    load: Callable[[], Picture]


def sources(images: tuple[str, ...], clipboard: bool) -> list[Source]:
    """Return what the user has named, "-" for stdin; something must be."""
    if clipboard and images:
        raise click.UsageError("give IMAGE or --clipboard, not both")
    if not clipboard and not images:
        raise click.UsageError('give an IMAGE, "-" for stdin, or --clipboard')
    if clipboard:
        return [Source("clipboard", _copied)]
    return [Source("stdin", _from_stdin) if image == "-" else file_source(image) for image in images]


def file_source(image: str) -> Source:
    """Return a picture in a file."""

    def load() -> Picture:
        from bot import picture

        return picture.load(image)

    return Source(image, load)


def _copied() -> Picture:
    from bot.desktop import copied_picture
    from bot.picture import decode

    return decode(copied_picture(), "clipboard")


def _from_stdin() -> Picture:
    from bot.picture import LARGEST_FILE, decode

    if sys.stdin.isatty():
        raise InputError("no picture comes from a terminal: give stdin a file, as in: minebot dry-run - < shot.png")
    raw = sys.stdin.buffer.read(LARGEST_FILE + 1)
    if not raw:
        raise InputError("can't read stdin: nothing came")
    if len(raw) > LARGEST_FILE:
        raise InputError(f"can't read stdin: it is too large: more than {LARGEST_FILE / 1e6:.3g} MB")
    return decode(raw, "stdin")


part_option = click.option("--part", is_flag=True, help="The picture cuts the board off: there is more of it outside.")


@click.command()
@images_argument
@clipboard_option
@skin_option
@part_option
@click.option("--annotate", metavar="OUT.png", help="Draw what was seen on the picture: grid, labels, doubts in red.")
@output_options
def read(
    images: tuple[str, ...],
    clipboard: bool,
    skin: str | None,
    part: bool,
    annotate: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Print the board in a picture, as text. IMAGE may be "-" for stdin.

    \b
    Example: minebot read screenshot.png
    """
    from bot.show.documents import reading_json

    _one_picture_only(images, annotate)
    reader = _reader(skin)

    def report(source: Source) -> tuple[dict[str, Any], Exit]:
        picture, reading = _read(reader, source, part)
        if annotate is not None:
            from bot.picture import save
            from bot.show.annotate import draw_reading

            save(annotate, draw_reading(picture, reading))
        if not as_json:
            click.echo(str(reading.board))
            _remark_on(source.name, reading, quiet)
        return {"image": source.name, **reading_json(reading)}, Exit.DONE

    return _for_each(sources(images, clipboard), report, as_json)


@click.command()
@click.argument("file", metavar="[FILE]", default="-")
@mines_option
@rule_option
@click.option("--explain", is_flag=True, help="Print every conclusion with the numbers that prove it.")
@think_option(1.0)
@output_options
def solve(file: str, mines: int | None, rule: Rule, explain: bool, think: float, as_json: bool, quiet: bool) -> int:
    """Tell what is safe, what is mined and what to do on a board.

    The board is text, from FILE or from stdin.

    \b
    Cells: # covered, 0-8 open, F flag, ? question mark, . unread; an optional
    first line "mines: 99", or "cut: top left" where the board goes on unseen.
    Cells may stand apart; what JSMinesweeper and minesweepr write is taken too.
    Example: minebot solve board.txt --explain
    """
    from bot.board import Board, BoardError, parse_pasted

    try:
        if file == "-" and sys.stdin.isatty():
            remark("type or paste a board, then press Ctrl-D (on Windows Ctrl-Z and Enter)", quiet)
        board, told = parse_pasted(read_text(file))
        board = board if mines is None else Board(board.cells, mines, board.cut)
    except BoardError as error:
        name = "the board on stdin" if file == "-" else f'"{file}"'
        raise InputError(f"{name} is no board: {error}") from error
    for sentence in told:
        remark(sentence, quiet)
    decision = _decide(board, rule, think)
    if as_json:
        from bot.show.documents import decision_json

        print_json(decision_json(board, decision))
    else:
        _tell(board, decision, explain)
    return _exit_code(decision)


@click.command("dry-run")
@images_argument
@clipboard_option
@click.option("--watch", metavar="FOLDER", type=FILE, help="Answer every new screenshot in FOLDER, until Ctrl-C.")
@skin_option
@mines_option
@part_option
@rule_of_a_window_option
@think_option(1.0)
@click.option("--annotate", metavar="OUT.png", help="Draw it on the picture: safe, mined, odds, the move.")
@output_options
def dry_run(
    images: tuple[str, ...],
    clipboard: bool,
    watch: Path | None,
    skin: str | None,
    mines: int | None,
    part: bool,
    rule: Rule | None,
    think: float,
    annotate: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Tell what the bot would do on a screenshot, and why. It clicks nothing.

    IMAGE may be "-" for stdin. With --watch and --json every answer is a line.

    \b
    Example: minebot dry-run screenshot.png --annotate answer.png
    """
    from bot.show.documents import decision_json, reading_json

    _one_picture_only(images, annotate)
    reader = _reader(skin)

    def report(source: Source) -> tuple[dict[str, Any], Exit]:
        image = source.name
        picture, reading = _read(reader, source, part)
        board = _with_mines(image, reading, mines, quiet)
        decision = _decide(board, rule or reading.kind.rule, think)
        if annotate is not None:
            from bot.picture import save
            from bot.show.annotate import annotate as draw
            from bot.show.annotate import with_room_for_rulers

            save(annotate, draw(*with_room_for_rulers(picture, reading.grid), reading.board, decision))
        if not as_json:
            _remark_on(image, reading, quiet)
            _tell(board, decision, explain=True)
        document = {**decision_json(board, decision), "reading": {"image": image, **reading_json(reading)}}
        return document, _exit_code(decision)

    if watch is None:
        return _for_each(sources(images, clipboard), report, as_json)
    if images or clipboard:
        raise click.UsageError("--watch takes no other pictures than those in its FOLDER")
    return _watch(watch, annotate, report, as_json, quiet)


Report = Callable[[Source], tuple[dict[str, Any], Exit]]
"""Tells of one picture, and returns the JSON document and the exit code."""


def _watch(folder: Path, drawn: str | None, report: Report, as_json: bool, quiet: bool) -> NoReturn:
    """Report on every picture that comes into a folder, but for the one that is drawn, until a signal ends it."""
    from bot.desktop.timing import Seconds, pause
    from bot.picture import new_pictures

    def wait(seconds: float) -> None:
        signals.obey()
        pause(Seconds(seconds))

    pictures = new_pictures(folder, wait)
    remark(f'waiting for new screenshots in "{folder}"; Ctrl-C ends it', quiet)
    for file in pictures:
        if drawn is None or file.resolve() != Path(drawn).resolve():
            if not as_json:
                click.echo(f"{file}:")
            document, _ = _reported(file_source(str(file)), report)
            if as_json:
                print_json(document)
    raise AssertionError("a folder has no end")


def _for_each(pictures: list[Source], report: Report, as_json: bool) -> int:
    """Report on every picture; one that fails does not keep the others back. The first failure gives the exit code."""
    if len(pictures) == 1:
        document, exit_code = report(pictures[0])
        if as_json:
            print_json(document)
        return exit_code
    documents = []
    exit_code = Exit.DONE
    for source in pictures:
        if not as_json:
            click.echo(f"{source.name}:")
        document, code = _reported(source, report)
        documents.append(document)
        exit_code = exit_code or code
    if as_json:
        print_json(documents)
    return exit_code


def _reported(source: Source, report: Report) -> tuple[dict[str, Any], Exit]:
    """Report on one of many pictures: what is wrong with it is said, and is no failure of the others."""
    try:
        return report(source)
    except Exception as error:
        code = exit_code_for(error)
        if code is Exit.BUG:
            raise
        remark(sentence_for(error))
        return {"image": source.name, "error": sentence_for(error)}, code


def _one_picture_only(images: tuple[str, ...], annotate: str | None) -> None:
    if annotate is not None and len(images) > 1:
        raise click.UsageError("--annotate takes one IMAGE at a time")


def _reader(skin: str | None) -> Reader:
    from bot.vision.reader import Reader
    from bot.vision.skin import Skin

    return Reader(None if skin is None else Skin.load(skin))


def _read(reader: Reader, source: Source, part: bool) -> tuple[Picture, Reading]:
    from bot.vision.reader import NoBoardError, as_part

    picture = source.load()
    try:
        reading = reader.read(picture)
    except NoBoardError as error:
        raise NoBoardError(
            f'no board found in "{source.name}": it must show the board sharp and whole, or cut off by straight edges '
            f'(--part); a look that is not known yet is learnt by "minebot calibrate"'
        ) from error
    return picture, as_part(reading, picture) if part else reading


def _with_mines(image: str, reading: Reading, mines: int | None, quiet: bool) -> Board:
    """Return the board that was read with its mines: those told, or those of its level where no counter shows any."""
    from bot.board import Board, BoardError, Cell
    from bot.level import level_of_size

    board = reading.board
    if mines is not None:
        try:
            return Board(board.cells, mines, board.cut)
        except BoardError as error:
            raise InputError(f'--mines {mines} does not fit "{image}": {error}') from error
    if board.mines is None and reading.mines_left is None and not board.cut and (board.cells != Cell.UNREAD).all():
        level = level_of_size(board.rows, board.cols)
        if level is not None:
            told = f"taken for {level.name}, which has {level.mines} mines (or --mines)"
            remark(f'"{image}" shows no counter: {told}', quiet)
            return Board(board.cells, level.mines)
    return board


def _remark_on(image: str, reading: Reading, quiet: bool) -> None:
    from bot.board import counted, place

    remark(f"skin {reading.skin}, sure of {reading.likeness:.1%} of the tiles in sight", quiet)
    if reading.board.cut:
        sides = " and ".join(reading.board.cut_sides)
        remark(f'"{image}" cuts the board off ({sides}): numbers there may have mines outside', quiet)
    if reading.doubts:
        which, first = f'{counted(len(reading.doubts), "tile")} of "{image}"', reading.doubts[0]
        remark(f"{which} could not be read, the first at {place(first.row, first.col)}", quiet)
    for problem in reading.problems:
        remark(f'"{image}": {problem}', quiet)


def _decide(board: Board, rule: Rule, think: float) -> Decision:
    from bot import solver

    return solver.decide(board, rule=rule, think=think)


def _exit_code(decision: Decision) -> Exit:
    return Exit.DOUBT if decision.move is None and decision.problems else Exit.DONE


def _tell(board: Board, decision: Decision, explain: bool) -> None:
    """Print what was found out and what to do; on a terminal the board last but one, where no proof scrolls it away."""
    from rich.text import Text

    from bot.show.terminal import board_text, colours_of, finding_lines, verdict_line

    lines, verdict = finding_lines(board, decision, explain), verdict_line(decision)
    out = console(wraps=True)
    if not out.is_terminal:
        click.echo("\n".join([*lines, verdict]))
        return
    for line in lines:
        out.print(Text(line))
    out.print(board_text(board, decision, width=out.width, colours=colours_of(out)), end="")
    out.print(Text(verdict))
