"""How fast does a filter in use take documents in, does its memory stay flat, and how soon is a large state open?"""

import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from support.measuring import hold, inside, state

if TYPE_CHECKING:
    from gainful.filtering import Document, Topic

WORDS = [f"w{number:x}q" for number in range(30_000)]
CHANCES = list(accumulate(1 / (30 + number) ** 0.8 for number in range(len(WORDS))))
HISTORY, MEASURED, LONG = 10_000, 5_000, 1_000_000


def answer() -> None:
    for profiles in (10, 1_000, 10_000):
        found = inside("filter_state", "profiles", str(profiles))
        rate, busy = MEASURED / found["seconds"], MEASURED / found["processor"]
        state(f"{MEASURED:,} documents, {profiles:,} profiles", found["seconds"], found["megabytes"])
        print(f"  {'':<44}{rate:>7,.0f} documents/s, {busy:,.0f} a second of the processor", flush=True)
    found = inside("filter_state", "verdicts", "250")
    state(f"a verdict after {HISTORY:,} documents, mean", found["mean"], found["megabytes"])
    print(f"  {'':<44}{1000 * found['slowest']:>10.1f} ms where the profile learns, in the mean", flush=True)
    hold("a verdict, mean", 1000 * found["mean"], most=5, unit="ms")
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "large.filter")
        found = inside("filter_state", "fill", path)
        state(f"{LONG:,} documents, history capped at 5,000", found["seconds"], found["peak"])
        hold("memory at the end to memory after a quarter", found["end"] / found["quarter"], most=1.1)
        print(
            f"  {'':<44}{found['events']:>10,} events, {Path(path).stat().st_size / 1e6:,.0f} MB on disk",
            flush=True,
        )
        for what in ("open", "deliveries", "feedback", "ingest"):
            found = inside("filter_state", what, path)
            state(f"open it{'' if what == 'open' else ', and ' + what}", found["seconds"], found["megabytes"])
            if what == "open":
                hold("opening a million events", found["seconds"], most=1, unit="s")


def documents(count: int, seed: int, *, length: int = 55) -> "Iterator[Document]":
    """Documents whose words are as unevenly frequent as words are once stop words are gone."""
    from gainful.filtering import Document

    chance = random.Random(seed)
    for number in range(count):
        yield Document(f"{seed}-{number}", " ".join(chance.choices(WORDS, cum_weights=CHANCES, k=length)))


def topics(count: int) -> "list[Topic]":
    """Profiles of eight words each, none of them among the most frequent."""
    from gainful.filtering import Topic

    chance = random.Random(3)
    return [Topic(str(number), " ".join(chance.sample(WORDS[200:], 8))) for number in range(count)]


def ingest(profiles: str) -> dict[str, float]:
    """Documents that arrive where some are history already, and every profile has its own few words."""
    from gainful.filtering import Filter

    with tempfile.TemporaryDirectory() as folder, Filter.create(Path(folder) / "state") as made:
        made.ingest(documents(HISTORY, 1), deliver=False)
        made.add_profiles(topics(int(profiles)))
        stream = list(documents(MEASURED, 2))
        begun, used, alone = time.perf_counter(), time.process_time(), time.thread_time()
        done = made.ingest(stream)
        return {
            "seconds": time.perf_counter() - begun,
            "processor": time.process_time() - used,
            # of the thread that the others help: how long it takes where nobody else uses the cores
            "thread": time.thread_time() - alone,
            "deliveries": done.deliveries,
            "megabytes": _peak(),
        }


def verdicts(count: str) -> dict[str, float]:
    """Verdicts one after the other on documents of a history; every third is "relevant". In seconds of the processor."""
    from gainful.filtering import Filter

    chance, seconds = random.Random(3), []
    history = list(documents(HISTORY, 1))
    with tempfile.TemporaryDirectory() as folder, Filter.create(Path(folder) / "state") as made:
        made.ingest(history, deliver=False)
        made.add_profile("one", text=" ".join(chance.sample(WORDS[200:], 8)))
        made.ingest(documents(5, 2))
        for number in range(int(count)):
            used = time.process_time()
            verdict = "not-relevant" if number % 3 else "relevant"
            made.feedback("one", history[37 * number].id, verdict)
            seconds.append(time.process_time() - used)
    learned = sorted(seconds)[-len(seconds) // 5 :]  # about a fifth of so many verdicts teach the profile
    return {
        "mean": sum(seconds) / len(seconds),
        "slowest": sum(learned) / len(learned),
        "megabytes": _peak(),
    }


def fill(path: str) -> dict[str, float]:
    """A million short documents into a state that keeps five thousand in its history."""
    from gainful.filtering import Filter

    at: dict[int, float] = {}
    with Filter.create(path, cap=5_000) as made:
        made.add_profiles(topics(10))
        begun = time.perf_counter()
        stream = documents(LONG, 1, length=12)
        made.ingest(stream, batch=2_000, progress=lambda done: at.update({done.documents: _resident()}))
        seconds = time.perf_counter() - begun
        events = made.stats().events
    quarter = min(at, key=lambda number: abs(number - LONG // 4))
    return {"seconds": seconds, "quarter": at[quarter], "end": at[LONG], "peak": _peak(), "events": events}


def asked(what: str, path: str) -> dict[str, float]:
    """Open a state, and do one thing."""
    from gainful.filtering import Document, Filter

    begun = time.perf_counter()
    with Filter.open(path) as opened:
        if what == "open":
            opened.profiles()
        elif what == "deliveries":
            next(opened.deliveries())
        elif what == "feedback":
            opened.feedback("3", next(opened.deliveries(profile="3")).document, "relevant")
        else:
            opened.ingest([Document("one more", "a few words")])
        return {"seconds": time.perf_counter() - begun, "megabytes": _peak()}


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


if __name__ == "__main__":
    given = sys.argv[1:]
    calls = {"profiles": ingest, "fill": fill, "verdicts": verdicts}
    print(json.dumps(calls[given[0]](given[1]) if given[0] in calls else asked(*given)))
