"""The page of the JSON that commands write, from the schemas in docs/schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docs.website.markdown_text import cell

SCHEMAS = Path(__file__).parents[1] / "schemas"


def schemas() -> dict[str, dict[str, Any]]:
    """Every schema by its name, in the order of names."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(SCHEMAS.glob("*.json"))}


def schema_pages() -> dict[str, str]:
    """The page, and each schema as a file beside it."""
    head = (
        "# JSON\n\nWhat each command writes with `-f json`, as JSON Schema (draft 2020-12); the tests check real output "
        "of every command against them. Numbers have full precision; what has no value is `null`.\n\n"
        "```python\nimport json, jsonschema\n\n"
        'jsonschema.validate(json.load(open("scores.json")), json.load(open("evaluate.json")))\n```\n'
    )
    parts = [part for name, schema in schemas().items() for part in _section(name, schema)]
    files = {f"{name}.json": (SCHEMAS / f"{name}.json").read_text("utf-8") for name in schemas()}
    return {"index.md": "\n".join([head, *parts])} | files


def _section(name: str, schema: dict[str, Any]) -> Iterator[str]:
    command, _, form = schema["title"].removeprefix("gainful ").partition(" -")
    yield f"## {command}{' (JSON lines)' if form.endswith('jsonl') else ''}\n"
    yield f"`{schema['title']}`: {schema['description']} Schema: [{name}.json]({name}.json)\n"
    entry = schema.get("items", schema)
    entry = _resolved(entry, schema)
    if schema.get("type") == "array":
        yield "A list, of which each entry has:\n"
    always = set(entry.get("required", ()))
    rows = []
    for key, part in entry.get("properties", {}).items():
        there = "" if key in always else "where it applies"
        rows.append(f"| `{key}` | {_type(part, schema)} | {there} | {cell(part.get('description', ''))} |")
    yield "\n".join(["| key | type | there | holds |", "|---|---|---|---|", *rows]) + "\n"


def _resolved(part: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    reference = part.get("$ref")
    return schema["$defs"][reference.rpartition("/")[2]] if reference else part


def _type(part: dict[str, Any], schema: dict[str, Any]) -> str:
    part = _resolved(part, schema)
    if "anyOf" in part:
        kinds = " or ".join(_type(each, schema) for each in part["anyOf"]).split(" or ")
        return " or ".join(sorted(dict.fromkeys(kinds), key="null".__eq__))
    kinds = part.get("type", "any")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    of = (
        f" of {_type(part['items'], schema)}s"
        if "array" in kinds and part.get("items") and " " not in _type(part["items"], schema)
        else ""
    )
    return " or ".join(f"list{of}" if kind == "array" else kind for kind in kinds)
