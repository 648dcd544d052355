"""A beginner's game under way, and the skin that it is painted in."""

from __future__ import annotations

from bot.board import Board
from bot.vision.skin import Skin

SKIN = Skin.load("win7")
MIDGAME = Board.parse("""
    mines: 10
    00001####
    00112####
    001F21###
    0011101##
    00000012#
    112210001
    ##F###310
    ###?#####
    #########
""")
