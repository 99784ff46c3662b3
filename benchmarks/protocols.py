"""How long the Google Reader API takes on an inbox of 10,000 entries: the calls that clients make at every refresh.

    python benchmarks/protocols.py [--entries 10000] [--repeat 20]

One client, without a socket between it and the service: the median and the 95th percentile of each call in milliseconds, and
the size of its answer.
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

from gainful.filtering import Document
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


def stocked(path: Path, entries: int) -> None:
    """A state with ten profiles that were delivered so many documents between them."""
    chance = random.Random(1)
    words = [f"word{number}" for number in range(2000)]
    with Filter.create(path) as state:
        for number in range(10):
            state.add_profile(f"profile {number}", text=f"theme{number}", rule="fixed(theta=0.001)")
        state.ingest(
            Document(
                f"d{number}",
                " ".join([f"theme{number % 10}", *chance.choices(words, k=80)]),
                f"Title {number}",
                datetime(2026, 1, 1, tzinfo=UTC),
                link=f"https://example.org/{number}",
            )
            for number in range(entries)
        )


async def timed(client: httpx.AsyncClient, call: str, repeat: int) -> tuple[list[float], int]:
    """Milliseconds of each repetition, and the bytes of the answer."""
    took = []
    for _ in range(repeat):
        began = time.perf_counter()
        answer = await client.get(call)
        took.append(1000 * (time.perf_counter() - began))
        assert answer.status_code == 200, answer.text
    return took, len(answer.content)


async def main(entries: int, repeat: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "state"
        stocked(path, entries)
        app = create_app(str(path), work=False)
        app.state.accounts.create("ada")
        auth = f"GoogleLogin auth=1/{app.state.accounts.add_api_password(1, 'benchmark')}"
        async with app.router.lifespan_context(app):
            client = httpx.AsyncClient(
                transport=httpx.ASGITransport(app),
                base_url="http://localhost/reader/api/0/",
                headers={"Authorization": auth},
                timeout=600,
            )
            print(f"{'call':26}{'median ms':>11}{'p95 ms':>9}{'bytes':>12}")
            for name, call in CALLS.items():
                await client.get(call)
                took, size = await timed(client, call, repeat)
                high = statistics.quantiles(took, n=20)[-1]
                print(f"{name:26}{statistics.median(took):11.1f}{high:9.1f}{size:12,}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=20)
    given = parser.parse_args()
    asyncio.run(main(given.entries, given.repeat))
