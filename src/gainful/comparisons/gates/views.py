"""The gate's answer as text, Markdown, JSON and JUnit XML."""

from __future__ import annotations

from xml.etree import ElementTree

from gainful.comparisons.gates.results import FAIL, PASS, UNSURE, Check, Gate
from gainful.comparisons.layout import as_json
from gainful.comparisons.pair import percent, signed
from gainful.comparisons.views import evaluated, p_cell
from gainful.formats.grid import Grid
from gainful.formats.ids import shown

_SIGNS = {PASS: "✅ pass", FAIL: "❌ fail", UNSURE: "⚠️ cannot tell"}


def text(gate: Gate, *, places: int = 4) -> str:
    """For a terminal."""
    parts = [_grid(gate, places).text(), "", *(gate.sentence(check) for check in gate.checks)]
    for check in gate.checks:
        if check.regressed and (check.verdict != PASS or check.losses):
            parts += ["", _regressed(check), _regressed_grid(check, places).text()]
    return "\n".join([*parts, "", gate.stated() + evaluated(gate.table)]) + "\n"


def markdown(gate: Gate, *, places: int = 4) -> str:
    """For a pull request or a step summary."""
    verdict = "passed" if gate.passed else "did not pass"
    parts = [
        f"### {_SIGNS[gate.verdict]}: {shown(gate.candidate)} {verdict} the gate against {shown(gate.baseline)}",
        "",
        _grid(gate, places).markdown(),
        "",
        *(f"- {gate.sentence(check)}" for check in gate.checks),
        "",
    ]
    for check in gate.checks:
        if check.regressed:
            grid = _regressed_grid(check, places).markdown()
            parts += [f"<details><summary>{_regressed(check)}</summary>", "", grid, "", "</details>", ""]
    return "\n".join([*parts, f"<sub>{gate.stated()}{evaluated(gate.table)}</sub>"]) + "\n"


def json(gate: Gate, *, places: int = 4) -> str:  # noqa: ARG001 (all views are called alike)
    """Everything, values in full."""
    return as_json(gate.to_dict())


def junit(gate: Gate) -> str:
    """A test suite with a case for each measure, as CI servers read it."""
    failures = sum(_fails(gate, check) for check in gate.checks)
    skipped = sum(check.verdict == UNSURE and not _fails(gate, check) for check in gate.checks)
    counts = {
        "tests": str(len(gate.checks)),
        "failures": str(failures),
        "errors": "0",
        "skipped": str(skipped),
    }
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": "gainful gate", **counts})
    for check in gate.checks:
        name = {"name": check.measure, "classname": f"gainful.gate.{shown(gate.candidate)}"}
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


def _grid(gate: Gate, places: int) -> Grid:
    sure = f"{percent(1 - gate.alpha)} %"
    heads = [
        "measure",
        "verdict",
        "baseline",
        "candidate",
        "difference",
        f"lower, {sure}",
        f"upper, {sure}",
    ]
    heads += ["margin", "p", "wins/ties/losses", "topics"]
    return Grid(heads, [_row(check, places) for check in gate.checks], names=2)


def _row(check: Check, places: int) -> list[str]:
    return [
        check.measure,
        check.verdict,
        f"{check.mean_baseline:.{places}f}",
        f"{check.mean_candidate:.{places}f}",
        signed(check.difference, places),
        signed(check.lower, places),
        signed(check.upper, places),
        f"{check.margin:g}",
        p_cell(check.p_value),
        f"{check.wins}/{check.ties}/{check.losses}",
        f"{check.topics:,}",
    ]


def _regressed(check: Check) -> str:
    if check.losses == 1:
        return f"{check.measure}: the topic that lost"
    if len(check.regressed) == check.losses:
        return f"{check.measure}: the {check.losses} topics that lost"
    return f"{check.measure}: the {len(check.regressed)} that lost most, of {check.losses} topics that lost"


def _regressed_grid(check: Check, places: int) -> Grid:
    body = [
        [
            shown(one.topic),
            f"{one.baseline:.{places}f}",
            f"{one.candidate:.{places}f}",
            signed(one.difference, places),
        ]
        for one in check.regressed
    ]
    return Grid(["topic", "baseline", "candidate", "difference"], body)
