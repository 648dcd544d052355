"""`minebot bench …`: the trials behind every figure this project states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.common import LEVEL, RULE, SEED, Command, console, output_options, print_json

if TYPE_CHECKING:
    from rich.table import Table

    from bot.bench.games import Tally
    from bot.desktop.timing import Pace
    from bot.level import Level, Rule
    from bot.plan import Style
    from bot.solver.decision import Player

STRATEGY = click.Choice(["single", "subset", "csp", "best", "deep"])
FILE = click.Path(path_type=Path)
IN_DOUBT = 4


@click.group()
def bench() -> None:
    """Measure it: games, odds, density, first-click, read, live, faults, soak."""


def trial_options(command: Command) -> Command:
    """Add what all trials of games share."""
    for option in (
        click.option("--cluster", metavar="ADDRESS", help="Send the work to a Dask scheduler (extra `cluster`)."),
        click.option("--workers", metavar="K", type=click.IntRange(1), help="Processes. [default: one a core]"),
        click.option("--seed", type=SEED, default=1, show_default=True, help="The first game's seed."),
    ):
        command = option(command)
    return command


@bench.command()
@click.option("--level", type=LEVEL, default="expert", show_default=True, help="Or ROWSxCOLS/MINES.")
@click.option("--rule", type=RULE, default="open", show_default=True, help="What the first click promises.")
@click.option("--games", metavar="N", type=click.IntRange(1), default=1000, show_default=True, help="Games to play.")
@click.option("--strategy", type=STRATEGY, default="best", show_default=True, help="Who plays.")
@click.option("--results", metavar="FILE", type=FILE,
              help="Keep the games, one character each, and go on where the file ends.")  # fmt: skip
@click.option("--against", metavar="FILE", type=FILE, help="Pair the results with those of another player.")
@trial_options
@output_options
def games(
    level: Level,
    rule: Rule,
    games: int,
    strategy: Player,
    results: Path | None,
    against: Path | None,
    seed: int,
    workers: int | None,
    cluster: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Play seeded games in memory and count the wins. Ctrl-C keeps what is done in --results.

    \b
    Example: minebot bench games --strategy csp --games 100000 --results csp.txt
    """
    from bot.bench.games import run_games
    from bot.bench.results import compare
    from bot.report import comparison_table, games_table

    if against is not None and results is None:
        raise click.UsageError("--against needs --results FILE, whose games it pairs")
    with _bar(games, quiet or as_json) as bar:

        def progress(tally: Tally) -> None:
            low, high = tally.interval
            rate = f"{100 * tally.wins / tally.done:.2f} % won ({100 * low:.2f}–{100 * high:.2f})"
            bar(tally.done, tally.games, rate)

        trial = run_games(
            level, rule, strategy, games, seed,
            workers=workers, cluster=cluster, results=results, progress=progress,
        )  # fmt: skip
    document, tables = asdict(trial), [games_table([trial])]
    if against is not None and results is not None:
        pairs = compare(against, results)
        document["against"] = asdict(pairs)
        tables.append(comparison_table(pairs, (str(against), str(results))))
    _print(document, tables, as_json)


@bench.command()
@click.argument("file", type=FILE, required=False)
@click.option("--growth", is_flag=True, help="Time ever larger boards instead of a file.")
@click.option("--no-peer", is_flag=True, help="Don't time ms-toollib beside it.")
@output_options
def odds(file: Path | None, growth: bool, no_peer: bool, as_json: bool, quiet: bool) -> None:
    """Time one exact odds map over the positions of FILE, on one core, warm.

    \b
    Example: minebot bench odds positions.txt
    """
    from bot.bench.speed import bench_growth, bench_odds
    from bot.report import growth_table, odds_table

    if (file is None) != growth:
        raise click.UsageError("give a position FILE or --growth")
    with _bar(None, quiet or as_json) as bar:
        if file is None:
            sizes = bench_growth(bar)
            _print([asdict(size) for size in sizes], [growth_table(sizes)], as_json)
        else:
            speed = bench_odds(file, peer=not no_peer, progress=bar)
            _print(speed.as_json(), [odds_table(speed)], as_json)


