"""Completion by shells, and man pages."""

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def completed(gainful, monkeypatch):
    """What `gainful` answers a shell that completes the last of these words, as value and type."""

    def call(*words, shell="bash"):
        monkeypatch.setenv("_GAINFUL_COMPLETE", f"{shell}_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(("gainful", *words)))
        monkeypatch.setenv("COMP_CWORD", words[-1] if shell == "fish" else str(len(words)))
        made = gainful()
        assert (made.code, made.err) == (0, "")
        return made.out.split("\n")[:-1] if made.out.strip() else []

    return call


def test_commands_options_and_their_values_are_completed(completed):
    assert completed("ev") == ["plain,evaluate"]
    assert completed("filter", "profile", "a") == ["plain,add"]
    assert completed("evaluate", "--ti") == ["plain,--ties"]
    assert completed("gate", "--ties", "w") == ["plain,worst"]


def test_measures_are_completed_from_the_last_comma_on_whatever_their_case(completed):
    assert completed("evaluate", "-m", "RR,ndcg") == ["plain,RR,nDCG", "plain,RR,nDCGrel"]


def test_a_measure_is_completed_where_it_is_to_be_explained(completed):
    assert completed("measures", "rbp") == ["plain,RBP", "plain,RBPres"]
    assert completed("measures", "rbp", shell="zsh")[:2] == ["plain", "RBP"]
    assert completed("pool", "--measure", "ndcgr") == ["plain,nDCGrel"]


def test_dialects_are_completed_without_a_version_or_with_those_of_a_tool(completed):
    assert completed("dialects", "trec-e") == ["plain,trec-eval"]
    assert completed("evaluate", "--dialect", "BEI") == ["plain,beir"]
    assert completed("report", "--against", "bei") == ["plain,beir"]
    assert completed("evaluate", "--dialect", "beir@1", shell="fish") == ["plain,beir@1.0.0"]
    assert completed("evaluate", "--dialect", "beir", "@", "1") == ["plain,@1.0.0"]  # as bash splits it


def test_after_an_at_sign_bash_gets_what_goes_on_from_there(completed):
    """Bash splits nDCG@10,er before and after the @, and replaces @10,er."""
    assert completed("evaluate", "-m", "nDCG", "@", "10,er") == ["plain,@10,ERR", "plain,@10,ERR_IA"]
    assert completed("evaluate", "-m", "nDCG", "@", "10,RR", "@", "5,bpr") == ["plain,@5,Bpref"]
    assert completed("evaluate", "-m", "nDCG@10,bpr", shell="zsh")[:2] == ["plain", "nDCG@10,Bpref"]


def test_fish_takes_all_of_a_list_of_measures(completed, gainful, monkeypatch):
    assert completed("evaluate", "-m", "nDCG@10,bpr", shell="fish") == ["plain,nDCG@10,Bpref"]
    monkeypatch.delenv("_GAINFUL_COMPLETE")
    assert 'string split --max 1 "," $completion' in gainful("completion", "fish").out


def test_anything_else_is_a_file(completed):
    assert completed("evaluate", "qre") == ["file,qre"]
    assert completed("nonsense", "x") == ["file,x"]
    assert completed("evaluate", "--nonsense") == []


def test_the_other_shells_are_answered_in_their_way(completed):
    assert completed("rep", shell="fish") == [
        "plain,report\tWrite one HTML page with scores, tests, curves and ranked lists."
    ]
    assert completed("rep", shell="zsh")[:2] == ["plain", "report"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_script(gainful, shell):
    made = gainful("completion", shell)
    assert made.code == 0
    assert f"_GAINFUL_COMPLETE={shell}_complete" in made.out
    assert gainful("completion", "tcsh").code == 2


def test_bash_completes_with_the_script(tmp_path):
    (tmp_path / "gainful").symlink_to(Path(sys.executable).parent / "gainful")
    script = (
        'eval "$(gainful completion bash)"\n'
        "COMP_WORDS=(gainful comp); COMP_CWORD=1\n"
        '_gainful_completion gainful comp gainful\necho "${COMPREPLY[@]}"'
    )
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    made = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, env=environment)
    assert made.stdout.split() == ["compare", "completion"]


def test_every_command_has_a_man_page_with_all_its_options(tmp_path):
    made = runpy.run_path(str(ROOT / "docs" / "make_man.py"))
    pages = {path.name: path.read_text(encoding="utf-8") for path in made["write"](tmp_path)}
    assert {"gainful.1", "gainful-trec_eval.1", "gainful-filter-profile-add.1"} <= set(pages)
    for context in made["contexts"](made["gainful"]):
        page = pages[f"{context.command_path.replace(' ', '-')}.1"]
        options = [
            option for option in context.command.get_params(context) if isinstance(option, click.Option)
        ]
        written = [
            text.replace("-", "\\-") for option in options if not option.hidden for text in option.opts
        ]
        assert [text for text in written if text not in page] == []
    assert "gainful check qrels.txt bm25.run" in pages["gainful-check.1"]


def test_groff_has_nothing_to_say_against_the_pages(tmp_path):
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed")
    made = runpy.run_path(str(ROOT / "docs" / "make_man.py"))
    pages = [str(path) for path in made["write"](tmp_path)]
    done = subprocess.run(
        ["groff", "-man", "-Kutf8", "-Tutf8", "-ww", "-z", *pages],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
