"""Draws the README's picture anew: `python docs/make_pictures.py`.

The clone is played to a position with much to see, painted, read back from its pixels and marked with what the solver
knows: green what is safe, red what is a mine.
"""

from pathlib import Path

from bot import picture, solver
from bot.annotate import annotate
from bot.clone.game import Game
from bot.clone.look import Painter, Style, paint_window
from bot.level import LEVELS
from bot.plan import plan
from bot.vision.reader import Reader

PICTURES = Path(__file__).parent / "pictures"
SEED, ROUNDS, PITCH = 7, 13, 24.0


def midgame(seed: int, rounds: int) -> Game:
    """Return an expert game after some rounds of certain moves."""
    game = Game(LEVELS["expert"], seed=seed)
    acts = {"open": game.open, "flag": game.mark, "unflag": game.mark, "chord": game.chord}
    for after in range(rounds):
        board = game.board()
        for action in plan(board, solver.decide(board, strategy="csp"), "noflags" if after % 4 else "flags"):
            acts[action.kind](action.row, action.col)
    return game


def main() -> None:
    """Draw all pictures."""
    game = midgame(SEED, ROUNDS)
    painter = Painter(game.level.rows, game.level.cols, Style(pitch=PITCH))
    shown = paint_window(painter.paint(game.board(), seconds=23, state=game.state), "Minesweeper")
    reading = Reader().read(shown)
    PICTURES.mkdir(exist_ok=True)
    picture.save(PICTURES / "reading.png", annotate(shown, reading.grid, reading.board, solver.decide(reading.board)))


if __name__ == "__main__":
    main()
