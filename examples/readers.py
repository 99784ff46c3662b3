"""For whom is each of two systems better? The reader is swept: how deep she reads, how much she needs, how patient she is."""

from pathlib import Path

from gainful.comparisons import readers

DATA = Path(__file__).parent / "data"

found = readers.sweep(DATA / "qrels.txt", [DATA / "sprinter.run", DATA / "marathon.run"])
print(found.headlines[0])

for sweep in found:
    print(f"\n{sweep.measure} by {sweep.by}:")
    for one in sweep.ranges:
        print(f"  {one.start:>4g} to {one.stop:<4g}  {one.leader or 'not significant'}")

# One band for the whole sweep, not one for each point: at rank 9 the difference may lie on either side of zero.
ranks = found["rank"]
print(
    f"\nP@9, marathon minus sprinter: {ranks.difference[8]:+.3f}, band {ranks.low[8]:+.3f} to {ranks.high[8]:+.3f}"
)

# `found.save("readers.svg")` draws it; in a notebook, `found` alone shows the picture.
