"""The analyser: a page in the user's own browser that reads screenshots and tells the odds.

`server` serves it on the loopback address and to nobody else; `answers` says what there is to say about a board,
`inputs` makes boards of what people drop, `practice` deals games of the clone, `teaching` names the tiles of a new
look, `sprites` draws the tiles. The page itself is in `page/`; what it shares with the replay page is in `html.py` and
`marks.js`.
"""

from __future__ import annotations
