"""Scores from the rows that workers send back, in the order of topics, whatever the partitioning was.

The values of every topic are here; the rows of the documents behind them stayed on the cluster.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful._core import Index, Rows
from gainful._core.plain_index import topic_order
from gainful.errors import UsageError
from gainful.formats.ids import from_bytes
from gainful.formats.judgments import Judgments
from gainful.formats.qrels_by import Details
from gainful.formats.rows import summed
from gainful.formats.types import By
from gainful.judging import JudgedRun
from gainful.judging.notes import TOP, nothing_in_common, topics_missing
from gainful.judging.settings import BY_RULE, Settings
from gainful.judging.transforms import chosen_topics
from gainful.measures import Measure
from gainful.scores import RunScores, Scores
from gainful.scores.evaluation import Asked
from gainful.scores.users import by_user
from gainful.spark.worker_messages import EXTRA, FirstFault, error_of, matrix

FAR = "{} stayed on the cluster: only the values of each topic came back; evaluate those topics with gainful.evaluate for that."


class FarRecord(JudgedRun):
    """What is known here of a judged run: which topics it has, how many documents of each, and what notes are made of."""

    __slots__ = ("_judged_share", "_straddled")

    def __init__(
        self,
        retrieved: NDArray[np.float64],
        present: NDArray[np.bool_],
        straddled: Mapping[int, NDArray[np.bool_]] = MappingProxyType({}),
        judged_share: float = 0.0,
    ) -> None:
        self.retrieved = retrieved
        self.present = present
        self._straddled, self._judged_share = straddled, judged_share
        self.knowledge = self.aspects = self.anywhere = None

    def straddled(self, rank: int) -> NDArray[np.bool_]:
        """The topics in which tied scores straddle this rank, a cutoff of the measures; none where grades decide ties."""
        return self._straddled.get(rank, np.zeros(len(self), bool))

    def judged_share(self, cutoff: int) -> float:  # noqa: ARG002 (the workers counted for the one that notes ask for)
        """Judged documents among the top ranks of all topics, as a share of the documents there."""
        return self._judged_share

    def __len__(self) -> int:
        return len(self.retrieved)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} topics>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise UsageError(FAR.format("the judged documents"))


class FarJudgments(Judgments):
    """What is known here of judgments: their topics, their number, and the digest of their content."""

    def __init__(
        self, topics: tuple[str, ...], count: int, digest: str, path: str | None, by: By | None
    ) -> None:
        self.topics = topics
        self.count = count
        self.path = path
        self.details = None if by is None else Details(by, [], [], None, [], [], digest)
        self.content = digest

    @property
    def dropped(self) -> int:
        """Rows that were left out as duplicates; the workers do not count them."""
        return 0

    @property
    def digest(self) -> str:
        """Digest of the content; equal for the same rows in any order and file format."""
        return self.content

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"Judgments({len(self.topics)} topics, {self.count} judgments)"

    def __getattr__(self, name: str) -> Any:
        if name != "index":
            raise AttributeError(name)
        raise UsageError(FAR.format("the judgments"))


@dataclass(frozen=True, eq=False, repr=False)
class FarRunScores(RunScores):
    """Topics × measures for one run, of which not all topics that are not judged have names."""

    extras: int = 0
    """Topics that are not judged; the first of them are named in `extra`."""


@dataclass(frozen=True, eq=False, repr=False)
class FarScores(Scores):
    """Scores of runs × topics × measures, with the settings used."""

    grades: tuple[float, float] = (0.0, 0.0)
    """The lowest and the highest grade judged."""
    one_subtopic: bool = False


KNOWN = ("topic", "empty", "extra", "extras", "rows", "judgments")


class Gathered:
    """All rows that workers sent back, by kind."""

    def __init__(self, table: Any) -> None:
        import pyarrow.compute as pc

        self._of = {what: table.filter(pc.equal(table["what"], what)) for what in KNOWN}
        others = pc.invert(pc.is_in(table["what"], value_set=_strings(KNOWN)))
        self._faults = table.filter(others)

    def faults(self) -> list[FirstFault]:
        """What the workers found wrong."""
        names = ("run", "what", "topic", "text", "count")
        return [
            FirstFault(*fault)
            for fault in zip(*(self._faults[name].to_pylist() for name in names), strict=True)
        ]

    def runs(self) -> list[str]:
        """Names of the runs, in alphabetical order."""
        return sorted(set(self._of["rows"]["run"].to_pylist()))

    def count(self, what: str, run: str | None = None) -> int:
        """How many rows, extra topics or judgments there were."""
        return sum(self._chosen(what, run)["count"].to_pylist())

    def digest(self, what: str, run: str | None = None) -> str:
        """The digest of the content of a run, or of the judgments."""
        return summed(self._chosen(what, run)["text"].to_pylist())

    def extra(self, run: str) -> tuple[str, ...]:
        """The first topics of a run that are not judged."""
        topics = sorted(self._chosen("extra", run)["topic"].to_pylist(), key=topic_order)
        return tuple(map(from_bytes, topics[:EXTRA]))

    def topics(self) -> list[bytes]:
        """The judged topics, in the order that they have everywhere."""
        named = {*self._of["topic"]["topic"].to_pylist(), *self._of["empty"]["topic"].to_pylist()}
        each = list(named)
        return Index(Rows.of_lists(each, each, [0.0] * len(each)), duplicates="error").topics

    def rows(self, what: str, run: str | None = None) -> Any:
        """The rows of topics, of all runs or of one."""
        return self._chosen(what, run)

    def _chosen(self, what: str, run: str | None) -> Any:
        import pyarrow.compute as pc

        table = self._of[what]
        return table if run is None else table.filter(pc.equal(table["run"], run))


class Gathering:
    """Builds the scores of runs from the gathered rows.

    names  of the runs in their order, with the path of each
    tags   what their files call them
    users  whose knowledge was used; values of one user come after those of the other
    """

    def __init__(
        self,
        gathered: Gathered,
        measures: Asked,
        settings: Settings,
        *,
        names: Mapping[str, str | None],
        tags: Mapping[str, str],
        path: str | None,
        by: By | None,
        cutoffs: tuple[int, ...],
        users: tuple[str | None, ...],
    ) -> None:
        self.gathered, self.measures, self.settings = gathered, measures, settings
        self.names, self.tags, self.path, self.by = names, tags, path, by
        self.cutoffs, self.users = cutoffs, users

    def scores(self, topics: Any = None) -> Scores:
        """The scores, of all judged topics or of some; an error where a worker met a fault."""
        gathered = self.gathered
        if faults := gathered.faults():
            raise error_of(faults, self.names, self.by)
        raw = gathered.topics()
        judgments = FarJudgments(
            tuple(map(from_bytes, raw)),
            gathered.count("judgments"),
            gathered.digest("judgments"),
            self.path,
            self.by,
        )
        kept = np.ones(len(raw), bool) if topics is None else chosen_topics(judgments, topics)
        places = {topic: place for place, topic in enumerate(raw)}
        facts = _Facts(len(raw), len(self.measures) * len(self.users), len(self.cutoffs))
        facts.fill(gathered.rows("empty"), places)
        runs = [
            run_scores
            for name in self.names
            for run_scores in self._run(name, facts.copy(), places, kept, judgments.topics)
        ]
        seen = facts.copy()
        seen.fill(gathered.rows("topic"), places)
        return FarScores(
            tuple(runs),
            self.measures,
            self.settings,
            judgments,
            pool_of_some=FarRecord(np.zeros(int(kept.sum())), np.zeros(int(kept.sum()), bool)),
            grades=(float(seen.low[kept].min(initial=np.inf)), float(seen.high[kept].max(initial=-np.inf))),
            one_subtopic=bool((seen.aspects[kept] <= 1).all()),
        )

    def _run(
        self, name: str, facts: _Facts, places: dict[bytes, int], kept: np.ndarray, topics: tuple[str, ...]
    ) -> list[RunScores]:
        present = facts.fill(self.gathered.rows("topic", name), places)
        extra = self.gathered.extra(name)
        names = tuple(topic for topic, there in zip(topics, kept, strict=True) if there)
        if not present[kept].any():
            raise nothing_in_common(name, self.names[name], extra, names)
        if self.settings.missing == "error" and not present[kept].all():
            missing = [topic for topic, there in zip(names, present[kept], strict=True) if not there]
            raise topics_missing(name, self.names[name], missing)
        there = np.minimum(facts.retrieved, TOP)[kept & present].sum()
        common: dict[str, Any] = {
            "name": name,
            "path": self.names[name],
            "digest": self.gathered.digest("rows", name),
            "tag": self.tags.get(name, ""),
            "topics": names,
            "measures": self.measures,
            "settings": self.settings,
            "judged": FarRecord(
                facts.retrieved[kept],
                present[kept],
                {cutoff: facts.straddling[kept, number] for number, cutoff in enumerate(self.cutoffs)},
                float(facts.judged[kept].sum() / there) if there else 0.0,
            ),
            "extra": extra,
            "extras": self.gathered.count("extras", name),
        }
        width = len(self.measures)
        each: dict[str | None, RunScores] = {
            user: FarRunScores(
                values=facts.values[kept, place * width : (place + 1) * width].T.copy(),
                nothing_to_find=facts.undefined[kept, place * width : (place + 1) * width].T.copy(),
                **common,
            )
            for place, user in enumerate(self.users)
        }
        return by_user(each)


class _Facts:
    """What is known of every topic: a row for each."""

    def __init__(self, topics: int, values: int, cutoffs: int) -> None:
        self.values = np.zeros((topics, values))
        self.undefined = np.zeros((topics, values), bool)
        self.straddling = np.zeros((topics, cutoffs), bool)
        self.retrieved, self.judged, self.low, self.high = (np.zeros(topics) for _ in range(4))
        self.aspects = np.zeros(topics, np.int64)

    def copy(self) -> _Facts:
        """A copy that can be filled further without changing this one."""
        other = _Facts(0, 0, 0)
        other.__dict__.update({name: array.copy() for name, array in self.__dict__.items()})
        return other

    def fill(self, table: Any, places: dict[bytes, int]) -> np.ndarray:
        """Copy rows of topics into the arrays; returns which topics they are of."""
        where = np.array([places[topic] for topic in table["topic"].to_pylist()], np.int64)
        there = np.zeros(len(self.retrieved), bool)
        there[where] = True
        for name in ("values", "undefined", "straddling"):
            columns = getattr(self, name)
            columns[where] = matrix(table[name], columns.shape[1])
        for name in ("retrieved", "judged", "low", "high"):
            getattr(self, name)[where] = table[name].to_numpy()
        self.aspects[where] = table["aspects"].fill_null(2).to_numpy()
        return there


def _strings(values: tuple[str, ...]) -> Any:
    import pyarrow as pa

    return pa.array(values, pa.string())


def cutoffs_of(measures: tuple[Measure, ...], settings: Settings) -> tuple[int, ...]:
    """Ranks at which straddling ties are counted."""
    counted = settings.ties in BY_RULE
    return tuple(sorted({measure.cutoff for measure in measures if measure.cutoff})) if counted else ()
