"""`minebot bench …`: the trials behind every figure this project states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.common import (
    FILE,
    LEVEL,
    PACE,
    SEED,
    STOPS,
    STRATEGY,
    Command,
    console,
    games_option,
    level_option,
    output_options,
    print_json,
    rule_of_a_window_option,
    rule_option,
    seed_option,
    style_option,
    think_option,
    window_option,
    workers_option,
)
from bot.errors import Exit
from bot.words import STRATEGIES

if TYPE_CHECKING:
    from rich.table import Table

    from bot.bench import Onlooker
    from bot.level import Level
    from bot.words import AnyStrategy, ClickStyle, Pace, Rule, Strategy

if TYPE_CHECKING:
    TurnedParameter = click.ParamType[tuple[str, float]]
else:
    TurnedParameter = click.ParamType  # generic for type checkers only in the oldest click we allow


@click.group()
def bench() -> None:
    """Measure how well, how fast and how safely it reads and plays.

    \b
    Example: minebot bench games --strategy best --games 10000
    """


@dataclass(frozen=True)
class Output:
    """How a trial is told of."""

    as_json: bool
    quiet: bool

    @contextmanager
    def bar(self, total: int | None = None) -> Iterator[Onlooker]:
        """Give what moves a bar on stderr, if there is to be one.

        It begins when it is first moved: before that, compiling shows how it goes on in a line of its own.
        """
        from bot.show.views import progress_bar

        progress = progress_bar(console(stderr=True), self.quiet or self.as_json)
        task = progress.add_task("", total=total)

        def move(done: int, of: int, remark: str = "") -> None:
            progress.start()
            progress.update(task, completed=done, total=of, description=remark)

        try:
            yield move
        finally:
            progress.stop()

    def tell(self, document: Any, tables: Iterable[Table], lines: Iterable[str] = ()) -> None:
        """Print the document as JSON or, for people, the tables and the lines."""
        if self.as_json:
            print_json(document)
            return
        out = console()
        for table in tables:
            out.print(table)
        for line in lines:
            click.echo(line)


def told(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--json` and `--quiet`, and hand them on as `output`."""

    @output_options
    @wraps(command)
    def run(as_json: bool, quiet: bool, **options: Any) -> Any:
        return command(output=Output(as_json, quiet), **options)

    return run


def hired_options(command: Command) -> Command:
    """Add `--seed`, and who does the work: `--workers` and `--cluster`, which are handed on as they are."""
    cluster = click.option("--cluster", metavar="ADDRESS", help="Send the work to a Dask scheduler (extra `cluster`).")
    return seed_option(workers_option(cluster(command)))


def strategy_option(kinds: click.Choice[str], default: str = "best") -> Callable[[Command], Command]:
    """`--strategy`, of some kinds."""
    return click.option("--strategy", type=kinds, default=default, show_default=True, help="Who plays.")


def plot_option(what: str) -> Callable[[Command], Command]:
    """`--plot`, of a trial that can be drawn."""
    return click.option("--plot", metavar="OUT.png", type=FILE, help=f"{what} (extra `plots`).")


rolls_option = click.option(
    "--rolls", metavar="N", type=click.IntRange(0), help="Layouts that `deep` rolls out a guess (default: 1024)."
)


@bench.command()
@level_option()
@rule_option
@games_option(1000)
@strategy_option(STRATEGY)
@click.option("--results", metavar="FILE", type=FILE,
              help="Keep the games, one character each, and go on where the file ends.")  # fmt: skip
@click.option("--against", metavar="FILE", type=FILE, help="Pair the results with those of another player.")
@rolls_option
@hired_options
@told
def games(
    level: Level,
    rule: Rule,
    games: int,
    strategy: AnyStrategy,
    results: Path | None,
    against: Path | None,
    rolls: int | None,
    seed: int,
    output: Output,
    **hired: Any,
) -> None:
    """Play seeded games in memory and count the wins.

    \b
    Ctrl-C keeps what is done in --results.
    Example: minebot bench games --strategy csp --games 100000 --results csp.txt
    """
    from bot.bench.games import compare, run_games
    from bot.show.tables import comparison_table, games_table

    if against is not None and results is None:
        raise click.UsageError("--against needs --results FILE, whose games it pairs")
    if rolls is not None and strategy != "deep":
        raise click.UsageError("--rolls is the budget of --strategy deep")
    with output.bar(games) as bar:
        trial = run_games(level, rule, strategy, games, seed, results=results, rolls=rolls, progress=bar, **hired)
    document, tables = asdict(trial), [games_table(trial)]
    if against is not None and results is not None:
        pairs = compare(against, results)
        document["against"] = asdict(pairs)
        tables.append(comparison_table(pairs, (str(against), str(results))))
    output.tell(document, tables)


