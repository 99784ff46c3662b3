"""How much slower than an SQLite file is a PostgreSQL server on the same machine, for documents that arrive and for feedback?

    python -m benchmarks.databases

Both synchronise every commit to the same disk. They take turns, so that a busy machine slows both: read the ratios.
"""

import random
import shutil
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # the other benchmarks are run from here

from filter_state import WORDS, documents
from tests.filtering.postgres import Server

from gainful.filtering import Filter, Topic

ROUNDS, DOCUMENTS = 12, 256


def prepared(address: str | Path) -> Filter:
    """A state with ten profiles and two thousand documents."""
    chance = random.Random(3)
    made = Filter.create(address)
    made.add_profiles([Topic(str(number), " ".join(chance.sample(WORDS[200:], 8))) for number in range(10)])
    made.ingest(documents(2_000, 1))
    return made


def rounds(states: dict[str, Filter]) -> dict[str, dict[str, list[float]]]:
    """Seconds of each kind of call on each database, in turn."""
    taken: dict[str, dict[str, list[float]]] = {name: {} for name in states}
    for turn in range(ROUNDS):
        arriving = list(documents(DOCUMENTS, 10 + turn))
        for name, state in states.items():
            answered = next(state.deliveries(since=turn * 10))
            calls = {
                f"ingest {DOCUMENTS} documents": partial(state.ingest, arriving),
                "feedback": partial(state.feedback, answered.profile, answered.document, "relevant"),
                "all profiles": state.profiles,
            }
            for what, call in calls.items():
                begun = time.perf_counter()
                call()
                taken[name].setdefault(what, []).append(time.perf_counter() - begun)
    return taken


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="gainful-databases-"))
    server = Server(tempfile.mkdtemp(prefix="gainful-postgres-"), settings=("shared_buffers=128MB",)).start()
    try:
        states = {"SQLite": prepared(folder / "state"), "PostgreSQL": prepared(server.database())}
        taken = rounds(states)
        for what, seconds in taken["SQLite"].items():
            file, schema = statistics.median(seconds), statistics.median(taken["PostgreSQL"][what])
            print(f"{what:<24}{1e3 * file:>9.1f} ms{1e3 * schema:>9.1f} ms{schema / file:>7.2f}", flush=True)
        for state in states.values():
            state.close()
    finally:
        server.stop()
        shutil.rmtree(server.folder)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
