"""Levels by name and size, and the seeded boards."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.board import BoardError
from bot.level import LEVELS, Level, seeded_mines, shuffle_cells
from bot.words import RULES, Rule


def test_levels_have_names_and_a_text_form() -> None:
    assert Level.parse("expert") == Level(16, 30, 99)
    assert Level.parse("16x30/99").name == "expert"
    assert Level.parse("5x5/4").name == "5x5/4"
    for level in LEVELS.values():
        assert Level.parse(str(level)) == level


@pytest.mark.parametrize("text", ["", "hard", "5x5", "5x5/", "axb/c", "0x5/0", "2x2/5", "-5x5/4", "5x5/4\n", "9x999/9"])
def test_what_is_no_level_is_refused(text: str) -> None:
    with pytest.raises(BoardError):
        Level.parse(text)


def reference_order(cells: int, seed: int) -> list[int]:
    """The same generator written with plain Python integers, as the definition reads."""
    a, b, c, d, word = seed % 2**32, 0xDEADBEEF, 0x12345678, 1, 2**32

    def draw() -> int:
        nonlocal a, b, c, d
        t = (a + b + d) % word
        d = (d + 1) % word
        a = b ^ (b >> 9)
        b = (c + (c << 3)) % word
        c = ((c << 21) | (c >> 11)) % word
        c = (c + t) % word
        return t

    for _ in range(15):
        draw()
    order = list(range(cells))
    for i in range(cells - 1, 0, -1):
        j = draw() * (i + 1) // word
        order[i], order[j] = order[j], order[i]
    return order


@given(st.integers(1, 900), st.integers(0, 2**32 - 1))
def test_the_shuffle_is_the_one_other_solvers_use(cells: int, seed: int) -> None:
    order = np.empty(cells, np.int32)
    shuffle_cells(order, seed)
    assert order.tolist() == reference_order(cells, seed)


@given(st.integers(1, 12), st.integers(1, 12), st.data(), st.sampled_from(RULES))
def test_seeded_mines_keep_the_promise_of_the_first_click(
    rows: int, cols: int, data: st.DataObject, rule: Rule
) -> None:
    level = Level(rows, cols, data.draw(st.integers(0, rows * cols)))
    row, col = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, cols - 1))
    mines = seeded_mines(level, rule, data.draw(st.integers(0, 2**32 - 1)), row, col)
    assert mines.sum() == level.mines
    block = mines[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2]
    if rule == "open" and level.mines <= rows * cols - block.size:
        assert not block.any()
    if rule != "none" and level.mines < rows * cols:
        assert not mines[row, col]


def test_the_same_seed_gives_the_same_board_whatever_is_clicked_as_far_as_the_rule_allows() -> None:
    level = LEVELS["expert"]
    first, second = (seeded_mines(level, "none", 1, row, 0) for row in (0, 15))
    assert np.array_equal(first, second)
    opened = seeded_mines(level, "open", 1, 3, 3)
    assert np.count_nonzero(first != opened) <= 2 * 9
