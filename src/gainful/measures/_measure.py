"""A measure: a function from a judged run to one number per topic, with its parameters and its name.

@measure makes one of a function. Called with a judged run it gives its values; called with parameters, or with @,
it gives the measure with those parameters set.
"""

from collections.abc import Callable, Mapping
from typing import Any, Unpack, overload

from gainful.arrays import np
from gainful.errors import MeasureError
from gainful.judging.aspects import Needs
from gainful.judging.ranking import Booleans, PerTopic, is_numpy, namespace
from gainful.judging.record import JudgedRun
from gainful.measures._definition import (
    EVERYWHERE,
    Declared,
    Definition,
    Group,
    Unjudged,
    When,
    as_summary,
    as_unjudged,
    is_built_in,
    shown,
)
from gainful.measures._gains import WITHOUT_GAIN, nothing_to_measure
from gainful.measures._needs import lacking
from gainful.measures._other_tools import translated
from gainful.measures._trec import Form, printed_names

DECLARED = ("name", "group", "bounds", "undefined", "when", "cite", "aliases", "trec", "needs", "may_fall")


class Measure:
    """A measure with its parameters: nDCG, nDCG @ 10, AP(rel=2) @ 100.

    Its text is its name everywhere (keys of results, columns, JSON), and is read back by `gainful.measures.parse`;
    `print(nDCG.text())` and `help(nDCG)` explain it.

    >>> from gainful.measures import AP, parse
    >>> AP(rel=2) @ 100
    AP(rel=2)@100
    >>> parse("AP(rel=2)@100") == AP(rel=2) @ 100
    True
    """

    definition: Definition
    name: str
    """Without parameters: nDCG."""
    params: dict[str, Any]
    """Every parameter and its value; one that must be set and is not is left out."""
    summary: str
    """How topics are summed up: mean, geometric, median, std or sum."""
    unjudged: Unjudged
    """What is done with documents that are not judged."""
    cutoff: int | None
    """The last rank counted; None where every rank counts, or where the measure takes no cutoff."""
    group: Group
    """What it is for: everyday, graded, recall, user models, diversity, …"""
    bounds: tuple[float, float]
    """Its least and greatest value."""
    undefined: float
    """What a topic with nothing to measure is worth."""
    when: When | None
    """When a topic has nothing to measure, beside where the formula has no value."""
    cite: str
    """Where it comes from."""
    aliases: tuple[str, ...]
    """Other names it is known by."""
    trec: Mapping[str, Form]
    """What trec_eval calls it, and how it writes parameters there."""
    needs: Needs | None
    """What the judgments must say beside a grade for each document: "subtopics", "judges", "preferences"."""
    may_fall: bool
    """Whether moving a better document up may lower it."""
    less_is_better: bool
    """Whether a lower value is the better one; so for what a part of it costs or leaves open."""
    diagnostic: bool
    """Whether it counts or describes, and a higher value is no merit: nobody leads on it."""
    whole_numbers: bool
    """Whether it counts, and topics are summed: every value is then a whole number, shown without decimals."""
    _given: Mapping[str, Any]
    _lacks: list[str]
    _text: str
    _hash: int
    _nothing: Callable[[JudgedRun], Booleans] | None
    _repeated = False
    """Whether it was evaluated before: it is then recorded as a program, which is not worth it for once."""

    def __init__(
        self,
        definition: Definition,
        given: Mapping[str, Any],
        summary: str,
        unjudged: Unjudged = "nonrelevant",
    ) -> None:
        """Of parameters that were checked; `given` are those in its name: not at their default, or stated all the same."""
        function, parameters, part = definition.function, definition.parameters, given.get("part")
        lacks = [name for name, parameter in parameters.items() if parameter.needed and name not in given]
        params = {name: given.get(name, parameter.default) for name, parameter in parameters.items()}
        mine = self.__dict__
        mine.update({name: getattr(definition, name) for name in DECLARED})
        mine.update(definition=definition, summary=summary, unjudged=unjudged, cutoff=given.get("cutoff"))
        mine.update(
            params={name: value for name, value in params.items() if name not in lacks},
            less_is_better=definition.less_is_better or part in WITHOUT_GAIN,
            diagnostic=definition.diagnostic or definition.whole_numbers,
            whole_numbers=definition.whole_numbers and summary == "sum",
        )
        mine.update(_given=given, _lacks=lacks, _hash=hash((definition.name, mine["cutoff"])))
        mine.update(_text=self._written(), _nothing=nothing_to_measure(definition.when, mine["params"]))
        # help() and doctest see the function behind it
        mine.update(__doc__=function.__doc__, __module__=definition.module, __wrapped__=function)
        mine.update(__name__=definition.name, __qualname__=function.__qualname__)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"measures are immutable; {self._text}({name}=…) gives another one")

    # ---- values ------------------------------------------------------------------------------------------

    def evaluate(self, judged: JudgedRun) -> tuple[PerTopic, Booleans]:
        """The value of each topic, and where there was nothing to measure and the declared value stands."""
        if self._lacks:
            self.require()
        if self.needs is not None or self.unjudged == "condense":
            judged = self.reads(judged)
        if type(judged) is JudgedRun:
            if self._repeated:
                from gainful.programs.recorded_measures import by_program

                if (found := by_program(self, judged)) is not None:
                    return found
            else:
                self.__dict__["_repeated"] = True
        values = self.definition.function(judged, **self._given)
        if getattr(values, "shape", None) != judged.retrieved.shape:
            raise MeasureError(
                f"{self._text} must give an array of one number for each of {len(judged)} topics"
            )
        xp = namespace(values)
        if is_numpy(xp):  # a copy: a formula may hand out what the record keeps
            values = np.array(values, np.float64)
        undefined = xp.isnan(values)
        if self._nothing is not None:
            undefined = undefined | self._nothing(judged)
        if is_numpy(xp) and not np.count_nonzero(undefined):
            return values, undefined
        return xp.where(undefined, self.definition.undefined, values), undefined

    def reads(self, judged: JudgedRun) -> JudgedRun:
        """The record as this measure reads it; an error where the judgments lack what it needs."""
        if self.needs is not None and self.needs not in judged.provides:
            raise MeasureError(lacking(self._text, self.needs))
        return judged.condensed() if self.unjudged == "condense" else judged

    @property
    def recordable(self) -> bool:
        """Whether a record says all that it does: its functions are Gainful's own, and it refuses no topic for its numbers.

        A size of the collection (`documents`) is refused where a topic has more, which a record cannot know.
        """
        if self.needs is not None or not self.definition.built_in or self.params.get("documents") is not None:
            return False
        return all(is_built_in(each.function) for each in self.params.values() if hasattr(each, "function"))

    def require(self) -> None:
        """Raise unless every parameter that has no default is set."""
        for name in self._lacks:
            example = f"{self.name}@10" if name == "cutoff" else f"{self.name}@0.1"
            example = example if name == self.definition.at else f"{self.name}({name}=…)"
            raise MeasureError(f"{self._text} needs a {name}, as in {example}")

    def leaves(self, name: str) -> bool:
        """Whether it takes this parameter and leaves it at a default that is a value, not None."""
        parameter = self.definition.parameters.get(name)
        return parameter is not None and name not in self._given and parameter.default is not None

    def leads_to(self, other: "Measure") -> bool:
        """Whether the other is this measure with what this one says, whatever else it says; cutoffs aside.

        >>> from gainful.measures import AP
        >>> AP.leads_to(AP(rel=2)), AP(rel=2).leads_to(AP)
        (True, False)
        """
        said = {name: value for name, value in self._given.items() if name != "cutoff"}
        same = self.summary in (self.definition.summary, other.summary) and self.unjudged == other.unjudged
        return same and self.name == other.name and all(other.params[name] == said[name] for name in said)

    @overload
    def __call__(self, judged: JudgedRun, /, **parameters: Any) -> PerTopic: ...
    @overload
    def __call__(self, /, **parameters: Any) -> "Measure": ...
    def __call__(self, judged: JudgedRun | None = None, /, **parameters: Any) -> "PerTopic | Measure":
        """With a judged run, the value of each topic; with parameters, the measure with these set."""
        measure = self._bound(parameters) if parameters else self
        if judged is None:
            return measure
        if not hasattr(type(judged), "retrieved"):
            raise MeasureError(f"{self.name}({judged!r:.60}): parameters have names, as in AP(rel=2)")
        return measure.evaluate(judged)[0]

    def __matmul__(self, value: Any) -> "Measure":
        """With its cutoff set (for IPrec, its recall level)."""
        return self._bound({self.definition.at: value})

    def _bound(self, parameters: Mapping[str, Any]) -> "Measure":
        known = self.definition.parameters
        given, summary, unjudged = dict(self._given), self.summary, self.unjudged
        if not known.keys() >= parameters.keys():
            parameters = translated(parameters, known)
        for name, value in parameters.items():
            if name == "summary":
                summary = as_summary(name, value)
            elif name == "unjudged":
                unjudged = as_unjudged(name, value)
            elif name not in known:
                raise MeasureError(self.definition.unknown_parameter(name))
            else:
                try:
                    given[name] = known[name].checked(value)
                except MeasureError as fault:
                    raise MeasureError(f"{self.name}: {fault}") from None
                if name == "gain" and getattr(given[name], "below_zero", False) and "discount" not in known:
                    raise MeasureError(
                        f"{self.name}: gain={given[name]} is for sums of discounted gains: nDCG, DCG"
                    )
        named = {
            name: given[name]
            for name, parameter in known.items()
            if name in given
            and (
                name in self.definition.stated
                or not (given[name] == parameter.default and isinstance(given[name], type(parameter.default)))
            )
        }
        return Measure(self.definition, named, summary, unjudged)

    # ---- names -------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return self._text

    def text(self) -> str:
        """What it means, as `gainful measures NAME` prints it: formula, parameters, reference, when it misleads."""
        from gainful.measures._measure_text import explained

        return explained(self)

    def _repr_html_(self) -> str:
        from gainful.measures._measure_text import html

        return html(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Measure):
            return NotImplemented
        names = ("name", "summary", "unjudged", "params")
        same = all(getattr(self, name) == getattr(other, name) for name in names)
        mine, others = self.definition, other.definition
        return same and (mine.module, mine.built_in) == (others.module, others.built_in)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        everywhere = {name: getattr(self, name) for name in EVERYWHERE}
        return _found, (self.definition.module, self.name, {**self._given, **everywhere})

    def _written(self) -> str:
        definition = self.definition
        inside = [f"{name}={shown(value)}" for name, value in self._given.items() if name != definition.at]
        inside += [f"summary={self.summary}"] if self.summary != definition.summary else []
        inside += [f"unjudged={self.unjudged}"] if self.unjudged != "nonrelevant" else []
        after = f"@{shown(self._given[definition.at])}" if definition.at in self._given else ""
        return definition.name + (f"({','.join(inside)})" if inside else "") + after

    @property
    def trec_names(self) -> tuple[str, ...]:
        """Every name under which trec_eval prints it. The level of relevance is an option there, not in the name."""
        return printed_names(self)

    @property
    def trec_name(self) -> str | None:
        """The name that trec_eval prints (map_cut_10), or None where it has none."""
        return next(iter(self.trec_names), None)

    @property
    def title(self) -> str:
        """The first line of its docstring."""
        return self.definition.pieces.title

    @property
    def formula(self) -> str:
        """Its formula, as the docstring writes it."""
        return self.definition.pieces.formula

    @property
    def parameters(self) -> dict[str, str]:
        """A line for every parameter."""
        return self.definition.pieces.parameters

    @property
    def misleads(self) -> str:
        """When not to trust it."""
        return self.definition.pieces.misleads


