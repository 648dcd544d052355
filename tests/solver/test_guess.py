from __future__ import annotations

import itertools
from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.board import Board, Cell, count_around
from bot.level import Level, seeded_mines
from bot.solver.guess import choose, first_click
from bot.solver.kernels.choosing import CLOSE, UNDECIDED, Mind, allocate_mind, choose_guess, consider
from bot.solver.kernels.endgame import RESULT_LAYOUTS, RESULT_WON, allocate_endgame, search
from bot.solver.kernels.game import lowest
from bot.solver.kernels.influence import unsplittable
from bot.solver.kernels.lookahead import (
    BEST,
    MOST_PRIOR,
    SCORE_NUMBERS,
    SCORE_SAFETY,
    SCORE_VALUE,
    TRAITS,
    Tuning,
    allocate_think,
    list_candidates,
    open_hypothetically,
)
from bot.solver.kernels.rollout import BATCH, ROLLS_DONE, ROLLS_RUNNING, Rolls, allocate_rolls, roll_on, shortlist
from bot.solver.kernels.sampling import allocate_draft, sample_layouts, seed_random
from bot.solver.kernels.workspace import DONE, V_LOG_LAYOUTS
from bot.solver.odds import Engine, exact_odds
from bot.words import RULES, Strategy
from tests.solver.brute_force import enumerate_layouts, most_games_won


def played_until_a_guess(level: Level, seed: int, click: tuple[int, int]) -> Board:
    """A game opened at `click` and played on as long as something is certainly safe."""
    mines = seeded_mines(level, "open", seed, *click)
    numbers = count_around(mines)
    board = Board.covered(level.rows, level.cols, level.mines).replace({click: int(numbers[click])})
    while (safe := exact_odds(board).safe).any():
        board = board.replace({(row, col): int(numbers[row, col]) for row, col in np.argwhere(safe).tolist()})
    return board


MIDGAME = next(
    board
    for board in (played_until_a_guess(Level(10, 10, 22), seed, (2, 2)) for seed in range(1, 100))
    if exact_odds(board).log_layouts > 12
)


@pytest.mark.parametrize(
    "text",
    ["mines: 4\n#2#1#\n##x##\n1####", "mines: 5\n#1#1#x#1#1#\nxxxxxxxxxxx\n###xxxxx#1#"],
    ids=["one part", "three parts and far cells"],
)
def test_layouts_are_drawn_evenly(text: str) -> None:
    board = Board.parse(text)
    engine = Engine()
    engine.odds(board)
    seed_random(engine.work, 5)
    drawn = np.zeros((20_000, engine.position.shape[1]), np.uint8)
    size = engine.position.shape[1]
    sample_layouts(engine.position, engine.work, allocate_draft(size, len(drawn)), drawn)
    truth = enumerate_layouts(board)
    hidden = [(row + 1) * (board.cols + 2) + col + 1 for row, col in truth.hidden]
    seen = Counter(tuple(row) for row in drawn[:, hidden].tolist())
    assert set(seen) == {tuple(row) for row in truth.layouts.astype(int).tolist()}
    expected = len(drawn) / truth.count
    chi_squared = sum((times - expected) ** 2 / expected for times in seen.values())
    assert chi_squared < truth.count + 5 * (2 * truth.count) ** 0.5


def test_the_numbers_a_candidate_may_show_have_its_safety_as_their_total_chance() -> None:
    engine, think = Engine(), allocate_think(400)
    odds = engine.odds(MIDGAME)
    assert MIDGAME.mines is not None
    grid = engine.work.grid
    think.chance[: grid.size] = engine.work.chance[: grid.size]
    count = list_candidates(engine.position, engine.work, think, BEST)
    assert count > 1
    for i in range(count):
        total = 0.0
        for number in range(9):
            cell = int(think.candidate[i])
            args = (engine.position, engine.work, think, cell, number)
            if open_hypothetically(*args) == DONE:
                total += np.exp(engine.work.value[V_LOG_LAYOUTS] - odds.log_layouts)
        assert total == pytest.approx(think.score[SCORE_SAFETY, i], abs=1e-9)


