"""What tests of states share: a clock that only tests move, small streams, and a walk through everything a state can do."""

import random
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import psycopg

from gainful.filtering import Document, Filter
from gainful.filtering.state.postgres_dialect import Place
from gainful.filtering.state.store_address import is_postgres

BEGIN = datetime(2026, 3, 1, 6, tzinfo=UTC)
TABLES = {
    "events": "number",
    "documents": "number",
    "counts": "document",
    "terms": "number",
    "deliveries": "event",
    "feedback": "event",
    "changes": "event",
    "forgotten": "hash",
    "profiles": "number",
    "judgments": "profile, document",
    "arrivals": "profile, document",
    "history": "document",
    "epoch": "number",
    "learned": "profile",
    "renewals": "profile, seen",
}


COCOA = Document("cocoa", "Cocoa prices rise after a poor harvest", "Cocoa", link="https://example.org/1")
MATCH = Document("match", "A goal late in the match decides it")
EMPTY = Document("empty", "The, and of it: 12 34.")


class Clock:
    """A minute later at each look."""

    def __init__(self):
        self.now = BEGIN

    def __call__(self):
        self.now += timedelta(minutes=1)
        return self.now


def documents(count, seed, *, first=0, words=400):
    """Documents about one of six themes each, in front of common words; every fiftieth is empty."""
    chance = random.Random(seed)
    themes = [[f"theme{theme}x{word}" for word in range(12)] for theme in range(6)]
    made = []
    for number in range(first, first + count):
        theme = chance.choice(themes)
        drawn = chance.choices(theme, k=chance.randint(1, 6)) + [
            f"common{chance.randrange(words)}" for _ in range(20)
        ]
        chance.shuffle(drawn)
        text = "" if number % 50 == 49 else " ".join(drawn)
        made.append(Document(f"doc-{number}", text, "" if not text else drawn[0]))
    return made


def wish(theme):
    """The description of a theme."""
    return f"theme{theme}x0 theme{theme}x1 theme{theme}x2"


def delivered(state, **given):
    """Ids of what was delivered, in order."""
    return [one.document for one in state.deliveries(**given)]


def content(address, tables=TABLES):
    """Every row of a state, to the last bit, read past the code that is tested where that is possible."""
    connect = psycopg.connect if is_postgres(address) else sqlite3.connect
    with closing(connect(Place.of(address).conninfo if is_postgres(address) else address)) as database:
        if is_postgres(address):
            database.execute(f"SET search_path = {Place.of(address).schema}")
        return {
            table: [repr(row) for row in database.execute(f"SELECT * FROM {table} ORDER BY {order}")]
            for table, order in tables.items()
        }


def walk(path, seed, *, steps=60, cap=None, batch=None):
    """A state that has been through everything, chosen by chance: documents, verdicts, profiles, settings."""
    chance = random.Random(seed)
    made, stream = Filter.create(path, cap=cap, clock=Clock()), documents(2000, seed)
    made.ingest(stream[:150], deliver=False)
    at = 150
    for theme in range(3):
        made.add_profile(f"reader {theme}", text=wish(theme), examples=[stream[theme].id] if theme else ())
    for _ in range(steps):
        what = chance.random()
        if what < 0.5:
            count = chance.randrange(1, 40)
            made.ingest(stream[at : at + count], batch=batch or chance.randrange(1, 64))
            at += count
        elif what < 0.9:
            _say(made, chance, stream, at)
        elif what < 0.95:
            name = chance.choice([one.name for one in made.profiles()])
            rule = f"beta_gamma(beta={chance.choice([0.1, 0.3])})"
            made.edit_profile(name, rule=rule, text=wish(chance.randrange(6)))
        elif len(made.profiles()) > 2:
            made.remove_profile(made.profiles()[0].name)
        else:
            made.add_profile(f"another {at}", text=wish(5), utility="3,-2", rule="ratio(share=0.02)")
    return made


def _say(made, chance, stream, at):
    """Feedback on a delivery, on any document seen, or its undoing."""
    delivered = list(made.deliveries())
    name = chance.choice([one.name for one in made.profiles()])
    mine = [one for one in delivered if one.profile == name]
    judged = [one for one in mine if one.verdict]
    if judged and chance.random() < 0.2:
        made.feedback(name, chance.choice(judged).document, "undo")
        return
    document = (
        chance.choice(mine).document if mine and chance.random() < 0.7 else stream[chance.randrange(at)].id
    )
    made.feedback(name, document, chance.choice(["relevant", "not-relevant"]))


RULES = ("expected", "expected(beta=0.5,optimism=0.5)", "beta_gamma")


def learned_life(path, seed, *, steps=40, cap=None, reopen=False, together=True):
    """A state whose profiles depend on the order of answers: late, changed, withdrawn and many at once; edits and forgetting.

    reopen    the file is closed and opened again after every step
    together  answers that come at once are given in one call; otherwise one call each
    """
    chance, clock = random.Random(seed), Clock()
    made, stream = Filter.create(path, cap=cap, clock=clock), documents(1500, seed)
    made.ingest(stream[:100], deliver=False)
    at = 100
    for number, (rule, model) in enumerate(
        [("expected", "regression"), ("expected", "rocchio"), ("beta_gamma", "regression")]
    ):
        examples = [one.id for one in stream[:60] if f"theme{number}" in one.text][: 6 * number]
        made.add_profile(f"reader {number}", text=wish(number), rule=rule, model=model, examples=examples)
    known = {one.id: one.text for one in stream[:at]}
    for _ in range(steps):
        what = chance.random()
        name = f"reader {chance.randrange(3)}"
        if what < 0.4:
            some = stream[at : at + chance.randrange(1, 50)]
            made.ingest(some, batch=chance.randrange(1, 64))
            at += len(some)
            known |= {one.id: one.text for one in some}
        elif what < 0.9:
            said = [_answer(made, chance, known) for _ in range(chance.choice([1, 1, 12]))]
            for some in [said] if together else [[one] for one in said]:
                made.bulk(some)
        elif what < 0.95:
            made.edit_profile(name, rule=chance.choice(RULES), model=chance.choice(["regression", "rocchio"]))
        elif what < 0.98:
            made.edit_profile(name, examples=chance.sample(list(known), 2))
        else:
            made.forget_document(gone := chance.choice(list(known)))
            del known[gone]
        if reopen:
            made.close()
            made = Filter.open(path, clock=clock)
    return made


def _answer(made, chance, known):
    """An answer to one of the latest deliveries, to any document seen, or another answer than before."""
    number = chance.randrange(3)
    name = f"reader {number}"
    mine = list(made.deliveries(profile=name))[-15:]
    document = chance.choice(list(known))
    if mine and chance.random() < 0.8:
        delivery = chance.choice(mine)
        document = delivery.document
        if delivery.verdict and chance.random() < 0.3:
            return (name, document, "not-relevant" if delivery.verdict == "relevant" else "relevant")
    return (name, document, "relevant" if f"theme{number}" in known[document] else "not-relevant")
