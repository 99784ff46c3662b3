"""The page of feeds: every attack that it names is a test, and its numbers are those of the code."""

import re
from pathlib import Path

from gainful.filtering.feeds import (
    feed_finder,
    fetch_reply,
    fetch_request,
    fetch_round,
    fetch_schedule,
    opml,
    parser_pool,
    parser_process,
    same_story,
    subscriptions,
)
from gainful.filtering.feeds.address_guard import PUBLIC_PORTS
from gainful.filtering.feeds.feed_records import MOST_ITEMS

HERE = Path(__file__).parent
PAGE = (Path(__file__).parents[3] / "docs" / "feeds.md").read_text(encoding="utf-8")


def test_every_attack_in_the_table_is_a_test():
    table = PAGE.split("## Attacks that were tried")[1].split("What remains possible")[0]
    named = re.findall(r"`(test_\w+)` \|$", table, re.MULTILINE)
    rows = [row for row in table.splitlines() if row.startswith("| ")]
    assert len(named) == len(rows) - 1 > 30
    written = set(
        re.findall(r"^def (test_\w+)\(", "\n".join(path.read_text() for path in HERE.glob("test_*.py")), re.M)
    )
    assert [name for name in named if name not in written] == []


def test_the_bounds_on_the_page_are_those_of_the_code():
    limits = fetch_reply.Limits()
    said = [
        f"{limits.size >> 20} MiB of an answer",
        f"{limits.total:g} seconds for all redirects together, {limits.quiet:g} seconds without a byte, "
        f"{limits.connect:g} seconds to connect",
        f"with {parser_process.MEMORY >> 20} MiB of address space, {parser_process.SECONDS} seconds of the processor and "
        f"{parser_pool._SECONDS:g} seconds in all",
        f"only ports {', '.join(map(str, sorted(PUBLIC_PORTS)[:-1]))} and {max(PUBLIC_PORTS)}",
        f"{fetch_round.AT_ONCE} hosts are asked at the same time",
        f"the {MOST_ITEMS} first items",
        f"its latest {subscriptions.BACKLOG} items",
        f"at least {same_story.FEWEST_TEXT} words, and of the runs of three words that occur in either text, "
        f"{same_story.SIMILAR:.0%}".replace("%", " %"),
        f"over the first {same_story.LONGEST_TEXT:,} words",
        f"OPML with entities, nesting, {subscriptions.MOST_FEEDS + 1:,} feeds, {opml.LARGEST >> 20} MiB",
        "(" + ", ".join(f"`{path}`" for path in feed_finder._USUAL) + ")",
    ]
    assert [sentence for sentence in said if sentence not in PAGE] == []
    assert (fetch_schedule.SHORTEST, fetch_schedule.LONGEST) == (900 * 10**6, 86_400 * 10**6)
    assert (fetch_request._HOPS, feed_finder._TRIED, same_story.FEWEST_WORDS, same_story.RUN) == (5, 3, 6, 3)
