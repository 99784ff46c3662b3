"""Kinds of cases that attack filters: damaged feeds, states and judged streams."""

from __future__ import annotations

import json
import random
import sqlite3
import tempfile
from functools import cache
from pathlib import Path

from tests.fuzz import sandbox
from tests.fuzz.mutations import mutated
from tests.fuzz.sandbox import failure_of

_FEED = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>News</title>
<item><guid>g1</guid><title>Roses</title><description>flowers and soil</description><link>http://example.org/1</link>
<pubDate>Mon, 02 Nov 2026 08:00:00 GMT</pubDate></item>
<item><guid>g2</guid><title>Engines</title><description>cars &amp; pistons</description></item>
</channel></rss>
"""
_ATOM = """<?xml version="1.0"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><entry><id>urn:1</id><title>Compost</title>
<updated>2026-11-02T08:00:00Z</updated><content type="html">&lt;b&gt;soil&lt;/b&gt;</content></entry></feed>
"""


_STATE = ["--state", "my.filter"]


@cache
def _made_state() -> bytes:
    """A filter with one profile, one feed and one answer of its reader; made once."""
    with tempfile.TemporaryDirectory(prefix="gainful-fuzz-") as name:
        folder = Path(name)
        (folder / "feed.xml").write_text(_FEED)
        for command in (
            ["init"],
            ["profile", "add", "garden", "flowers, soil and compost"],
            ["ingest", "feed.xml"],
            ["feedback", "garden", "g1", "relevant"],
        ):
            outcome = sandbox.run(["filter", *command, *_STATE], folder)
            assert outcome.code == 0, outcome.messages
        return (folder / "my.filter").read_bytes()


def feed(draw: random.Random, folder: Path) -> str | None:
    """A damaged feed, taken into a filter and shown again."""
    path = folder / "feed.xml"
    path.write_bytes(mutated(draw.choice([_FEED, _ATOM]).encode(), draw))
    (folder / "my.filter").write_bytes(_made_state())
    shown = draw.choice(["table", "markdown", "jsonl", "atom"])
    for command in (["ingest", str(path)], ["deliveries", "-f", shown], ["check"]):
        if failure := failure_of(["filter", *command, *_STATE], folder):
            return failure
    return None


def state(draw: random.Random, folder: Path) -> str | None:
    """A filter whose file is damaged, in its bytes or in one cell of its tables."""
    (folder / "feed.xml").write_text(_FEED)
    path = folder / "my.filter"
    path.write_bytes(_made_state())
    if draw.random() < 0.3:
        path.write_bytes(mutated(path.read_bytes(), draw))
    else:
        _damage_cell(path, draw)
    commands = [
        *(["check"], ["stats"], ["deliveries"], ["rebuild"], ["export"], ["profile", "list"]),
        *(
            ["explain", "garden", "g1"],
            ["forget", "document", "g1", "--yes"],
            ["ingest", "feed.xml"],
            ["curve", "garden"],
        ),
    ]
    for command in draw.sample(commands, 3):
        if failure := failure_of(["filter", *command, *_STATE], folder):
            return failure
    return None


def simulation(draw: random.Random, folder: Path) -> str | None:
    """A judged stream, its topics or their judgments, damaged, and replayed."""
    words = ["flowers", "soil", "compost", "cars", "pistons", "the", "Rosen", "\u4e2d"]
    documents = [
        {"id": f"d{number}", "title": draw.choice(words), "text": " ".join(draw.choices(words, k=6))}
        for number in range(20)
    ]
    topics = [{"id": "1", "text": "flowers and soil"}, {"id": "2", "text": "cars"}]
    judged = [
        f"{topic['id']} 0 {document['id']} {draw.randint(0, 1)}\n"
        for topic in topics
        for document in documents
    ]
    contents = {
        "stream.jsonl": "".join(json.dumps(document) + "\n" for document in documents),
        "topics.jsonl": "".join(json.dumps(topic) + "\n" for topic in topics),
        "qrels.txt": "".join(judged),
    }
    victim = draw.choice(list(contents))
    for name, content in contents.items():
        (folder / name).write_bytes(mutated(content.encode(), draw) if name == victim else content.encode())
    rule = draw.choice(["beta_gamma", "optimum", "zero", "ratio", "fixed"])
    shown = draw.choice(["table", "csv", "json", "markdown"])
    options = ["--reference", draw.choice(["10%", "0", "5"]), "--jobs", "1", "-r", rule, "-f", shown]
    return failure_of(["filter", "simulate", *contents, *options], folder)


def _damage_cell(path: Path, draw: random.Random) -> None:
    values = [
        None,
        "x",
        "",
        -1,
        0,
        2**62,
        1e300,
        float("inf"),
        b"\x00\xff",
        b"",
        "2026-99-99",
        '{"a":1}',
        3.5,
    ]
    with sqlite3.connect(path) as connection:
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        table = draw.choice(sorted(tables))
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        column = draw.choice(columns)
        connection.execute("PRAGMA ignore_check_constraints = 1")
        try:
            if draw.random() < 0.2:
                connection.execute(f"DELETE FROM {table} WHERE rowid IN (SELECT rowid FROM {table} LIMIT 1)")
            else:
                connection.execute(
                    f"UPDATE {table} SET {column} = ? WHERE rowid IN (SELECT rowid FROM {table} ORDER BY random() LIMIT 1)"
                    if draw.random() < 0.5
                    else f"UPDATE {table} SET {column} = ?",
                    (draw.choice(values),),
                )
        except sqlite3.Error:  # a constraint that the file itself keeps
            connection.rollback()
    connection.close()
