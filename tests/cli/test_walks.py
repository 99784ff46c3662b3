"""Walks do what their pages say, line by line; and their data come from their generators."""

import json
import re
import runpy
import shlex
import shutil
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA = ROOT / "examples" / "data" / "filter"
SEARCH = ROOT / "examples" / "data" / "search"
DAY = re.compile(r"\d{4}-\d\d-\d\d")


def steps(page: str, name: str = "walk") -> list[tuple[str, str]]:
    """Each command of the walk with what the page says it prints."""
    walk = page.split(f"<!-- {name}: begin -->")[1].split(f"<!-- {name}: end -->", maxsplit=1)[0]
    found = []
    for block in re.findall(r"```text\n(.*?)\n```", walk, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            found.append((command, printed.strip("\n")))
    return found


USE = (ROOT / "docs" / "filter_use.md").read_text(encoding="utf-8")
WALK, FEEDS = steps(USE), steps(USE, "feeds")


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
    assert terms.get("plant", 0) < terms["mulch"] / 2


@pytest.fixture
def served():
    """The example's folder, served on loopback; host and port."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(DATA))) as server:
        serving = threading.Thread(target=server.serve_forever, daemon=True)
        serving.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        serving.join()


@pytest.fixture
def utc(monkeypatch):
    """Local times are UTC."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("utc")
def test_feeds_are_subscribed_to_read_and_answered_by_number_as_the_page_says(
    gainful, served, tmp_path, monkeypatch
):
    monkeypatch.delenv("GAINFUL_STATE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("GAINFUL_ALLOW_PRIVATE", "1")
    assert [command.split()[2] for command, _ in FEEDS] == [
        *(
            "subscribe",
            "profile",
            "today",
            "yes",
            "no",
            "today",
            "yes",
            "no",
            "subscribe",
            "today",
            "open",
            "yes",
            "undo",
        )
    ]
    for command, printed in FEEDS:
        done = gainful(*shlex.split(command.replace("127.0.0.1:8080", served))[1:])
        assert done.code == 0, done.err
        assert done.out.replace(served, "127.0.0.1:8080").strip("\n") == printed, command
    assert (tmp_path / "gainful" / "my.filter").stat().st_mode & 0o777 == 0o600


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


def test_the_walk_of_a_search_team_prints_what_its_page_says(gainful, tmp_path, monkeypatch):
    shutil.copytree(SEARCH, tmp_path / "search")
    monkeypatch.chdir(tmp_path / "search")
    walk = steps((ROOT / "docs" / "search_team.md").read_text(encoding="utf-8"))
    assert [command.split()[1] for command, _ in walk] == [
        "check",
        "evaluate",
        "compare",
        "explain",
        "report",
        "gate",
    ]
    for command, printed in walk:
        done = gainful(*shlex.split(command)[1:])
        ending = f"\n[exit code {done.code}]" if done.code else ""
        assert done.out.rstrip("\n") + ending == printed, command
    assert 'id="topics"' in Path("report.html").read_text(encoding="utf-8")


def test_the_runs_of_the_search_team_come_from_their_script():
    pytest.importorskip("bm25s")
    for name, text in runpy.run_path(str(ROOT / "examples" / "make_search_runs.py"))["make"]().items():
        assert (SEARCH / name).read_text(encoding="utf-8") == text
