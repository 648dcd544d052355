"""Spoils files the way that disks, editors and strangers do."""

import random
import re

INTERESTING = (b"\x00", b"\xff", b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff", b"\x80", b"\n", b'"', b"\\", b"\xc3\x28")
NUMBERS = (b"0", b"-1", b"1e999", b"NaN", b"99999999999999999999", b"0.5", b"null", b"true", b'"a"', b"[]", b"{}")
WORDS = (b"../../etc/passwd", b"\\ud800", b"<script>", b"\xef\xbb\xbf", b"con", b"#" * 300, b"[" * 300, b"mines: 99\n")


def mutated(original: bytes, chance: random.Random) -> bytes:
    """Return a copy with a few things wrong; sometimes nothing but noise."""
    if chance.random() < 0.05:
        return chance.randbytes(chance.choice((0, 1, 10, 1000)))
    content = original
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        content = chance.choice(WAYS)(content, chance)
    return content


def _flip_a_bit(content: bytes, chance: random.Random) -> bytes:
    if not content:
        return content
    at = chance.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << chance.randrange(8)]) + content[at + 1 :]


def _overwrite(content: bytes, chance: random.Random) -> bytes:
    at, what = chance.randint(0, len(content)), chance.choice(INTERESTING)
    return content[:at] + what + content[at + len(what) :]


def _insert(content: bytes, chance: random.Random) -> bytes:
    at = chance.randint(0, len(content))
    return content[:at] + chance.choice(INTERESTING + WORDS) + content[at:]


def _remove(content: bytes, chance: random.Random) -> bytes:
    start = chance.randint(0, len(content))
    return content[:start] + content[start + chance.choice((1, 4, 50, 1000)) :]


def _repeat(content: bytes, chance: random.Random) -> bytes:
    start = chance.randint(0, len(content))
    end = start + chance.choice((1, 4, 50, 1000))
    return content[:end] + content[start:]


def _cut_off(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randint(0, len(content))]


def _change_a_number(content: bytes, chance: random.Random) -> bytes:
    found = list(re.finditer(rb"-?\d+(\.\d+)?", content[:100_000]))
    if not found:
        return content
    number = chance.choice(found)
    return content[: number.start()] + chance.choice(NUMBERS) + content[number.end() :]


def _swap_lines(content: bytes, chance: random.Random) -> bytes:
    lines = content.split(b"\n")
    first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return b"\n".join(lines)


WAYS = (
    _flip_a_bit,
    _overwrite,
    _insert,
    _remove,
    _repeat,
    _cut_off,
    _change_a_number,
    _change_a_number,
    _swap_lines,
)
