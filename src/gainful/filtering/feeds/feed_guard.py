"""What a feed must be before it is parsed: text of a known encoding, bounded in size, depth, elements, attributes and
namespaces, that expands no entities.

Only the entities of HTML, and short ones that a feed declares itself, are put in. One that is made of other entities, or
would be repeated beyond measure, is a weapon: the feed is refused before anything is expanded. One that names a file is not
followed.
"""

from __future__ import annotations

import codecs
import html.entities
import re
from contextlib import suppress
from dataclasses import dataclass

from gainful.errors import DataError

LARGEST = 16 << 20
"""Bytes of a feed, decompressed."""

UNDEFINED_ENTITY = "undefined entity"

_HEAD = 1 << 16  # characters before the first element
_DEEPEST, _ATTRIBUTES, _CHILDREN, _ELEMENTS = 256, 256, 20_000, 500_000
_NAMESPACES = 256  # prefixes; the time that feedparser takes grows with elements × prefixes
_EXPANDED = 1 << 20  # characters that declared entities may become, all together
_DECLARATION = 2048  # bytes in which an encoding is declared
_DECLARED = re.compile(rb"""^<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
# What each alternative begins with is its own, so that nothing is tried twice. Repeated groups are not possessive: Python
# before 3.11.5 reads some of those wrongly.
_COMMENT, _INSTRUCTION = r"<!--(?:(?!-->).)*-->", r"<\?(?:(?!\?>).)*\?>"
_BEFORE = re.compile(rf"\s*+(?:{_INSTRUCTION}\s*+|{_COMMENT}\s*+)*", re.DOTALL)
_ELEMENT = re.compile(r"<\w")
_DOCTYPE = re.compile(
    rf"""<!DOCTYPE\b(?:[^"'<>\[\]]|"[^"]*"|'[^']*')*
        (?:\[(?P<subset>(?:[^"'<\]]|"[^"]*"|'[^']*'|{_COMMENT}|{_INSTRUCTION}|<!(?!--)(?:[^"'>]|"[^"]*"|'[^']*')*>)*)\]\s*+)?>""",
    re.DOTALL | re.VERBOSE | re.IGNORECASE,
)
_ENTITY = re.compile(r"""<!ENTITY\s+(%\s+)?([\w:.-]+)\s+(?:"([^"]*)"|'([^']*)'|([A-Z]+))""", re.IGNORECASE)
_CHARACTER = re.compile(r"&#(?:[0-9]{1,7}|x[0-9a-fA-F]{1,6});")
_REFERENCE = re.compile(r"&([\w:.-]+);")
_SNIFFED = {b"<\0?\0": "utf-16-le", b"\0<\0?": "utf-16-be", b"<\0\0\0": "utf-32-le", b"\0\0\0<": "utf-32-be"}
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_STRANGE = frozenset({"punycode", "idna", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"})
_WIDER = {"gb2312": "gb18030", "iso8859-1": "cp1252", "ascii": "cp1252"}  # what is meant by these


@dataclass(frozen=True)
class Guarded:
    """The text of a feed, from its first element on, safe to parse.

    line   of the file on which it begins, less one
    notes  what was forgiven
    """

    text: str
    line: int
    notes: list[str]


def guarded(raw: bytes, name: str, *, charset: str = "", kind: str = "a feed") -> Guarded:
    """What a file or an answer of a server holds, if it can be parsed safely.

    name     of the file, for messages
    charset  which encoding the server says it has; a declaration within it counts more
    kind     what it should be, for messages
    """
    if len(raw) > LARGEST:
        raise DataError(f"{name} holds more than {LARGEST >> 20} MiB; that is not {kind}.")
    text, notes = decoded(raw, name, charset=charset)
    text = text.removeprefix("\ufeff")
    begins, entities = _prologue(text, name, kind)
    line = text.count("\n", 0, begins)
    return Guarded(_with(text[begins:], entities, name), line, notes)


def decoded(
    raw: bytes, name: str, *, charset: str = "", declared: re.Pattern[bytes] = _DECLARED
) -> tuple[str, list[str]]:
    """The text of these bytes: by the byte-order mark, the declaration, what the server says, or what fits; and what was
    forgiven.

    declared  where a declaration stands: at the beginning of XML

    >>> decoded("<?xml version='1.0' encoding='latin-1'?><é/>".encode("latin-1"), "a.xml")[0][-4:]
    '<é/>'
    """
    for mark, encoding in _MARKS.items():
        if raw.startswith(mark):
            return _strictly(raw[len(mark) :], encoding, name), []
    if raw[:4] in _SNIFFED:
        return _strictly(raw, _SNIFFED[raw[:4]], name), []
    declaration = declared.search(raw[:_DECLARATION])
    said = declaration[1].decode("ascii") if declaration else charset or None
    known = "utf-8" if said is None else _known(said)
    for encoding in dict.fromkeys(filter(None, (known, "utf-8", "cp1252", "latin-1"))):
        try:
            text = raw.decode(encoding)
        except ValueError:
            continue
        break
    if encoding == known:
        return text, []
    wrong = "is not UTF-8 and names no encoding" if said is None else f"is not in {said}, as it says"
    if known is None:
        wrong = f"names an encoding that is not known, {said}"
    return text, [f"{name} {wrong}; read as {encoding}."]


def _prologue(text: str, name: str, kind: str) -> tuple[int, dict[str, str]]:
    """Where the first element begins, and the entities declared before it."""
    begins, entities = _skipped(text, 0), {}
    if text[begins : begins + 9].upper() == "<!DOCTYPE":
        doctype = _DOCTYPE.match(text[begins : begins + _HEAD])
        if doctype is None:
            raise DataError(f"{name}: its document type (<!DOCTYPE) is broken or too large; it was refused.")
        entities = _entities(doctype["subset"] or "", name)
        begins = _skipped(text, begins + doctype.end())
    if not _ELEMENT.match(text, begins):
        raise DataError(f"{name} is not {kind}: it does not begin with an element, as XML does.")
    return begins, entities


def _skipped(text: str, place: int) -> int:
    """The place after spaces, comments and instructions."""
    match = _BEFORE.match(text[place : place + _HEAD])
    return place + (match.end() if match else 0)


@dataclass(frozen=True)
class Broken:
    """Where XML is broken, and how."""

    line: int
    reason: str


def broken_at(text: str, name: str) -> Broken | None:
    """The first place where this is not XML; refused where there is too much of anything.

    >>> broken_at("<a><b></a>", "a.xml")
    Broken(line=1, reason='mismatched tag')
    """
    from xml.parsers import expat

    children = [0]  # so far, of each element that is open
    prefixes: set[str | None] = set()
    elements = 0

    def bound(count: int, most: int, what: str) -> None:
        if count > most:
            raise DataError(f"{name} has more than {most:,} {what}; it was refused.")

    def enter(_: str, attributes: list[str]) -> None:
        nonlocal elements
        elements += 1
        children[-1] += 1
        children.append(0)
        bound(elements, _ELEMENTS, "elements")
        bound(len(children), _DEEPEST, "elements within each other")
        bound(children[-2], _CHILDREN, "elements within one")
        bound(len(attributes) // 2, _ATTRIBUTES, "attributes in one element")

    def leave(_: str) -> None:
        children.pop()

    def declare(prefix: str | None, _: str) -> None:
        prefixes.add(prefix)
        bound(len(prefixes), _NAMESPACES, "prefixes of namespaces")

    parser = expat.ParserCreate("utf-8", " ")
    parser.ordered_attributes = True
    parser.StartElementHandler, parser.EndElementHandler = enter, leave
    parser.StartNamespaceDeclHandler = declare
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as fault:
        return Broken(fault.lineno, expat.errors.messages.get(fault.code, "not well-formed"))
    return None


def html_entities(text: str) -> str:
    """The text with HTML's own names as numbers: many feeds use them, and XML knows five.

    >>> html_entities("a&nbsp;b &amp; &what;")
    'a&#160;b &amp; &what;'
    """
    return _REFERENCE.sub(_numbered, text)


def _numbered(entity: re.Match[str]) -> str:
    point = html.entities.name2codepoint.get(entity[1])
    return entity[0] if point is None or entity[1] in ("amp", "lt", "gt", "quot") else f"&#{point};"


def _entities(subset: str, name: str) -> dict[str, str]:
    """What the document type declares: short texts; anything else is refused."""
    declared: dict[str, str] = {}
    for parameter, entity, double, single, outside in _ENTITY.findall(subset):
        value = double or single
        if outside or parameter:
            continue  # a file or an address, which is never fetched: a reference to it is broken XML
        if "&" in _CHARACTER.sub("", value) or "%" in value or "<" in value:
            raise DataError(
                f"{name}: the entity '{entity[:40]}' is made of other entities or of markup. Such a feed can grow without "
                "end when it is read; it was refused."
            )
        declared.setdefault(entity, value.replace('"', "&quot;").replace("'", "&#39;"))
    return declared


def _with(text: str, entities: dict[str, str], name: str) -> str:
    """The text with these entities put in."""
    if not entities:
        return text
    grown = sum(len(entities.get(reference[1], "")) for reference in _REFERENCE.finditer(text))
    if grown > _EXPANDED:
        raise DataError(
            f"{name}: the entities that it declares would become {grown:,} characters; it was refused."
        )
    return _REFERENCE.sub(lambda entity: entities.get(entity[1], entity[0]), text)


def _strictly(raw: bytes, encoding: str, name: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as fault:
        raise DataError(
            f"{name}, byte {fault.start + 1}: not {encoding}, as the file begins; fetch it again."
        ) from None


def _known(said: str) -> str | None:
    try:
        encoding = codecs.lookup(said).name.replace("_", "-")
        with suppress(UnicodeDecodeError):
            b"<".decode(encoding)  # rot13, hex and zlib are codecs, and no encodings of text
    except (LookupError, ValueError):
        return None
    return None if encoding.replace("-", "_") in _STRANGE else _WIDER.get(encoding, encoding)