def midgame(tuning: Tuning) -> tuple[Any, ...]:
    """What `consider` and `choose_guess` take: MIDGAME, solved, with memory of its own."""
    engine, mind = Engine(), allocate_mind(400, BEST)
    engine.odds(MIDGAME)
    seed_random(engine.work, 1)
    assert MIDGAME.mines is not None
    return engine.position, engine.work, mind, tuning


def rolls_of(game: tuple[Any, ...]) -> Rolls:
    return next(part for part in game if isinstance(part, Mind)).rolls


def considered(tuning: Tuning, batches: int = 0) -> Rolls:
    """The close candidates of MIDGAME, best first, after as many batches of roll-outs."""
    game = midgame(tuning)
    for stage in (UNDECIDED, *[CLOSE] * batches):
        consider(*[*game, stage])
    return rolls_of(game)


def by_candidate(rolls: Rolls, values: NDArray[np.float64]) -> dict[int, float]:
    running = rolls.tally[ROLLS_RUNNING]
    return dict(zip(rolls.candidate[:running].tolist(), values[:running].tolist(), strict=True))


def test_a_candidate_given_up_early_is_none_that_is_close() -> None:
    both = considered(BEST._replace(close=0.0)), considered(BEST)
    whole, close = (by_candidate(rolls, rolls.prior) for rolls in both)
    assert 1 < len(close) < len(whole)
    assert close == {cell: score for cell, score in whole.items() if score >= BEST.close * max(whole.values())}


def tells_nothing(board: Board, cell: tuple[int, int]) -> bool:
    """Whether a cell can show one number only, if it is safe."""
    opened = (board.replace({cell: number}) for number in range(9))
    return sum(not exact_odds(after).contradictions for after in opened) < 2


def test_a_score_is_the_chance_of_every_number_times_what_it_leaves() -> None:
    """Many safe cells, or one as safe as the two safest are; with weights that are easy to reckon with."""
    plain = BEST._replace(prior=0.0, close=0.0, own=1.0, next=1.0, second=0.5, progress=1.0, started=0.0, influence=0.0)
    log_layouts = exact_odds(MIDGAME).log_layouts
    rolls, width = considered(plain), MIDGAME.cols + 2
    for cell, score in by_candidate(rolls, rolls.prior).items():
        expected = 0.0
        for number in range(9):
            after = exact_odds(MIDGAME.replace({divmod(cell - width - 1, width): number}))
            if not after.contradictions:
                board = MIDGAME.replace({divmod(cell - width - 1, width): number})
                telling = [at for at in map(tuple, np.argwhere(after.chance < 1)) if not tells_nothing(board, at)]
                first, second = sorted(after.chance[at] for at in telling if after.chance[at] > 0)[:2]
                safe = sum(after.chance[at] == 0 for at in telling)
                promise = 1 + min(safe, 8) if safe else 1 - (first + second) / 2
                expected += np.exp(after.log_layouts - log_layouts) * promise
        assert score == pytest.approx(expected)


