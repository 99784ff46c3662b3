"""Judgments and a run as dicts, measures as objects: no files at all."""

from gainful import AP, RR, evaluate, nDCG, read_qrels

judgments = read_qrels(
    {
        "solar panels": {"roof-guide": 3, "price-list": 1, "roof-photo": 0},
        "heat pumps": {"noise-test": 2, "how-it-works": 2},
    }
)
run = {
    "solar panels": {"roof-photo": 9.1, "roof-guide": 8.7, "price-list": 4.0, "forum-post": 3.5},
    "heat pumps": {"how-it-works": 5.5, "forum-post": 5.0},
}

scores = evaluate(judgments, run, [nDCG @ 10, AP, AP(rel=2), RR])

for topic, values in scores.per_topic.items():
    print(topic, {measure: round(value, 4) for measure, value in values.items()})
print("mean", {measure: round(value, 4) for measure, value in scores.mean.items()})
