"""A data frame in, a data frame out: polars here; pandas, pyarrow and duckdb go the same way."""

import polars as pl

import gainful

judgments = pl.DataFrame(
    {
        "topic": ["t1", "t1", "t1", "t2", "t2"],
        "document": ["a", "b", "c", "a", "d"],
        "grade": [2, 0, 1, 1, 3],
    }
)
run = pl.DataFrame(
    {
        "topic": ["t1", "t1", "t1", "t2", "t2"],
        "document": ["b", "a", "x", "d", "y"],
        "score": [0.9, 0.8, 0.1, 0.7, 0.6],
    }
)

scores = gainful.evaluate(judgments, run, "nDCG@10, RR")
values = pl.DataFrame(scores)  # run, topic, measure, value

print(values)
print(values.group_by("measure", maintain_order=True).agg(pl.col("value").mean()))
