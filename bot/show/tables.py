"""What trials found and how games went, for people: tables, which the caller prints, lines, and plots as PNG files.

Plots need the extra "plots" and never a screen, and are written whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from bot.bench.density import DensityResult
from bot.bench.distort import DistortedLine
from bot.bench.games import Comparison, FirstClickResult, GamesResult
from bot.bench.guesses import GuessesResult
from bot.bench.playing import FaultsResult, LiveTrial, SoakResult
from bot.bench.read import NEAR, Line, ReadTrial
from bot.bench.read_drawn import DrawnTrial
from bot.bench.speed import FrameSpeed, Growth, OddsSpeed, OddsTimes
from bot.board import counted, place
from bot.errors import MinebotError
from bot.files import prepared
from bot.stats import Played, Summary, by_level_and_skin, summarise

_BEST_CLICKS = 10
"""The first-click table stops after so many cells; the heat map has them all."""


def games_table(result: GamesResult) -> Table:
    """How often a player won."""
    table = _table("level", "rule", "strategy", "games", "won", "95 % interval", "ms a game")
    ms = "" if result.ms_per_game is None else f"{result.ms_per_game:.2f}"
    rate, interval = _percent(result.win_rate), _interval(result.interval)
    table.add_row(result.level, result.rule, result.strategy, f"{result.games:,}", rate, interval, ms)
    return table


def comparison_table(comparison: Comparison, names: tuple[str, str]) -> Table:
    """Two players on the same games."""
    table = _table("", "won", "95 % interval", "won where the other lost")
    apart = (comparison.only_first, comparison.only_second)
    for name, rate, interval, only in zip(names, comparison.win_rates, comparison.intervals, apart, strict=True):
        table.add_row(name, _percent(rate), _interval(interval), f"{only:,}")
    low, high = comparison.difference_interval
    table.add_section()
    table.add_row("difference", f"{100 * comparison.difference:+.2f}", f"{100 * low:+.2f} to {100 * high:+.2f}", "")
    table.caption = f"{comparison.games:,} games, paired by seed"
    return table


def guesses_table(result: GuessesResult) -> Table:
    """What one player's guesses are worth beyond another's: in all, by phase and by what decided the two choices."""
    table = _table("", "disagreements", "points a game", "95 % interval")
    total = (f"{result.strategy} against {result.against}", result.disagreements, result.difference, result.interval)
    rows = [total, *((part.name, part.disagreements, part.difference, part.interval) for part in result.phases)]
    rows += [(part.name, part.disagreements, part.difference, part.interval) for part in result.decided]
    sections = (0, len(result.phases))
    for number, (name, count, difference, (low, high)) in enumerate(rows):
        table.add_row(name, f"{count:,}", f"{100 * difference:+.3f}", f"{100 * low:+.3f} to {100 * high:+.3f}")
        if number in sections:
            table.add_section()
    took = "" if result.ms_per_game is None else f", {result.ms_per_game:.1f} ms a game"
    table.caption = f"{result.games:,} games with {result.guesses:,} guesses{took}"
    return table


def costly_lines(result: GuessesResult) -> Iterator[str]:
    """Tell the disagreements that are worth most, each with a board that `minebot solve` takes."""
    for costly in result.costliest:
        chances = f"{100 * costly.risk:.1f} % against {100 * costly.risk_against:.1f} % risk"
        yield (
            f"{result.strategy} opens {place(*costly.cell)}, {result.against} {place(*costly.against)} ({chances}): "
            f"{100 * costly.difference:+.1f} points there (standard error {100 * costly.error:.1f}), "
            f"where {100 * costly.weight:.0f} % of such games arrive"
        )
        yield costly.board
        yield ""


def odds_table(speed: OddsSpeed) -> Table:
    """The time of one odds map, ours beside the peer's."""
    table = _table("milliseconds", "positions", "mean", "median", "99 %", "worst")
    table.add_row("minesweeper-bot", *_times(speed.ours))
    if speed.peer is not None:
        table.add_row("ms-toollib", *_times(speed.peer))
    remarks = []
    if speed.ratio is not None:
        remarks.append(f"{speed.ratio:.0f} times as fast as ms-toollib on the same positions")
    if speed.max_error is not None:
        remarks.append(f"largest error {speed.max_error:.1e}")
    table.caption = "; ".join(remarks) or None
    return table


