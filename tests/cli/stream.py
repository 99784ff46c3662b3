"""A small stream of documents, and what a filter delivered of it."""

import json

STREAM = [
    {
        "id": "d1",
        "title": "Cocoa",
        "text": "Cocoa prices rise after a poor harvest.",
        "link": "https://news.example/1",
    },
    {"id": "d2", "title": "Football", "text": "A goal late in the match."},
    {"id": "d3", "text": ""},
    {"id": "d4", "title": "Harvest", "text": "Cocoa beans wait for the harvest."},
]


def lines(rows):
    """Rows as JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def delivered(use, *options):
    """Ids of what was delivered, in order."""
    return [json.loads(line)["id"] for line in use("deliveries", "-f", "jsonl", *options).splitlines()]
