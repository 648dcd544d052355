"""Guesses that must be made anyway, and cells that tell nothing, held against every layout there is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from bot.board import Board, count_around
from bot.solver.kernels.constraints import dead
from bot.solver.kernels.game import conclude_certain
from bot.solver.kernels.influence import tally_influence
from bot.solver.kernels.lookahead import BEST, GROUP_MEMBERS, Tuning, allocate_think, corner_before_opening
from bot.solver.odds import Engine
from tests.solver.brute_force import boards, enumerate_layouts

EVERY = BEST._replace(least=0.0)


def solved(board: Board) -> tuple[Any, ...]:
    """A board's position and work, certain cells marked, and its grid."""
    engine = Engine()
    engine.odds(board)
    assert board.mines is not None
    conclude_certain(engine.position, engine.work)
    return engine.position, engine.work, engine.work.grid


def influence_of(board: Board, tuning: Tuning = EVERY) -> tuple[np.ndarray[Any, Any], tuple[int, int] | None, int]:
    """The influence of every cell, the cell to be guessed at once, and how many cells it is guessed among."""
    position, work, grid = solved(board)
    width = grid.width
    think = allocate_think(grid.size)
    cell = tally_influence(position, work, think, tuning)
    influence = think.influence[: grid.size].reshape(board.rows + 2, width)[1:-1, 1:-1]
    at = None if cell < 0 else divmod(cell - width - 1, width)
    return influence, at, int(think.group[GROUP_MEMBERS])


def test_the_influence_of_a_pair_is_the_share_of_layouts_in_which_it_has_to_be_guessed() -> None:
    board = Board.parse("mines: 6\n####\n2###\n####\n####")
    truth = enumerate_layouts(board)
    index = {cell: i for i, cell in enumerate(truth.hidden)}

    def share(mined: list[tuple[int, int]], safe: list[tuple[int, int]]) -> float:
        of = truth.layouts[:, [index[cell] for cell in mined]].all(axis=1)
        return float((of & ~truth.layouts[:, [index[cell] for cell in safe]].any(axis=1)).mean())

    grid, at, _ = influence_of(board, EVERY._replace(enabler=0.0))
    assert at is None
    # The cell in the upper right corner: pairs to the left and downwards, and the square in that corner.
    left = share([(0, 3), (0, 1), (1, 1)], [(0, 2)])
    down = share([(0, 3), (2, 2), (2, 3)], [(1, 3)])
    square = share([(0, 3), (1, 2), (2, 1)], [(0, 2), (1, 3)])
    assert grid[0, 3] == pytest.approx(left + down + square)
    lower = [share([(3, 3), (1, 2), (1, 3)], [(2, 3)]), share([(3, 3), (2, 1), (3, 1)], [(3, 2)])]
    lower.append(share([(3, 3), (2, 2), (1, 1)], [(2, 3), (3, 2)]))
    assert grid[3, 3] == pytest.approx(sum(lower))


def test_influence_is_never_more_than_the_risk_nor_than_the_safety() -> None:
    board = Board.parse("mines: 3\n##1\n##1\n110")
    odds = Engine().odds(board)
    grid, _, _ = influence_of(board, EVERY._replace(enabler=5.0))
    hidden = board.hidden
    assert (grid[hidden] <= np.minimum(odds.chance, 1 - odds.chance)[hidden] + 1e-12).all()


@pytest.mark.parametrize(
    ("rows", "cells", "members"),
    [
        (["#1", "#3", "**"], {(0, 0), (1, 0)}, 2),
        (["*22*", "2##2", "2##2", "*22*"], {(1, 1), (1, 2), (2, 1), (2, 2)}, 4),
    ],
    ids=["pair", "square"],
)
def test_what_nothing_can_tell_apart_is_guessed_at_once(
    rows: list[str], cells: set[tuple[int, int]], members: int
) -> None:
    text = "\n".join(row + "x" * 6 + "######" for row in [*rows, *["x" * len(rows[0])] * 2])
    mines = text.count("*") + members // 2 + 6
    _, at, among = influence_of(Board.parse(f"mines: {mines}\n{text}"), BEST)
    assert at in cells
    assert among == members


@given(board=boards(unknown_mines=False))
@settings(max_examples=300, deadline=None)
def test_a_cell_guessed_at_once_is_a_mine_only_where_its_group_can_be_turned_round(board: Board) -> None:
    """In every layout with a mine there, mines and safe cells of the group change places and all numbers still fit."""
    truth = enumerate_layouts(board)
    if truth.safe:
        return
    position, work, grid = solved(board)
    width = grid.width
    think = allocate_think(grid.size)
    cell = tally_influence(position, work, think, BEST)
    if cell < 0:
        return
    group = [divmod(at - width - 1, width) for at in think.group[: think.group[GROUP_MEMBERS]].tolist()]
    columns = [truth.hidden.index(at) for at in group]
    layouts = {tuple(layout) for layout in truth.layouts.tolist()}
    for layout in truth.layouts[truth.layouts[:, truth.hidden.index(divmod(cell - width - 1, width))]]:
        turned = layout.copy()
        turned[columns] = ~turned[columns]
        assert turned[columns].sum() == len(columns) // 2
        assert tuple(turned.tolist()) in layouts


@given(board=boards(unknown_mines=False))
@settings(max_examples=300, deadline=None)
def test_a_dead_cell_shows_one_number_only_in_all_layouts_in_which_it_is_safe(board: Board) -> None:
    truth = enumerate_layouts(board)
    position, _, grid = solved(board)
    for number, (row, col) in enumerate(truth.hidden):
        if (row, col) in truth.mined or not dead(position, grid, (row + 1) * grid.width + col + 1):
            continue
        shown = set()
        for layout in truth.layouts[~truth.layouts[:, number]]:
            mines = np.isin(board.cells, (12, 13))
            mines[tuple(np.transpose(truth.hidden))] = layout
            shown.add(int(count_around(mines)[row, col]))
        assert len(shown) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [("mines: 1\n##\n11", True), ("mines: 2\n#####\nx1x1x", True), ("mines: 2\n1##1\n####", False)],
)
def test_the_plain_cases_of_dead_cells_are_seen(text: str, found: bool) -> None:
    board = Board.parse(text)
    position, _, grid = solved(board)
    assert dead(position, grid, grid.width + 2) == found


@pytest.mark.parametrize(
    ("opened", "corner"),
    [
        ({(0, 0): 1}, (0, 8)),
        ({(0, 0): 1, (0, 8): 2}, (8, 0)),
        ({(0, 0): 1, (1, 7): 1, (7, 0): 1, (8, 8): 1}, None),
        ({(0, 0): 0, (0, 1): 0, (1, 0): 0, (1, 1): 1}, None),
        ({(4, 4): 1}, None),
    ],
    ids=["the next corner", "the one after", "no corner left", "an opening", "a safer cell"],
)
def test_before_the_first_opening_a_corner_comes_first(
    opened: dict[tuple[int, int], int], corner: tuple[int, int] | None
) -> None:
    board = Board.covered(9, 9, 20).replace(opened)
    position, work, grid = solved(board)
    think, width = allocate_think(grid.size), grid.width
    think.chance[: grid.size] = work.chance[: grid.size]
    cell = corner_before_opening(position, think, grid, BEST)
    assert (None if cell < 0 else divmod(cell - width - 1, width)) == corner
