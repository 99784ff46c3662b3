# Written by `make docs` from the measures themselves.
# mypy: disable-error-code="override"
from collections.abc import Mapping, Sequence
from typing import Literal, Self, overload

from gainful.judging.ranking import PerTopic as PerTopic
from gainful.judging.record import JudgedRun
from gainful.measures._gains import Discount, Gain
from gainful.measures._measure import Measure as Measure, measure as measure
from gainful.measures._parse import get as get, names as names, parse as parse, parse_many as parse_many
from gainful.measures._reader_models import Stop

__all__ = ["Measure", "PerTopic", "get", "measure", "names", "parse", "parse_many"]

_SummaryName = Literal["mean", "geometric", "median", "std", "sum"]
_UnjudgedRule = Literal["nonrelevant", "condense"]

class _Accuracy(Measure):
    """Share of the pairs of a relevant and another document retrieved that are in the right order."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

Accuracy: _Accuracy

class _alpha_DCG(Measure):
    """Discounted cumulated gain of novelty, as a share of what a document with every subtopic at every rank gives."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., alpha: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., alpha: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

alpha_DCG: _alpha_DCG

class _alpha_nDCG(Measure):
    """Normalised discounted cumulated gain of novelty."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., alpha: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., alpha: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

alpha_nDCG: _alpha_nDCG

class _AP(Measure):
    """Average precision."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., rel: float = ..., divisor: Literal['relevant', 'min', 'retrieved'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., rel: float = ..., divisor: Literal['relevant', 'min', 'retrieved'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

AP: _AP

class _AP_avgjg(Measure):
    """Average precision, averaged over the judges of a topic."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

AP_avgjg: _AP_avgjg

class _AP_IA(Measure):
    """Intent-aware average precision."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

AP_IA: _AP_IA

class _binG(Measure):
    """Binary G."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

binG: _binG

class _BPM(Measure):
    """Bejeweled player model (C/W/L), with fixed limits."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int = ..., T: float = ..., part: Literal['utility', 'total', 'cost', 'residual'] = ..., top: float | None = ..., bottom: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int = ..., T: float = ..., part: Literal['utility', 'total', 'cost', 'residual'] = ..., top: float | None = ..., bottom: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

BPM: _BPM

class _Bpref(Measure):
    """Binary preference: judged documents only, relevant before not relevant."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

Bpref: _Bpref

class _CG(Measure):
    """Cumulated gain."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

CG: _CG

class _Compat(Measure):
    """Compatibility: rank-biased overlap with the ideal list that is nearest."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, p: float = ..., normalize: bool = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, p: float = ..., normalize: bool = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

Compat: _Compat

class _Coverage(Measure):
    """Coverage ratio: how much of what the user expected to see is there."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

Coverage: _Coverage

class _DCG(Measure):
    """Discounted cumulated gain."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., discount: Discount | str = ..., base: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., discount: Discount | str = ..., base: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

DCG: _DCG

class _ERR(Measure):
    """Expected reciprocal rank."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., stop: Stop | str | Mapping[float | str, float] = ..., top: float | None = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., stop: Stop | str | Mapping[float | str, float] = ..., top: float | None = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

ERR: _ERR

class _ERR_IA(Measure):
    """Intent-aware expected reciprocal rank, as a share of what a document with every subtopic at every rank gives."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., alpha: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., alpha: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

ERR_IA: _ERR_IA

class _F(Measure):
    """Weighted harmonic mean of precision and recall at a cutoff."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int = ..., beta: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int = ..., beta: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

F: _F

class _Fallout(Measure):
    """Share of the documents that are not relevant that are in the top ranks; the lower, the better."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., rel: float = ..., documents: int | None = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., rel: float = ..., documents: int | None = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

Fallout: _Fallout

class _G(Measure):
    """Normalised gain: between AP and nDCG."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, gain: Gain | str | Mapping[float | str, float | str] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, gain: Gain | str | Mapping[float | str, float | str] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

G: _G

class _Hole(Measure):
    """Share of the ranks within a cutoff that hold a document without a judgment for this topic or another."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

Hole: _Hole

class _infAP(Measure):
    """Inferred average precision."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

infAP: _infAP

