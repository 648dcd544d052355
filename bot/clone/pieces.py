"""Everything that can lie on a tile, drawn by our own code: digits, flag, question mark, mine, flower, cross.

Shapes, sizes and colours follow measurements of the Windows 7 game. Each function gives a transparent `Canvas` of one
whole tile; where it goes and what is under it is for others to say.

Digits are outlines in a table of our own, so that a game can be drawn without any font installed. Their shapes are
those of DejaVu Sans Bold (for the tiles) and DejaVu Sans (for the counters), free fonts made by the DejaVu fonts team
from Bitstream Vera: https://dejavu-fonts.github.io, under the Bitstream Vera licence, with the team's changes in the
public domain.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bot.clone.canvas import (
    MASTER,
    Box,
    Canvas,
    Colour,
    Mask,
    Outline,
    arc,
    ellipse,
    glyph,
    mix,
    polygons,
    ramp,
    rectangle,
    soft,
    stroke,
)

INKS: dict[int, Colour] = {
    1: (62, 80, 190),
    2: (29, 104, 2),
    3: (172, 5, 6),
    4: (0, 1, 130),
    5: (124, 1, 1),
    6: (4, 122, 126),
    7: (172, 5, 6),
    8: (172, 5, 6),
}

DIGIT_BOXES: dict[int, Box] = {
    1: (0.347, 0.18, 0.768, 0.888),
    2: (0.365, 0.166, 0.795, 0.882),
    3: (0.338, 0.172, 0.757, 0.892),
    4: (0.345, 0.185, 0.831, 0.865),
    5: (0.362, 0.175, 0.785, 0.9),
    6: (0.34, 0.17, 0.8, 0.89),
    7: (0.335, 0.17, 0.79, 0.885),
    8: (0.33, 0.17, 0.8, 0.89),
}


DigitPlace = Literal["right", "middle"]
"""Where digits stand: right of the middle, as in the game itself, or in the middle and a little taller, as programs
that show the game's artwork with another font have them."""

_TO_THE_MIDDLE = (-0.078, -0.05, -0.08, -0.005)


def digit(number: int, place: DigitPlace = "right") -> Canvas:
    """Return the digit of an open tile, 1 to 8."""
    left, top, right, bottom = DIGIT_BOXES[number]
    if place == "middle":
        to_left, to_top, to_right, to_bottom = _TO_THE_MIDDLE
        left, top, right, bottom = left + to_left, top + to_top, right + to_right, bottom + to_bottom
    canvas = Canvas()
    canvas.lay(glyph(outline(BOLD[str(number)]), (left, top, right, bottom)), INKS[number])
    return canvas


def flag(darkness: float = 0.0) -> Canvas:
    """Return a flag; its cloth is darker in the frames while it is set, black red at 1."""
    canvas = Canvas()
    base = ellipse(0.58, 0.86, 0.29, 0.052)
    foot = np.concatenate([arc(0.46, 0.75, 0.13, 0.1, 0, 90), arc(0.78, 0.75, 0.13, 0.1, 90, 180)])
    pole = np.maximum(polygons([[(0.59, 0.13), (0.655, 0.13), (0.655, 0.8), (0.59, 0.8)]]), polygons([foot]))
    canvas.lay(soft(np.maximum(base, pole), 0.02), (10, 20, 70), 0.35)
    canvas.lay(base, mix((205, 208, 222), (250, 250, 252), ramp((0.5, 0.82), (0.55, 0.9))))
    canvas.lay(soft(ellipse(0.585, 0.868, 0.2, 0.022), 0.008), (84, 84, 98), 0.85)
    canvas.lay(pole, mix((255, 255, 255), (190, 193, 206), ramp((0.61, 0.5), (0.66, 0.5))))
    cloth = polygons([[(0.155, 0.335), (0.59, 0.135), (0.59, 0.55)]])
    bright = mix((252, 14, 14), (222, 8, 10), ramp((0.4, 0.2), (0.5, 0.55)))
    canvas.lay(cloth, bright * (1 - darkness) + np.array((10.0, 0.0, 30.0), dtype=np.float32) * darkness)
    return canvas


