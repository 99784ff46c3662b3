"""The script of pages is made once for each version of vl-convert, and whatever happens to its file, it is the script."""

import os
import stat

import pytest

from gainful.presentation import chart_files
from gainful.presentation.kept_script import cache_folder, kept_script


class Maker:
    """Makes a script, and counts how often it was asked."""

    def __init__(self):
        self.times = 0

    def __call__(self):
        self.times += 1
        return "let é = 1;\r\nlet b = 2;\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    return tmp_path / "caches" / "gainful"


def test_it_is_made_once_for_each_version(folder):
    made = Maker()
    assert {kept_script(version, made) for version in ("1.0", "1.0", "2.0", "1.0")} == {made()}
    assert made.times == 2 + 1
    assert sorted(file.name for file in folder.iterdir()) == ["vega-1.0.js", "vega-2.0.js"]


@pytest.mark.parametrize(
    "harm", [lambda raw: raw[:-1], lambda raw: raw + b"x", lambda _: b"", lambda _: b"\xff\n"]
)
def test_a_file_that_was_harmed_is_made_anew(folder, harm):
    made = Maker()
    kept_script("1.0", made)
    file = folder / "vega-1.0.js"
    file.write_bytes(harm(file.read_bytes()))
    assert kept_script("1.0", made) == kept_script("1.0", made) == made()
    assert made.times == 2 + 1


def test_where_nothing_can_be_kept_it_is_made_each_time(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    made = Maker()
    assert kept_script("1.0", made) == kept_script("1.0", made)
    assert made.times == 2


def test_no_home_is_made(tmp_path, monkeypatch):
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "none"))
    made = Maker()
    assert kept_script("1.0", made) == made()
    assert not (tmp_path / "none").exists()


def test_others_can_neither_read_nor_replace_it(folder):
    kept_script("1.0", Maker())
    if os.name == "posix":
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_without_a_setting_it_is_among_the_users_caches(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert cache_folder() == tmp_path / ".cache" / "gainful"
    monkeypatch.setattr("sys.platform", "darwin")
    assert cache_folder() == tmp_path / "Library" / "Caches" / "gainful"


def test_pages_have_the_same_script_from_the_file_as_made(folder):
    made, kept = chart_files.script(), chart_files.script()
    assert made == kept
    assert len(list(folder.iterdir())) == 1
