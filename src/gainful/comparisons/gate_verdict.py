"""What the gate says of a candidate, as a result and as text, Markdown, JSON and JUnit XML."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import Any
from xml.etree import ElementTree

from gainful.comparisons.comparison_tables import evaluated
from gainful.comparisons.model_intervals import POWERED_TEST, models_of
from gainful.comparisons.score_table import ScoreTable
from gainful.comparisons.topic_changes import TopicMoved
from gainful.comparisons.verdict import Verdict
from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.presentation.page import Brief, opened, page
from gainful.presentation.table import Cell, Table, as_json
from gainful.presentation.text_style import (
    BETTER,
    NARROW,
    NEITHER,
    UNDEFINED,
    WORSE,
    Screen,
    fixed,
    p_value,
    percent,
    signed,
    stated_p,
)
from gainful.scores.score_set import named_measures

PASS, FAIL, UNSURE = "pass", "fail", "cannot tell"


@dataclass(frozen=True, slots=True, repr=False)
class Check(Brief):
    """The check of one measure.

    lower, upper   one-sided bounds of the true difference, each at confidence 1 − alpha; infinite where topics are too few
    p_value        of "the candidate loses the margin or more"
    topics_needed  to pass with the stated power if the true difference were 0; inf for more than anyone has
    regressed      the topics that lost most, worst first; A is the baseline, B the candidate
    """

    measure: Measure
    margin: float
    verdict: str
    mean_baseline: float
    mean_candidate: float
    difference: float
    lower: float
    upper: float
    p_value: float
    topics: int
    topics_needed: float
    wins: int
    ties: int
    losses: int
    regressed: tuple[TopicMoved, ...] = ()

    @property
    def limit(self) -> float:
        """The difference at which the candidate has lost the margin."""
        return self.margin if self.measure.less_is_better else -self.margin

    @property
    def change(self) -> str:
        """What became of the mean, in words."""
        means = f"{fixed(self.mean_baseline)} → {fixed(self.mean_candidate)}"
        return f"{self.measure} {means} ({signed(self.difference)})"

    def __str__(self) -> str:
        return f"{self.verdict}: {self.change}; margin {self.margin:g}, {self.topics:,} topics."

    def _repr_html_(self) -> str:
        return f"<p>{escape(str(self))}</p>"

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        fields = {name: getattr(self, name) for name in self.__slots__ if name != "regressed"}
        fields |= {"measure": str(self.measure), "less_is_better": self.measure.less_is_better}
        fields["topics_needed"] = int(self.topics_needed) if math.isfinite(self.topics_needed) else None
        lost = [topic.to_dict() for topic in self.regressed]
        fields["regressed"] = [
            {"baseline": topic.pop("a"), "candidate": topic.pop("b")} | topic for topic in lost
        ]
        return fields


@dataclass(frozen=True, eq=False)
class Gate:
    """The verdict of the gate, the check of each measure, and how it was made.

    found  who wins, by how much and how surely: the verdict of `compare` on the same two systems
    """

    baseline: str
    candidate: str
    checks: tuple[Check, ...]
    alpha: float
    power: float
    flips: int
    seed: int
    allow_inconclusive: bool
    table: ScoreTable
    notes: tuple[str, ...]
    found: Verdict

    @property
    def passed(self) -> bool:
        """Whether the candidate may pass."""
        accepted = (PASS, UNSURE) if self.allow_inconclusive else (PASS,)
        return all(check.verdict in accepted for check in self.checks)

    @property
    def verdict(self) -> str:
        """The worst verdict of the checks: fail, inconclusive or pass."""
        verdicts = [check.verdict for check in self.checks]
        return next((verdict for verdict in (FAIL, UNSURE) if verdict in verdicts), PASS)

    def sentence(self, check: Check) -> str:
        """One measure's answer in words."""
        sure = f"{percent(1 - self.alpha)} sure"
        candidate, baseline = shown(self.candidate), shown(self.baseline)
        lower, upper = f"lower bound {signed(check.lower)}", f"upper bound {signed(check.upper)}"
        worse, worst, best = "below", lower, upper
        if check.measure.less_is_better:
            worse, worst, best = "above", upper, lower
        change = check.change
        if check.verdict == PASS:
            return (
                f"pass: {change}; {sure} that {candidate} is no more than {check.margin:g} {worse} {baseline} "
                f"({worst}, p {stated_p(check.p_value)}, {check.topics:,} topics)."
            )
        if check.verdict == FAIL:
            return (
                f"fail: {change}; {sure} that {candidate} is more than {check.margin:g} {worse} {baseline} "
                f"({best}, {check.topics:,} topics)."
            )
        return (
            f"cannot tell: {change}; the true difference may lie anywhere from {signed(check.lower)} to {signed(check.upper)}, "
            f"and {signed(check.limit)} is in it ({check.topics:,} topics). {self._outlook(check)}"
        )

    def reason(self, check: Check) -> str:
        """Why a measure does not pass, in a few words."""
        if check.verdict == FAIL:
            return f"loses {fixed(abs(check.difference))}, and surely more than {check.margin:g}"
        return f"may lose more than {check.margin:g}; {check.topics:,} topics are too few to tell"

    def _outlook(self, check: Check) -> str:
        """How many topics would be needed for a decision, in a sentence."""
        if check.margin == 0:
            return "With margin 0 no number of topics would show that the two are equal; allow a loss that would not matter."
        if not math.isfinite(check.topics_needed):
            return "No collection has enough topics for this margin."
        return (
            f"If the two were equal, {check.topics_needed:,.0f} topics would pass with power {self.power:g}."
        )

    def stated(self) -> str:
        """The test, margin, number of flips and random seed, in a line."""
        allowed = "cannot tell counts as pass" if self.allow_inconclusive else "cannot tell counts as fail"
        exact = 2 ** max(check.topics for check in self.checks) <= self.flips
        flips = "all flips" if exact else f"{self.flips:,} flips"
        models = models_of(self.table)
        test = (
            f"one-sided sign-flip test against the margin · alpha {self.alpha:g} · {flips} · seed {self.seed}"
            if models is None
            else f"one-sided {POWERED_TEST} against the margin · {models.in_words} · alpha {self.alpha:g}"
        )
        return f"{test} · all measures must pass · {allowed}"

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        from gainful import __version__

        return {
            "gainful": __version__,
            "settings": None if self.table.settings is None else self.table.settings.to_dict(),
            "qrels": self.table.qrels,
            "systems": [system.to_dict() for system in self.table.systems],
            "statistics": {
                "test": f"{'signflip' if models_of(self.table) is None else POWERED_TEST}, one-sided",
                "alpha": self.alpha,
                "power": self.power,
                "flips": self.flips,
                "seed": self.seed,
                "allow_inconclusive": self.allow_inconclusive,
            },
            "verdict": self.verdict,
            "passed": self.passed,
            "found": self.found.to_dict(),
            "checks": [check.to_dict() for check in self.checks],
            "notes": list(map(str, self.notes)),
        }

    def __repr__(self) -> str:
        measures = named_measures([check.measure for check in self.checks])
        return f"<Gate: {self.verdict}, {shown(self.candidate)} against {shown(self.baseline)}: {measures}>"

    def __str__(self) -> str:
        return text(self).rstrip("\n")

    def _repr_html_(self) -> str:
        return html(self)


