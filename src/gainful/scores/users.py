"""Users: what each of them knew and expected, put beside the judgments; and the mean over users."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gainful.arrays import NDArray, np
from gainful.formats.ids import shown, some, to_bytes
from gainful.formats.judgments import Judgments
from gainful.formats.user_knowledge import read_expected, read_known
from gainful.judging import JudgedRun
from gainful.judging.knowledge import Knowledge
from gainful.judging.notes import Note
from gainful.measures import Measure
from gainful.presentation.text_style import counted
from gainful.scores.score_set import RunScores

MEAN = "all users"


def users_of(
    judgments: Judgments, known: Any, expected: Any, kept: NDArray[np.bool_] | None = None
) -> dict[str | None, Knowledge]:
    """What each user knew and expected; None is a user without a name, who is alone.

    kept  which topics are evaluated; None for all
    """
    users = knowledge_of(
        judgments,
        None if known is None else read_known(known).users,
        None if expected is None else read_expected(expected),
    )
    return users if kept is None else {user: knowledge.keep(kept) for user, knowledge in users.items()}


def knowledge_of(
    judgments: Judgments,
    users: Mapping[str, Mapping[str, set[str]]] | None,
    expected: int | dict[str, int] | None,
) -> dict[str | None, Knowledge]:
    """Users from data read already: {user: {topic: documents}}, and a number or {topic: number}."""
    hoped = None if expected is None else _expected(judgments, expected)
    if users is None:
        return {None: Knowledge.of(judgments.index.offsets, judgments.index.grade, None, hoped)}
    alone = len(users) == 1
    return {
        None if alone else user: _knowledge(judgments, user, topics, hoped) for user, topics in users.items()
    }


def by_user(each: Mapping[str | None, RunScores]) -> list[RunScores]:
    """A run's scores for each user, named by run and user, and their mean if there are several users."""
    if len(each) == 1:
        return list(each.values())
    named = [replace(scores, name=f"{scores.name} · {user}", user=user) for user, scores in each.items()]
    first = next(iter(each.values()))
    return [*named, mean_of(replace(first, name=f"{first.name} · {MEAN}", user=MEAN), named)]


def about_expectations(run: RunScores) -> list[Note]:
    """Notes on topics in which fewer relevant documents were found than the user expected."""
    notes: list[Note] = []
    for measure in run.measures if run.judged.knowledge is not None else ():
        if measure.definition.unmet and run.user != MEAN:
            topics = [
                run.topics[place] for place in np.flatnonzero(unmet(run.judged, measure) & run.evaluated)
            ]
            if topics:
                in_topics = counted(len(topics), "topic")
                notes.append(
                    Note(
                        f"{measure}: more was expected than found in {in_topics}, "
                        f"where {measure.definition.unmet}: {some(topics)}",
                        kind=f"expected {measure}",
                        many=f"{measure}: more was expected than found in {{runs}}; most: {{worst}}",
                        worst=f"in {in_topics}",
                        amount=len(topics),
                    )
                )
    return notes


def unmet(judged: JudgedRun, measure: Measure) -> NDArray[np.bool_]:
    """Topics in which fewer relevant documents were found than expected."""
    answer = judged.cut(measure.cutoff)
    relevant = answer.total(where=answer.grade >= measure.params["rel"])
    return relevant < judged.expected


def mean_of(run: RunScores, each: Sequence[RunScores]) -> RunScores:
    """The run with, topic by topic, the mean over users; undefined where it is so for all of them.

    Where undefined topics are left out, a topic that is undefined for some users is the mean of the others.
    """
    values = np.array([scores.values for scores in each])
    undefined = np.array([scores.nothing_to_find for scores in each])
    nobody = np.logical_and.reduce(undefined)
    asked = ~undefined | nobody if run.settings.undefined == "skip" else np.ones_like(undefined)
    return replace(run, values=values.mean(axis=0, where=asked), nothing_to_find=nobody, tie_errors=None)


def _knowledge(
    judgments: Judgments, user: str, topics: Mapping[str, set[str]], expected: NDArray[np.float64] | None
) -> Knowledge:
    index = judgments.index
    known = np.zeros(len(index), dtype=np.bool_)
    there = 0
    for number, topic in enumerate(judgments.topics):
        if topic in topics:
            start, stop = index.offsets[number : number + 2].tolist()
            raw = {to_bytes(document) for document in topics[topic]}
            known[start:stop] = [name in raw for name in index.documents(start, stop)]
            there += len(raw)
    notes = []
    strange = sorted(set(topics) - set(judgments.topics))
    if strange:
        notes.append(
            f"{counted(len(strange), 'topic')} of what was known not judged, ignored: {some(strange)}"
        )
    if known.sum() < there:
        left = f"{there - int(known.sum()):,} of {counted(there, 'known document')}"
        notes.append(f"{left} not judged, and so not relevant")
    said = tuple(f"{shown(user)}: {note}" for note in notes)
    return Knowledge.of(index.offsets, index.grade, known, expected, said)


def _expected(judgments: Judgments, given: int | dict[str, int]) -> NDArray[np.float64]:
    if isinstance(given, int):
        return np.full(len(judgments.topics), float(given))
    return np.array([float(given.get(topic, np.nan)) for topic in judgments.topics])
