"""ir_measures: a provider that computes with Gainful, and measures of Gainful as those of ir_measures.

register()            ir_measures.providers.registry["gainful"] computes with Gainful
register(first=True)  so do ir_measures.calc_aggregate, iter_calc and what builds on them, where it can
to_ir_measures        a measure of ours as an object of theirs; the other way `gainful.evaluate` takes theirs as they are
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import ir_measures
from ir_measures import measures as theirs
from ir_measures import providers
from ir_measures.providers.base import Any as Anything
from ir_measures.providers.base import Choices
from ir_measures.util import Metric, QrelsConverter, RunConverter

from gainful.errors import MeasureError
from gainful.formats.judgments import read_qrels
from gainful.measures import Measure, parse
from gainful.measures._gains import Table
from gainful.measures._other_tools import from_ir_measures
from gainful.scores import evaluate

NAME = "gainful"


class GainfulEvaluator(providers.Evaluator):  # type: ignore[misc]
    """Judgments, read once, and the measures asked for."""

    def __init__(self, measures: Iterable[Any], judgments: dict[str, dict[str, Any]]) -> None:
        super().__init__(list(measures), set(judgments))
        self._ours = {measure: from_ir_measures(measure) for measure in self.measures}
        judged = {topic: grades for topic, grades in judgments.items() if grades}
        self._judgments = read_qrels(judged) if judged else None

    def _iter_calc(self, run: Any) -> Iterator[Any]:
        """Values of the topics that the run has; ir_measures adds the others with its own value for them."""
        lists = RunConverter(run).as_dict_of_dict()
        if self._judgments is None or not lists.keys() & set(self._judgments.topics):
            return
        scores = evaluate(self._judgments, lists, list(self._ours.values()), missing="skip")
        for topic, values in scores.per_topic.items():
            for measure, ours in self._ours.items():
                yield Metric(query_id=topic, measure=measure, value=values[str(ours)])


class GainfulProvider(providers.Provider):  # type: ignore[misc]
    """Measures that mean the same in both; ties are broken by document id, as in trec_eval, for every one of them."""

    NAME = NAME
    SUPPORTED_MEASURES = (
        theirs._AP(cutoff=Anything(), rel=Anything(), judged_only=Anything()),
        theirs._Bpref(rel=Anything()),
        theirs._infAP(rel=Anything()),
        theirs._IPrec(recall=Anything(), judged_only=Anything()),
        theirs._Judged(cutoff=Anything()),
        theirs._nDCG(cutoff=Anything(), dcg=Anything(), gains=Anything(), judged_only=Anything()),
        theirs._NumRel(rel=Anything()),
        theirs._NumRet(rel=Anything()),
        theirs._P(cutoff=Anything(), rel=Anything(), judged_only=Anything()),
        theirs._R(cutoff=Anything(), rel=Anything(), judged_only=Anything()),
        theirs._Rprec(rel=Anything(), judged_only=Anything()),
        theirs._RR(cutoff=Anything(), rel=Anything(), judged_only=Anything()),
        theirs._SetAP(rel=Anything(), judged_only=Anything()),
        # beta is trec_eval's there, the square of what the formula calls so
        theirs._SetF(rel=Anything(), beta=Choices(1.0), judged_only=Anything()),
        theirs._SetP(rel=Anything(), relative=Anything(), judged_only=Anything()),
        theirs._SetR(rel=Anything()),
        theirs._Success(cutoff=Anything(), rel=Anything(), judged_only=Anything()),
    )

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> GainfulEvaluator:
        return GainfulEvaluator(measures, QrelsConverter(qrels).as_dict_of_dict())


def register(*, first: bool = False) -> GainfulProvider:
    """Make the provider known to ir_measures, under the name "gainful".

    first  also ask it before all other providers wherever ir_measures chooses one itself (`ir_measures.calc_aggregate`)

    >>> import ir_measures
    >>> register().calc_aggregate([ir_measures.RR], {"q": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0}})
    {RR: 0.5}
    """
    provider: GainfulProvider = providers.registry.get(NAME) or providers.register(GainfulProvider())
    chain = ir_measures.DefaultPipeline.providers
    if first and provider not in chain:
        chain.insert(0, provider)
    return provider


def to_ir_measures(measure: str | Measure) -> Any:
    """The measure of ir_measures that reads back as this one of ours; an error where there is none.

    >>> to_ir_measures("nDCG(gain=exp)@10"), to_ir_measures("AP(rel=2,unjudged=condense)")
    (nDCG(dcg='exp-log2')@10, AP(rel=2,judged_only=True))
    """
    asked = parse(measure) if isinstance(measure, str) else measure
    ours = asked
    if asked.name == "NumRelRet" and asked.cutoff is None:  # the same count, under another name there
        ours = parse(f"NumRet(rel={asked.params['rel']})")
    kind = theirs.registry.get(ours.name)
    if kind is not None:
        candidate = kind(**_parameters(ours, kind))
        with suppress(AssertionError):  # how ir_measures refuses a parameter
            candidate.validate_params()
            if from_ir_measures(candidate) == ours:
                return candidate
    raise MeasureError(f"{asked} has no counterpart in ir_measures.")


def _parameters(ours: Measure, kind: Any) -> dict[str, Any]:
    """What ir_measures knows of the parameters of a measure, as it spells them; its defaults are left out."""
    given: dict[str, Any] = {
        {"top": "max_rel", "bottom": "min_rel"}.get(name, name): _plain(value)
        for name, value in ours.params.items()
        if value is not None
    }
    gain = given.pop("gain", None)
    if isinstance(gain, Table):
        given["gains"] = {_plain(grade): _plain(worth) for grade, worth in gain.gains}
    elif str(gain) == "exp":
        given["dcg"] = "exp-log2"
    if ours.unjudged == "condense":
        given["judged_only"] = True
    known = kind.SUPPORTED_PARAMS
    return {name: value for name, value in given.items() if name in known and known[name].default != value}


def _plain(value: Any) -> Any:
    """A whole number as an int, which ir_measures insists on."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