class _INSQ(Measure):
    """Inverse square precision (C/W/L)."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int = ..., T: float = ..., part: Literal['utility', 'total', 'cost', 'residual'] = ..., top: float | None = ..., bottom: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int = ..., T: float = ..., part: Literal['utility', 'total', 'cost', 'residual'] = ..., top: float | None = ..., bottom: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

INSQ: _INSQ

class _INST(Measure):
    """Inverse square precision that adapts to what was gained (C/W/L)."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int = ..., T: float = ..., part: Literal['utility', 'total', 'cost', 'residual'] = ..., top: float | None = ..., bottom: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int = ..., T: float = ..., part: Literal['utility', 'total', 'cost', 'residual'] = ..., top: float | None = ..., bottom: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

INST: _INST

class _IPrec(Measure):
    """Interpolated precision at a level of recall."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, recall: float = ..., rel: float = ..., asks: Literal['exact', 'nine_tenths', 'half'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, recall: float = ..., rel: float = ..., asks: Literal['exact', 'nine_tenths', 'half'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: float) -> Self: ...

IPrec: _IPrec

class _IPrecAvg(Measure):
    """Interpolated precision averaged over evenly spaced levels of recall (eleven: 0, 0.1, … 1)."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, points: int = ..., levels: Sequence[float] | None = ..., rel: float = ..., asks: Literal['exact', 'nine_tenths', 'half'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, points: int = ..., levels: Sequence[float] | None = ..., rel: float = ..., asks: Literal['exact', 'nine_tenths', 'half'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

IPrecAvg: _IPrecAvg

class _Judged(Measure):
    """Share of the retrieved documents that are judged."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

Judged: _Judged

class _JudgePrefs(Measure):
    """Preferences fulfilled, averaged over the judges of a topic."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, counted: Literal['all', 'touched', 'retrieved'] = ..., nonrel: Literal['all', 'balanced', 'trec_eval'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, counted: Literal['all', 'touched', 'retrieved'] = ..., nonrel: Literal['all', 'balanced', 'trec_eval'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

JudgePrefs: _JudgePrefs

class _NCG(Measure):
    """Normalised cumulated gain."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., ideal: Literal['judged', 'retrieved'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., ideal: Literal['judged', 'retrieved'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

NCG: _NCG

class _NCU(Measure):
    """Normalised cumulative utility."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, readers: Literal['graded', 'biased', 'uniform'] = ..., beta: float = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., weight: Gain | str | Mapping[float | str, float | str] | None = ..., gamma: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, readers: Literal['graded', 'biased', 'uniform'] = ..., beta: float = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., weight: Gain | str | Mapping[float | str, float | str] | None = ..., gamma: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

NCU: _NCU

class _nDCG(Measure):
    """Normalised discounted cumulated gain."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., discount: Discount | str = ..., base: float = ..., ideal: Literal['judged', 'retrieved', 'hits', 'uncut'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., discount: Discount | str = ..., base: float = ..., ideal: Literal['judged', 'retrieved', 'hits', 'uncut'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

nDCG: _nDCG

class _nDCGrel(Measure):
    """Mean nDCG over relevant documents, as AP is mean precision."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, gain: Gain | str | Mapping[float | str, float | str] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, gain: Gain | str | Mapping[float | str, float | str] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

nDCGrel: _nDCGrel

class _nERR(Measure):
    """Normalised expected reciprocal rank."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., stop: Stop | str | Mapping[float | str, float] = ..., top: float | None = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., stop: Stop | str | Mapping[float | str, float] = ..., top: float | None = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

nERR: _nERR

class _NERR10(Measure):
    """Nearly expected reciprocal rank (C/W/L), in the form of equation 10."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int = ..., p: float = ..., part: Literal['utility', 'total', 'cost', 'residual'] = ..., top: float | None = ..., bottom: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int = ..., p: float = ..., part: Literal['utility', 'total', 'cost', 'residual'] = ..., top: float | None = ..., bottom: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

NERR10: _NERR10

class _NERR11(Measure):
    """Nearly expected reciprocal rank (C/W/L), in the form of equation 11."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int = ..., T: float = ..., part: Literal['utility', 'total', 'cost', 'residual'] = ..., top: float | None = ..., bottom: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int = ..., T: float = ..., part: Literal['utility', 'total', 'cost', 'residual'] = ..., top: float | None = ..., bottom: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

NERR11: _NERR11

class _NERR8(Measure):
    """Nearly expected reciprocal rank (C/W/L), in the form of equation 8."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int = ..., part: Literal['utility', 'total', 'cost', 'residual'] = ..., top: float | None = ..., bottom: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int = ..., part: Literal['utility', 'total', 'cost', 'residual'] = ..., top: float | None = ..., bottom: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

