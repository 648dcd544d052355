"""The JSON documents that scripts rely on. Rows and columns in them are 0-based."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from bot.bench import wilson_interval
from bot.board import SYMBOLS, Board

if TYPE_CHECKING:  # a dry run needs neither the coach nor a player nor trials
    from bot.bench.playing import FaultsResult, LiveTrial
    from bot.bench.read_drawn import DrawnTrial
    from bot.bench.speed import OddsSpeed
    from bot.coach.review import Review, Risk
    from bot.play import Session
    from bot.solver.decision import Decision
    from bot.vision.reader import Reading


def reading_json(reading: Reading) -> dict[str, Any]:
    """Return what was read in a picture."""
    grid = reading.grid
    return {
        "skin": reading.skin,
        "skin_sure": round(reading.likeness, 4),
        "rows": reading.board.rows,
        "cols": reading.board.cols,
        "grid": {"left": grid.left, "top": grid.top, "pitch_x": grid.pitch_x, "pitch_y": grid.pitch_y},
        "mines_left": reading.mines_left,
        "seconds": reading.seconds,
        "state": reading.state,
        "dialog": bool(reading.dialog),
        "cut": reading.board.cut_sides,
        "cells": ["".join(SYMBOLS[value] for value in row) for row in reading.board.cells],
        "doubts": [asdict(doubt) for doubt in reading.doubts],
        "problems": list(reading.problems),
    }


def decision_json(board: Board, decision: Decision) -> dict[str, Any]:
    """Return what the solver says about a board."""
    return {
        "rows": board.rows,
        "cols": board.cols,
        "mines": board.mines,
        "move": decision.move and {**asdict(decision.move), "risk": float(decision.move.risk)},
        "safe": [list(map(int, cell)) for cell in decision.safe],
        "mined": [list(map(int, cell)) for cell in decision.mined],
        "odds": [[None if np.isnan(chance) else float(chance) for chance in row] for row in decision.odds],
        "must_guess": decision.must_guess,
        "reason": decision.reason,
        "steps": [{**vars(step), "cells": [list(map(int, cell)) for cell in step.cells]} for step in decision.steps],
        "candidates": [asdict(candidate) for candidate in decision.candidates],
        "wrong_flags": [list(map(int, cell)) for cell in decision.wrong_flags],
        "problems": list(decision.problems),
    }


def review_json(review: Review) -> dict[str, Any]:
    """Return how a person played a game."""
    return {
        "moves": review.moves,
        "won": review.won,
        "needless": [_risk_json(risk) for risk in review.risks if risk.needless],
        "guesses": [_risk_json(risk) for risk in review.risks if not risk.needless],
        "survival": review.survival,
        "luck": review.luck,
    }


def _risk_json(risk: Risk) -> dict[str, Any]:
    return {"row": risk.cell.row, "col": risk.cell.col, "risk": risk.risk, "least": risk.least}


def session_json(session: Session, seeds: Sequence[int] = ()) -> dict[str, Any]:
    """Return the games that were played; the rate is that of the games that were finished.

    On the clone each game has a seed; of one that a signal ended as it was being written down, it may be unknown.
    """
    games, finished = session.games, len(session.finished)
    wins = sum(game.won for game in games)
    return {
        "games": [
            {
                **asdict(game),
                "seconds": round(game.seconds, 3),
                "three_bv_a_second": game.three_bv_a_second,
                "efficiency": game.efficiency,
                "luck": game.luck,
                **({"seed": seeds[number]} if number < len(seeds) else {}),
            }
            for number, game in enumerate(games)
        ],
        "wins": wins,
        "win_rate": wins / finished if finished else None,
        "interval": list(wilson_interval(wins, finished)),
    }


def odds_speed_json(speed: OddsSpeed) -> dict[str, Any]:
    """Return the document that `minebot bench odds --json` promises."""
    document: dict[str, Any] = dict(vars(speed.ours))
    if speed.peer is not None:
        document |= {"peer": {"name": "ms-toollib", **vars(speed.peer)}, "ratio": speed.ratio}
    if speed.max_error is not None:
        document["max_error"] = speed.max_error
    return document


def live_json(trial: LiveTrial) -> dict[str, Any]:
    """Return the document of `minebot bench live --json`."""
    rate = trial.wins / trial.games if trial.games else 0.0
    derived = {"win_rate": rate, "clicks_per_second": trial.clicks_per_second, "own_share": trial.own_share}
    return asdict(trial) | derived


def drawn_json(trial: DrawnTrial) -> dict[str, Any]:
    """Return how drawn pictures were read."""
    return {
        "seed": trial.seed,
        "pictures": len(trial.pictures),
        "asked": trial.asked,
        "tiles": [{**asdict(line), "most_wrong": line.most_wrong} for line in trial.lines()],
        "misread": [{"number": each.number, "wrong": list(each.wrong)} for each in trial.misread],
    }


def faults_json(trial: FaultsResult) -> dict[str, Any]:
    """Return the document of `minebot bench faults --json`."""
    total: Counter[str] = Counter()
    for judged in trial.sessions:
        total.update(judged.failures)
    return {
        "level": trial.level,
        "rule": trial.rule,
        "seed": trial.seed,
        "faults": list(trial.chosen),
        "games": len(trial.sessions),
        "interrupted": trial.interrupted,
        "clicks": sum(judged.clicks for judged in trial.sessions),
        "endings": dict(Counter(judged.ending for judged in trial.sessions)),
        "reasons": dict(trial.reasons().most_common()),
        "misreads": sum(judged.misreads for judged in trial.sessions),
        "failures": dict(total),
        "failed": [
            {"seed": judged.seed, "what": judged.failures, "replay": trial.replay_command(judged)}
            for judged in trial.failed
        ],
    }
