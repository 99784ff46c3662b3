"""Files that are written atomically."""

import errno
import os
import stat

import pytest

from gainful.errors import DataError, UsageError
from gainful.formats.output_files import put, putting


def test_a_file_appears_when_all_is_written(tmp_path):
    path = tmp_path / "made"
    with putting(str(path)) as file:
        file.write(b"one")
        assert not path.exists()
    assert path.read_bytes() == b"one"
    assert [one.name for one in tmp_path.iterdir()] == ["made"]


def test_nothing_is_left_of_a_file_that_was_not_finished(tmp_path):
    def interrupted():
        with putting(str(tmp_path / "made")) as file:
            file.write(b"one")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_stays_unless_it_is_to_be_replaced(tmp_path):
    path, link = tmp_path / "made", tmp_path / "link"
    put(b"one", str(path))
    link.symlink_to(path)
    with pytest.raises(UsageError, match="made already exists"):
        put(b"two", str(path))
    put(b"two", str(link), overwrite=True)
    assert (path.read_bytes(), link.is_symlink()) == (b"two", True)


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    put(b"one", str(link))
    assert os.read(reader, 10) == b"one"
    os.close(reader)
    assert pipe.is_fifo()
    put(b"one", "/dev/null")


@pytest.mark.parametrize("name", ["no/such/folder", "file/below", "a\0b"])
def test_where_nothing_can_be_written_is_said_in_a_sentence(tmp_path, name):
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="cannot be written: "):
        put(b"one", str(tmp_path / name))


def test_a_folder_that_may_not_be_entered_is_said_in_a_sentence(tmp_path, as_nobody):
    (tmp_path / "locked").mkdir(mode=0o000)
    with as_nobody(), pytest.raises(DataError, match=r"made cannot be written: .*Permission denied"):
        put(b"one", str(tmp_path / "locked" / "made"))


@pytest.mark.parametrize("links", [True, False], ids=["with hard links", "without"])
def test_a_file_that_appears_meanwhile_is_not_replaced_unasked(tmp_path, links, monkeypatch):
    if not links:

        def none(*_):
            raise OSError(errno.ENOTSUP, "no hard links here")

        monkeypatch.setattr("pathlib.Path.hardlink_to", none)
    path = tmp_path / "made"

    def overtaken(*, overwrite):
        with putting(str(path), overwrite=overwrite) as file:
            file.write(b"ours")
            path.write_bytes(b"theirs")

    with pytest.raises(UsageError, match="made already exists"):
        overtaken(overwrite=False)
    assert path.read_bytes() == b"theirs"
    overtaken(overwrite=True)
    assert path.read_bytes() == b"ours"
    assert [one.name for one in tmp_path.iterdir()] == ["made"]


def test_without_hard_links_a_new_file_appears_all_the_same(tmp_path, monkeypatch):
    def none(*_):
        raise OSError(errno.ENOTSUP, "no hard links here")

    monkeypatch.setattr("pathlib.Path.hardlink_to", none)
    put(b"one", str(tmp_path / "made"))
    assert (tmp_path / "made").read_bytes() == b"one"


def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path):
    path = tmp_path / "made"
    put(b"one", str(path))
    path.chmod(0o600)
    put(b"two", str(path), overwrite=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("length", [246, 255])
def test_the_longest_names_work(tmp_path, length):
    put(b"one", str(tmp_path / ("x" * length)))
    put(b"two", str(tmp_path / ("x" * length)), overwrite=True)
    assert (tmp_path / ("x" * length)).read_bytes() == b"two"


def test_content_is_on_the_disk_before_the_name_is_and_the_name_after_it(tmp_path, monkeypatch):
    path, seen = tmp_path / "made", []
    sync = os.fsync

    def noted(descriptor):
        seen.append((stat.S_ISDIR(os.fstat(descriptor).st_mode), path.exists()))
        sync(descriptor)

    monkeypatch.setattr("os.fsync", noted)
    put(b"one", str(path))
    assert seen == [(False, False), (True, True)]