NERR8: _NERR8

class _NERR9(Measure):
    """Nearly expected reciprocal rank (C/W/L), in the form of equation 9."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int = ..., part: Literal['utility', 'total', 'cost', 'residual'] = ..., top: float | None = ..., bottom: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int = ..., part: Literal['utility', 'total', 'cost', 'residual'] = ..., top: float | None = ..., bottom: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

NERR9: _NERR9

class _nERR_IA(Measure):
    """Normalised intent-aware expected reciprocal rank."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., alpha: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., alpha: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

nERR_IA: _nERR_IA

class _nNRBP(Measure):
    """Normalised novelty- and rank-biased precision."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, alpha: float = ..., beta: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, alpha: float = ..., beta: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

nNRBP: _nNRBP

class _Novelty(Measure):
    """Novelty ratio: how much of what was found is new to the user."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

Novelty: _Novelty

class _NRBP(Measure):
    """Novelty- and rank-biased precision."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, alpha: float = ..., beta: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, alpha: float = ..., beta: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

NRBP: _NRBP

class _NumNonrelJudgedRet(Measure):
    """Number of documents retrieved that are judged and not relevant."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

NumNonrelJudgedRet: _NumNonrelJudgedRet

class _NumPrefs(Measure):
    """Number of preferences that a list could fulfil."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, counted: Literal['all', 'touched', 'retrieved'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, counted: Literal['all', 'touched', 'retrieved'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

NumPrefs: _NumPrefs

class _NumPrefsFul(Measure):
    """Number of preferences fulfilled."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, counted: Literal['all', 'touched', 'retrieved'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, counted: Literal['all', 'touched', 'retrieved'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

NumPrefsFul: _NumPrefsFul

class _NumQ(Measure):
    """Number of topics evaluated."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

NumQ: _NumQ

class _NumRel(Measure):
    """Number of relevant documents in the judgments."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

NumRel: _NumRel

class _NumRelRet(Measure):
    """Number of relevant documents retrieved."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

NumRelRet: _NumRelRet

class _NumRet(Measure):
    """Number of documents retrieved."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, rel: float | None = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, rel: float | None = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

NumRet: _NumRet

class _O(Measure):
    """O-measure: the blended ratio at the first relevant document."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, beta: float = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, beta: float = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

O: _O

class _P(Measure):
    """Precision at a cutoff."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int = ..., rel: float = ..., divisor: Literal['cutoff', 'retrieved'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int = ..., rel: float = ..., divisor: Literal['cutoff', 'retrieved'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

P: _P

class _P_avgjg(Measure):
    """Precision at a cutoff, averaged over the judges of a topic."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

P_avgjg: _P_avgjg

class _P_IA(Measure):
    """Intent-aware precision at a cutoff."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

P_IA: _P_IA

class _PairPrefs(Measure):
    """Preferences fulfilled, averaged over the pairs of documents that they are on."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, counted: Literal['all', 'touched', 'retrieved'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, counted: Literal['all', 'touched', 'retrieved'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

PairPrefs: _PairPrefs

class _Pmeasure(Measure):
    """P-measure, for readers who read down to the best document and no further."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, beta: float = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, beta: float = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

Pmeasure: _Pmeasure

class _Pplus(Measure):
    """P-plus, for readers who look for one highly relevant document."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, beta: float = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, beta: float = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

Pplus: _Pplus

class _Prefs(Measure):
    """Preferences fulfilled, as a share of those there are."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, counted: Literal['all', 'touched', 'retrieved'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, counted: Literal['all', 'touched', 'retrieved'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

Prefs: _Prefs

class _Q(Measure):
    """Q-measure: the blended ratio at each relevant document, averaged over all there are."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., beta: float = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., beta: float = ..., gain: Gain | str | Mapping[float | str, float | str] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

Q: _Q

class _R(Measure):
    """Recall at a cutoff."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int = ..., rel: float = ..., divisor: Literal['relevant', 'min'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int = ..., rel: float = ..., divisor: Literal['relevant', 'min'] = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

R: _R

