"""A process that is killed at any moment leaves every acknowledged event in the state, once, and nothing by halves."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from gainful.filtering import Filter

from .nursery import document

ROUNDS = 100


class Nursery:
    """Workers at random moments of their life."""

    def __init__(self, path, seed):
        command = [sys.executable, str(Path(__file__).parent / "nursery.py"), str(path), str(seed)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.chance = random.Random(seed)

    def killed(self):
        """Let a worker live for some acknowledged steps and a moment more; what it acknowledged until its end."""
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        worker, acknowledged = None, []
        wanted = self.chance.randrange(4)
        while worker is None or len(acknowledged) < wanted:
            worker = self._read(acknowledged) or worker
        time.sleep(self.chance.random() * 0.012)
        os.kill(worker, signal.SIGKILL)
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


def test_a_hundred_kills_lose_nothing_that_was_acknowledged_and_double_nothing(folder):
    path = folder / "state"
    with Filter.create(path, cap=120) as made:
        for theme, how in enumerate(
            [
                {"rule": "beta_gamma(beta=0.3)", "model": "rocchio"},
                {"rule": "expected", "model": "regression"},
            ]
        ):
            made.add_profile(f"reader{theme}", text=f"theme{theme}x1 theme{theme}x2", **how)
        made.ingest([document(number) for number in range(60)])
    nursery, told, steps = Nursery(path, seed=8), set(), 0
    for turn in range(ROUNDS):
        acknowledged = nursery.killed()
        steps += len(acknowledged)
        seen = max((int(one[1]) for one in acknowledged if one[0] == "seen"), default=0)
        told |= {one[1:] for one in acknowledged if one[0] == "told"}
        with sqlite3.connect(path) as file:
            ids = [bytes(one).decode() for (one,) in file.execute("SELECT id FROM documents ORDER BY number")]
            heard = file.execute(
                "SELECT name, CAST(id AS TEXT) FROM feedback JOIN profiles AS p ON p.number = profile "
                "JOIN documents AS d ON d.number = document"
            ).fetchall()
        file.close()
        assert len(ids) >= seen
        assert ids == [f"doc-{number}" for number in range(len(ids))]
        assert told <= set(heard)
        assert len(heard) == len(set(heard))
        with Filter.open(path) as opened:
            assert opened.check() == [], f"after kill {turn}"
    nursery.close()
    assert steps > ROUNDS
    assert told
    with Filter.open(path) as opened:
        assert opened.rebuild().agrees
        assert opened.stats().epoch >= 2