def growth_table(growth: Sequence[Growth]) -> Table:
    """How the time of one odds map grows with the board."""
    table = _table("board", "mines", "covered cells", "mean ms", "worst ms", "µs a covered cell")
    for line in growth:
        timing = line.timing
        per_cell = 1000 * timing.mean_ms / line.hidden
        size = f"{line.size}×{line.size}"
        mean, worst = f"{timing.mean_ms:.3f}", f"{timing.max_ms:.3f}"
        table.add_row(size, f"{line.mines:,}", f"{line.hidden:,.0f}", mean, worst, f"{per_cell:.3f}")
    return table


def density_table(result: DensityResult) -> Table:
    """The share of mines flagged, one line a number of mines."""
    table = _table("mines", *result.shares)
    for number, mines in enumerate(result.mines):
        table.add_row(str(mines), *(_percent(shares[number]) for shares in result.shares.values()))
    boards = counted(result.games, "board")
    table.caption = f"mines flagged, {boards} of {result.rows}×{result.cols} a line"
    return table


def first_click_table(result: FirstClickResult) -> Table:
    """The best cells to begin with."""
    table = _table("first click", "won", "95 % interval")
    for cell in result.cells[:_BEST_CLICKS]:
        table.add_row(place(cell.row, cell.col), _percent(cell.win_rate), _interval(cell.interval))
    table.caption = f"{result.games:,} games a cell"
    return table


def read_table(group: str, lines: Sequence[Line]) -> Table:
    """How well and how fast pictures were read, one line a group, beside the usual way."""
    columns = ("tiles", "right", "wrong", "doubt", "mines", "corners", "cold", "all", "same", "usual", "×", "right")
    table = _table(group, *columns)
    for line in lines:
        right, known = line.mines_left
        times = (f"{ms:.1f}" for ms in (line.cold_ms, line.warm_ms, line.still_ms, line.usual_ms))
        rates = [f"{100 * share / line.tiles if line.tiles else 0:.2f}" for share in (line.right, line.usual_right)]
        name = f"{line.name}: {line.pictures - line.missed}/{line.pictures}"
        wrong = (str(line.wrong), str(line.doubted), f"{right}/{known}", "{}/{}".format(*line.corners))
        table.add_row(name, str(line.tiles), rates[0], *wrong, *times, f"{line.ratio:.0f}", rates[1])
    table.caption = (
        "pictures found; tiles right in per cent; mines left read; corners within a pixel; milliseconds cold, for all "
        "tiles of a known board, for an unchanged picture; the usual way (each template over the whole board), × times "
        "ours, right in per cent"
    )
    return table


def distortions_table(lines: Sequence[DistortedLine]) -> Table:
    """What distorting pictures did to reading them, one line a distortion."""
    table = _table("distortion", "pictures", "found", "parts", "another size", "tiles", "doubted", "wrong")
    for line in lines:
        found = f"{line.found} of {line.pictures - line.hidden}"
        doubted = f"{line.doubted} ({100 * line.doubted / line.tiles:.2f} %)" if line.tiles else ""
        wrong = f"{line.wrong} in {line.wrong_pictures}" if line.wrong else "0"
        sizes = str(line.parts), str(line.other_size)
        table.add_row(line.name, str(line.pictures), found, *sizes, str(line.tiles), doubted, wrong)
    table.caption = (
        "found: of pictures that show any tile of their board; parts: said to be cut off; doubted and wrong: tiles; in "
        "how many pictures; pictures whose tiles would be too large are left out"
    )
    return table


