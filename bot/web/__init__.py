"""The analyser: a page in the user's own browser that reads screenshots and tells the odds.

`server.py` serves it on the loopback address and to nobody else; `answers.py` makes boards of what people drop and says
what there is to say about them; `practice.py` deals games of the clone and names the tiles of a new look. The page
itself is in `page/`; what it shares with the replay page is in `html.py` and `marks.js`.
"""

from __future__ import annotations
