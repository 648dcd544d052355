"""Pictures from files: every common format, and none that is larger than a screen."""

import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.picture import MOST_PIXELS, MOST_SCANS, PictureError, bitmap_file, declared_size, decode, is_whole, load, save

SMALL = np.arange(60 * 41 * 3, dtype=np.uint32).astype(np.uint8).reshape(60, 41, 3)
FORMATS = (".png", ".jpg", ".bmp", ".webp", ".gif")


def encoded(form: str, *options: int) -> bytes:
    return cv2.imencode(form, SMALL, options)[1].tobytes()


@pytest.mark.parametrize("form", FORMATS)
def test_a_header_tells_the_size(form: str, tmp_path: Path) -> None:
    assert declared_size(encoded(form)) == (41, 60)
    file = tmp_path / "no-ending-but-its-content"
    file.write_bytes(encoded(form))
    assert load(file).shape == (60, 41, 3)


def test_lossy_webp_tells_its_size_too() -> None:
    assert declared_size(encoded(".webp", cv2.IMWRITE_WEBP_QUALITY, 50)) == (41, 60)
    assert declared_size(b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + b"\x28\0\0\x3b\0\0") == (41, 60)


@pytest.mark.parametrize("form", FORMATS)
def test_a_header_that_ends_too_early_is_no_picture(form: str) -> None:
    whole = encoded(form)
    for length in range(0, 30):
        assert declared_size(whole[:length]) in (None, (41, 60))


@pytest.mark.parametrize(
    "header",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 2**31 - 1, 2**31 - 1) + b"\x08\x02\0\0\0",
        b"BM" + bytes(12) + struct.pack("<Iii", 40, 65535, -65535) + bytes(30),
        b"\xff\xd8\xff\xe0\0\x04\0\0\xff\xff\xc2\0\x11\x08\xff\xff\xff\xff\x03" + bytes(20),
        b"GIF89a" + struct.pack("<HH", 65535, 65535) + bytes(20),
        b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + b"\xff\xff\xff\x0f" + bytes(20),
        b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + b"\xff\xff\xff\xff\xff\xff",
    ],
    ids=["png", "bmp", "jpeg", "gif", "webp", "webp-extended"],
)
def test_a_picture_larger_than_any_screen_is_refused_by_its_header(
    header: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unpack(*_: object) -> None:
        raise AssertionError("it was unpacked")

    monkeypatch.setattr(cv2, "imdecode", unpack)
    file = tmp_path / "bomb"
    file.write_bytes(header)
    with pytest.raises(PictureError, match=r"bomb.*too large for a screenshot"):
        load(file)


def test_a_small_file_of_many_blank_pixels_is_still_a_picture_as_long_as_a_screen_could_show_it(tmp_path: Path) -> None:
    wide = np.zeros((2160, 4 * 3840, 3), dtype=np.uint8)
    assert wide.shape[0] * wide.shape[1] < MOST_PIXELS
    save(tmp_path / "four-screens.png", wide)
    assert load(tmp_path / "four-screens.png").shape == wide.shape


def test_a_png_whose_parts_claim_more_than_the_file_has_is_refused_before_room_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = encoded(".png")
    at = raw.index(b"IDAT") - 4
    file = tmp_path / "greedy.png"
    file.write_bytes(raw[:at] + b"\xff\xff\xff\xf0" + raw[at + 4 :])
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was unpacked"))
    with pytest.raises(PictureError, match="damaged"):
        load(file)


@pytest.mark.parametrize(
    "rest", [b"\0", b"the rest of a larger picture that was cut", b"\xff\xff\xff\xf0IDAT" + bytes(99)]
)
def test_what_windows_left_behind_the_end_of_a_cropped_png_is_nothing_to_us(rest: bytes, tmp_path: Path) -> None:
    file = tmp_path / "cropped.png"
    file.write_bytes(encoded(".png") + rest)
    assert np.array_equal(load(file), SMALL)


def test_nothing_behind_the_end_of_a_png_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = encoded(".png")
    end = raw[-12:]
    handed = []
    monkeypatch.setattr(cv2, "imdecode", lambda given, _: handed.append(bytes(given)))
    file = tmp_path / "greedy.png"
    file.write_bytes(raw[:33] + end + b"\xff\xff\xff\xf0IDAT" + bytes(99))  # OpenCV looks for pixels behind the end
    with pytest.raises(PictureError, match="damaged"):
        load(file)
    assert handed == [raw[:33] + end]


def test_a_jpeg_that_is_painted_over_and_over_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "slow.jpg"
    file.write_bytes(encoded(".jpg") + b"\xff\xda" * (MOST_SCANS + 1))
    with pytest.raises(PictureError, match="too large"):
        load(file)


@pytest.mark.parametrize("content", [b"", b"hello", b"\x89PNG\r\n\x1a\n", b"\0" * 1000, b"%PDF-1.4"])
def test_what_is_no_picture_is_told_with_its_name(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "letter"
    file.write_bytes(content)
    with pytest.raises(PictureError, match='letter" is not a PNG'):
        load(file)


def test_a_damaged_picture_is_told_with_its_name(tmp_path: Path) -> None:
    file = tmp_path / "torn.png"
    file.write_bytes(encoded(".png")[:200])
    with pytest.raises(PictureError, match=r'torn.png" is a damaged picture'):
        load(file)


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_that_is_still_written_is_not_whole(form: str) -> None:
    raw = encoded(form)
    assert is_whole(raw)
    assert not any(is_whole(raw[:length]) for length in range(0, len(raw) - 1, 7))


def dib(bits: int, header: int, form: int) -> bytes:
    """SMALL as Windows puts it into the clipboard, from the last row to the first."""
    pixels = SMALL[::-1]
    if bits == 32:
        pixels = np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)])
    rows = np.pad(pixels.reshape(60, -1), ((0, 0), (0, -pixels[0].size % 4)))
    masks = struct.pack("<3I", 0xFF0000, 0xFF00, 0xFF)
    head = struct.pack("<IiiHHIIiiII", header, 41, 60, 1, bits, form, rows.size, 0, 0, 0, 0)
    head += (masks if form == 3 else bytes(12)) + struct.pack("<I", 0xFF000000) + bytes(68) if header == 124 else b""
    head += masks if header == 40 and form == 3 else b""
    return head + rows.tobytes()


@pytest.mark.parametrize(("bits", "header", "form"), [(24, 40, 0), (32, 40, 0), (32, 40, 3), (32, 124, 3)])
def test_a_bitmap_of_the_windows_clipboard_is_a_picture(bits: int, header: int, form: int) -> None:
    assert (decode(bitmap_file(dib(bits, header, form)), "clipboard") == SMALL).all()


def test_a_bitmap_of_few_colours_has_them_before_its_pixels() -> None:
    palette = bytes(np.repeat(np.arange(256, dtype=np.uint8), 4))
    head = struct.pack("<IiiHHIIiiII", 40, 4, 1, 1, 8, 0, 4, 0, 0, 0, 0)
    assert decode(bitmap_file(head + palette + bytes([9, 99, 0, 255])), "clipboard")[0, :, 0].tolist() == [
        9,
        99,
        0,
        255,
    ]


def test_what_is_no_bitmap_is_refused() -> None:
    with pytest.raises(PictureError, match="clipboard"):
        decode(bitmap_file(b"short"), "clipboard")