def drawn_table(trial: DrawnTrial) -> Table:
    """How far certainty can be trusted on drawn pictures, one line a kind of tile."""
    table = _table("tiles", "seen", "certain", "doubted", "certain and wrong", "at most")
    for line in trial.lines():
        if line.kind in ("in sight", "hidden"):
            table.add_section()
        share = f" ({100 * line.doubted / line.tiles:.2f} %)" if line.tiles else ""
        bound = f"{1e6 * line.most_wrong:,.0f} in a million"
        table.add_row(
            line.kind, f"{line.tiles:,}", f"{line.certain:,}", f"{line.doubted:,}{share}", f"{line.wrong:,}", bound
        )
    table.caption = (
        f"{counted(len(trial.pictures), 'picture')}, {len(trial.misread)} of them with a tile that is certain and "
        "wrong; hidden: wholly or in part, by something in front; at most: of certain tiles, the upper end of the 95 % "
        "interval"
    )
    return table


MOST_MISREAD, MOST_SENTENCES = 20, 3
"""So many pictures are named, the worst first, and so many tiles of each."""


def drawn_lines(trial: DrawnTrial) -> Iterator[str]:
    """Name the drawn pictures with tiles that are certain and wrong, the worst first."""
    for each in trial.misread[:MOST_MISREAD]:
        more = f"; {len(each.wrong) - MOST_SENTENCES} more" if len(each.wrong) > MOST_SENTENCES else ""
        yield f"picture {each.number}: {'; '.join(each.wrong[:MOST_SENTENCES])}{more}"
        yield f"  minebot bench read --drawn 1 --seed {each.number} --save misread"


def frame_speed_table(speeds: Sequence[FrameSpeed]) -> Table:
    """How fast an expert frame is read at some sizes of tiles."""
    table = _table("expert frame", "nothing changed", "all tiles", "1920×1080, cold", "usual way", "×")
    for speed in speeds:
        times = (f"{ms:.2f} ms" for ms in (speed.same_ms, speed.all_ms, speed.desktop_ms, speed.usual_ms))
        table.add_row(f"{speed.pitch:g} px", *times, f"{speed.ratio:.0f}")
    return table


def misread_lines(trial: ReadTrial) -> Iterator[str]:
    """Name every picture that was not found and every tile that was read wrong or doubted."""
    for picture in trial.pictures:
        if picture.ours is None:
            yield f"{picture.file}: not found"
            continue
        yield from (f"{picture.file}: wrong: {sentence}" for sentence in picture.ours.wrong)
        yield from (f"{picture.file}: doubted: {sentence}" for sentence in picture.ours.doubted)
        if picture.mines_left_right is False:
            yield f"{picture.file}: wrong: the mines left"
        if picture.corner_off is not None and picture.corner_off > NEAR:
            yield f"{picture.file}: a corner is {picture.corner_off:.1f} px off"


def live_table(trial: LiveTrial) -> Table:
    """Games on a live window, and where each second went."""
    table = _table("games", "won", "95 % interval", "a won game", "clicks a second", *trial.spent)
    won = "" if trial.won_seconds is None else f"{trial.won_seconds:.2f} s"
    rate = _percent(trial.wins / trial.games) if trial.games else ""
    shares = (f"{100 * seconds / trial.seconds:.0f} %" if trial.seconds else "" for seconds in trial.spent.values())
    speed = f"{trial.clicks_per_second:.0f}"
    table.add_row(str(trial.games), rate, _interval(trial.interval), won, speed, *shares)
    table.caption = f"the bot's own part (grab, read, decide): {100 * trial.own_share:.0f} %"
    if trial.stopped:
        table.caption += f"\nstopped: {trial.stopped}"
    return table


