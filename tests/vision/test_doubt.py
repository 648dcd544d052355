"""The fitted veto: what it must never do, and what it is for."""

import numpy as np
import pytest

from bot.bench.read_drawn import read_one
from bot.vision.doubt import KIND, KINDS, fitted, odd
from bot.vision.matcher import drawn_tiles, matcher_for
from bot.vision.skin import Skin


@pytest.mark.parametrize("kind", range(len(KINDS)), ids=KINDS)
def test_more_evidence_never_makes_a_tile_surer(kind: int) -> None:
    random, model = np.random.default_rng(kind), fitted()
    less = (random.random((200, len(model.most))) * model.most).astype(np.float32)
    more = less + (random.random(less.shape) * model.most).astype(np.float32)
    kinds = np.full(len(less), kind)
    assert (model.doubt(more, kinds) >= model.doubt(less, kinds) - 1e-4).all()


def test_nothing_is_odd_about_the_skin_s_own_tiles() -> None:
    skin = Skin.load("win7")
    matches = matcher_for(skin).match(drawn_tiles(skin, None))
    assert not odd(matches).any()
    assert set(KIND[matches.best]) == set(range(len(KINDS)))


@pytest.mark.parametrize("kind", range(len(KINDS)), ids=KINDS)
def test_what_is_odd_in_every_respect_is_doubted(kind: int) -> None:
    assert fitted().doubt(fitted().most[None], np.array([kind])) >= 0


@pytest.mark.parametrize("number", [7000037, 7000194])
def test_drawn_pictures_that_rules_of_thumb_misread_are_doubted(number: int) -> None:
    assert read_one(number).wrong == ()  # 16 and 187 tiles by the rules alone


@pytest.mark.parametrize("number", [1543, 1536, 1607, 1196])
def test_what_another_theme_or_font_makes_look_certain_is_doubted(number: int) -> None:
    # Blanks under a yellow light, `?` that taught how covers look, slanting 5s taken for 3s, heavy 8s for mines.
    assert len(read_one(number).wrong) <= 1  # 70, 16, 14 and 15 without a second witness
