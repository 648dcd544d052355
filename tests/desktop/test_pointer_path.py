from __future__ import annotations

import itertools
import math
from random import Random

import pytest

from bot.desktop.input import curve

START, END = (100, 900), (1100, 150)


@pytest.mark.parametrize("seed", range(20))
def test_a_path_stays_near_the_straight_line(seed: int) -> None:
    for x, y in curve(START, END, 12.0, Random(seed)):
        share = (x - START[0]) / (END[0] - START[0])
        straight = START[1] + share * (END[1] - START[1])
        assert abs(y - straight) < 0.2 * math.dist(START, END)


def test_the_hand_starts_and_ends_slowly_and_is_fast_in_between() -> None:
    pixels = [START, *curve(START, END, 12.0, Random(1)), END]
    strides = [math.dist(a, b) for a, b in itertools.pairwise(pixels)]
    middle = len(strides) // 2
    assert strides[0] < strides[middle] / 5
    assert strides[-1] < strides[middle] / 5


def test_no_two_ways_are_the_same() -> None:
    dice = Random(1)
    assert curve(START, END, 12.0, dice) != curve(START, END, 12.0, dice)


@pytest.mark.parametrize("end", [START, (101, 900)])
def test_a_way_to_where_the_pointer_is_has_no_steps(end: tuple[int, int]) -> None:
    assert curve(START, end, 12.0, Random(1)) == []
