"""The answer of reconcile: whose number it is, in sentences, and everything that was found, as text, Markdown and JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gainful.formats.ids import shown, some
from gainful.presentation.page import page
from gainful.presentation.table import Cell, Table, as_json
from gainful.presentation.text_style import NARROW, Screen, counted, fixed, listed
from gainful.reconciling.claimed_values import Claimed
from gainful.reconciling.convention_effects import Effect, effect_table
from gainful.reconciling.convention_walk import Walk
from gainful.reconciling.dialect_readings import OURS
from gainful.reconciling.explanations import Answer, Search
from gainful.reconciling.further_values import named, sentences_on_chance

FORMATS = ("text", "markdown", "json")


@dataclass(frozen=True, eq=False)
class Reconciled:
    """What was found out about the values of one source.

    source    where they are from
    search    the explanations
    percent   whether they were taken for percentages
    findings  what is odd about the values themselves
    telling   which further value would tell the explanations apart
    causes    what may cause the values, where no explanation fits
    effects   how far each convention moves the first measure
    shown     how many explanations are told
    """

    source: str
    search: Search
    percent: bool
    findings: tuple[str, ...]
    telling: tuple[str, ...]
    causes: tuple[str, ...]
    effects: tuple[Effect, ...]
    copies: bool
    shown: int = 3

    @property
    def answers(self) -> list[Answer]:
        """Explanations that give every value shown, the most plausible first."""
        return self.search.answers

    @property
    def subject(self) -> str:
        """What is being explained, as the subject of a sentence."""
        numbers = [number for claimed in self.search.claims for number in claimed.numbers]
        if len(numbers) > 1:
            return f"Every one of {len(numbers)} values"
        return f"{numbers[0].text}{' (in percent)' if self.percent else ''}"

    @property
    def headline(self) -> str:
        """The first answer in a sentence; or that there is none."""
        if self.answers:
            return self.sentence(self.answers[0])
        what = listed([claimed.name for claimed in self.search.claims])
        return (
            f"No known tool gives {self.subject[0].lower()}{self.subject[1:]} as {what} here, and none of "
            f"{self.search.tried:,} combinations of conventions does. {self._nearest()}"
        )

    def sentence(self, answer: Answer) -> str:
        """An explanation in a sentence, with our own number beside it."""
        return f"{self.subject} {self.explained(answer)}{self._ours(answer)}"

    def explained(self, answer: Answer) -> str:
        """An explanation as the predicate of a sentence."""
        printed = next(iter(answer.printed.values()))
        cut = f" of lists cut at rank {printed.depth}" if printed.depth else ""
        clauses = "; ".join(answer.clauses())
        same = f" The same number on every topic: {', '.join(answer.same)}." if answer.same else ""
        if answer.title == OURS:
            return f"is ours: nothing differs.{same}"
        if answer.near:
            return (
                f"is what {answer.near} would print where {answer.but}; no known tool does just that.{same}"
            )
        if not answer.title:
            return f"is ours where {clauses}; no known tool does just that.{same}"
        names = listed(list(dict.fromkeys(each.name for each in answer.printed.values())))
        rest = "what else it does differently has no effect here" if answer.idle else "nothing else differs"
        return f"is what {answer.title} prints as {names}{cut}: {clauses or 'as we do'}; {rest}.{same}"

    def _ours(self, answer: Answer) -> str:
        """Our own number, where it is another."""
        if answer.title == OURS or not answer.changes:
            return ""
        ours = [
            f"{claimed.name} {fixed(self.search.ours.outcomes[claimed.name].mean, self._places(claimed))}"
            for claimed in self.search.claims[:3]
        ]
        numbers = ours[0].rpartition(" ")[2] if len(self.search.claims) == 1 else ", ".join(ours)
        first = ", with the first of each document's copies," if self.copies else ""
        return f" Our own conventions{first} give {numbers}."

    def _places(self, claimed: Claimed) -> int:
        return min(12, max(4, *(number.places for number in claimed.numbers)))

    def _nearest(self) -> str:
        """What comes nearest, in a sentence."""
        answer = self.search.nearest[0]
        if not answer.outcomes:
            return ""
        name, outcome = next(iter(answer.outcomes.items()))
        claimed = next(claimed for claimed in self.search.claims if claimed.name == name)
        value = fixed(outcome.mean, self._places(claimed))
        if not answer.title:
            return f"Nearest: {value}, ours where {'; '.join(answer.clauses())}."
        printed = answer.printed[name]
        tool = "ours" if answer.title == OURS else f"{answer.title}'s {printed.name}"
        gives = f", with {answer.matched} of {answer.of} values as shown" if answer.of > 1 else ""
        return f"Nearest: {value}, {tool}{gives}."

    def counts(self) -> list[str]:
        """How many explanations there are."""
        if not self.answers:
            return []
        numbers = [number for claimed in self.search.claims for number in claimed.numbers]
        digits = "To the digits shown" if len(numbers) > 1 else f"To {counted(numbers[0].places, 'decimal')}"
        said = f"{digits}, {counted(self.search.dialects, 'dialect')} and {counted(self.search.combined, 'combination')}"
        return [f"{said} of conventions that no known tool has fit, of {self.search.tried:,} tried."]

    def sentences(self) -> list[str]:
        """Everything that is said beside the headline and the tables."""
        others = [f"Or it {self.explained(answer)}" for answer in self.answers[1 : self.shown]]
        chance = [] if self.causes else sentences_on_chance(self.search)
        return [*self.findings, *others, *chance, *self.counts(), *self.telling, *self.causes]

    def tables(self, places: int) -> list[tuple[str, Table]]:
        """The values beside ours and those of the first explanations, and how far each convention moves the number."""
        tables = []
        if len(self.search.claims) > 1:
            tables.append(("Values", self._side_by_side(places)))
        if self.effects:
            measure = str(self.search.claims[0].measure)
            table = effect_table(list(self.effects), measure, places)
            tables.append((f"How far each convention alone moves our {measure}", table))
        return tables

    def _side_by_side(self, places: int) -> Table:
        answers = (self.answers or self.search.nearest)[:3]
        rows: list[list[str | Cell]] = []
        for claimed in self.search.claims:
            means = [
                answer.outcomes[claimed.name].mean if claimed.name in answer.outcomes else math.nan
                for answer in (self.search.ours, *(answer for answer in answers if answer.title != OURS))
            ]
            said = "–" if claimed.mean is None else claimed.mean.text
            topics = f" and {counted(len(claimed.topics), 'topic')}" if claimed.topics else ""
            rows.append(
                [claimed.name, f"{said}{topics}", *(Cell(fixed(mean, places), mean) for mean in means)]
            )
        heads = [named(answer) for answer in answers if answer.title != OURS]
        return Table(["measure", "shown", OURS, *heads], rows)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        return {
            "source": shown(self.source),
            "values": [_claim(claimed) for claimed in self.search.claims],
            "percent": self.percent,
            "answer": self.headline,
            "fits": bool(self.answers),
            "explanations": [self._explanation(answer) for answer in self.answers],
            "nearest": [] if self.answers else [self._explanation(answer) for answer in self.search.nearest],
            "ours": {name: outcome.mean for name, outcome in self.search.ours.outcomes.items()},
            "findings": list(self.findings),
            "further_values": list(self.telling),
            "causes": list(self.causes),
            "effects": [
                {"convention": effect.name, "title": effect.title, "values": dict(effect.values)}
                for effect in self.effects
            ],
            "declined": [{"dialect": each.title, "reason": each.reason} for each in self.search.declined],
            "left_to_chance": {
                title: {"measure": ends.name, "least": ends.low, "greatest": ends.high}
                for title, ends in self.search.by_chance.items()
            },
            "tried": self.search.tried,
        }

    def _explanation(self, answer: Answer) -> dict[str, Any]:
        return {
            "dialect": answer.title or None,
            "sentence": self.sentence(answer),
            "same_on_every_topic": list(answer.same),
            "matched": answer.matched,
            "of": answer.of,
            "measures": {
                name: {
                    "printed": printed.name,
                    "measure": str(printed.reading.measure),
                    "settings": printed.reading.settings.to_dict(),
                    "value": answer.outcomes[name].mean,
                }
                for name, printed in answer.printed.items()
            },
            "changes": list(answer.changes),
        }


def _claim(claimed: Claimed) -> dict[str, Any]:
    return {
        "measure": claimed.name,
        "value": None if claimed.mean is None else claimed.mean.value,
        "shown": None if claimed.mean is None else claimed.mean.text,
        "topics": {shown(topic): number.value for topic, number in claimed.topics.items()},
    }


@dataclass(frozen=True, eq=False)
class Reconciliation:
    """Whose numbers they are.

    sources  what was found out about the values of each source
    walk     the way from the first source to the second, where there are two and both are explained
    """

    run: str
    topics: int
    sources: tuple[Reconciled, ...]
    walk: Walk | None = None

    @property
    def answers(self) -> list[Answer]:
        """Explanations of the values of the first source, the most plausible first."""
        return self.sources[0].answers

    @property
    def fits(self) -> bool:
        """Whether the values of every source are explained."""
        return all(source.answers for source in self.sources)

    def view(self, form: str = "text", *, places: int = 4, screen: Screen = NARROW) -> str:
        """Everything as text, Markdown or JSON."""
        if form == "json":
            return as_json(self.to_dict())
        look = "table" if form == "text" else form
        closing = f"{counted(self.topics, 'judged topic')} · run {shown(self.run)}"
        many = len(self.sources) > 1
        parts = []
        for source in self.sources:
            opening = [f"{shown(source.source)}: {source.headline}" if many else source.headline]
            tables = source.tables(places) if source is self.sources[0] or not many else []
            parts.append(page(tables, source.sentences(), closing, look, opening=opening, screen=screen))
        if self.walk is not None:
            parts.append(self.walk.view(form, places=places, screen=screen))
        return "\n".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        return {
            "run": shown(self.run),
            "topics": self.topics,
            "sources": [source.to_dict() for source in self.sources],
            "walk": None if self.walk is None else self.walk.to_dict(),
        }

    def __repr__(self) -> str:
        return f"<Reconciliation of run {shown(self.run)!r}: {self.sources[0].headline[:200]}>"

    def __str__(self) -> str:
        return self.view().rstrip("\n")

    def _repr_html_(self) -> str:
        return self.view("html")


def odd_values(claims: Sequence[Claimed], unknown: Sequence[str], *, copies: bool) -> list[str]:
    """Findings about values themselves: out of the bounds of their measure, or of topics that are not judged."""
    findings = []
    for claimed in claims:
        low, high = claimed.measure.bounds
        above = next((number for number in claimed.numbers if number.value > high + number.within), None)
        below = next((number for number in claimed.numbers if number.value < low - number.within), None)
        if above is not None:
            why = (
                "this run has documents twice, and a tool that counts every copy goes beyond it"
                if copies
                else "a sum of gains that is not normalised (DCG) or a percentage goes beyond it; documents counted twice do "
                "too, but this run has none"
            )
            findings.append(f"{above.text} is above {high:g}, the most that {claimed.measure} can be: {why}.")
        if below is not None:
            findings.append(
                f"{below.text} is below {low:g}, the least that {claimed.measure} can be: in some tools negative grades cost."
            )
    if unknown:
        findings.append(f"Of the topics shown, {len(unknown)} not judged here: {some(unknown)}.")
    return findings