class _Turned(TurnedParameter):
    """`NAME=NUMBER`: one of a player's numbers, turned."""

    name = "NAME=NUMBER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, float]:
        name, _, number = value.partition("=")
        try:
            return name, float(number)
        except ValueError:
            self.fail(f'"{value}" is not NAME=NUMBER', param, ctx)


GUESSER = click.Choice(STRATEGIES)


@bench.command()
@level_option()
@rule_option
@strategy_option(GUESSER)
@click.option("--against", type=GUESSER, default="csp", show_default=True,
              help="Who is asked what it would guess, and plays both choices out.")  # fmt: skip
@click.option("--seconds", metavar="T", type=click.FloatRange(0), default=60.0, show_default=True,
              help="How long to play. [0: only sum up --results]")  # fmt: skip
@rolls_option
@click.option("--tune", "tuned", type=_Turned(), multiple=True,
              help="Turn a number of the strategy, as docs/strength.md names them (repeatable).")  # fmt: skip
@click.option("--tune-against", "tuned_against", type=_Turned(), multiple=True, help="And of the other player.")
@click.option("--results", metavar="FILE", type=FILE,
              help="Keep every disagreement, and go on where the file ends.")  # fmt: skip
@hired_options
@told
def guesses(
    level: Level,
    rule: Rule,
    strategy: Strategy,
    against: Strategy,
    seconds: float,
    rolls: int | None,
    tuned: tuple[tuple[str, float], ...],
    tuned_against: tuple[tuple[str, float], ...],
    results: Path | None,
    seed: int,
    output: Output,
    **hired: Any,
) -> None:
    """Measure what a player's guesses are worth beyond another's.

    \b
    Only the guesses at which the two disagree are played out, so that minutes
    show what pairing whole games shows in days. The disagreements worth most
    are told as boards for minebot solve. Ctrl-C keeps what is done in --results.
    Example: minebot bench guesses --strategy deep --against best --seconds 600
    """
    from bot.bench.guesses import TunedStrategy, run_guesses
    from bot.show.tables import costly_lines, guesses_table

    if rolls is not None and "deep" not in (strategy, against):
        raise click.UsageError("--rolls is the budget of deep, which is neither of the two")
    budget = {} if rolls is None else {"rolls": float(rolls)}
    players = [
        TunedStrategy.of(name, (budget if name == "deep" else {}) | dict(turned))
        for name, turned in ((strategy, tuned), (against, tuned_against))
    ]
    with output.bar(round(seconds)) as bar:
        trial = run_guesses(level, rule, players[0], players[1], seconds, seed, results=results, progress=bar, **hired)
    output.tell(asdict(trial), [guesses_table(trial)], costly_lines(trial))


@bench.command()
@click.argument("file", type=FILE, required=False)
@click.option("--growth", is_flag=True, help="Time ever larger boards instead of a file.")
@click.option("--no-peer", is_flag=True, help="Don't time ms-toollib beside it.")
@told
def odds(file: Path | None, growth: bool, no_peer: bool, output: Output) -> None:
    """Time the exact odds of the positions in FILE, on one core.

    \b
    Example: minebot bench odds positions.txt
    """
    from bot.bench.speed import bench_growth, bench_odds
    from bot.show.documents import odds_speed_json
    from bot.show.tables import growth_table, odds_table

    if (file is None) != growth:
        raise click.UsageError("give a position FILE or --growth")
    with output.bar() as bar:
        measured = bench_growth(bar) if file is None else bench_odds(file, peer=not no_peer, progress=bar)
    if isinstance(measured, list):
        output.tell([asdict(size) for size in measured], [growth_table(measured)])
    else:
        output.tell(odds_speed_json(measured), [odds_table(measured)])


@bench.command()
@games_option(10, "Boards a density.")
@plot_option("Draw it")
@hired_options
@told
def density(games: int, plot: Path | None, seed: int, output: Output, **hired: Any) -> None:
    """Flag mines on ever fuller boards, going on whatever is hit.

    The boards are 30×30, with 0 to 900 mines.

    \b
    Example: minebot bench density --games 20 --plot density.png
    """
    from bot.bench.density import run_density
    from bot.show.tables import density_table, plot_density

    with output.bar() as bar:
        result = run_density(games, seed, **hired, progress=bar)
    if plot is not None:
        plot_density(result, plot)
    output.tell(asdict(result), [density_table(result)])


