"""A newcomer's walk in Chromium, with and without JavaScript, on SQLite and on PostgreSQL."""

import pytest

from .newsstand import RELEVANT
from .walk import Walk, served_walk


@pytest.mark.parametrize(
    ("either", "script"),
    [("sqlite", True), ("sqlite", False), ("postgres", True), ("postgres", False)],
    indirect=["either"],
    ids=["sqlite", "sqlite-without-javascript", "postgresql", "postgresql-without-javascript"],
)
def test_a_newcomer_brings_feeds_describes_an_interest_answers_and_has_a_better_next_day(
    browser, either, stand, script
):
    context = browser.new_context(viewport={"width": 1100, "height": 900}, java_script_enabled=script)
    heard = []
    tab = context.new_page()
    tab.on("console", lambda message: heard.append(message.text))
    tab.on("pageerror", lambda fault: heard.append(str(fault)))
    with served_walk(either) as served:
        walk = Walk(served, stand, tab, script=script)
        walk.enter()
        walk.bring_feeds()
        walk.describe()
        said = walk.answer()
        walk.look_at_profile()
        next_day = walk.next_day()
        with served.inbox() as inbox:
            first_day = [entry.title for entry in inbox.entries() if entry.title not in next_day]
            judged = {
                entry.title: entry.verdict
                for entry in inbox.about([("bees", item) for item in _items(inbox)])
            }
    context.close()
    assert heard == []
    assert {title: verdict for title, verdict in judged.items() if verdict is not None} == said
    assert any(" went from " in sentence for sentence in walk.heard)
    wanted = [title for title in RELEVANT if title in next_day]
    assert len(wanted) >= 3  # of four that the second day has
    assert len(wanted) > sum(title in RELEVANT for title in first_day)
    assert len(next_day) <= 9  # of fourteen


def _items(inbox):
    return [f"item-{number}" for number in range(1, 40)]
