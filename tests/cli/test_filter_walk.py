"""The walk through a filter in use does what its page says, line by line; and its data come from their generator."""

import json
import re
import runpy
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA = ROOT / "examples" / "data" / "filter"
DAY = re.compile(r"\d{4}-\d\d-\d\d")


def steps(page: str) -> list[tuple[str, str]]:
    """Each command of the walk with what the page says it prints."""
    walk = page.split("<!-- walk: begin -->")[1].split("<!-- walk: end -->", maxsplit=1)[0]
    found = []
    for block in re.findall(r"```text\n(.*?)\n```", walk, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            found.append((command, printed.strip("\n")))
    return found


WALK = steps((ROOT / "docs" / "filter_use.md").read_text(encoding="utf-8"))


@pytest.fixture
def walked(gainful, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GAINFUL_STATE", "my.filter")
    (tmp_path / "examples").symlink_to(ROOT / "examples")

    def go(stop: str | None = None) -> None:
        for command, printed in WALK:
            if stop is not None and command.startswith(stop):
                return
            program, *words = shlex.split(command)
            assert program == "gainful"
            done = gainful(*words)
            assert done.code == 0, done.err
            assert DAY.sub("DAY", done.out.strip("\n")) == DAY.sub("DAY", printed), command

    return go


def test_every_line_of_the_walk_is_as_the_page_says(walked):
    assert len(WALK) > 10
    walked()


def test_the_second_digest_is_better_than_the_first(walked, gainful):
    walked("gainful filter explain")
    rows = [json.loads(line) for line in gainful("filter", "deliveries", "-f", "jsonl").out.splitlines()]
    monday, tuesday = (
        [row["id"].endswith("g") for row in rows if row["id"].startswith(day)] for day in ("mon", "tue")
    )
    assert sum(monday) / len(monday) == 2 / 3
    assert sum(tuesday) / len(tuesday) == 5 / 5
    terms = json.loads(gainful("filter", "profile", "show", "garden", "-f", "json").out)["terms"]
    assert "mulch" in terms
    assert "plant" not in terms


def test_the_index_walks_the_same_way():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    shown = re.findall(
        r"^(gainful filter (?:init|profile|ingest|deliveries|feedback|explain).*?)(?:\s+#.*)?$",
        index,
        re.MULTILINE,
    )
    commands = [command for command, _ in WALK]
    assert [one for one in shown if one not in commands] == []


def test_the_stream_is_made_by_its_generator():
    make = runpy.run_path(str(DATA / "make_stream.py"))["make"]
    made = make()
    assert sorted([*made, "make_stream.py"]) == sorted(path.name for path in DATA.iterdir() if path.is_file())
    for name, text in made.items():
        assert (DATA / name).read_text(encoding="utf-8") == text
    assert make(1) != made
