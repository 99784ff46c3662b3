"""What commands show of feed items: their texts, which the log leaves out, and whole words in place of stems."""

import json
import re

import pytest
from click.testing import CliRunner

from gainful.cli.filter.profile_commands import show_command
from gainful.cli.filter.question_commands import explain_command, near_command
from gainful.cli.filter.stream_commands import deliveries_command
from gainful.filtering.document import Document


@pytest.fixture
def ask(any_desk):
    """A command that is asked of a state with a delivery, a near miss, and a document that came without a feed."""
    feed = any_desk.subscribe()
    any_desk.publish(feed, *any_desk.garden("balcony"))
    any_desk.inbox.take_in()
    any_desk.inbox.filter.ingest(
        [Document("item-7777", title="Composting", text="Mulching and composting the soils.")]
    )
    any_desk.inbox.filter.edit_profile("garden", rule="fixed(theta=0.3)")
    text = "Shares rose. The grocer sells composting bins, among hundreds of other things for old houses."
    any_desk.publish(feed, any_desk.item("shares", text))
    any_desk.inbox.take_in()

    def ask(command, *words):
        done = CliRunner().invoke(command, [*words, "--state", str(any_desk.address)])
        assert done.exit_code == 0, done.exception
        return done.stdout

    return ask


def test_deliveries_of_feeds_have_their_texts_and_whole_words(ask):
    records = [json.loads(line) for line in ask(deliveries_command, "-f", "jsonl").splitlines()]
    texts = {record["title"]: record["text"] for record in records}
    assert texts["About balcony"].startswith("Compost and mulch keep the soil of a balcony moist")
    assert (
        texts["Composting"] == "Mulching and composting the soils."
    )  # its own, though its id looks like a feed item's
    assert {"compost", "mulch", "soil"} <= records[0]["terms"].keys()  # terms, for programs
    digest = ask(deliveries_command, "-f", "markdown")
    assert "keep the soil of a balcony moist" in digest
    assert re.search(r"\*Mulching\*.*item-7777", digest)
    assert re.search(r"composting, (soils, Mulching|Mulching, soils)", ask(deliveries_command))
    assert "keep the soil of a balcony moist" in ask(deliveries_command, "-f", "atom")


def test_near_misses_of_feeds_have_their_texts_and_whole_words(ask):
    text = "The grocer sells composting bins"
    assert text in json.loads(ask(near_command, "garden", "-f", "jsonl").splitlines()[0])["text"]
    assert text in ask(near_command, "garden", "-f", "markdown")
    assert re.search(r"About shares +composting\b", ask(near_command, "garden"))


def test_a_profile_and_an_explanation_have_whole_words_and_their_records_terms(ask):
    assert re.search(r"^compost +0\.\d+$", ask(show_command, "garden"), re.M)  # the word of its description
    explained = ask(explain_command, "garden", "item-7777")
    assert re.search(r"^Mulching +0", explained, re.M)
    assert "mulch " not in explained
    terms = [
        row["term"] for row in json.loads(ask(explain_command, "garden", "item-7777", "-f", "json"))["terms"]
    ]
    assert set(terms) == {"compost", "mulch", "soil"}
    lacking = ask(explain_command, "garden", "item-2")
    assert re.search(r"do not occur in it: (soil|mulch) \(0\.\d+\), (soil|mulch) \(0\.\d+\)", lacking)