class _RBP(Measure):
    """Rank-biased precision."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., p: float = ..., rel: float | None = ..., top: float | None = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., p: float = ..., rel: float | None = ..., top: float | None = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

RBP: _RBP

class _RBPres(Measure):
    """Residual of rank-biased precision."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., p: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., p: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

RBPres: _RBPres

class _RecallEffort(Measure):
    """Recall effort: how little had to be read to find what the user expected."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

RecallEffort: _RecallEffort

class _RelP(Measure):
    """Relative precision at a cutoff: precision up to R ranks, recall after."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

RelP: _RelP

class _RelRecall(Measure):
    """Relative recall: how much of what the user expected was found; more than 1 if more was."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

RelRecall: _RelRecall

class _Rndcg(Measure):
    """Mean nDCG at the ranks where the ideal gain changes."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, gain: Gain | str | Mapping[float | str, float | str] = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, gain: Gain | str | Mapping[float | str, float | str] = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

Rndcg: _Rndcg

class _Rprec(Measure):
    """Precision at R, the number of relevant documents, or at a multiple of it."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, mult: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, mult: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

Rprec: _Rprec

class _Rprec_avgjg(Measure):
    """Precision at R or a multiple of it, averaged over the judges of a topic."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, mult: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, mult: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

Rprec_avgjg: _Rprec_avgjg

class _RR(Measure):
    """Reciprocal rank of the first relevant document."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

RR: _RR

class _SDCG(Measure):
    """Scaled discounted cumulated gain (C/W/L)."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int = ..., part: Literal['utility', 'total', 'cost', 'residual'] = ..., top: float | None = ..., bottom: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int = ..., part: Literal['utility', 'total', 'cost', 'residual'] = ..., top: float | None = ..., bottom: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

SDCG: _SDCG

class _SetAP(Measure):
    """Average precision of a set without order."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

SetAP: _SetAP

class _SetF(Measure):
    """Weighted harmonic mean of precision and recall of the whole set retrieved."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, beta: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, beta: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

SetF: _SetF

class _SetP(Measure):
    """Precision of the whole set retrieved."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

SetP: _SetP

class _SetR(Measure):
    """Recall of the whole set retrieved."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

SetR: _SetR

class _SetRelP(Measure):
    """Relative precision of the whole set retrieved."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

SetRelP: _SetRelP

class _statAP(Measure):
    """Average precision from a sample with inclusion probabilities."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

statAP: _statAP

class _StRecall(Measure):
    """Subtopic recall."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int | None) -> Self: ...

StRecall: _StRecall

class _Success(Measure):
    """Whether a relevant document is within the cutoff."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

Success: _Success

class _T11F(Measure):
    """F of what a filter delivered, with beta 0.5."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, beta: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, beta: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

T11F: _T11F

class _T11SU(Measure):
    """Normalised utility of what a filter delivered, with a floor."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, credit: float = ..., cost: float = ..., least: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, credit: float = ..., cost: float = ..., least: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

T11SU: _T11SU

class _T11U(Measure):
    """Linear utility of what a filter delivered."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, credit: float = ..., cost: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, credit: float = ..., cost: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

T11U: _T11U

class _T9P(Measure):
    """Precision of what a filter delivered, as if it had delivered no fewer documents than asked for."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, target: int = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, target: int = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

T9P: _T9P

class _T9U(Measure):
    """Linear utility of what a filter delivered, never below a floor."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, credit: float = ..., cost: float = ..., least: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, credit: float = ..., cost: float = ..., least: float = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

T9U: _T9U

class _Unjudged(Measure):
    """Share of the ranks within a cutoff that hold a document nobody judged."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, cutoff: int = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, cutoff: int = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

Unjudged: _Unjudged

class _Utility(Measure):
    """Linear utility of the whole set retrieved."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, found: float = ..., noise: float = ..., missed: float = ..., avoided: float = ..., documents: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, found: float = ..., noise: float = ..., missed: float = ..., avoided: float = ..., documents: int | None = ..., rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

Utility: _Utility

class _xinfAP(Measure):
    """Extended inferred average precision."""
    @overload
    def __call__(self, judged: JudgedRun, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> PerTopic: ...
    @overload
    def __call__(self, /, *, rel: float = ..., summary: _SummaryName = ..., unjudged: _UnjudgedRule = ...) -> Self: ...

xinfAP: _xinfAP
