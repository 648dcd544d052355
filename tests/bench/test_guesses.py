"""The trial of guesses: the same file whoever plays, kept whatever happens, and what whole games say too."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import pytest

from bot.bench import BenchError
from bot.bench.games import compare, run_games
from bot.bench.guesses import Pair, TunedStrategy, play_stretch, run_guesses
from bot.bench.workers import Stretch
from bot.board import Board
from bot.cli import run
from bot.level import Level
from bot.solver import decide

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="uncompiled it takes minutes"
)  # fmt: skip

LEVEL = Level(8, 8, 14)
BEST, CSP = TunedStrategy("best"), TunedStrategy("csp")


def seconds_of_jobs(monkeypatch: pytest.MonkeyPatch, jobs: int) -> float:
    """Let time go by one second a job; return the seconds of so many jobs."""
    clock = iter(range(1_000_000))
    monkeypatch.setattr("bot.bench.guesses.monotonic", lambda: float(next(clock)))
    return jobs + 0.5


def test_it_sees_what_whole_games_show(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for player in ("csp", "best"):
        run_games(LEVEL, "safe", player, 600, 1, workers=1, results=tmp_path / player)
    games = compare(tmp_path / "csp", tmp_path / "best")
    result = run_guesses(LEVEL, "safe", BEST, CSP, seconds_of_jobs(monkeypatch, 20), 10_001, workers=1)
    low, high = result.interval
    assert 0.005 < low < result.difference < high
    assert high - low < (games.difference_interval[1] - games.difference_interval[0])
    assert low < games.difference_interval[1]
    assert games.difference_interval[0] < high
    assert result.games == 400


def test_the_parts_add_up_to_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    result = run_guesses(LEVEL, "safe", BEST, CSP, seconds_of_jobs(monkeypatch, 10), 1, workers=1)
    for parts in (result.phases, result.decided):
        assert sum(part.disagreements for part in parts) == result.disagreements > 50
        assert sum(part.difference for part in parts) == pytest.approx(result.difference)
    assert {part.name.split(" / ")[1] for part in result.decided} == {"lowest odds"}
    promised = (
        "level rows cols mines rule strategy against tuned tuned_against first_click games seed guesses disagreements "
        "difference interval phases decided costliest ms_per_game workers interrupted"
    )
    assert list(asdict(result)) == promised.split()


def test_the_costliest_disagreements_are_boards_to_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    result = run_guesses(LEVEL, "safe", BEST, CSP, seconds_of_jobs(monkeypatch, 10), 1, workers=1)
    assert result.costliest
    for costly in result.costliest:
        board = Board.parse(costly.board)
        decision = decide(board, strategy="csp")
        assert decision.must_guess
        assert decision.move is not None
        assert decision.move.risk == pytest.approx(costly.risk_against, abs=1e-4)
        assert costly.cell != costly.against
        assert decision.odds[costly.cell] == pytest.approx(costly.risk, abs=1e-4)
        assert abs(costly.difference) > costly.error


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    path = tmp_path / "whole"
    run_guesses(LEVEL, "open", BEST, CSP, seconds_of_jobs(monkeypatch, 3), 1, workers=1, results=path)
    return path


def test_a_trial_that_was_stopped_goes_on_where_it_was(
    whole: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "stopped"

    def press_ctrl_c(done: int, of: int, remark: str = "") -> None:
        raise KeyboardInterrupt

    seconds = seconds_of_jobs(monkeypatch, 3)
    stopped = run_guesses(LEVEL, "open", BEST, CSP, seconds, 1, workers=1, results=path, progress=press_ctrl_c)
    assert (stopped.games, stopped.interrupted) == (20, True)
    _, *jobs = path.read_text().splitlines()
    assert len(jobs) == 1
    run_guesses(LEVEL, "open", BEST, CSP, seconds_of_jobs(monkeypatch, 2), 1, workers=1, results=path)
    assert path.read_text() == whole.read_text()
    read = run_guesses(LEVEL, "open", BEST, CSP, 0, 1, workers=1, results=path)
    assert (read.games, read.ms_per_game) == (60, None)
    assert path.read_text() == whole.read_text()


def test_a_second_trial_on_the_same_file_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "shared"

    def another_writes(done: int, of: int, remark: str = "") -> None:
        with path.open("a") as file:
            file.write(path.read_text().splitlines()[-1] + "\n")

    with pytest.raises(BenchError, match="another trial writes"):
        run_guesses(
            LEVEL, "open", BEST, CSP, seconds_of_jobs(monkeypatch, 3), 1,
            workers=1, results=path, progress=another_writes,
        )  # fmt: skip


def test_two_processes_write_the_same_lines_as_one(
    whole: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "two"
    run_guesses(LEVEL, "open", BEST, CSP, seconds_of_jobs(monkeypatch, 3), 1, workers=2, results=path)
    ours, theirs = whole.read_text().splitlines(), path.read_text().splitlines()
    both = min(len(ours), len(theirs))
    assert both > 1
    assert ours[:both] == theirs[:both]


@pytest.mark.filterwarnings("ignore")  # the cluster's own, none of which are ours
def test_a_dask_cluster_writes_the_same_lines_as_one_process(
    whole: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    distributed = pytest.importorskip("distributed", reason="needs the extra cluster")
    path, seconds = tmp_path / "cluster", seconds_of_jobs(monkeypatch, 3)
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=None, host="127.0.0.1") as pool:
        result = run_guesses(LEVEL, "open", BEST, CSP, seconds, 1, cluster=pool.scheduler_address, results=path)
    assert (result.games, result.workers) == (60, 2)
    assert path.read_text() == whole.read_text()


def test_threads_of_one_process_do_not_get_in_each_others_way() -> None:
    """A cluster's worker may have several."""
    pair = Pair(LEVEL, "safe", BEST, CSP, (0, 0))
    stretches = [Stretch(pair, seed, 10) for seed in (1, 11, 21, 31)]
    with ThreadPoolExecutor(2) as threads:
        beside = [played.found for played in threads.map(play_stretch, stretches)]
    assert beside == [play_stretch(stretch).found for stretch in stretches]


