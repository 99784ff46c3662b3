"""For a lesson: what becomes of a list of gains, rank by rank, with no files at all.

The gains are those of a textbook's figure: ten documents found, nine rated 3 in the whole collection.
"""

import gainful

found = [3, 2, 1, 1, 3, 1, 1, 2, 1, 1]
figure = gainful.gains(found, judged=[3] * 9 + [2] * 2 + [1] * 6)

print("gain        ", *(f"{gain:6}" for gain in found))
print("cumulated   ", *(f"{value:6.0f}" for value in figure.cg))
print("discounted  ", *(f"{value:6.2f}" for value in figure.dcg(discount="jk")))
print("ideal       ", *(f"{value:6.2f}" for value in figure.ideal_dcg(discount="jk")))
print("normalised  ", *(f"{value:6.2f}" for value in figure.ndcg(discount="jk")))

# The same list under other definitions: why two tools disagree on "nDCG@10".
print(f"discount 1/log2(rank + 1)        {figure.ndcg()[-1]:.4f}")
print(f"gain 2^rating - 1                {figure.ndcg(gain='exp')[-1]:.4f}")
print(f"ideal of the ten found alone     {figure.ndcg(ideal='retrieved')[-1]:.4f}")

# Two readers' lists at once, and any measure that takes a cutoff.
two = gainful.gains([[1, 0, 1, 0], [0, 0, 1, 1]])
print("precision at every rank", two.at_every_rank("P").round(2).tolist())
