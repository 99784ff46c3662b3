"""Are Arrow columns faster than dicts? 7 million rows as dicts, as a pyarrow table and as a polars frame."""

import json
import sys

from dicts import build, median_time
from support.measuring import MEASURES, hold, inside, state


def answer() -> None:
    found = inside("columns", "own")
    state("gainful, nested dicts", found["dicts"])
    for kind in ("pyarrow", "polars"):
        state(f"gainful, {kind}", found[kind])
        hold(f"{kind} faster than dicts", found["dicts"] / found[kind], least=1)


def main(ids: str) -> None:
    import polars
    import pyarrow

    import gainful

    judgments, run = build(ids)
    prepared = gainful.read_qrels(judgments)
    found = {"dicts": median_time(gainful.evaluate, prepared, run, MEASURES)}
    mean = gainful.evaluate(prepared, run, MEASURES).mean
    table = pyarrow.table(
        {
            "topic": [topic for topic, documents in run.items() for _ in documents],
            "document": [document for documents in run.values() for document in documents],
            "score": [score for documents in run.values() for score in documents.values()],
        }
    )
    del run
    frames = {"pyarrow": table, "polars": polars.from_arrow(table)}
    for kind, frame in frames.items():
        found[kind] = median_time(gainful.evaluate, prepared, frame, MEASURES)
        if gainful.evaluate(prepared, frame, MEASURES).mean != mean:
            raise RuntimeError(f"{kind} has other means than the dicts")
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
