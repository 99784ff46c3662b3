"""How fast are documents scored against profiles, a profile renewed, and a news collection replayed?"""

import io
import json
import runpy
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from support.measuring import GAINFUL, costs, hold, inside, state

REUTERS = Path(__file__).parent.parent.parent / "shared" / "data" / "filtering" / "reuters21578"
TERMS, DOCUMENT, PROFILE = (
    30_000,
    52,
    62,
)  # known terms, and those of a document and of a profile (repeats drop out)


def answer() -> None:
    found = inside("filtering", "scoring")
    state("2,000 documents × 10,000 profiles, gainful", found["gainful"])
    state("gainful in one thread", found["one thread"])
    state("gainful, deliveries only", found["deliveries"])
    state("scipy, sparse product of the same vectors", found["scipy"])
    hold("faster than scipy", found["scipy"] / found["gainful"], least=5)
    hold("faster than scipy, one thread", found["scipy"] / found["one thread"], least=5)
    found = inside("filtering", "renewal")
    state("a profile update, 100,000 documents of history", found["seconds"])
    hold("a profile update", found["seconds"] * 1e3, most=10, unit="ms")
    if not REUTERS.is_dir():
        print("  (the replay of Reuters-21578 is left out: its files are not here)")
        return
    with reuters() as files:
        command = [
            GAINFUL,
            "filter",
            "simulate",
            *files,
            "--reference",
            "10%",
            "-r",
            "beta_gamma(beta=0.4,gamma=0.02)",
        ]
        cost = costs({"replay": command}, rounds=3)["replay"]
    state("Reuters-21578, 46 topics, one rule", cost.seconds, cost.megabytes)
    hold("the Reuters replay", cost.seconds, most=15, unit="s")


@contextmanager
def reuters() -> Iterator[list[str]]:
    """The converted collection, with the topics that have 3 relevant stories before the start and 10 after it."""
    convert = runpy.run_path(str(Path(__file__).parent.parent / "examples" / "reuters_stream.py"))["convert"]
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder)
        with redirect_stdout(io.StringIO()):
            convert(REUTERS, made)
        order = [json.loads(line)["id"] for line in (made / "stream.jsonl").open(encoding="utf-8")]
        early = set(order[: round(len(order) / 10)])
        counts: dict[str, list[int]] = {}
        for line in (made / "qrels.txt").open(encoding="utf-8"):
            topic, _, document, _ = line.split()
            counts.setdefault(topic, [0, 0])[document not in early] += 1
        usable = {topic for topic, (before, after) in counts.items() if before >= 3 and after >= 10}
        lines = (made / "topics.jsonl").read_text(encoding="utf-8").splitlines()
        kept = [line for line in lines if json.loads(line)["id"] in usable]
        (made / "topics.jsonl").write_text("\n".join(kept) + "\n", encoding="utf-8")
        yield [str(made / name) for name in ("stream.jsonl", "topics.jsonl", "qrels.txt")]


def vectors(count: int, size: int, seed: int) -> Any:
    """Sparse vectors of length 1 whose terms are as unevenly frequent as words are once stop words are gone."""
    import numpy as np

    chance = np.random.default_rng(seed)
    frequency = 1 / (30 + np.arange(TERMS)) ** 0.8
    drawn = chance.choice(TERMS, (count, size), p=frequency / frequency.sum())
    rows = [np.unique(row) for row in drawn]
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    weights = chance.random(offsets[-1]) + 0.1
    lengths = np.sqrt(np.add.reduceat(weights**2, offsets[:-1]))
    return offsets, np.concatenate(rows).astype(np.int32), weights / np.repeat(lengths, np.diff(offsets))


def scoring() -> dict[str, float]:
    """All scores into a matrix that is used again, as a stream does; the same product by scipy; and deliveries alone."""
    import numpy as np
    from scipy.sparse import csr_matrix

    from gainful._core import ProfileIndex
    from gainful.formats.judgments import cores

    documents, profiles = vectors(2_000, DOCUMENT, 1), vectors(10_000, PROFILE, 2)
    index = ProfileIndex(*(np.split(part, profiles[0][1:-1]) for part in profiles[1:]))
    out = np.empty((2_000, 10_000))
    theta = np.full(10_000, 0.2)
    left = csr_matrix((documents[2], documents[1], documents[0]), shape=(2_000, TERMS))
    right = csr_matrix((profiles[2], profiles[1], profiles[0]), shape=(10_000, TERMS)).T.tocsr()
    index.score(*documents, out=out, threads=cores())
    if abs((left @ right).toarray() - out).max() > 1e-12:
        raise RuntimeError("the scores differ")
    return middle(
        {
            "gainful": lambda: index.score(*documents, out=out, threads=cores()),
            "one thread": lambda: index.score(*documents, out=out, threads=1),
            "deliveries": lambda: index.reach(*documents, theta, floor=0.0, threads=cores()),
            "scipy": lambda: left @ right,
        },
        rounds=7,
    )


def renewal() -> dict[str, float]:
    """Feedback on one more document: the profile made anew, all history scored, the threshold set."""
    import numpy as np

    from gainful.filtering import LinearUtility, Rocchio, Rule, Schedule
    from gainful.filtering.learner import Learner
    from gainful.filtering.vectors import Counts, Idf, TermStore, Vector

    offsets, terms, _ = vectors(100_000, DOCUMENT, 3)
    counts = Counts(offsets, terms, np.ones(len(terms)))
    store = TermStore(Idf.of(counts), counts)
    learner = Learner(rule=Rule("beta_gamma"), model=Rocchio(), utility=LinearUtility(), schedule=Schedule())
    learner.enter(store, Vector(np.array([5, 70, 900], np.int32), np.full(3, 3**-0.5)))
    # A reader who likes what has one of three words, and has judged a hundred documents.
    having = np.unique(np.repeat(np.arange(100_000), np.diff(offsets))[np.isin(terms, [5, 70, 900])])
    for number in range(50):
        learner.tell(int(having[number * 7]), True, 0)
        learner.tell(number * 1_000 + 3, False, 0)
    said = iter(range(50_000, 60_000))

    def update() -> None:
        learner.tell(next(said), False, 100_000)
        learner.renew(100_000)

    return {"seconds": middle({"update": update}, rounds=41)["update"]}


def middle(calls: dict[str, Callable[[], object]], *, rounds: int) -> dict[str, float]:
    """The median time of each call, all of them taking turns."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(some) for name, some in times.items()}


if __name__ == "__main__":
    print(json.dumps({"scoring": scoring, "renewal": renewal}[sys.argv[1]]()))
