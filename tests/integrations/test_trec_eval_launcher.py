"""A script that calls trec_eval runs on Gainful; what trec_eval prints is what `gainful trec_eval` is tested for."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from gainful.cli import run as command
from gainful.errors import UsageError
from gainful.integrations.trec_eval_launcher import write_launcher

SCRIPT = 'for run in *.run; do trec_eval -q -m map -m recip_rank qrels.txt "$run" || exit 7; done\n'


def test_a_script_that_calls_trec_eval_gets_its_output(tmp_path, capfd, monkeypatch):
    folder = tmp_path / "a folder"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert command(["install-trec-eval", str(folder)]) == 0
    said = capfd.readouterr().err
    assert f"note: {folder} is not on the path" in said
    (tmp_path / "numpy.py").write_text("raise SystemExit('the working folder is not searched for modules')")
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n2 0 b 1\n")
    (tmp_path / "my.run").write_text("1 Q0 x 1 2 tag\n1 Q0 a 2 1 tag\n2 Q0 b 1 1 tag\n")
    path = {"PATH": f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin"}
    done = subprocess.run(
        ["sh", "-c", SCRIPT], cwd=tmp_path, capture_output=True, text=True, check=True, env=path
    )
    expected = [("map", "1", 0.5), ("recip_rank", "1", 0.5), ("map", "2", 1), ("recip_rank", "2", 1)]
    expected += [("map", "all", 0.75), ("recip_rank", "all", 0.75)]
    assert done.stdout == "".join(f"{name:<22}\t{topic}\t{value:.4f}\n" for name, topic, value in expected)
    (tmp_path / "my.run").write_text("1 Q0 x 1 n/a tag\n")
    failed = subprocess.run(
        ["sh", "-c", SCRIPT], cwd=tmp_path, capture_output=True, text=True, check=False, env=path
    )
    assert failed.returncode == 7
    assert "my.run, line 1" in failed.stderr


def test_a_trec_eval_that_is_there_stays(tmp_path, monkeypatch, capfd):
    (tmp_path / "trec_eval").write_text("the original")
    (tmp_path / "trec_eval").chmod(0o755)
    with pytest.raises(UsageError, match="already exists and stays"):
        write_launcher(str(tmp_path))
    assert (tmp_path / "trec_eval").read_text() == "the original"
    (tmp_path / "other").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert command(["install-trec-eval", str(tmp_path / "other")]) == 0
    assert f"the path leads to {tmp_path / 'trec_eval'}" in capfd.readouterr().err
    assert stat.S_IMODE((tmp_path / "other" / "trec_eval").stat().st_mode) & 0o111
    assert sys.executable in Path(tmp_path / "other" / "trec_eval").read_text()


def test_the_note_can_be_typed_as_it_stands_in_any_folder(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (tmp_path / "a folder").mkdir()
    assert command(["install-trec-eval", "a folder"]) == 0
    (note,) = [line for line in capfd.readouterr().err.splitlines() if line.startswith("note: ")]
    typed = note.removeprefix("note: a folder is not on the path; ").removesuffix(" puts it there.")
    script = f"cd /; {typed} command -v trec_eval"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout == f"{tmp_path / 'a folder' / 'trec_eval'}\n"


def test_of_a_folder_that_is_on_the_path_already_nothing_is_said(tmp_path, monkeypatch, capfd):
    (tmp_path / "tools").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'tools'}:/usr/bin:/bin")
    assert command(["install-trec-eval", "tools"]) == 0
    assert capfd.readouterr().err == "tools/trec_eval runs gainful trec_eval.\n"


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UsageError, match="there is no folder"):
        write_launcher(str(tmp_path / "nothing"))