def faults_table(trial: FaultsResult) -> Table:
    """How games with each fault ended; a game with several counts for each."""
    failures = ("misreads acted upon", "clicks outside", "clicks on known mines", "wrong results", "hangs", "bugs")
    table = _table("fault", "games", "won", "lost", "stopped", "misreads", *failures)
    names = sorted({name for judged in trial.sessions for name in judged.faults})
    for name in [*names, ""]:
        games = [judged for judged in trial.sessions if not name or name in judged.faults]
        endings = [sum(judged.ending == ending for judged in games) for ending in ("won", "lost", "stopped")]
        counts = [sum(judged.failures.get(failure, 0) for judged in games) for failure in failures]
        if not name:
            table.add_section()
        misreads = sum(judged.misreads for judged in games)
        table.add_row(name or "all", *(f"{count:,}" for count in (len(games), *endings, misreads, *counts)))
    table.caption = f"{sum(judged.clicks for judged in trial.sessions):,} clicks"
    return table


def stops_table(trial: FaultsResult) -> Table:
    """Why games were stopped, most frequent first."""
    table = _table("stopped because", "games")
    for reason, count in trial.reasons().most_common():
        table.add_row(reason, f"{count:,}")
    return table


def fault_lines(trial: FaultsResult) -> Iterator[str]:
    """Yield, for every game that failed, what happened and how to see it again."""
    for judged in trial.failed:
        what = ", ".join(f"{name}: {count}" for name, count in judged.failures.items())
        yield f"seed {judged.seed} ({', '.join(judged.faults)}): {what}{judged.reason and f' ({judged.reason})'}"
        yield f"  {trial.replay_command(judged)}"


def soak_table(result: SoakResult) -> Table:
    """Memory and handles after the warm-up and at the end."""
    table = _table("clicks", "games", "seconds", "warm", "end", "growth", "most", "handles")
    table.add_row(
        f"{result.clicks:,}",
        f"{result.games:,}",
        f"{result.seconds:.0f}",
        f"{result.warm_megabytes:.1f} MB",
        f"{result.end_megabytes:.1f} MB",
        f"{result.growth_megabytes:+.1f} MB",
        f"{result.most_megabytes:.1f} MB",
        f"{result.warm_handles} → {result.end_handles}",
    )
    if result.stopped:
        table.caption = f"stopped: {result.stopped}"
    return table


def stats_table(title: str, games: Sequence[Played]) -> Table:
    """Games of the past by level and skin.

    Games that were stopped come after a plus; guesses are a game's; the streak is the present and the longest one.
    """
    table = Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0), pad_edge=False)
    columns = ("level", "skin", "games", "won (95 %)", "best s", "mean s", "guesses", "streak", "luck")
    for number, name in enumerate(columns):
        table.add_column(name, justify="left" if number < 2 else "right", no_wrap=True)
    groups = by_level_and_skin(games)
    for (level, skin), summary in groups.items():
        table.add_row(level, skin, *_stats_cells(summary))
    if len(groups) > 1:
        table.add_row()
        table.add_row("all", "", *_stats_cells(summarise(games)))
    return table


def _stats_cells(summary: Summary) -> tuple[str, ...]:
    def number(value: float | None) -> str:
        return "–" if value is None else f"{value:.2f}"

    low, high = summary.interval
    return (
        f"{summary.games}+{summary.stopped}" if summary.stopped else str(summary.games),
        "–" if summary.win_rate is None else f"{100 * summary.win_rate:.0f} % ({100 * low:.0f}–{100 * high:.0f})",
        number(summary.best_seconds),
        number(summary.mean_seconds),
        number(summary.guesses_a_game),
        f"{summary.streak}/{summary.longest_streak}",
        f"{summary.luck:+.1f}",
    )


def _table(*columns: str) -> Table:
    table = Table(caption_justify="left")
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 else "right")
    return table


def _times(timing: OddsTimes) -> tuple[str, ...]:
    times = (timing.mean_ms, timing.median_ms, timing.p99_ms, timing.max_ms)
    return str(timing.positions), *(f"{ms:.3f}" for ms in times)


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"


def _interval(interval: tuple[float, float]) -> str:
    return f"{100 * interval[0]:.2f}–{100 * interval[1]:.2f}"


DOTS_PER_INCH = 150