def test_a_file_from_another_trial_or_none_of_ours_is_refused(whole: Path, tmp_path: Path) -> None:
    before = whole.read_text()
    for seed, player in ((2, BEST), (1, TunedStrategy.of("best", {"own": 0.5}))):
        with pytest.raises(BenchError, match="another trial"):
            run_guesses(LEVEL, "open", player, CSP, 0, seed, workers=1, results=whole)
    assert whole.read_text() == before
    head, job, *_ = before.splitlines()
    changed = json.loads(job)
    changed["found"][0][2] += 0.1
    for line, complaint in ((json.dumps(changed), "other players"), ("{}", "not a file of guesses")):
        path = tmp_path / "changed"
        path.write_text(f"{head}\n{line}\n")
        with pytest.raises(BenchError, match=complaint):
            run_guesses(LEVEL, "open", BEST, CSP, 0, 1, workers=1, results=path)


def test_a_number_that_no_player_has_is_named() -> None:
    with pytest.raises(BenchError, match='"boldness"'):
        TunedStrategy.of("best", {"boldness": 1.0})


def test_without_time_for_a_single_game_there_is_nothing_to_tell() -> None:
    with pytest.raises(BenchError, match="no time"):
        run_guesses(LEVEL, "open", BEST, CSP, 0, 1, workers=1)


def test_the_command_prints_one_document_or_tables_and_boards(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command = ["bench", "guesses", "--level", "8x8/14", "--rule", "safe", "--seconds", "0.5", "--workers", "1"]
    command += ["--quiet", "--results", str(tmp_path / "file"), "--tune", "second=0.3"]
    assert run(command) == 0
    shown = capsys.readouterr().out
    assert "best against csp" in shown
    assert run([*command, "--seconds", "0", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["tuned"] == {"second": 0.3}
    assert f"{document['disagreements']:,}" in shown
    for costly in document["costliest"]:
        assert costly["board"] in shown


@pytest.mark.parametrize(
    "arguments",
    [
        ["games", "--strategy", "best", "--rolls", "5"],
        ["guesses", "--strategy", "best", "--against", "csp", "--rolls", "5"],
        ["guesses", "--tune", "second"],
        ["guesses", "--tune", "boldness=1"],
    ],
    ids=" ".join,
)
def test_what_no_player_has_is_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", *arguments]) == 2
    assert capsys.readouterr().out == ""
