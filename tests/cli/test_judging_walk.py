"""The walk of docs/judging.md does what the page says, line by line."""

import runpy
import shlex
from pathlib import Path

from .test_walks import steps

ROOT = Path(__file__).parents[2]
WALK = steps((ROOT / "docs" / "judging.md").read_text(encoding="utf-8"))


def test_every_line_of_the_walk_is_as_the_page_says(gainful, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    assert len(WALK) == 12
    for command, printed in WALK:
        program, *words = shlex.split(command)
        if program == "python":
            minutes = runpy.run_path(str(ROOT / words[0]))["answer"](*words[1:])
            assert f"{minutes:.0f} minutes" == printed
            continue
        done = gainful(*words)
        assert done.code == 0, done.err
        shown = done.err if words[0] == "pool" else done.out
        assert shown.startswith(printed), command  # of long output the page shows the beginning
    sentence = WALK[-2][1].split("\n\n")[0].replace("\n", " ")
    assert sentence in (tmp_path / "report.html").read_text("utf-8").replace("\u00a0", " ")


def test_the_walk_ends_with_the_run_that_is_better_under_all_judgments(gainful):
    data = ROOT / "examples" / "data"
    done = gainful(
        "compare",
        str(data / "qrels.txt"),
        str(data / "plain.run"),
        str(data / "marathon.run"),
        "-m",
        "nDCG@10",
    )
    assert done.out.startswith("marathon is better than plain on nDCG@10: +0.158")
    assert WALK[-3][1].startswith("decided: marathon is better than plain")