@bench.command("first-click")
@level_option()
@rule_option
@games_option(2000, "Games a cell.")
@strategy_option(STRATEGY, "csp")
@plot_option("Draw a heat map")
@hired_options
@told
def first_click(
    level: Level,
    rule: Rule,
    games: int,
    strategy: AnyStrategy,
    plot: Path | None,
    seed: int,
    output: Output,
    **hired: Any,
) -> None:
    """Find out which cell to open first.

    \b
    Example: minebot bench first-click --level beginner --plot first-click.png
    """
    from bot.bench.games import run_first_clicks
    from bot.show.tables import first_click_table, plot_first_clicks

    with output.bar() as bar:
        result = run_first_clicks(level, rule, strategy, games, seed, **hired, progress=bar)
    if plot is not None:
        plot_first_clicks(result, plot)
    output.tell(asdict(result), [first_click_table(result)])


@bench.command()
@click.argument("folder", type=FILE, required=False)
@click.option("--skin", metavar="NAME", help="The look of the games (default: found by itself).")
@click.option("--distort", is_flag=True, help="Read every picture dimmed, tinted, scaled, noisy … instead.")
@click.option("--drawn", metavar="N", type=click.IntRange(1), help="Read N drawn pictures instead of a FOLDER.")
@click.option("--save", metavar="FOLDER", type=FILE, help="Save the drawn pictures that are misread.")
@click.option("--seed", metavar="S", type=SEED, default=0, show_default=True,
              help="Of what is random in --distort; the first picture of --drawn.")  # fmt: skip
@click.option("--workers", metavar="K", type=click.IntRange(1), help="Processes of --drawn. [default: one a core]")
@told
def read(
    folder: Path | None,
    skin: str | None,
    distort: bool,
    drawn: int | None,
    save: Path | None,
    seed: int,
    workers: int | None,
    output: Output,
) -> int:
    """Read every labelled picture in FOLDER: how well and how fast.

    \b
    Beside it stands how the usual way does, each template over the whole board.
    A picture counts with a truth of the same name beside it: a text board (.txt)
    or JSON with "cells".
    With --drawn, tiles of boards drawn at random are counted that are certain,
    doubted, and certain but wrong. Ctrl-C shows what is done.
    Example: minebot bench read fixtures/screenshots
    Example: minebot bench read fixtures/screenshots --distort --seed 1
    Example: minebot bench read --drawn 1000 --save misread
    """
    if (folder is None) == (drawn is None):
        raise click.UsageError("give a FOLDER of labelled pictures or --drawn N")
    if drawn is not None and (distort or skin is not None):
        raise click.UsageError("--drawn is by itself: it knows the skin and distorts as it draws")
    if drawn is None and (save is not None or workers is not None):
        raise click.UsageError("--save and --workers are for --drawn N")
    if drawn is not None:
        return _read_drawn(drawn, save, seed, workers, output)
    assert folder is not None
    if distort:
        _read_distorted(folder, skin, seed, output)
    else:
        _read_folder(folder, skin, output)
    return Exit.DONE


def _read_folder(folder: Path, skin: str | None, output: Output) -> None:
    from bot.bench.read import bench_read, by_kind, by_size, by_skin, find_truths
    from bot.bench.speed import frame_speed
    from bot.show.tables import frame_speed_table, misread_lines, read_table
    from bot.vision.skin import Skin

    with output.bar() as bar:
        trial = bench_read(find_truths(folder), None if skin is None else Skin.load(skin), bar)
    groups = {"kind": by_kind, "skin": by_skin, "size": by_size}
    document = {name: [asdict(line) for line in trial.lines(by)] for name, by in groups.items()}
    document["pictures"] = [asdict(result) for result in trial.pictures]
    speeds = [frame_speed(pitch) for pitch in (18.0, 30.0)]
    document["expert_frame"] = [asdict(speed) for speed in speeds]
    tables = [read_table(name, trial.lines(by)) for name, by in groups.items()]
    output.tell(document, [*tables, frame_speed_table(speeds)], misread_lines(trial))


