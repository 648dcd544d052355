"""Which windows are Minesweeper: the names by which a game is known on a desktop.

Windows 7's game and XP's share a window class in every language; Wine's has its own, and on X11 the class is the
program's name. A title alone only counts when it is the whole title, so that a web page about Minesweeper is no game.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.desktop.protocols import NoWindowError

CLASSES = frozenset({"minesweeper", "winemine", "gnome-mines", "org.gnome.mines"})
"""Window classes of known games, in lower case."""

PROGRAMS = frozenset({"minesweeper.exe", "winmine.exe", "winemine.exe"})
"""File names of known games, in lower case."""

TITLE_IN = {
    0x04: "扫雷",
    0x05: "Hledání min",
    0x06: "Minestryger",
    0x08: "Ναρκαλιευτής",
    0x0A: "Buscaminas",
    0x0B: "Miinaharava",
    0x0C: "Démineur",
    0x0E: "Aknakereső",
    0x10: "Campo minato",
    0x11: "マインスイーパ",
    0x12: "지뢰 찾기",
    0x13: "Mijnenveger",
    0x14: "Minesveiper",
    0x15: "Saper",
    0x16: "Campo Minado",
    0x19: "Сапер",
    0x1D: "Minröj",
    0x1F: "Mayın Tarlası",
}
"""What Windows 7's game is called in a primary language of Windows; in all others Minesweeper."""

TITLES = frozenset(
    title.casefold()
    for title in (
        *TITLE_IN.values(),
        "Minesweeper",
        "WineMine",
        "Prato fiorito",
        "Сапёр",
        "שולה המוקשים",
        "كاسحة الألغام",
        "マインスイーパー",
        "踩地雷",
    )
)
"""What the game is called around the world, case folded."""


@dataclass(frozen=True)
class WindowNames:
    """What a window is known by; any of them may be empty."""

    title: str
    window_class: str
    program: str

    def contain(self, text: str) -> bool:
        """Whether the title, the class or the program's file name contains a text, upper or lower case."""
        wanted = text.casefold()
        return any(wanted in name.casefold() for name in (self.title, self.window_class, self.program))

    @property
    def surety(self) -> int:
        """How surely this is a game of Minesweeper: 3 by class, 2 by program, 1 by title, 0 not at all."""
        if self.window_class.lower() in CLASSES:
            return 3
        if PROGRAMS & {self.program.lower(), self.window_class.lower()}:
            return 2
        return 1 if self.title.strip().casefold() in TITLES else 0


def takes_clicks_where_made(names: WindowNames) -> bool:
    """Whether a Windows program is known to take a click at the place that its message tells: XP's game and Wine's."""
    return names.window_class.lower() == "winemine" or names.program.lower() in ("winmine.exe", "winemine.exe")


def find_game(windows: list[WindowNames], text: str | None) -> int:
    """Return the index of the game among windows listed from top to bottom.

    With a text, it is the topmost window whose names contain it; without, the surest one, the topmost among equals.
    Raises `NoWindowError` when there is none.
    """
    seen = _titles(windows)
    if text is not None:
        found = next((index for index, names in enumerate(windows) if names.contain(text)), None)
        if found is None:
            raise NoWindowError(
                f'there is no window with "{text}" in its title, class or program on the screen, {ONE_LOOK}: '
                f"open the game, or name a part of its title (minebot doctor tells more); {seen}"
            )
        return found
    surest = max((names.surety for names in windows), default=0)
    if not surest:
        raise NoWindowError(
            f"there is no Minesweeper window on the screen, {ONE_LOOK}: "
            f"open the game, or name its window with --window (minebot doctor tells more); {seen}"
        )
    return next(index for index, names in enumerate(windows) if names.surety == surest)


ONE_LOOK = "in one look at all there are"
"""How long it was looked for; a game that opens later is not waited for."""

MOST_TITLES = 6
"""Windows that are named to somebody whose game was not found."""


def _titles(windows: list[WindowNames]) -> str:
    """Return which windows there are, the topmost first, by what can be asked for."""
    names = list(dict.fromkeys(names.title or names.window_class for names in windows))
    named = [f'"{"".join(filter(str.isprintable, name[:40]))}"' for name in names if name]
    if not named:
        return "no window is seen"
    more = f" and {len(named) - MOST_TITLES} more" if len(named) > MOST_TITLES else ""
    return f"windows seen: {', '.join(named[:MOST_TITLES])}{more}"
