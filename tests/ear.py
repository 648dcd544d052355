"""A listener of the coach's, for tests with and without a screen."""

from __future__ import annotations

from bot.coach.advice import Advice
from bot.coach.review import Review


class Ear:
    """Remembers what was said."""

    def __init__(self) -> None:
        self.advice: list[Advice] = []
        self.reviews: list[Review] = []
        self.reasons: list[str] = []

    def advised(self, advice: Advice) -> None:
        self.advice.append(advice)

    def puzzled(self, reason: str) -> None:
        self.reasons.append(reason)

    def reviewed(self, review: Review) -> None:
        self.reviews.append(review)
