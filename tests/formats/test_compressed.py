"""Compressed content: gz with the fast libraries and without them, members one after the other, damage."""

import bz2
import gzip
import lzma
import sys

import pytest

from gainful.errors import DataError
from gainful.formats.sources import Source

TEXT = b"".join(b"q%d Q0 d%d 1 %d.5 tag\n" % (n // 100, n, n) for n in range(20_000))
DAMAGED = r"cannot be decompressed|end too early"
FAST = ("isal.isal_zlib", "zlib_ng.zlib_ng")


@pytest.fixture(params=["fast", "standard"])
def library(request, monkeypatch):
    if request.param == "fast":
        pytest.importorskip("isal.isal_zlib")
    else:
        for name in FAST:
            monkeypatch.setitem(sys.modules, name, None)


def content(path):
    with Source(str(path)) as source:
        return source.raw().read()


def written(path, data):
    path.write_bytes(data)
    return path


@pytest.mark.usefixtures("library")
def test_members_and_the_zeros_between_them_are_one_content(tmp_path):
    parts = [
        gzip.compress(TEXT[:70_000]),
        bytes(600),
        gzip.compress(b""),
        gzip.compress(TEXT[70_000:]),
        bytes(3),
    ]
    assert content(written(tmp_path / "run", b"".join(parts))) == TEXT


@pytest.mark.usefixtures("library")
def test_what_is_read_again_is_the_same(tmp_path):
    with Source(str(written(tmp_path / "run", gzip.compress(TEXT)))) as source:
        assert source.head(10) == TEXT[:10]
        assert source.raw().read(100) == TEXT[:100]
        assert source.rewind()
        assert source.raw().read() == TEXT


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("kept", [6, 12, 100, -9, -8, -1])
def test_gz_that_is_cut_short_is_refused(tmp_path, kept):
    path = written(tmp_path / "run", gzip.compress(TEXT)[:kept])
    with pytest.raises(DataError, match="end too early"):
        content(path)


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("damage", ["sum", "length", "rest", "middle"])
def test_gz_that_is_damaged_is_refused(tmp_path, damage):
    packed = bytearray(gzip.compress(TEXT))
    if damage == "rest":
        packed += b"no member"
    else:
        packed[{"sum": -8, "length": -1, "middle": 1000}[damage]] ^= 0xFF
    with pytest.raises(DataError, match=DAMAGED):
        content(written(tmp_path / "run", bytes(packed)))


@pytest.mark.usefixtures("library")
def test_a_header_without_an_end_does_not_fill_the_memory(tmp_path):
    endless = b"\x1f\x8b\x08\x08" + bytes(6) + b"a" * (8 << 20)  # 8: a name follows
    with pytest.raises(DataError, match=DAMAGED):
        content(written(tmp_path / "run", endless))


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress])
def test_content_cut_short_is_refused_with_other_libraries(tmp_path, pack):
    packed = pack(TEXT)
    assert content(written(tmp_path / "whole", packed + packed)) == 2 * TEXT
    with pytest.raises(DataError, match="end too early"):
        content(written(tmp_path / "run", packed[:-20]))


@pytest.mark.usefixtures("library")
def test_a_fault_of_the_file_is_not_taken_for_damage(tmp_path, monkeypatch):
    with Source(str(written(tmp_path / "run", gzip.compress(TEXT)))) as source:

        def fail(*_):
            raise OSError(5, "Input/output error")

        monkeypatch.setattr(source.handle.file, "readinto", fail)
        with pytest.raises(OSError, match="Input/output error"):
            source.raw().read()