@overload
def measure(function: Callable[..., PerTopic], /) -> Measure: ...
@overload
def measure(**declared: Unpack[Declared]) -> Callable[[Callable[..., PerTopic]], Measure]: ...
def measure(
    function: Callable[..., PerTopic] | None = None, /, **declared: Unpack[Declared]
) -> Measure | Callable[[Callable[..., PerTopic]], Measure]:
    """Turn a function from a judged run to one number per topic into a measure.

    group      where `gainful measures` lists it: "everyday", "graded", "recall", "user models", "diversity", …
    bounds     its least and greatest value
    undefined  value of a topic for which the measure is undefined
    when       a topic has nothing to measure: "nothing relevant" of the grade rel, or "nothing to gain"; it is so
               in any case where the function gives NaN
    cite       where the measure comes from
    aliases    other names it is known by
    trec       names of trec_eval: parameters they stand for, or the form that parameters have there
    summary    how topics are summed up unless asked otherwise: mean, or sum for counts
    at         the parameter that @ sets
    may_fall   moving a better document up may lower it
    less_is_better  a lower value is the better one, as of Fallout
    whole_numbers   it counts: every value of a topic is a whole number, and is shown without decimals
    diagnostic      it says how far other measures can be trusted, and nothing of how good a list is, as Judged
    share_of        the measure that it divides by its value for the ideal list: nDCG is a share of "DCG"
    stated          parameters that stay in the name where they are written, also at their default: RBP(p=0.8)
    unmet           what it does where fewer relevant documents were found than the user expected, for a note on these topics
    needs      what must be said beside a grade for each document: "subtopics", "judges" or "preferences" by the
               judgments, "known" or "expected" by the user; "anywhere", what is judged for other topics;
               "probabilities", with which documents were drawn

    Parameters are the keyword-only arguments of the function.

    >>> from gainful.judging import judged_run
    >>> @measure(bounds=(0, 1), when="nothing relevant")
    ... def First(judged, *, rel: float = 1):
    ...     top = judged.cut(1)
    ...     return top.total(where=top.grade >= rel)
    >>> First(judged_run([[2, 0], [0, 1]]))
    array([1., 0.])
    >>> First(rel=3)
    First(rel=3)
    """

    def decorated(function: Callable[..., PerTopic]) -> Measure:
        definition = Definition(function, declared)
        return Measure(definition, {}, definition.summary)

    return decorated if function is None else decorated(function)


def _found(module: str, name: str, given: Mapping[str, Any]) -> Measure:
    """The measure of that name in its module, with parameters; for pickle."""
    from importlib import import_module

    base = getattr(import_module(module), name)
    if not isinstance(base, Measure):
        raise MeasureError(f"{module}.{name} is not a measure any more")
    return base._bound(given)
