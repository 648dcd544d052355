"""The trial of games: the same results whoever plays them where, kept whatever happens, paired by seed."""

from __future__ import annotations

import itertools
from dataclasses import asdict
from pathlib import Path

import pytest

from bot.bench import BenchError
from bot.bench.games import compare, run_games
from bot.level import LEVELS, Level
from bot.solver.kernels.game import lay_table
from bot.solver.kernels.lookahead import DEEP
from bot.solver.kernels.simulate import play_games
from bot.words import AnyStrategy, Rule

BEGINNER = LEVELS["beginner"]
GAMES = 3500
FIRST_CLICK = (2, 2)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The results file of a trial that nothing disturbed, played in this process."""
    path = tmp_path_factory.mktemp("whole") / "results"
    run_games(BEGINNER, "open", "csp", GAMES, 1, workers=1, results=path, first_click=FIRST_CLICK)
    return path.read_bytes()


def test_a_trial_reports_what_it_promises(outcomes: bytes) -> None:
    result = run_games(BEGINNER, "open", "csp", GAMES, 1, workers=1, first_click=FIRST_CLICK)
    document = asdict(result)
    promised = (
        "level rows cols mines rule strategy first_click games seed wins win_rate interval ms_per_game workers rolls "
        "interrupted"
    )
    assert list(document) == promised.split()
    assert (result.level, result.rows, result.cols, result.mines) == ("beginner", 9, 9, 10)
    assert result.wins == outcomes.count(b"1")
    low, high = result.interval
    assert low < result.win_rate == result.wins / GAMES < high
    assert high - low < 0.02
    assert result.ms_per_game is not None
    assert result.ms_per_game > 0


def test_two_processes_write_the_same_bytes_as_one(outcomes: bytes, tmp_path: Path) -> None:
    path = tmp_path / "results"
    result = run_games(BEGINNER, "open", "csp", GAMES, 1, workers=2, results=path, first_click=FIRST_CLICK)
    assert path.read_bytes() == outcomes
    assert result.workers == 2


@pytest.mark.filterwarnings("ignore")  # the cluster's own, none of which are ours
def test_a_dask_cluster_writes_the_same_bytes_as_one_process(outcomes: bytes, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="needs the extra cluster")
    path = tmp_path / "results"
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        address = cluster.scheduler_address
        result = run_games(BEGINNER, "open", "csp", GAMES, 1, cluster=address, results=path, first_click=FIRST_CLICK)
    assert path.read_bytes() == outcomes
    assert result.workers == 2


def test_a_stopped_trial_keeps_its_games_and_goes_on(outcomes: bytes, tmp_path: Path) -> None:
    path = tmp_path / "results"

    def press_ctrl_c(done: int, of: int, remark: str = "") -> None:
        if done >= 2000:
            raise KeyboardInterrupt

    stopped = run_games(
        BEGINNER, "open", "csp", GAMES, 1, workers=1, results=path, first_click=FIRST_CLICK, progress=press_ctrl_c
    )
    assert path.read_bytes() == outcomes[:2000]
    assert (stopped.games, stopped.wins, stopped.interrupted) == (2000, outcomes[:2000].count(b"1"), True)
    reports: list[tuple[int, int, str]] = []

    def note(done: int, of: int, remark: str = "") -> None:
        reports.append((done, of, remark))

    result = run_games(
        BEGINNER, "open", "csp", GAMES, 1, workers=1, results=path, first_click=FIRST_CLICK, progress=note
    )
    assert path.read_bytes() == outcomes
    assert [done for done, _, _ in reports[:2]] == [2000, 3000]
    assert reports[-1][:2] == (GAMES, GAMES)
    assert reports[-1][2].startswith(f"{100 * result.win_rate:.2f} % won (")


def test_a_longer_file_than_asked_for_is_only_read(outcomes: bytes, tmp_path: Path) -> None:
    path = tmp_path / "results"
    path.write_bytes(outcomes)
    result = run_games(BEGINNER, "open", "csp", 1000, 1, workers=1, results=path, first_click=FIRST_CLICK)
    assert result.wins == outcomes[:1000].count(b"1")
    assert result.ms_per_game is None
    assert path.read_bytes() == outcomes


@pytest.mark.parametrize("other", ["another seed", "another level", "another rule"])
def test_a_file_from_another_trial_is_refused(outcomes: bytes, tmp_path: Path, other: str) -> None:
    path = tmp_path / "mine.results"
    path.write_bytes(outcomes[:1000])
    level = Level(9, 9, 20) if other == "another level" else BEGINNER
    seed = 500 if other == "another seed" else 1
    rule: Rule = "none" if other == "another rule" else "open"
    with pytest.raises(BenchError, match=r"mine\.results"):
        run_games(level, rule, "csp", 2000, seed, workers=1, results=path, first_click=FIRST_CLICK)
    assert path.read_bytes() == outcomes[:1000]


def test_seeds_beyond_32_bits_are_refused() -> None:
    with pytest.raises(BenchError, match="4294967295"):
        run_games(BEGINNER, "open", "csp", 2, 2**32 - 1, workers=1, first_click=FIRST_CLICK)


def test_who_knows_more_wins_more(tmp_path: Path) -> None:
    players: tuple[AnyStrategy, ...] = ("single", "subset", "csp")
    for player in players:
        run_games(BEGINNER, "safe", player, 1500, 1, workers=1, results=tmp_path / player, first_click=(0, 0))
    for weaker, stronger in itertools.pairwise(players):
        assert compare(tmp_path / weaker, tmp_path / stronger).difference_interval[0] > 0


def test_a_board_that_opens_at_once_is_always_won() -> None:
    result = run_games(Level(5, 5, 0), "open", "csp", 20, 1, workers=1, first_click=FIRST_CLICK)
    assert result.win_rate == 1.0


def test_the_budget_of_deep_is_what_its_games_depend_on(tmp_path: Path) -> None:
    level = Level(7, 7, 12)
    for rolls in (0, 64):
        result = run_games(level, "open", "deep", 120, 1, workers=1, results=tmp_path / str(rolls), rolls=rolls)
        assert result.rolls == rolls
        tuning = DEEP._replace(rolls=float(rolls))
        played = play_games(lay_table(level, "open", result.first_click), "deep", 1, 120, tuning).won
        assert (tmp_path / str(rolls)).read_bytes() == bytes(played + ord("0"))
    assert (tmp_path / "0").read_bytes() != (tmp_path / "64").read_bytes()