def question_mark() -> Canvas:
    """Return a white question mark."""
    hook = np.concatenate(
        [
            np.array([(0.355, 0.275), (0.365, 0.265)]),
            arc(0.475, 0.345, 0.16, 0.135, -130, 30),
            np.array([(0.55, 0.475), (0.505, 0.535), (0.49, 0.59), (0.49, 0.65)]),
        ]
    )
    shape = np.maximum(stroke(hook, 0.14), ellipse(0.483, 0.805, 0.082, 0.08))
    canvas = Canvas()
    canvas.lay(soft(shape, 0.02), (20, 30, 90), 0.35)
    canvas.lay(shape, (238, 240, 252))
    return canvas


_SPIKES = tuple(range(4, 364, 24))  # degrees, clockwise from the right
_KNOBS = ((-0.13, -0.15), (0.03, -0.08), (-0.17, 0.03), (0.12, -0.17), (-0.05, 0.1), (0.14, 0.05), (0.04, 0.2))


def _spiky_ball(x: float, y: float, radius: float) -> tuple[Mask, Mask]:
    """Return the silhouette of a mine and its knobs' shadows."""
    ball = ellipse(x, y, radius)
    for number, angle in enumerate(_SPIKES):
        reach = radius * (1.36 if number % 2 else 1.26)
        tip = (x + reach * math.cos(math.radians(angle)), y + reach * math.sin(math.radians(angle)))
        foot = arc(x, y, radius * 0.93, radius * 0.93, angle - 13, angle + 13)
        np.maximum(ball, polygons([np.concatenate([foot, [tip]])]), out=ball)
    knobs = np.zeros_like(ball)
    for dx, dy in _KNOBS:
        scale = radius / 0.28
        np.maximum(knobs, ellipse(x + dx * scale, y + dy * scale, 0.035 * scale, 0.028 * scale, 40), out=knobs)
    return ball, knobs


