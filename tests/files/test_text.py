"""Text that any program of a user's wrote is read."""

import pytest

from bot.files import decoded


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
def test_text_is_read_in_whatever_way_it_was_saved(encoding: str) -> None:
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    assert decoded((mark + "mines: 1\n#é").encode(encoding)) == "mines: 1\n#é"


@pytest.mark.parametrize("raw", [b"\x89PNG\r\n", b"\xff\xfe\x00", b"caf\xe9"])
def test_what_is_no_text_is_refused(raw: bytes) -> None:
    with pytest.raises(UnicodeDecodeError):
        decoded(raw)
