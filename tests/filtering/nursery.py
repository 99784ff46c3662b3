"""Workers to be killed: `nursery.py STATE SEED` forks one for each line on standard input, and tells what they did.

A worker ingests a stream from where the state stands and answers deliveries; each line that it prints says what is in
the state for good. Importing takes longer than working, so workers are forked from a process that has imported all.
"""

import os
import random
import sys
from functools import partial

from gainful.filtering import Document, Filter


def document(number):
    chance = random.Random(number)
    words = [f"theme{number % 5}x{chance.randrange(8)}" for _ in range(4)] + [
        f"w{chance.randrange(90)}" for _ in range(8)
    ]
    return Document(f"doc-{number}", "" if number % 40 == 39 else " ".join(words))


def work(path, chance):
    with Filter.open(path) as state:
        while True:
            at = state.stats().documents
            some = [document(number) for number in range(max(0, at - 2), at + chance.randrange(1, 6))]
            state.ingest(some, batch=chance.randrange(1, 4), progress=partial(arrived, at))
            for one in list(state.deliveries())[-6:]:
                if one.verdict is None and chance.random() < 0.6:
                    state.feedback(one.profile, one.document, chance.choice(["relevant", "not-relevant"]))
                    said(f"told {one.profile} {one.document}")


def arrived(before, done):
    said(f"seen {before + done.documents}")


def said(line):
    os.write(1, f"{line}\n".encode())


if __name__ == "__main__":
    for turn, _ in enumerate(sys.stdin):
        child = os.fork()
        if child == 0:
            work(sys.argv[1], random.Random(f"{sys.argv[2]} {turn}"))
        said(f"born {child}")
        os.waitpid(child, 0)
        said("dead")
