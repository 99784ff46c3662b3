"""Two systems whose curves cross: which one is better depends on how far the reader goes."""

from pathlib import Path

import gainful

DATA = Path(__file__).parent / "data"
runs = [DATA / "sprinter.run", DATA / "marathon.run"]

precision = gainful.curve(DATA / "qrels.txt", runs, "P", to=30, difference=True, band=0.95, seed=7)
sprinter, marathon, apart = precision
print(precision.dominance()[0])

for rank in (1, 5, 9, 15, 30):
    low, high = apart.band.low[rank - 1], apart.band.high[rank - 1]
    leader = "sprinter" if low > 0 else "marathon" if high < 0 else "nobody surely"
    print(
        f"rank {rank:2}: {sprinter[rank]:.3f} and {marathon[rank]:.3f}, difference in [{low:+.3f}, {high:+.3f}]: {leader}"
    )

recall = gainful.curve(DATA / "qrels.txt", runs, kind="precision-recall", ideal=True)
for curve in recall:
    print(
        f"{curve.run:<9} precision at recall 0.2 and 0.7: {curve[0.2]:.3f} {curve[0.7]:.3f}, area {curve.areas['step']:.3f}"
    )

# `precision.save("precision.svg")` draws it; in a notebook, `precision` alone shows the picture.
