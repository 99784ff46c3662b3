"""Files that appear whole or not at all."""

import os

import pytest

from gainful.errors import DataError, UsageError
from gainful.formats.files import put, putting


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
    with pytest.raises(UsageError, match="made is there already"):
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


def test_a_folder_that_may_not_be_looked_into_is_said_in_a_sentence(tmp_path, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.exists", refuse)
    with pytest.raises(DataError, match=r"made cannot be written: .*Permission denied"):
        put(b"one", str(tmp_path / "made"))
