"""Two runs against the same judgments: which is better, and for whom?"""

from pathlib import Path

import gainful

DATA = Path(__file__).parent / "data"

scores = gainful.evaluate(
    DATA / "qrels.txt",
    [DATA / "sprinter.run", DATA / "marathon.run"],
    "P@5, nDCG@10, AP, R@80",
)

for measure in map(str, scores.measures):
    sprinter, marathon = scores["sprinter"].mean[measure], scores["marathon"].mean[measure]
    better = "sprinter" if sprinter > marathon else "marathon"
    print(f"{measure:<8} sprinter {sprinter:.4f}   marathon {marathon:.4f}   {better} is ahead")

# The same question topic by topic.
wins = sum(
    values["AP"] > scores["marathon"].per_topic[topic]["AP"]
    for topic, values in scores["sprinter"].per_topic.items()
)
print(f"sprinter has the higher AP on {wins} of {len(scores['sprinter'].topics)} topics")
print(f"settings: {scores.settings.stated()}")
