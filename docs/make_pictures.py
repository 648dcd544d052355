"""Makes the README's pictures anew: `python docs/make_pictures.py`.

The moving one is a whole game that the bot plays on the clone, recorded and filmed by the bot's own commands. For the
still one the clone is played to a position with much to see, painted, read back from its pixels and marked with what
the solver knows: green what is safe, red what is a mine.
"""

import tempfile
from pathlib import Path

from bot import picture, solver
from bot.annotate import annotate
from bot.cli import run
from bot.clone.game import Game
from bot.clone.look import Painter, Style, paint_window
from bot.level import LEVELS
from bot.plan import plan
from bot.vision.reader import Reader

PICTURES = Path(__file__).parent / "pictures"
SEED, ROUNDS, PITCH = 7, 13, 24.0
FILMED_SEED = 8  # five guesses, and won


def midgame(seed: int, rounds: int) -> Game:
    """Return an expert game after some rounds of certain moves."""
    game = Game(LEVELS["expert"], seed=seed)
    acts = {"open": game.open, "flag": game.mark, "unflag": game.mark, "chord": game.chord}
    for after in range(rounds):
        board = game.board()
        for action in plan(board, solver.decide(board, strategy="csp"), "noflags" if after % 4 else "flags"):
            acts[action.kind](action.row, action.col)
    return game


def film(file: Path) -> None:
    """Film a game on the clone from its first click to its last."""
    with tempfile.TemporaryDirectory() as folder:
        run(["play", "--clone", "--seed", str(FILMED_SEED), "--record", folder, "--quiet"])
        run(["replay", folder, "--movie", str(file)])


def main() -> None:
    """Make all pictures."""
    PICTURES.mkdir(exist_ok=True)
    film(PICTURES / "play.webp")
    game = midgame(SEED, ROUNDS)
    painter = Painter(game.level.rows, game.level.cols, Style(pitch=PITCH))
    shown = paint_window(painter.paint(game.board(), seconds=23, state=game.state), "Minesweeper")
    reading = Reader().read(shown)
    picture.save(PICTURES / "reading.png", annotate(shown, reading.grid, reading.board, solver.decide(reading.board)))


if __name__ == "__main__":
    main()