_TONES = {PASS: BETTER, FAIL: WORSE, UNSURE: NEITHER}
_SIGNS = {PASS: "✅ pass", FAIL: "❌ fail", UNSURE: "⚠️ cannot tell"}


def text(gate: Gate, *, places: int = 4, screen: Screen = NARROW) -> str:
    """The gate as text for the terminal."""
    grid = _grid(gate, places, brief=screen.columns is not None)
    parts = [*opened(gate.found.sentences, "table", screen), grid.text(screen), ""]
    parts += [screen.filled(gate.sentence(check), indent="  ") for check in gate.checks]
    for check in gate.checks:
        if check.regressed and (check.verdict != PASS or check.losses):
            parts += ["", screen.filled(_regressed(check)), _regressed_grid(check, places).text(screen)]
    return "\n".join([*parts, "", screen.filled(gate.stated() + evaluated(gate.table))]) + "\n"


def markdown(gate: Gate, *, places: int = 4) -> str:
    """The gate as Markdown, for a pull request or a step summary."""
    parts = [
        f"### {_title(gate)}",
        "",
        *opened(gate.found.sentences, "markdown"),
        _grid(gate, places, brief=True).markdown(),
        "",
        *(f"- {gate.sentence(check)}" for check in gate.checks),
        "",
    ]
    for check in gate.checks:
        if check.regressed:
            grid = _regressed_grid(check, places).markdown()
            parts += [f"<details><summary>{_regressed(check)}</summary>", "", grid, "", "</details>", ""]
    return "\n".join([*parts, f"<sub>{gate.stated()}{evaluated(gate.table)}</sub>"]) + "\n"


def _title(gate: Gate) -> str:
    outcome = "passed" if gate.passed else "did not pass"
    return (
        f"{_SIGNS[gate.verdict]}: {shown(gate.candidate)} {outcome} the gate against {shown(gate.baseline)}"
    )


