"""Values from files: what tools print (trec_eval's lines, JSON, CSV) and tables of papers (CSV, Markdown)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown, some_quoted, unshown
from gainful.formats.sources import Source
from gainful.reconciling.claimed_values import Claimed, Number, Shown, is_measure, of_mapping, shown_number

ALL = ("all", "amean", "mean", "average", "avg", "total")
"""What a row for all topics is called."""
_MEASURE, _TOPIC, _VALUE = (
    ("measure", "metric"),
    ("topic", "query", "qid", "query_id", "topic_id"),
    ("value", "score"),
)
_SYSTEM = ("system", "run", "model", "name")
_NUMBER = re.compile(r"[-+−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?:\s?%)?|nan", re.IGNORECASE)
_WITHOUT_EQUALS = re.compile(r"([^:\s]+)\s*[:\s]\s*[-+.\d]")

Cells = list[list[str]]


def read_values(given: str, *, topics: Collection[str], run: str, row: str | None = None) -> Shown:
    """The values in a file, or `measure=value` pairs with commas between them.

    topics  the judged topics, by which a table of topics is recognised
    run     the name of the run, by which its row in a table of systems is found
    row     the name of the row, where it is another
    """
    if "=" in given and not Path(given).exists():
        return of_mapping(_pairs(given))
    if (pair := _WITHOUT_EQUALS.match(given)) and is_measure(pair[1]) and not Path(given).exists():
        raise UsageError(f"'{given}' is no file; a value is written with =, as in {pair[1]}=0.5371.")
    with Source(given) as source:
        text = source.raw().read().decode("utf-8-sig", "surrogateescape")
    if not text.strip():
        raise DataError(f"{given} is empty; it should hold values of measures.")
    if text.lstrip().startswith(("{", "[")):
        return _of_json(text, given, topics, run, row)
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if lines[0].lstrip().startswith("|"):
        return _of_cells(_markdown(lines), given, topics, run, row)
    printed = _printed(lines)
    return Shown(given, printed) if printed else _of_cells(_csv(text), given, topics, run, row)


def _pairs(text: str) -> dict[str, str]:
    """measure=value, …; the last = of each stands before the value, so that measures may have keywords."""
    pairs = {
        match[1]: match[2] for match in re.finditer(r"\s*,?\s*(.+?)\s*=\s*([-+.\deE]+%?)\s*(?=,|$)", text)
    }
    if not pairs:
        raise UsageError(f"'{text}' is neither a file nor measure=value, as in nDCG@10=0.5371,AP=0.31.")
    return pairs


# ---- lines as trec_eval prints them -----------------------------------------------------------------------


def _printed(lines: Sequence[str]) -> tuple[Claimed, ...]:
    """Lines of measure, topic and value, or of measure and value; nothing where it is something else."""
    fields = [line.split() for line in lines]
    if not all(len(row) in (2, 3) and _NUMBER.fullmatch(row[-1]) for row in fields if is_measure(row[0])):
        return ()
    known = [row for row in fields if len(row) in (2, 3) and is_measure(row[0])]
    if not known or len(known) < len(fields) / 2:
        return ()
    return _claims((row[0], row[1] if len(row) == 3 else "all", row[-1]) for row in known)


def _claims(entries: Iterable[tuple[str, str, str]]) -> tuple[Claimed, ...]:
    """Claims of measure, topic and number as text, in the order of measures."""
    means: dict[str, Number] = {}
    of_topics: dict[str, dict[str, Number]] = {}
    for measure, topic, text in entries:
        number = shown_number(text.replace("−", "-"))
        each = of_topics.setdefault(measure, {})
        if topic.lower() in ALL:
            means[measure] = number
        else:
            each[unshown(topic)] = number
    return tuple(Claimed(measure, means.get(measure), topics) for measure, topics in of_topics.items())


# ---- JSON -------------------------------------------------------------------------------------------------


def _of_json(text: str, name: str, topics: Collection[str], run: str, row: str | None) -> Shown:
    try:
        decoded = msgspec.json.decode(text.encode("utf-8", "surrogateescape"))
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise DataError(f"{name} is not JSON: {fault}.") from None
    if isinstance(decoded, list):
        decoded = _of_list(decoded, name)
    if isinstance(decoded.get("runs"), list):
        decoded = _saved(decoded["runs"], name, run, row)
    flat = {
        measure: value
        for measure, value in decoded.items()
        if isinstance(value, int | float) and is_measure(measure)
    }
    nested = {key: value for key, value in decoded.items() if isinstance(value, Mapping)}
    if flat and not nested:
        return of_mapping(flat, name)
    by_measure = {
        key: _numbers(value) for key, value in nested.items() if is_measure(key) and key not in topics
    }
    if not by_measure:
        for topic, measures in nested.items():
            for measure, value in _numbers(measures).items():
                if is_measure(measure):
                    by_measure.setdefault(measure, {})["all" if topic.lower() in ALL else unshown(topic)] = (
                        value
                    )
    for measure, value in flat.items():
        by_measure.setdefault(measure, {})["all"] = value
    if not any(by_measure.values()):
        raise DataError(
            f"{name} holds no value of a measure; expected {{measure: value}} or {{topic: {{measure: value}}}}."
        )
    return of_mapping(by_measure, name)


def _of_list(entries: Sequence[Any], name: str) -> dict[str, Any]:
    """Dictionaries of measures one after the other, as BEIR returns them, or a record for each value."""
    whole: dict[str, Any] = {}
    for entry in entries:
        if not isinstance(entry, Mapping):
            raise DataError(f"{name}: expected objects of measures and values, not {shown(str(entry)[:60])}.")
        lower = {key.lower(): value for key, value in entry.items()}
        measure = next((lower[key] for key in _MEASURE if key in lower), None)
        value = next((lower[key] for key in _VALUE if key in lower), None)
        if measure is None or value is None:
            whole |= entry
            continue
        topic = str(next((lower[key] for key in _TOPIC if key in lower), "all"))
        whole.setdefault(measure, {})["all" if topic.lower() in ALL else topic] = value
    return whole


def _saved(runs: Sequence[Mapping[str, Any]], name: str, run: str, row: str | None) -> dict[str, Any]:
    """The values of one run in what `gainful evaluate -f json` saved."""
    by_name = {str(each.get("name")): each for each in runs}
    chosen = by_name[_row(list(by_name), name, run, row)]
    values: dict[str, dict[str, float]] = {
        measure: {"all": value} for measure, value in chosen.get("mean", {}).items() if value is not None
    }
    for topic, measures in (chosen.get("per_topic") or {}).items():
        for measure, value in measures.items():
            values.setdefault(measure, {})[unshown(topic)] = value
    return values


def _numbers(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        unshown(key): value
        for key, value in values.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }


# ---- tables -----------------------------------------------------------------------------------------------


def _csv(text: str) -> Cells:
    first = text.splitlines()[0]
    delimiter = max((",", ";", "\t"), key=first.count)
    return [
        row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(cell.strip() for cell in row)
    ]


def _markdown(lines: Sequence[str]) -> Cells:
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines if "|" in line]
    return [row for row in rows if not all(re.fullmatch(r":?-*:?", cell) for cell in row)]


def _of_cells(cells: Cells, name: str, topics: Collection[str], run: str, row: str | None) -> Shown:
    """The values of a table: a line for each value, or a line for each topic or system and a column for each measure."""
    heads = [_plain(head).rstrip("% ") for head in cells[0]]
    lower = [head.lower() for head in heads]
    body = [[_plain(cell) for cell in line] for line in cells[1:] if len(line) == len(heads)]
    measure, value = (
        next((lower.index(name) for name in names if name in lower), None) for names in (_MEASURE, _VALUE)
    )
    if measure is not None and value is not None:
        topic, system = (
            next((lower.index(each) for each in names if each in lower), None) for names in (_TOPIC, _SYSTEM)
        )
        if system is not None:
            chosen = _row(list(dict.fromkeys(line[system] for line in body)), name, run, row)
            body = [line for line in body if line[system] == chosen]
        entries = [
            (line[measure], "all" if topic is None else line[topic], line[value])
            for line in body
            if is_measure(line[measure]) and _NUMBER.fullmatch(line[value])
        ]
        return Shown(name, _some(_claims(entries), name))
    if not any(map(is_measure, heads[1:])) and any(is_measure(line[0]) for line in body):
        heads, *body = [list(column) for column in zip(heads, *body, strict=True)]
    columns = [column for column, head in enumerate(heads) if column and is_measure(head)]
    if not columns:
        raise DataError(f"{name}: no column is named after a measure; the columns are {some_quoted(heads)}.")
    if not any(line[0] in topics for line in body):
        chosen = _row([line[0] for line in body], name, run, row)
        body = [["all", *line[1:]] for line in body if line[0] == chosen]
    entries = [
        (heads[column], line[0], number[0])
        for column in columns
        for line in body
        if (number := _NUMBER.search(line[column]))
    ]
    return Shown(name, _some(_claims(entries), name))


def _some(claims: tuple[Claimed, ...], name: str) -> tuple[Claimed, ...]:
    if not claims:
        raise DataError(f"{name} holds no value of a measure that is known here or in a dialect.")
    return claims


def _row(rows: Sequence[str], name: str, run: str, row: str | None) -> str:
    """The row of the run: the one that is asked for, the one that has its name, or the only one."""
    wanted = (row or run).lower()
    alike = [each for each in rows if each.lower() == wanted]
    if len(alike) == 1:
        return alike[0]
    if len(rows) == 1 and row is None:
        return rows[0]
    raise UsageError(
        f"{name} has {len(rows)} rows ({some_quoted(rows)}), and {'more than one is' if alike else 'none is'} named "
        f"'{row or run}'; choose one with --row NAME."
    )


def _plain(cell: str) -> str:
    """A cell without marks of emphasis and footnotes."""
    return cell.strip().strip("*_`†‡ ").replace("−", "-").replace(r"\|", "|")