def _read_drawn(pictures: int, folder: Path | None, seed: int, workers: int | None, output: Output) -> int:
    from bot.bench.read_drawn import make_folder, read_drawn, save_misread
    from bot.show.documents import drawn_json
    from bot.show.tables import drawn_lines, drawn_table

    if folder is not None:
        make_folder(folder)
    with output.bar(pictures) as bar:
        trial = read_drawn(pictures, seed, workers=workers, progress=bar)
    if folder is not None:
        save_misread(trial, folder)
    output.tell(drawn_json(trial), [drawn_table(trial)], drawn_lines(trial))
    return Exit.USER if len(trial.pictures) < pictures else Exit.DONE


def _read_distorted(folder: Path, skin: str | None, seed: int, output: Output) -> None:
    from bot.bench.distort import bench_distorted
    from bot.bench.read import find_truths
    from bot.show.tables import distortions_table
    from bot.vision.skin import Skin

    with output.bar() as bar:
        lines = bench_distorted(find_truths(folder), None if skin is None else Skin.load(skin), seed, progress=bar)
    misread = (f"{line.name}: {sentence}" for line in lines for sentence in line.misread)
    document = {"seed": seed, "distortions": [asdict(line) for line in lines]}
    output.tell(document, [distortions_table(lines)], misread)


@bench.command()
@games_option(10)
@window_option
@click.option("--level", type=LEVEL, help="Names the mines where no counter can be read.")
@style_option("noflags")
@click.option("--pace", type=PACE, default="fast", show_default=True, help="How fast to click.")
@rule_of_a_window_option
@think_option(0.0)
@told
def live(
    games: int,
    window: str | None,
    level: Level | None,
    style: ClickStyle,
    pace: Pace,
    rule: Rule | None,
    think: float,
    output: Output,
) -> int:
    """Play on the live window and tell where each second went.

    \b
    Example: minebot bench live --games 20
    """
    from bot.bench.playing import summed_up
    from bot.desktop import open_desktop
    from bot.desktop.timing import PRESETS
    from bot.play import Player, Settings
    from bot.show.documents import live_json
    from bot.show.tables import live_table
    from bot.show.views import ProgressView
    from bot.vision.reader import Reader

    timing = PRESETS[pace]
    settings = Settings(style, "deep" if think else "best", think, rule, level, timing)
    desktop = open_desktop(window, timing)
    with ProgressView(console(stderr=True), games, hidden=output.quiet or output.as_json) as view:
        player = Player(desktop, Reader(), settings, view)
        session = player.play(games)
    trial = summed_up(session, player.timer)
    output.tell(live_json(trial), [live_table(trial)])
    return Exit.DONE if session.stop is None else STOPS[session.stop.kind]


@bench.command()
@level_option()
@rule_option
@games_option(100)
@seed_option
@click.option("--fault", "chosen", metavar="NAME", multiple=True,
              help="All games have this fault (repeatable). [default: each mixes its own]")  # fmt: skip
@workers_option
@told
def faults(
    level: Level, rule: Rule, games: int, seed: int, chosen: tuple[str, ...], workers: int | None, output: Output
) -> int:
    """Play on desktops that misbehave, and judge what the bot does.

    \b
    Exit code 4 when it did what it must not; the command that replays it is told.
    Ctrl-C shows what is done.
    Example: minebot bench faults --games 2000
    """
    from bot.bench.playing import run_faults
    from bot.show.documents import faults_json
    from bot.show.tables import fault_lines, faults_table, stops_table

    with output.bar(games) as bar:
        trial = run_faults(level, rule, games, seed, chosen, workers=workers, progress=bar)
    output.tell(faults_json(trial), [faults_table(trial), stops_table(trial)], fault_lines(trial))
    return Exit.DOUBT if trial.failed else Exit.USER if trial.interrupted else Exit.DONE


@bench.command()
@level_option("beginner")
@click.option("--clicks", metavar="N", type=click.IntRange(1), default=100_000, show_default=True, help="How long.")
@seed_option
@told
def soak(level: Level, clicks: int, seed: int, output: Output) -> int:
    """Play the clone without a pause, and watch memory and handles.

    \b
    Example: minebot bench soak --clicks 1000000
    """
    from bot.bench.playing import run_soak
    from bot.show.tables import soak_table

    with output.bar(clicks) as bar:
        result = run_soak(level, clicks, seed, bar)
    output.tell(asdict(result), [soak_table(result)])
    return Exit.DONE if result.stop_kind is None else STOPS[result.stop_kind]
