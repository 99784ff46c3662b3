"""Workers to be killed: `nursery.py STATE SEED` forks one for each line on standard input, and tells what they did.

A worker ingests a stream from where the state stands and answers deliveries; each line that it prints says what is in
the state for good. Importing takes longer than working, so workers are forked from a process that has imported all.
`Nursery` is that process as a test sees it.
"""

import os
import random
import signal
import subprocess
import sys
import time
from functools import partial

from gainful.filtering import Document, Filter
from gainful.filtering.state.store import StoreUnavailable


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


class Nursery:
    """Workers at random moments of their life."""

    def __init__(self, address, seed):
        command = [sys.executable, __file__, str(address), str(seed)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.chance = random.Random(seed)

    def killed(self, kill=None):
        """Let a worker live for some acknowledged steps and a moment more; what it acknowledged until its end.

        kill  what ends it, if it is not to be killed itself
        """
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        worker, acknowledged = None, []
        wanted = self.chance.randrange(4)
        while worker is None or len(acknowledged) < wanted:
            worker = self._read(acknowledged) or worker
        time.sleep(self.chance.random() * 0.012)
        if kill is None:
            os.kill(worker, signal.SIGKILL)
        else:
            kill()
        while self._read(acknowledged) != 0:
            pass
        return acknowledged

    def _read(self, acknowledged):
        """The number of a worker that was born, 0 for one that died, None for a step."""
        word, *rest = self.process.stdout.readline().split()
        if word in ("born", "dead"):
            return int(rest[0]) if word == "born" else 0
        acknowledged.append((word, *rest))
        return None

    def close(self):
        self.process.stdin.close()
        assert self.process.wait(timeout=20) == 0
        self.process.stdout.close()


class Promises:
    """What workers have acknowledged, and whether a state holds all of it, once."""

    def __init__(self, address):
        self.address = address
        self.told, self.steps = set(), 0
        with Filter.create(address, cap=120) as made:
            for theme, how in enumerate(
                [
                    {"rule": "beta_gamma(beta=0.3)", "model": "rocchio"},
                    {"rule": "expected", "model": "regression"},
                ]
            ):
                made.add_profile(f"reader{theme}", text=f"theme{theme}x1 theme{theme}x2", **how)
            made.ingest([document(number) for number in range(60)])

    def kept(self, acknowledged, turn):
        """Fail where something is missing or there twice."""
        self.steps += len(acknowledged)
        seen = max((int(one[1]) for one in acknowledged if one[0] == "seen"), default=0)
        self.told |= {one[1:] for one in acknowledged if one[0] == "told"}
        with Filter.open(self.address) as opened:
            with opened.store.reading():
                rows = opened.store.rows("SELECT id FROM documents ORDER BY number")
                ids = [raw.decode() for (raw,) in rows]
                rows = opened.store.rows(
                    "SELECT name, id FROM feedback JOIN profiles AS p ON p.number = profile "
                    "JOIN documents AS d ON d.number = document"
                )
                heard = [(name, raw.decode()) for name, raw in rows]
            assert len(ids) >= seen
            assert ids == [f"doc-{number}" for number in range(len(ids))]
            assert self.told <= set(heard)
            assert len(heard) == len(set(heard))
            assert opened.check() == [], f"after kill {turn}"

    def agree(self):
        """In the end everything follows from the log."""
        assert self.told
        with Filter.open(self.address) as opened:
            assert opened.rebuild().agrees
            return opened.stats()


if __name__ == "__main__":
    for turn, _ in enumerate(sys.stdin):
        child = os.fork()
        if child == 0:
            try:
                work(sys.argv[1], random.Random(f"{sys.argv[2]} {turn}"))
            except StoreUnavailable:
                os._exit(1)
        said(f"born {child}")
        os.waitpid(child, 0)
        said("dead")