def traits_of(board: Board, cell: tuple[int, int]) -> dict[str, float]:
    """What the prior knows of a candidate, reckoned from the exact odds after every number."""
    traits = dict.fromkeys(TRAITS, 0.0)
    traits["alone"] = float(not has_number_beside(board, cell))
    opened = [board.replace({cell: number}) for number in range(9)]
    possible = [(after, odds) for after in opened if not (odds := exact_odds(after)).contradictions]
    whole = sum(np.exp(odds.log_layouts) for _, odds in possible)
    for after, odds in possible:
        hidden = list(map(tuple, np.argwhere(after.hidden)))
        telling = sorted(odds.chance[at] for at in hidden if odds.chance[at] < 1 and not tells_nothing(after, at))
        beside = [at for at in hidden if has_number_beside(after, at)]
        found = dict(zip(("next", "second", "third"), 1 - np.array(telling), strict=False))
        found["uncertain"] = 1 - min(chance for chance in telling if chance > 0)
        found["doubt"] = sum(odds.chance[at] * (1 - odds.chance[at]) for at in beside)
        found["far"] = len(hidden) - len(beside)
        found["safe"] = min(telling.count(0.0), 8)
        found["some"] = found["safe"] > 0
        for name, trait in found.items():
            traits[name] += np.exp(odds.log_layouts) / whole * trait
    return traits


def has_number_beside(board: Board, cell: tuple[int, int]) -> bool:
    return any(not board.hidden[at] for at in board.neighbours(*cell))


def test_the_prior_adds_to_a_score_what_it_makes_of_the_traits() -> None:
    wide = BEST._replace(close=0.0, prior=1.0)
    plain, learnt = (
        by_candidate(rolls, rolls.prior) for rolls in (considered(wide._replace(prior=0.0)), considered(wide))
    )
    cells = sorted(plain.keys() & learnt.keys(), key=lambda cell: -plain[cell])
    assert len(cells) > 2
    weights, width = {name: getattr(BEST, f"prior_{name}") for name in TRAITS}, MIDGAME.cols + 2
    priors = []
    for cell in cells:
        traits = traits_of(MIDGAME, divmod(cell - width - 1, width))
        priors.append(sum(weights[name] * traits[name] for name in TRAITS))
    for cell, prior in zip(cells, priors, strict=True):
        assert np.log(learnt[cell] / plain[cell]) == pytest.approx(min(prior - priors[0], MOST_PRIOR))


def test_a_cell_that_tells_nothing_is_taken_only_if_there_is_no_other() -> None:
    think, rolls = allocate_think(9), allocate_rolls(9, BATCH)
    think.candidate[:3], think.score[SCORE_VALUE, :3] = (5, 6, 7), (0.9, 0.8, 0.79)
    for numbers, taken in (((1, 2, 3), [6, 7]), ((1, 1, 1), [5])):
        think.score[SCORE_NUMBERS, :3] = numbers
        shortlist(think, rolls, 3, BEST)
        assert rolls.candidate[: rolls.tally[ROLLS_RUNNING]].tolist() == taken


def test_the_first_candidate_of_an_end_game_wins_as_much_as_anyone_can() -> None:
    games = (played_until_a_guess(Level(6, 6, 8), seed, (2, 2)) for seed in range(1, 100))
    board = next(board for board in games if 3 <= np.count_nonzero(board.hidden & ~exact_odds(board).mined) <= 8)
    odds = exact_odds(board)
    assert not odds.safe.any()
    candidates, why = choose(board, odds, 0.0, "deep")
    truth = enumerate_layouts(board)
    assert candidates[0].value == pytest.approx(most_games_won(board) / truth.count)
    assert "perfect play" in why


def test_a_pair_nothing_can_split_is_guessed_at_once() -> None:
    pair, rest = "#1" + "x" * 10 + "#" * 12, "xx" + "x" * 10 + "#" * 12
    board = Board.parse("\n".join(["mines: 20", pair, pair, rest, rest, rest, rest]))
    board = board.replace({(2, 0): 12, (2, 1): 12, (1, 1): 3})
    odds = exact_odds(board)
    candidates, why = choose(board, odds, 0.0, "best")
    assert (candidates[0].row, candidates[0].col) in {(0, 0), (1, 0)}
    assert candidates[0].risk == pytest.approx(0.5)
    assert candidates[0].value is None
    must = "one of these two (row 1, column 1; row 2, column 1) must be guessed sooner or later"
    assert why == f"{must}, and nothing can tell them apart"


