"""Deliveries as a digest in Markdown: what came for whom, and why."""

from __future__ import annotations

from collections.abc import Sequence

from gainful.filtering.delivering.items import Item, by_profile
from gainful.filtering.delivering.writing import code, destination, line, markdown
from gainful.formats.ids import shown

_TITLE, _TEXT = 120, 240


def digest(found: Sequence[Item], *, places: int = 4) -> str:
    """A page with a part for each profile, in the order of their deliveries."""
    if not found:
        return "# Digest\n\nNothing was worth delivering.\n"
    grouped = by_profile(found)
    days = sorted({item.delivery.time.date().isoformat() for item in found})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    count = f"{len(found)} deliver{'y' if len(found) == 1 else 'ies'}"
    head = f"# Digest\n\n{count}, {when}, events {found[0].delivery.number} to {found[-1].delivery.number}.\n"
    return head + "".join(_part(some, places) for some in grouped.values())


def _part(some: Sequence[Item], places: int) -> str:
    return f"\n## {markdown(some[0].reader)}\n\n" + "".join(_item(item, places) for item in some)


def _item(item: Item, places: int) -> str:
    one = item.delivery
    title = markdown(line(one.title or one.text or shown(one.document), _TITLE))
    link = destination(one.link)
    facts = [f"score {one.score:.{places}f}, threshold {one.theta:.{places}f}"]
    if item.words:
        facts.append("because of " + ", ".join(f"*{markdown(shown(word))}*" for word in item.words))
    facts.append(f"document {code(shown(one.document))}")
    if one.verdict:
        facts.append(f"you said: {one.verdict}")
    text = markdown(line(one.text, _TEXT)) if one.title else ""
    lines = [f"- **[{title}]({link})**" if link else f"- **{title}**", *([f"  {text}  "] if text else [])]
    lines[0] += "  "
    return "\n".join([*lines, f"  {' · '.join(facts)}"]) + "\n"
