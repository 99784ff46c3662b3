"""Scores: runs × topics × measures, which know how they were made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.errors import UsageError
from gainful.formats import Judgments
from gainful.formats.ids import shown, shown_texts
from gainful.judging import Ranking
from gainful.judging import notes as notice
from gainful.judging.notes import Note
from gainful.judging.settings import Settings
from gainful.measures import Measure
from gainful.presentation.text_style import counted
from gainful.scores.run_scores import RunScores, named_measures

if TYPE_CHECKING:
    from gainful.formats.texts import Texts


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of runs × topics × measures, with the settings used.

    >>> from gainful import evaluate
    >>> scores = evaluate({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d2": 0.9, "d1": 0.4}}, "RR, P@1")
    >>> scores.mean
    {'RR': 0.5, 'P@1': 0.0}
    """

    runs: tuple[RunScores, ...]
    measures: tuple[Measure, ...]
    settings: Settings
    judgments: Judgments
    pool: Ranking
    texts: Texts | None = None
    """Where texts of queries and documents come from; None where there are none."""
    dialect: str | None = None
    """The tool and version whose names and conventions these are, as in beir@2.2.0; None for our own."""

    @staticmethod
    def merge(*parts: Scores) -> Scores:
        """Scores of disjoint topics as one; to the last bit what one evaluation of all of them gives.

        The parts have the same measures, settings and runs. Their judgments are the same, and each part had some of the
        topics (`topics=`), or they are of different topics: any scheduler can divide the work.

        >>> from gainful import evaluate
        >>> qrels, run = {"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}}
        >>> Scores.merge(*(evaluate(qrels, run, "RR", topics=[topic]) for topic in qrels)).mean
        {'RR': 0.5}
        """
        from gainful.scores.merging import merged

        return merged(parts)

    def __getitem__(self, name: str) -> RunScores:
        for run in self.runs:
            if run.name == name:
                return run
        raise KeyError(f"no run named {name!r}; there are {', '.join(run.name for run in self.runs)}")

    def __iter__(self) -> Iterator[RunScores]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    @property
    def mean(self) -> dict[str, float]:
        """Of the only run: each measure over the topics that count."""
        return self._only.mean

    @property
    def per_topic(self) -> dict[str, dict[str, float]]:
        """Of the only run: `{topic: {measure: value}}`."""
        return self._only.per_topic

    @property
    def _only(self) -> RunScores:
        if len(self.runs) != 1:
            names = ", ".join(run.name for run in self.runs)
            raise UsageError(
                f"these are scores of {len(self.runs)} runs ({names}); choose one: scores[{self.runs[0].name!r}]"
            )
        return self.runs[0]

    @cached_property
    def queries(self) -> Mapping[str, str]:
        """`{topic: text}` of the topics whose queries are known."""
        return {} if self.texts is None else self.texts.of_queries(self.judgments.topics)

    @cached_property
    def grades(self) -> tuple[float, float]:
        """The lowest and the highest grade judged."""
        judged = self.pool.grade[self.pool.grade >= 0]
        return float(judged.min(initial=np.inf)), float(judged.max(initial=-np.inf))

    @cached_property
    def other_settings(self) -> dict[str, dict[str, Any]]:
        """For each measure of a dialect that has conventions of its own, those that differ from the settings."""
        common, own = self.settings.to_dict(), {}
        for number, measure in enumerate(self.measures if self.runs else ()):
            said = self.runs[0].settings_of(number).to_dict()
            own[str(measure)] = {name: said[name] for name in said if said[name] != common[name]}
        return {measure: settings for measure, settings in own.items() if settings}

    @cached_property
    def one_subtopic(self) -> bool:
        """Whether the judgments name subtopics, and no topic has more than one."""
        aspects = self.runs[0].judged.aspects if self.runs else None
        return aspects is not None and len(aspects.topics) > 1 and bool((np.diff(aspects.topics) <= 1).all())

    @cached_property
    def notes(self) -> list[Note]:
        """What would surprise a reader of these numbers, run by run; `gainful.judging.notes.grouped` says it in few sentences."""
        notes: list[Note] = []
        lowest, highest = self.grades
        if lowest == 1 < highest:
            notes += notice.GRADES_FROM_1
        if self.judgments.dropped:
            notes += notice.about_dropped(self.judgments.dropped, self.settings, " of the judgments")
        if any(measure.needs == "subtopics" for measure in self.measures) and self.one_subtopic:
            notes += notice.ONE_SUBTOPIC
        known = [run.judged.knowledge.notes for run in self.runs if run.judged.knowledge is not None]
        notes += map(Note, dict.fromkeys(note for of_run in known for note in of_run))
        notes += [note.about(shown(run.name)) for run in self.runs for note in run.notes]
        if len(self.runs) > 1:
            lists = {shown(run.name): run.judged.retrieved[run.judged.present] for run in self.runs}
            depths = {name: notice.median(lengths) for name, lengths in lists.items() if len(lengths)}
            notes += notice.about_unlike(
                depths, {shown(run.name): run.judged.judged_share(notice.TOP) for run in self.runs}
            )
        return notes

    def to_dict(self, *, per_topic: bool = True) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        from gainful import __version__

        return {
            "gainful": __version__,
            **({} if self.dialect is None else {"dialect": self.dialect}),
            "settings": self.settings.to_dict(),
            **({"settings_of_measures": self.other_settings} if self.other_settings else {}),
            "qrels": {
                "path": None if self.judgments.path is None else shown(self.judgments.path),
                "digest": self.judgments.digest,
                "topics": len(self.judgments.topics),
                "judgments": len(self.judgments),
            },
            **({"queries": shown_texts(self.queries)} if per_topic and self.queries else {}),
            "runs": [run.to_dict(per_topic=per_topic) for run in self.runs],
        }

    def to_flat_dict(self) -> dict[str, float]:
        """Means by names that experiment trackers accept (letters, digits, `_ . -`), the run's name first if there are several.

        >>> from gainful import evaluate
        >>> evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, "nDCG@10, AP(rel=2)").to_flat_dict()
        {'nDCG_at_10': 1.0, 'AP.rel_2': 0.0}
        """
        alone = len(self.runs) == 1
        return {
            _tracked(measure) if alone else f"{_tracked(run.name)}/{_tracked(measure)}": value
            for run in self.runs
            for measure, value in run.mean.items()
        }

    def rows(self) -> Iterator[tuple[str, str, str, float]]:
        """Run, topic, measure and value, for every topic that counts."""
        for run in self.runs:
            for topic, values in run.per_topic.items():
                for measure, value in values.items():
                    yield run.name, topic, measure, value

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        from gainful._core import arrow_stream

        rows = [(shown(run), shown(topic), measure, value) for run, topic, measure, value in self.rows()]
        runs, topics, measures, values = map(list, zip(*rows, strict=True)) if rows else ([], [], [], [])
        texts = {"run": runs, "topic": topics, "measure": measures}
        return arrow_stream(
            [*((name, "u", column) for name, column in texts.items()), ("value", "g", values)]
        )

    def __repr__(self) -> str:
        size = f"{counted(len(self.runs), 'run')}, {counted(len(self.judgments.topics), 'topic')}"
        return f"Scores({size}: {named_measures(self.measures)})"

    def __str__(self) -> str:
        from gainful.scores.score_output import table

        return table(self, per_topic=False, places=4).rstrip("\n")

    def _repr_html_(self) -> str:
        from gainful.scores.score_output import html

        return html(self)


def _tracked(name: str) -> str:
    plain = name.replace("@", "_at_").translate(str.maketrans("(,", "..", ")"))
    return re.sub(r"[^A-Za-z0-9_.-]", "_", plain)
