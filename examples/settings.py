"""What the settings do: one small run with tied scores, scored under each of them."""

from gainful import evaluate

judgments = {"t1": {"a": 0, "b": 1, "c": 0}, "t2": {"a": 1}, "t3": {"b": 0}}
run = {
    "t1": {"new": 3.0, "b": 2.0, "a": 2.0, "c": 2.0},  # nobody judged `new`; the others have equal scores
    "t3": {"a": 1.0},  # a topic with nothing to find; and t2 is missing
}


def show(what: str, **settings: str) -> None:
    """Print each topic's reciprocal rank, and the mean."""
    scores = evaluate(judgments, run, "RR", **settings)
    topics = {topic: round(values["RR"], 4) for topic, values in scores.per_topic.items() if values}
    print(f"{what:<52} {topics}  mean {scores.mean['RR']:.4f}")


show("as usual: ties by id descending, empty lists count")
show("ties in the order given", ties="input")
show("ties as good as they can be", ties="best")
show("ties as bad as they can be", ties="worst")
show("a topic that the run lacks is left out", missing="skip")
show("a topic with nothing to find is left out", undefined="skip")
show("unjudged documents are removed before ranking", unjudged="condense")