def test_a_pair_that_may_yet_be_told_apart_is_not_said_to_be_one_that_must_be_guessed() -> None:
    rows = ["0001########", "00024#######", "0001########", "22113#######", "##223#######", "#3##########", "#" * 12]
    board = Board.parse("\n".join(["mines: 18", *rows]))
    odds = exact_odds(board)
    candidates, why = choose(board, odds, 0.0, "best")
    assert (candidates[0].row, candidates[0].col) == (5, 0)
    assert candidates[0].risk < 0.2
    must = "one of these two (row 6, column 1; row 7, column 1) must be guessed sooner or later"
    assert why == f"if it is a mine, {must}, so waiting spares nobody the risk"
    # True: with a mine there the other is safe, and all that could tell them apart are mines.
    mined = exact_odds(board.replace({(5, 0): Cell.MINE}))
    assert mined.chance[6, 0] == 0.0
    assert mined.chance[4, 0] == mined.chance[4, 1] == 1.0


@pytest.mark.parametrize("strategy", ["csp", "best", "deep"])
def test_candidates_carry_their_exact_risk_and_the_choice_depends_on_the_seed_alone(strategy: Strategy) -> None:
    odds = exact_odds(MIDGAME)
    candidates, _ = choose(MIDGAME, odds, 0.0, strategy, seed=3)
    assert candidates == choose(MIDGAME, odds, 0.0, strategy, seed=3)[0]
    for candidate in candidates:
        assert candidate.risk == odds.chance[candidate.row, candidate.col]
        assert candidate.value is None or 0 < candidate.value <= 1


def test_roll_outs_estimate_a_chance_to_win() -> None:
    candidates, why = choose(MIDGAME, exact_odds(MIDGAME), 0.05, "deep")
    for candidate in candidates:
        assert candidate.value is not None
        assert candidate.value <= 1 - candidate.risk + 1e-9
    assert "layouts" in why