def html(gate: Gate) -> str:
    """The gate in a notebook."""
    lost = [(_regressed(check), _regressed_grid(check, 4)) for check in gate.checks if check.regressed]
    sentences = [gate.sentence(check) for check in gate.checks]
    closing = gate.stated() + evaluated(gate.table)
    tables: list[Table | tuple[str, Table]] = [_grid(gate, 4), *lost]
    return page(tables, sentences, closing, "html", title=_title(gate), opening=gate.found.sentences)


def json(gate: Gate, *, places: int = 4) -> str:  # noqa: ARG001 (all views are called alike)
    """The gate as JSON, values in full."""
    return as_json(gate.to_dict())


def junit(gate: Gate) -> str:
    """A test suite with a case for each measure, as CI servers read it."""
    failures = sum(_fails(gate, check) for check in gate.checks)
    skipped = sum(check.verdict == UNSURE and not _fails(gate, check) for check in gate.checks)
    numbers = {"tests": len(gate.checks), "failures": failures, "errors": 0, "skipped": skipped}
    counts = {name: str(number) for name, number in numbers.items()}
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": "gainful gate", **counts})
    for check in gate.checks:
        name = {"name": str(check.measure), "classname": f"gainful.gate.{shown(gate.candidate)}"}
        case = ElementTree.SubElement(suite, "testcase", name)
        if _fails(gate, check):
            fault = ElementTree.SubElement(
                case, "failure", {"type": check.verdict, "message": gate.sentence(check)}
            )
            fault.text = _regressed_grid(check, 4).text() + "\n" if check.regressed else ""
        elif check.verdict == UNSURE:
            ElementTree.SubElement(case, "skipped", {"message": gate.sentence(check)})
        else:
            ElementTree.SubElement(case, "system-out").text = gate.sentence(check)
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


VIEWS = {"table": text, "markdown": markdown, "json": json}


def _fails(gate: Gate, check: Check) -> bool:
    return check.verdict == FAIL or (check.verdict == UNSURE and not gate.allow_inconclusive)


def _grid(gate: Gate, places: int, *, brief: bool = False) -> Table:
    """A row for each measure; `brief` for 80 columns, where the sentences below say the margin and what follows from it."""
    sure = percent(1 - gate.alpha)
    heads = ["measure", "verdict", "baseline", "candidate", "difference"]
    if brief:
        heads += [f"bounds, {sure}"]
    else:
        heads += [f"lower, {sure}", f"upper, {sure}", "margin", "p", "wins/ties/losses", "topics"]
    return Table(heads, [_row(check, places, brief) for check in gate.checks], names=2)


def _row(check: Check, places: int, brief: bool) -> list[str | Cell]:
    means = [fixed(mean, places) for mean in (check.mean_baseline, check.mean_candidate)]
    verdict = Cell(check.verdict, check.verdict, tone=_TONES[check.verdict])
    row: list[str | Cell] = [str(check.measure), verdict, *means, signed(check.difference, places)]
    lower, upper = signed(check.lower, places), signed(check.upper, places)
    if brief:
        return [*row, f"{lower} to {upper}"]
    return [
        *row,
        lower,
        upper,
        f"{check.margin:g}",
        UNDEFINED if check.verdict == FAIL else p_value(check.p_value),  # words say it better than p = 1
        f"{check.wins}/{check.ties}/{check.losses}",
        f"{check.topics:,}",
    ]


def _regressed(check: Check) -> str:
    if check.losses == 1:
        return f"{check.measure}: the topic that lost"
    if len(check.regressed) == check.losses:
        return f"{check.measure}: the {check.losses} topics that lost"
    return f"{check.measure}: the {len(check.regressed)} that lost most, of {check.losses} topics that lost"


def _regressed_grid(check: Check, places: int) -> Table:
    """The topics that lost, with their queries, and the document of each that cost most, where these are known."""
    queries, documents = (
        any(topic.query for topic in check.regressed),
        any(topic.documents for topic in check.regressed),
    )
    body = [
        [
            f"{shown(topic.topic)} {shown(topic.query or '')}".strip(),
            f"{topic.a:.{places}f} → {topic.b:.{places}f}",
            signed(topic.difference, places),
            *([_cost_most(topic)] if documents else []),
        ]
        for topic in check.regressed
    ]
    heads = ["topic, query" if queries else "topic", "change", "difference"]
    words = [0, 3] if documents else [0]
    return Table([*heads, *(["costs most"] if documents else [])], body, words, words)


def _cost_most(topic: TopicMoved) -> str:
    """The ranks of the document that cost most, then what it is called."""
    credit = next((credit for credit in topic.documents if credit.part * topic.difference > 0), None)
    return "" if credit is None else f"{credit.ranks} {credit.called}"