@bench.command()
@click.option("--games", metavar="N", type=click.IntRange(1), default=10, show_default=True, help="Boards a density.")
@click.option("--plot", metavar="OUT.png", type=FILE, help="Draw it (extra `plots`).")
@trial_options
@output_options
def density(
    games: int, plot: Path | None, seed: int, workers: int | None, cluster: str | None, as_json: bool, quiet: bool
) -> None:
    """Flag mines on 30×30 boards of 0 to 900 mines, going on after every mine hit.

    \b
    Example: minebot bench density --games 20 --plot density.png
    """
    from bot.bench.density import run_density
    from bot.report import density_table, plot_density

    with _bar(None, quiet or as_json) as bar:
        result = run_density(games, seed, workers=workers, cluster=cluster, progress=bar)
    if plot is not None:
        plot_density(result, plot)
    _print(asdict(result), [density_table(result)], as_json)


@bench.command("first-click")
@click.option("--level", type=LEVEL, default="expert", show_default=True, help="Or ROWSxCOLS/MINES.")
@click.option("--rule", type=RULE, default="open", show_default=True, help="What the first click promises.")
@click.option("--games", metavar="N", type=click.IntRange(1), default=2000, show_default=True, help="Games a cell.")
@click.option("--strategy", type=STRATEGY, default="csp", show_default=True, help="Who plays.")
@click.option("--plot", metavar="OUT.png", type=FILE, help="Draw a heat map (extra `plots`).")
@trial_options
@output_options
def first_click(
    level: Level,
    rule: Rule,
    games: int,
    strategy: Player,
    plot: Path | None,
    seed: int,
    workers: int | None,
    cluster: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Find out which cell to open first.

    \b
    Example: minebot bench first-click --level beginner --plot first-click.png
    """
    from bot.bench.first_click import run_first_clicks
    from bot.report import first_click_table, plot_first_clicks

    with _bar(None, quiet or as_json) as bar:
        result = run_first_clicks(level, rule, strategy, games, seed, workers=workers, cluster=cluster, progress=bar)
    if plot is not None:
        plot_first_clicks(result, plot)
    _print(asdict(result), [first_click_table(result)], as_json)


@bench.command()
@click.argument("folder", type=FILE)
@click.option("--skin", metavar="NAME", help="The look of the games (default: found by itself).")
@output_options
def read(folder: Path, skin: str | None, as_json: bool, quiet: bool) -> None:
    """Read every labelled picture in FOLDER: how well, how fast, and how the usual way does beside it.

    \b
    A picture counts with a truth of the same name beside it: a text board (.txt)
    or JSON with "cells".
    Example: minebot bench read fixtures/screenshots
    """
    from bot.bench.read import bench_read, by_kind, by_size, by_skin, find_truths
    from bot.bench.reading_speed import frame_speed
    from bot.report import frame_speed_table, misread_lines, read_table
    from bot.vision.skin import Skin

    with _bar(None, quiet or as_json) as bar:
        trial = bench_read(find_truths(folder), None if skin is None else Skin.load(skin), bar)
    groups = {"kind": by_kind, "skin": by_skin, "size": by_size}
    document = {name: [asdict(line) for line in trial.lines(by)] for name, by in groups.items()}
    document["pictures"] = [asdict(result) for result in trial.pictures]
    speeds = [frame_speed(pitch) for pitch in (18.0, 30.0)]
    document["expert_frame"] = [asdict(speed) for speed in speeds]
    tables = [read_table(name, trial.lines(by)) for name, by in groups.items()]
    _print(document, [*tables, frame_speed_table(speeds)], as_json)
    if not as_json:
        for line in misread_lines(trial):
            click.echo(line)


@bench.command()
@click.option("--games", metavar="N", type=click.IntRange(1), default=10, show_default=True, help="Games to play.")
@click.option("--window", metavar="TEXT", help="The window whose title, class or program contains TEXT.")
@click.option("--level", type=LEVEL, help="Names the mines where no counter can be read.")
@click.option(
    "--style",
    type=click.Choice(["flags", "noflags", "chords"]),
    default="noflags",
    show_default=True,
    help="Flag every mine, none, or only where chords then save clicks.",
)
@click.option(
    "--pace",
    type=click.Choice(["fast", "steady", "human"]),
    default="fast",
    show_default=True,
    help="How fast to click.",
)
@click.option("--rule", type=RULE, help="What the first click promises. [XP and WineMine: safe; else open]")
@click.option(
    "--think",
    metavar="SECONDS",
    type=click.FloatRange(0),
    default=0.0,
    show_default=True,
    help="How long a guess may be thought over.",
)
@output_options
def live(
    games: int,
    window: str | None,
    level: Level | None,
    style: Style,
    pace: Pace,
    rule: Rule | None,
    think: float,
    as_json: bool,
    quiet: bool,
) -> int:
    """Play games on the live window and tell where each second went.

    \b
    Example: minebot bench live --games 20
    """
    from bot.bench.live import summed_up
    from bot.cli.play import STOP_CODES
    from bot.desktop import open_desktop
    from bot.desktop.timing import PRESETS
    from bot.play import Player, Settings
    from bot.report import live_table
    from bot.views import ProgressView
    from bot.vision.reader import Reader

    timing = PRESETS[pace]
    settings = Settings(style, "deep" if think else "best", think, rule, level, timing)
    with ProgressView(console(stderr=True), games, hidden=quiet or as_json) as view:
        player = Player(open_desktop(window, timing), Reader(), settings, view)
        session = player.play(games)
    trial = summed_up(session, player.spent)
    _print(trial.as_json(), [live_table(trial)], as_json)
    return 0 if session.stop is None else STOP_CODES[session.stop.kind]


@bench.command()
@click.option("--level", type=LEVEL, default="expert", show_default=True, help="Or ROWSxCOLS/MINES.")
@click.option("--rule", type=RULE, default="open", show_default=True, help="What the first click promises.")
@click.option("--games", metavar="N", type=click.IntRange(1), default=100, show_default=True, help="Games to play.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="The first game's seed.")
@click.option("--fault", "chosen", metavar="NAME", multiple=True,
              help="All games have this fault (repeatable). [default: each mixes its own]")  # fmt: skip
@click.option("--workers", metavar="K", type=click.IntRange(1), help="Processes. [default: one a core]")
@output_options
def faults(
    level: Level,
    rule: Rule,
    games: int,
    seed: int,
    chosen: tuple[str, ...],
    workers: int | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Play on desktops that misbehave, and judge what the bot does. Exit code 4 when it did what it must not.

    \b
    Ctrl-C shows what is done. A seed that fails is told with the command that replays it.
    Example: minebot bench faults --games 2000
    """
    from bot.bench.faults import Judged, run_faults
    from bot.report import fault_lines, faults_table, stops_table

    with _bar(games, quiet or as_json) as bar:

        def progress(sessions: Sequence[Judged], of: int) -> None:
            bar(len(sessions), of, f"{sum(bool(judged.failures) for judged in sessions)} failed")

        trial = run_faults(level, rule, games, seed, chosen, workers=workers, progress=progress)
    _print(trial.as_json(), [faults_table(trial), stops_table(trial)], as_json)
    if not as_json:
        for line in fault_lines(trial):
            click.echo(line)
    return IN_DOUBT if trial.failed else 0


@bench.command()
@click.option("--level", type=LEVEL, default="beginner", show_default=True, help="Or ROWSxCOLS/MINES.")
@click.option("--clicks", metavar="N", type=click.IntRange(1), default=100_000, show_default=True, help="How long.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="The first game's seed.")
@output_options
def soak(level: Level, clicks: int, seed: int, as_json: bool, quiet: bool) -> int:
    """Play the clone without a pause and watch memory and handles: a day in an hour.

    \b
    Example: minebot bench soak --clicks 1000000
    """
    from bot.bench.soak import run_soak
    from bot.report import soak_table

    with _bar(clicks, quiet or as_json) as bar:
        result = run_soak(level, clicks, seed, bar)
    _print(asdict(result), [soak_table(result)], as_json)
    return IN_DOUBT if result.stopped else 0


@contextmanager
def _bar(total: int | None, hidden: bool) -> Iterator[Callable[..., None]]:
    """Give a function (done, of how many, remark) that moves a bar on stderr, or none when it is to stay hidden."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True, disable=hidden) as progress:
        task = progress.add_task("", total=total)

        def move(done: int, of: int, remark: str = "") -> None:
            progress.update(task, completed=done, total=of, description=remark)

        yield move


def _print(document: Any, tables: list[Table], as_json: bool) -> None:
    if as_json:
        print_json(document)
        return
    out = console()
    for table in tables:
        out.print(table)