def test_roll_outs_go_on_for_as_long_as_the_time_to_think(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.solver.guess.time", SimpleNamespace(monotonic=itertools.count().__next__))
    assert f" {2 * BATCH} layouts " in choose(MIDGAME, exact_odds(MIDGAME), 1.5, "deep")[1]


def test_an_estimate_lies_between_the_roll_outs_and_the_look_ahead() -> None:
    everybody = BEST._replace(confidence=np.inf)
    before, rolls = considered(everybody), considered(everybody, 1)
    prior, first = by_candidate(before, before.prior), int(before.candidate[0])
    mean = by_candidate(rolls, rolls.safety * np.nanmean(rolls.value[:, :BATCH], axis=1))
    assert len(mean) > 1
    for cell, estimate in by_candidate(rolls, rolls.estimate).items():
        low, high = sorted([mean[cell], mean[first] * prior[cell] / prior[first]])
        assert low - 1e-12 <= estimate <= high + 1e-12


def test_nobody_is_dropped_before_all_were_tried_on_a_number_of_layouts() -> None:
    hasty = BEST._replace(confidence=-np.inf, patience=3.0 * BATCH)
    running = [int(considered(hasty, batches).tally[ROLLS_RUNNING]) for batches in range(4)]
    assert running[0] == running[1] == running[2] > running[3] == 1


def test_a_trial_rolls_close_candidates_out_on_as_many_layouts_as_it_may() -> None:
    game = midgame(BEST._replace(rolls=2.0 * BATCH + 1, roll_below=np.inf, confidence=np.inf))
    plain = getattr(choose_guess, "py_func", choose_guess)  # calls compiled ones, and need not be compiled itself
    (_, cell), rolls = plain(*game), rolls_of(game)
    assert rolls.tally[ROLLS_DONE] == 2 * BATCH
    assert rolls.tally[ROLLS_RUNNING] > 1
    assert cell == rolls.candidate[rolls.estimate[: rolls.tally[ROLLS_RUNNING]].argmax()]


def test_roll_outs_from_few_layouts_come_to_what_perfect_play_wins() -> None:
    engine, end, rolls = Engine(), allocate_endgame(400, 60), allocate_rolls(400, 64 * BATCH)
    games = (played_until_a_guess(Level(7, 7, 11), seed, (2, 2)) for seed in range(1, 200))
    board = next(board for board in games if 12 <= np.exp(exact_odds(board).log_layouts) <= 60)
    engine.odds(board)
    assert board.mines is not None
    width = board.cols + 2
    cell = search(engine.position, engine.work, end, 10_000)
    expected = end.result[RESULT_WON] / end.result[RESULT_LAYOUTS]
    seed_random(engine.work, 1)
    rolls.candidate[0], rolls.tally[ROLLS_RUNNING] = cell, 1
    rolls.safety[0] = 1 - exact_odds(board).chance[divmod(cell - width - 1, width)]
    while rolls.tally[ROLLS_DONE] < rolls.value.shape[1]:
        roll_on(engine.position, engine.work, end, rolls, BEST)
    values = rolls.value[0][~np.isnan(rolls.value[0])]
    error = values.std() / len(values) ** 0.5
    assert rolls.estimate[0] == pytest.approx(rolls.safety[0] * values.mean())
    assert rolls.estimate[0] == pytest.approx(expected, abs=4 * error + 1e-9)


def won_by_lowest_odds(board: Board, mines: NDArray[np.bool_], guess: tuple[int, int]) -> bool:
    """Whether the roll-outs' own player wins a game after a guess: no game tree, the lowest odds."""
    engine, numbers = Engine(), count_around(mines)
    while not mines[guess]:
        board = board.replace({guess: int(numbers[guess])})
        while (safe := engine.odds(board).safe).any():
            board = board.replace({(row, col): int(numbers[row, col]) for row, col in np.argwhere(safe).tolist()})
        if np.count_nonzero(board.hidden) == mines.sum():
            return True
        pair = unsplittable(engine.position, board.cols + 2)
        cell = pair if pair >= 0 else lowest(engine.position, engine.work)
        row, col = divmod(cell - board.cols - 3, board.cols + 2)
        guess = row, col
    return False


def test_roll_outs_come_to_what_their_player_wins_also_where_candidates_meet_in_the_same_position() -> None:
    games = (played_until_a_guess(Level(7, 7, 11), seed, (2, 2)) for seed in range(1, 200))
    board = next(
        board for board in games if np.exp(exact_odds(board).log_layouts) >= 25 and np.count_nonzero(board.hidden) <= 16
    )
    truth = enumerate_layouts(board)
    engine, end, rolls = Engine(), allocate_endgame(400, 60), allocate_rolls(400, 64 * BATCH)
    odds = engine.odds(board)
    order = [(row, col) for row, col in truth.hidden if odds.chance[row, col] < 0.7][:4]
    for i, (row, col) in enumerate(order):
        rolls.candidate[i], rolls.safety[i] = (row + 1) * (board.cols + 2) + col + 1, 1 - odds.chance[row, col]
    rolls.tally[ROLLS_RUNNING], rolls.prior[:] = len(order), 1.0
    seed_random(engine.work, 1)
    assert board.mines is not None
    tuning = BEST._replace(roll_layouts=0.0, confidence=np.inf)
    while rolls.tally[ROLLS_DONE] < rolls.value.shape[1]:
        roll_on(engine.position, engine.work, end, rolls, tuning)
    for i, cell in enumerate(rolls.candidate[: len(order)].tolist()):
        row, col = divmod(cell - board.cols - 3, board.cols + 2)
        wins = 0
        for layout in truth.layouts:
            mines = np.zeros(board.cells.shape, np.bool_)
            mines[tuple(zip(*truth.hidden, strict=True))] = layout
            wins += won_by_lowest_odds(board, mines, (row, col))
        values = rolls.value[i][~np.isnan(rolls.value[i])]
        error = rolls.safety[i] * values.std() / len(values) ** 0.5
        assert rolls.safety[i] * values.mean() == pytest.approx(wins / truth.count, abs=4 * error + 1e-9)


@pytest.mark.parametrize(("first", "found"), [("*", True), ("x", True), ("#", False)])
def test_a_pair_that_a_covered_tile_beside_it_may_split_is_not_guessed_yet(first: str, found: bool) -> None:
    for row, rows in enumerate(([f"{first}##*", "*x3*"], ["*3x*", f"*##{first}"])):
        engine = Engine()
        engine.odds(Board.parse("\n".join(rows)))
        cell = unsplittable(engine.position, 6)
        assert divmod(cell - 7, 6) in {(row, 1), (row, 2)} if found else cell < 0


def test_far_candidates_are_those_with_least_and_those_with_most_beside_them() -> None:
    """On a covered board with one number, that is the corners and what lies beside the number's surroundings."""
    board = Board.covered(9, 9, 10).replace({(4, 4): 1})
    engine, think = Engine(), allocate_think(121)
    engine.odds(board)
    count = list_candidates(engine.position, engine.work, think, BEST._replace(factor=0.0))
    cells = [divmod(cell - 12, 11) for cell in think.candidate[:count].tolist()]
    far = {cell for cell in cells if max(abs(cell[0] - 4), abs(cell[1] - 4)) > 1}
    assert len(cells) == len(set(cells)) == 8 + 8
    assert far == {(0, 0), (0, 8), (8, 0), (8, 8), (2, 4), (4, 2), (4, 6), (6, 4)}


def test_a_cell_that_could_not_be_read_is_never_chosen() -> None:
    odds = exact_odds(MIDGAME)
    best = choose(MIDGAME, odds, 0.0, "best")[0][0]
    unread = MIDGAME.replace({(best.row, best.col): 15})
    candidates, _ = choose(unread, exact_odds(unread), 0.0, "best")
    assert (best.row, best.col) not in {(candidate.row, candidate.col) for candidate in candidates}


def test_without_a_mine_count_the_lowest_odds_are_chosen() -> None:
    board = Board(MIDGAME.cells, None)
    odds = exact_odds(board)
    candidates, _ = choose(board, odds, 1.0, "deep")
    assert candidates[0].risk == np.nanmin(odds.chance)
    assert {candidate.value for candidate in candidates} == {None}, "nobody knows how such a game goes on"


@pytest.mark.parametrize(
    ("level", "cell"),
    [(Level(16, 30, 99), (3, 3)), (Level(16, 16, 40), (2, 2)), (Level(9, 9, 10), (2, 2)), (Level(8, 8, 10), (2, 2))],
    ids=str,
)
def test_the_named_levels_begin_where_the_trials_won_most(level: Level, cell: tuple[int, int]) -> None:
    assert first_click(level, "open") == cell


@pytest.mark.parametrize(
    ("size", "cell"), [((20, 20), (3, 3)), ((20, 15), (2, 2)), ((6, 5), (2, 2)), ((5, 6), (2, 2)), ((3, 4), (1, 1))]
)
def test_other_levels_begin_as_far_off_the_corner_as_their_size_suggests(
    size: tuple[int, int], cell: tuple[int, int]
) -> None:
    assert first_click(Level(*size, 5), "open") == cell
    assert first_click(Level(*size, 5), "safe") == first_click(Level(*size, 5), "none") == (0, 0)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [(1, 1), (2, 7), (8, 8), (9, 9), (16, 30), (100, 100)])
def test_the_first_click_is_on_the_board(size: tuple[int, int], rule: str) -> None:
    level = Level(*size, 0)
    row, col = first_click(level, rule)  # type: ignore[arg-type]
    assert 0 <= row < size[0]
    assert 0 <= col < size[1]