def mine(light: Colour, dark: Colour, x: float = 0.575, y: float = 0.535, alpha: float = 1.0) -> Canvas:
    """Return a spiky ball lit from the top left, from a light to a dark colour."""
    canvas = Canvas()
    radius = 0.3
    ball, knobs = _spiky_ball(x, y, radius)
    ys, xs = (np.mgrid[0:MASTER, 0:MASTER] + 0.5) / MASTER
    glow = np.hypot(xs - (x - 0.12), ys - (y - 0.12)) / (radius * 1.75)
    canvas.lay(ball, mix(light, dark, np.clip(glow, 0, 1).astype(np.float32)), alpha)
    canvas.lay(soft(knobs, 0.006), dark, alpha * 0.55)
    lit = np.roll(knobs, (-MASTER // 45, -MASTER // 45), axis=(0, 1)) * ball
    canvas.lay(lit * (1 - knobs), (255, 255, 255), alpha * 0.35)
    return canvas


def flower(
    petals: Colour, heart: Colour, strength: tuple[float, float] = (1.0, 1.0), x: float = 0.6, y: float = 0.585
) -> Canvas:
    """Return an eight-petalled flower with a round heart; the strengths of both let the tile shine through."""
    canvas = Canvas()
    leaf = np.zeros((MASTER, MASTER), dtype=np.float32)
    for angle in range(-85, 275, 45):
        middle_x = x + 0.29 * math.cos(math.radians(angle))
        middle_y = y + 0.29 * math.sin(math.radians(angle))
        np.maximum(leaf, ellipse(middle_x, middle_y, 0.185, 0.088, angle), out=leaf)
    disc = ellipse(x, y, 0.18)
    canvas.lay(leaf * (1 - disc), petals, strength[0])
    canvas.lay(disc, heart, strength[1])
    return canvas


def cross() -> Canvas:
    """Return the red cross over a flag that had no mine under it."""
    canvas = Canvas()
    arms = np.maximum(stroke([(0.05, 0.04), (0.95, 0.95)], 0.085), stroke([(0.95, 0.04), (0.04, 0.96)], 0.085))
    canvas.lay(arms * rectangle((0.03, 0.03, 0.97, 0.97)), (222, 44, 36), 0.58)
    return canvas


def flash() -> Canvas:
    """Return the pale ball of light where a mine goes off."""
    canvas = Canvas()
    canvas.lay(soft(ellipse(0.5, 0.5, 0.43), 0.02), (175, 200, 200))
    canvas.lay(soft(ellipse(0.5, 0.5, 0.4, 0.36), 0.05), (120, 150, 150))
    canvas.lay(soft(ellipse(0.47, 0.47, 0.26, 0.13), 0.05), (250, 255, 252))
    return canvas


BOLD = {
    "0": (
        "M942 748 Q942 1028 890 1142 Q837 1257 713 1257 Q589 1257 536 1142 Q483 1028 483 748 Q483 465 536 349 "
        "Q589 233 713 233 Q836 233 889 349 Q942 465 942 748 M1327 745 Q1327 374 1167 172 Q1007 -29 713 -29 "
        "Q418 -29 258 172 Q98 374 98 745 Q98 1117 258 1318 Q418 1520 713 1520 Q1007 1520 1167 1318 Q1327 1117 "
        "1327 745"
    ),
    "1": ("M240 266 L580 266 L580 1231 L231 1159 L231 1421 L578 1493 L944 1493 L944 266 L1284 266 L1284 0 L240 0"),
    "2": (
        "M590 283 L1247 283 L1247 0 L162 0 L162 283 L707 764 Q780 830 815 893 Q850 956 850 1024 Q850 1129 780 "
        "1193 Q709 1257 592 1257 Q502 1257 395 1218 Q288 1180 166 1104 L166 1432 Q296 1475 423 1498 Q550 1520 "
        "672 1520 Q940 1520 1088 1402 Q1237 1284 1237 1073 Q1237 951 1174 846 Q1111 740 909 563"
    ),
    "3": (
        "M954 805 Q1105 766 1184 670 Q1262 573 1262 424 Q1262 202 1092 86 Q922 -29 596 -29 Q481 -29 366 -10 "
        "Q250 8 137 45 L137 342 Q245 288 352 260 Q458 233 561 233 Q714 233 796 286 Q877 339 877 438 Q877 540 "
        "794 592 Q710 645 547 645 L393 645 L393 893 L555 893 Q700 893 771 938 Q842 984 842 1077 Q842 1163 773 "
        "1210 Q704 1257 578 1257 Q485 1257 390 1236 Q295 1215 201 1174 L201 1456 Q315 1488 427 1504 Q539 1520 "
        "647 1520 Q938 1520 1082 1424 Q1227 1329 1227 1137 Q1227 1006 1158 922 Q1089 839 954 805"
    ),
    "4": (
        "M754 1176 L332 551 L754 551 M690 1493 L1118 1493 L1118 551 L1331 551 L1331 272 L1118 272 L1118 0 "
        "L754 0 L754 272 L92 272 L92 602"
    ),
    "5": (
        "M217 1493 L1174 1493 L1174 1210 L524 1210 L524 979 Q568 991 612 998 Q657 1004 705 1004 Q978 1004 "
        "1130 868 Q1282 731 1282 487 Q1282 245 1116 108 Q951 -29 657 -29 Q530 -29 406 -4 Q281 20 158 70 L158 "
        "373 Q280 303 390 268 Q499 233 596 233 Q736 233 816 302 Q897 370 897 487 Q897 605 816 673 Q736 741 "
        "596 741 Q513 741 419 720 Q325 698 217 653"
    ),
    "6": (
        "M741 737 Q640 737 590 672 Q539 606 539 475 Q539 344 590 278 Q640 213 741 213 Q843 213 894 278 Q944 "
        "344 944 475 Q944 606 894 672 Q843 737 741 737 M1217 1454 L1217 1178 Q1122 1223 1038 1244 Q954 1266 "
        "874 1266 Q702 1266 606 1170 Q510 1075 494 887 Q560 936 637 960 Q714 985 805 985 Q1034 985 1174 851 "
        "Q1315 717 1315 500 Q1315 260 1158 116 Q1001 -29 737 -29 Q446 -29 286 168 Q127 364 127 725 Q127 1095 "
        "314 1306 Q500 1518 825 1518 Q928 1518 1025 1502 Q1122 1486 1217 1454"
    ),
    "7": "M137 1493 L1262 1493 L1262 1276 L680 0 L305 0 L856 1210 L137 1210",
    "8": (
        "M713 668 Q605 668 547 609 Q489 550 489 440 Q489 330 547 272 Q605 213 713 213 Q820 213 877 272 Q934 "
        "330 934 440 Q934 551 877 610 Q820 668 713 668 M432 795 Q296 836 227 921 Q158 1006 158 1133 Q158 1322 "
        "299 1421 Q440 1520 713 1520 Q984 1520 1125 1422 Q1266 1323 1266 1133 Q1266 1006 1196 921 Q1127 836 "
        "991 795 Q1143 753 1220 658 Q1298 564 1298 420 Q1298 198 1150 84 Q1003 -29 713 -29 Q422 -29 274 84 "
        "Q125 198 125 420 Q125 564 202 658 Q280 753 432 795 M522 1094 Q522 1005 572 957 Q621 909 713 909 Q803 "
        "909 852 957 Q901 1005 901 1094 Q901 1183 852 1230 Q803 1278 713 1278 Q621 1278 572 1230 Q522 1182 "
        "522 1094"
    ),
    "9": (
        "M205 33 L205 309 Q297 266 381 244 Q465 223 547 223 Q719 223 815 318 Q911 414 928 602 Q860 552 783 "
        "527 Q706 502 616 502 Q387 502 246 636 Q106 769 106 987 Q106 1228 262 1373 Q419 1518 682 1518 Q974 "
        "1518 1134 1321 Q1294 1124 1294 764 Q1294 394 1107 182 Q920 -29 594 -29 Q489 -29 393 -14 Q297 2 205 "
        "33 M680 752 Q781 752 832 818 Q883 883 883 1014 Q883 1144 832 1210 Q781 1276 680 1276 Q579 1276 528 "
        "1210 Q477 1144 477 1014 Q477 883 528 818 Q579 752 680 752"
    ),
}
"""Path of each bold digit in font units, y up: M starts a contour, L is a line, Q a quadratic curve."""

THIN = {
    "0": (
        "M651 1360 Q495 1360 416 1206 Q338 1053 338 745 Q338 438 416 284 Q495 131 651 131 Q808 131 886 284 "
        "Q965 438 965 745 Q965 1053 886 1206 Q808 1360 651 1360 M651 1520 Q902 1520 1034 1322 Q1167 1123 1167 "
        "745 Q1167 368 1034 170 Q902 -29 651 -29 Q400 -29 268 170 Q135 368 135 745 Q135 1123 268 1322 Q400 "
        "1520 651 1520"
    ),
    "1": ("M254 170 L584 170 L584 1309 L225 1237 L225 1421 L582 1493 L784 1493 L784 170 L1114 170 L1114 0 L254 0"),
    "2": (
        "M393 170 L1098 170 L1098 0 L150 0 L150 170 Q265 289 464 490 Q662 690 713 748 Q810 857 848 932 Q887 "
        "1008 887 1081 Q887 1200 804 1275 Q720 1350 586 1350 Q491 1350 386 1317 Q280 1284 160 1217 L160 1421 "
        "Q282 1470 388 1495 Q494 1520 582 1520 Q814 1520 952 1404 Q1090 1288 1090 1094 Q1090 1002 1056 920 "
        "Q1021 837 930 725 Q905 696 771 558 Q637 419 393 170"
    ),
    "3": (
        "M831 805 Q976 774 1058 676 Q1139 578 1139 434 Q1139 213 987 92 Q835 -29 555 -29 Q461 -29 362 -10 "
        "Q262 8 156 45 L156 240 Q240 191 340 166 Q440 141 549 141 Q739 141 838 216 Q938 291 938 434 Q938 566 "
        "846 640 Q753 715 588 715 L414 715 L414 881 L596 881 Q745 881 824 940 Q903 1000 903 1112 Q903 1227 "
        "822 1288 Q740 1350 588 1350 Q505 1350 410 1332 Q315 1314 201 1276 L201 1456 Q316 1488 416 1504 Q517 "
        "1520 606 1520 Q836 1520 970 1416 Q1104 1311 1104 1133 Q1104 1009 1033 924 Q962 838 831 805"
    ),
    "4": (
        "M774 1317 L264 520 L774 520 M721 1493 L975 1493 L975 520 L1188 520 L1188 352 L975 352 L975 0 L774 0 "
        "L774 352 L100 352 L100 547"
    ),
    "5": (
        "M221 1493 L1014 1493 L1014 1323 L406 1323 L406 957 Q450 972 494 980 Q538 987 582 987 Q832 987 978 "
        "850 Q1124 713 1124 479 Q1124 238 974 104 Q824 -29 551 -29 Q457 -29 360 -13 Q262 3 158 35 L158 238 "
        "Q248 189 344 165 Q440 141 547 141 Q720 141 821 232 Q922 323 922 479 Q922 635 821 726 Q720 817 547 "
        "817 Q466 817 386 799 Q305 781 221 743"
    ),
    "6": (
        "M676 827 Q540 827 460 734 Q381 641 381 479 Q381 318 460 224 Q540 131 676 131 Q812 131 892 224 Q971 "
        "318 971 479 Q971 641 892 734 Q812 827 676 827 M1077 1460 L1077 1276 Q1001 1312 924 1331 Q846 1350 "
        "770 1350 Q570 1350 464 1215 Q359 1080 344 807 Q403 894 492 940 Q581 987 688 987 Q913 987 1044 850 "
        "Q1174 714 1174 479 Q1174 249 1038 110 Q902 -29 676 -29 Q417 -29 280 170 Q143 368 143 745 Q143 1099 "
        "311 1310 Q479 1520 762 1520 Q838 1520 916 1505 Q993 1490 1077 1460"
    ),
    "7": "M168 1493 L1128 1493 L1128 1407 L586 0 L375 0 L885 1323 L168 1323",
    "8": (
        "M651 709 Q507 709 424 632 Q342 555 342 420 Q342 285 424 208 Q507 131 651 131 Q795 131 878 208 Q961 "
        "286 961 420 Q961 555 878 632 Q796 709 651 709 M449 795 Q319 827 246 916 Q174 1005 174 1133 Q174 1312 "
        "302 1416 Q429 1520 651 1520 Q874 1520 1001 1416 Q1128 1312 1128 1133 Q1128 1005 1056 916 Q983 827 "
        "854 795 Q1000 761 1082 662 Q1163 563 1163 420 Q1163 203 1030 87 Q898 -29 651 -29 Q404 -29 272 87 "
        "Q139 203 139 420 Q139 563 221 662 Q303 761 449 795 M375 1114 Q375 998 448 933 Q520 868 651 868 Q781 "
        "868 854 933 Q928 998 928 1114 Q928 1230 854 1295 Q781 1360 651 1360 Q520 1360 448 1295 Q375 1230 375 "
        "1114"
    ),
    "9": (
        "M225 31 L225 215 Q301 179 379 160 Q457 141 532 141 Q732 141 838 276 Q943 410 958 684 Q900 598 811 "
        "552 Q722 506 614 506 Q390 506 260 642 Q129 777 129 1012 Q129 1242 265 1381 Q401 1520 627 1520 Q886 "
        "1520 1022 1322 Q1159 1123 1159 745 Q1159 392 992 182 Q824 -29 541 -29 Q465 -29 387 -14 Q309 1 225 31 "
        "M627 664 Q763 664 842 757 Q922 850 922 1012 Q922 1173 842 1266 Q763 1360 627 1360 Q491 1360 412 1266 "
        "Q332 1173 332 1012 Q332 850 412 757 Q491 664 627 664"
    ),
}
"""Path of each thin digit, for the counters."""

_STEPS_IN_A_CURVE = np.linspace(0.0, 1.0, 9)[1:, None]


@lru_cache(maxsize=64)
def outline(path: str) -> Outline:
    """Return a path of the tables above as polygons stretched to fill the unit square; holes are polygons too."""
    contours: list[list[NDArray[np.float64]]] = []
    for command in path.replace("M", "|M").replace("L", "|L").replace("Q", "|Q").split("|")[1:]:
        points = np.array(command[1:].split(), dtype=np.float64).reshape(-1, 2)
        if command[0] == "M":
            contours.append([points])
        elif command[0] == "L":
            contours[-1].append(points)
        else:
            start, (pull, end), t = contours[-1][-1][-1], points, _STEPS_IN_A_CURVE
            contours[-1].append((1 - t) ** 2 * start + 2 * t * (1 - t) * pull + t**2 * end)
    polygons = [np.concatenate(contour) for contour in contours]
    everything = np.concatenate(polygons)
    low, high = everything.min(axis=0), everything.max(axis=0)
    flipped = [(polygon - low) / (high - low) for polygon in polygons]
    return tuple(np.stack([polygon[:, 0], 1 - polygon[:, 1]], axis=1) for polygon in flipped)
