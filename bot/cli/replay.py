"""`minebot replay`: a recorded game again, in words, as a page, as a moving picture, or as one file to send."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.common import FILE, console, output_options, print_json, remark
from bot.errors import Exit

if TYPE_CHECKING:
    from bot.record.recording import Each, Recording
    from bot.record.replay import Difference


@click.command()
@click.argument("recording", metavar="[DIR]", required=False, type=FILE)
@click.option("--last", is_flag=True, help="The last recorded game, kept by itself.")
@click.option("--html", metavar="OUT.html", type=FILE,
              help="Also write a page with a slider through the game.")  # fmt: skip
@click.option("--movie", metavar="OUT.webp", type=FILE,
              help="Also write the game as a moving picture (.webp, .gif, .png or .mp4).")  # fmt: skip
@click.option("--bundle", metavar="FILE.zip", type=FILE,
              help="Only put the game into one file, to be sent with a report.")  # fmt: skip
@click.option("--skin", metavar="NAME", help="Read with this skin (default: found by itself).")
@output_options
def replay(
    recording: Path | None,
    last: bool,
    html: Path | None,
    movie: Path | None,
    bundle: Path | None,
    skin: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Read and decide a recording again, and tell what differs.

    \b
    Exit code 0 when nothing does, 4 otherwise.
    DIR is what `minebot play --record DIR` wrote, or a bundle of it.
    Example: minebot replay recording --html game.html
    """
    from bot.record.recording import recordings_in
    from bot.record.replay import write_bundle

    with _folder(recording, last) as folder:
        games = recordings_in(folder)
        for option, file in (("--bundle", bundle), ("--movie", movie)):
            if file is not None and len(games) > 1:
                raise click.UsageError(f'{option} takes one game; "{folder}" holds {len(games)}')
        if bundle is not None:
            write_bundle(games[0], bundle)
            if as_json:
                print_json({"bundle": str(bundle)})
            remark(f'wrote "{bundle}"', quiet or as_json)
            return Exit.DONE
        if html is not None:
            _write_page(games, html)
            remark(f'wrote "{html}"', quiet or as_json)
        if movie is not None:
            _write_movie(games[0], movie, quiet or as_json)
            remark(f'wrote "{movie}"', quiet or as_json)
        return _replay(games, skin, as_json, quiet)


@contextmanager
def _folder(recording: Path | None, last: bool) -> Iterator[Path]:
    """Give the folder of the recording that was asked for."""
    from bot.record.recorder import last_recording
    from bot.record.replay import unpacked

    if (recording is None) != last:
        raise click.UsageError("give a DIR or --last")
    if recording is None:
        yield last_recording()
    elif recording.is_file():
        with unpacked(recording) as folder:
            yield folder
    else:
        yield recording


def _write_page(games: list[Path], file: Path) -> None:
    from bot.record.export import write_page
    from bot.record.recording import load_recording

    write_page([load_recording(game) for game in games], file)


def _write_movie(game: Path, file: Path, hidden: bool) -> None:
    from bot.record.export import write_movie
    from bot.record.recording import load_recording

    with _counting(f"looks drawn for {file.name}", hidden) as each:
        write_movie(load_recording(game), file, each)


@contextmanager
def _counting(what: str, hidden: bool) -> Iterator[Each]:
    """Give a way to go through looks that shows on a terminal how far it has got."""
    from bot.show.views import progress_bar

    with progress_bar(console(stderr=True), hidden) as bar:
        yield lambda looks: bar.track(looks, description=what)


def _replay(games: list[Path], skin: str | None, as_json: bool, quiet: bool) -> int:
    from bot.record.recording import load_recording
    from bot.record.replay import replay as replay_game
    from bot.vision.skin import Skin

    template = None if skin is None else Skin.load(skin)
    documents: list[dict[str, Any]] = []
    for game in games:
        recorded = load_recording(game)
        with _counting(f"looks of {game.name} replayed", quiet or as_json) as each:
            differences = list(replay_game(recorded, template, each))
        documents.append(_document(game, recorded, differences))
        if not as_json:
            for difference in differences:
                click.echo(f"{game.name}, {difference}")
            click.echo(_summary(documents[-1]))
    total = sum(len(document["differences"]) for document in documents)
    if as_json:
        print_json({"games": documents, "differences": total})
    return Exit.DOUBT if total else Exit.DONE


def _document(game: Path, recorded: Recording, differences: list[Difference]) -> dict[str, Any]:
    return {
        "game": game.name,
        "version": recorded.version,
        "started": recorded.started,
        "looks": sum(frame.reading is not None for frame in recorded.frames),
        "decisions": sum(frame.decision is not None for frame in recorded.frames),
        "stopped": recorded.stop,
        "differences": [{"look": difference.look, "what": difference.what} for difference in differences],
    }


def _summary(document: dict[str, Any]) -> str:
    from bot.board import counted

    looks, decisions = counted(document["looks"], "look"), counted(document["decisions"], "decision")
    return f"{document['game']}: {looks}, {decisions}, {counted(len(document['differences']), 'difference')}"
