"""How long the Google Reader API takes on an inbox of 10,000 entries: the calls that clients make at every refresh.

    python benchmarks/protocols.py [--entries 10000] [--profiles 10] [--repeat 20]

One client, without a socket between it and the service: of each call the median and the 95th percentile of the time and the
median of the processor time, in milliseconds, and the size of the answer.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import httpx

from gainful.filtering import Document, Topic
from gainful.filtering.service.app import create_app
from gainful.filtering.state.filter import Filter

READING_LIST = "user/-/state/com.google/reading-list"
READ, STARRED = "user/-/state/com.google/read", "user/-/state/com.google/starred"
CALLS = {
    "subscription/list": "subscription/list?output=json",
    "unread-count": "unread-count?output=json",
    "20 items of a profile": "stream/contents/feed/1?n=20",
    "50 items of all": "stream/contents?n=50",
    "1,000 items of all": "stream/contents?n=1000",
    "10,000 ids of all": f"stream/items/ids?s={READING_LIST}&n=10000",
    "10,000 ids, unread": f"stream/items/ids?s={READING_LIST}&n=10000&xt={READ}",
    "10,000 ids, not starred": f"stream/items/ids?s={READING_LIST}&n=10000&xt={STARRED}",
}


def stocked(path: Path, entries: int, profiles: int) -> None:
    """A state with profiles that were delivered so many documents between them."""
    chance = random.Random(1)
    words = [f"word{number}" for number in range(2000)]
    with Filter.create(path) as state:
        topics = [Topic(f"profile {number}", f"theme{number}") for number in range(profiles)]
        state.add_profiles(topics, rule="fixed(theta=0.001)")
        state.ingest(
            Document(
                f"d{number}",
                " ".join([f"theme{number % profiles}", *chance.choices(words, k=80)]),
                f"Title {number}",
                datetime(2026, 1, 1, tzinfo=UTC),
                link=f"https://example.org/{number}",
            )
            for number in range(entries)
        )


async def timed(client: httpx.AsyncClient, call: str, repeat: int) -> tuple[list[float], list[float], int]:
    """Milliseconds and milliseconds of the processor of each repetition, and the bytes of the answer."""
    took, used = [], []
    for _ in range(repeat):
        began, worked = time.perf_counter(), time.process_time()
        answer = await client.get(call)
        took.append(1000 * (time.perf_counter() - began))
        used.append(1000 * (time.process_time() - worked))
        assert answer.status_code == 200, answer.text
    return took, used, len(answer.content)


async def main(entries: int, profiles: int, repeat: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state"
        stocked(path, entries, profiles)
        app = create_app(str(path), work=False)
        app.state.service.accounts.create("ada")
        auth = f"GoogleLogin auth=1/{app.state.service.accounts.add_api_password(1, 'benchmark')}"
        async with app.router.lifespan_context(app):
            client = httpx.AsyncClient(
                transport=httpx.ASGITransport(app),
                base_url="http://localhost/reader/api/0/",
                headers={"Authorization": auth},
                timeout=600,
            )
            print(f"{'call':26}{'median ms':>11}{'p95 ms':>9}{'CPU ms':>9}{'bytes':>12}")
            for name, call in CALLS.items():
                await client.get(call)
                took, used, size = await timed(client, call, repeat)
                middle, high = statistics.median(took), statistics.quantiles(took, n=20)[-1]
                print(
                    f"{name:26}{middle:11.1f}{high:9.1f}{statistics.median(used):9.1f}{size:12,}", flush=True
                )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--profiles", type=int, default=10)
    parser.add_argument("--repeat", type=int, default=20)
    given = parser.parse_args()
    asyncio.run(main(given.entries, given.profiles, given.repeat))