INCHES_A_CELL = 0.42
"""Room for a win rate such as "54.3" in a cell of the heat map."""


class PlotError(MinebotError):
    """A plot that can't be drawn or written; the message says why."""


def plot_games(games: Iterable[Played], path: Path) -> None:
    """Draw wins against what the odds promised, game by game. Raises `PlotError`, also before any game is finished."""
    finished = [game for game in games if game.stopped is None]
    if not finished:
        raise PlotError(f'nothing to draw in "{path}": no game has been finished yet')
    figure = _figure(8.0, 4.5)
    axes = figure.add_subplot()
    kinds: dict[str, list[Played]] = {}
    for game in finished:
        kinds.setdefault(f"{game.level}, clone" if game.clone else game.level, []).append(game)
    for kind, played in kinds.items():
        won = np.cumsum([0, *(game.won for game in played)])
        promised = np.cumsum([0, *(game.survival for game in played)])
        (line,) = axes.plot(won, label=f"{kind}: {won[-1]} of {len(played)} won")
        axes.plot(promised, linestyle=":", color=line.get_color())
    axes.set(xlabel="games", ylabel="won (dotted: what the odds promised)", title="Games won, and luck")
    axes.grid(alpha=0.3)
    axes.legend()
    _save(figure, path)


def plot_density(result: DensityResult, path: Path) -> None:
    """Draw the share of mines flagged over the number of mines. Raises `PlotError`."""
    figure = _figure(7.0, 4.5)
    axes = figure.add_subplot()
    for player, shares in result.shares.items():
        axes.plot(result.mines, [100 * share for share in shares], marker="o", label=player)
    boards = counted(result.games, "board")
    axes.set(
        xlabel=f"mines on {result.rows}×{result.cols} cells",
        ylabel="mines flagged, %",
        ylim=(-3, 103),
        title=f"Going on after every mine hit: what each player finds ({boards})",
    )
    axes.grid(alpha=0.3)
    axes.legend()
    _save(figure, path)


def plot_first_clicks(result: FirstClickResult, path: Path) -> None:
    """Draw the win rate of every first click as a heat map. Raises `PlotError`."""
    rates = 100 * result.heat_map()
    # No narrower than the title, however small the board.
    figure = _figure(max(5.0, INCHES_A_CELL * result.cols + 1.6), max(3.0, INCHES_A_CELL * result.rows + 1.6))
    figure.suptitle(f"{result.level}, rule {result.rule}\ngames won by first click, % ({result.games:,} a cell)")
    axes = figure.add_subplot()
    image = axes.imshow(rates, cmap="viridis")
    middle = (rates.min() + rates.max()) / 2
    for (row, col), rate in np.ndenumerate(rates):
        ink = "white" if rate < middle else "black"
        axes.text(col, row, f"{rate:.1f}", ha="center", va="center", fontsize=6, color=ink)
    axes.set_xticks(range(0, result.cols, 5), [str(col + 1) for col in range(0, result.cols, 5)])
    axes.set_yticks(range(0, result.rows, 5), [str(row + 1) for row in range(0, result.rows, 5)])
    axes.set(xlabel="column", ylabel="row")
    figure.colorbar(image, ax=axes, shrink=0.8)
    _save(figure, path)


def _figure(width: float, height: float) -> Any:
    """Return an empty matplotlib figure of so many inches that draws itself without a screen."""
    try:
        figures: Any = import_module("matplotlib.figure")
    except ImportError as error:
        raise PlotError('a plot needs matplotlib (the extra "plots"): pip install matplotlib') from error
    # A bare Figure draws with Agg and leaves pyplot's global state alone.
    return figures.Figure(figsize=(width, height), layout="constrained")


def _save(figure: Any, path: Path) -> None:
    try:
        with prepared(path) as part:
            figure.savefig(part, format="png", dpi=DOTS_PER_INCH)
    except OSError as error:
        raise PlotError(f'can\'t write "{path}": {error.strerror}') from error
