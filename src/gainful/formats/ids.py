r"""Ids of topics and documents are bytes; this is how they look in Python and in text.

In Python an id is a `str`; bytes that are not UTF-8 become lone surrogates (`surrogateescape`), and turn back into
the same bytes.
In tables, JSON and messages such bytes, control characters, and what breaks a line or turns the direction of writing, are
written `\xNN`, byte by byte, the same way everywhere: an id cannot move a terminal's cursor or pose as another one.

>>> from_bytes(b"caf\xe9")
'caf\udce9'
>>> shown('caf\udce9')
'caf\\xe9'
>>> unshown('caf\\xe9') == 'caf\udce9'
True
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from gainful.errors import UsageError

_TURNS = "\u2028-\u202e\u2066-\u2069"  # ends of lines and paragraphs; embeddings, overrides and isolates of direction
_HIDDEN = re.compile(f"[\udc80-\udcff\x00-\x1f\x7f-\x9f{_TURNS}]|\\\\(?=x[0-9a-fA-F]{{2}})")
_SHOWN = re.compile(r"((?:\\x[0-9a-fA-F]{2})+)")
_PADDING = re.compile(rb"\A0+(?=[0-9])")
_POINT_ZERO = re.compile(rb"\A([0-9](?:.*[0-9])?)\.0\Z", re.DOTALL)


def from_bytes(raw: bytes) -> str:
    """The id as Python text; every sequence of bytes has one."""
    return raw.decode("utf-8", "surrogateescape")


def to_bytes(text: str) -> bytes:
    """The bytes of an id, as `from_bytes` found them."""
    return text.encode("utf-8", "surrogateescape")


def plain(raw: bytes) -> bytes:
    """The plain form of an id: in lower case, without zeros before a number, and without `.0` behind one.

    Ids that people take for the same are often not the same bytes: `D7` and `d7`, `07` and `7`, `1` and `1.0`.

    >>> plain(b"D7"), plain(b"007"), plain(b"12.0"), plain(b"v1.0")
    (b'd7', b'7', b'12', b'v1.0')
    """
    return _PADDING.sub(b"", _POINT_ZERO.sub(rb"\1", raw.lower()))


def difference(ours: bytes, theirs: bytes) -> str:
    """What two ids of one plain form differ in.

    >>> difference(b"D7", b"d7"), difference(b"7", b"7.0"), difference(b"7", b"007")
    ('case', 'type', 'padding')
    """
    if ours.lower() == theirs.lower():
        return "case"
    if ours.lower().removesuffix(b".0") == theirs.lower().removesuffix(b".0"):
        return "type"
    return "padding"


def shown(text: str) -> str:
    r"""The id as people see it: what is not text is written `\xNN`, and so is a backslash that would look like it.

    >>> shown("plain-id"), shown("tab\there"), shown(r"\x41"), shown("a\u202eb")
    ('plain-id', 'tab\\x09here', '\\x5cx41', 'a\\xe2\\x80\\xaeb')
    """
    if text.isascii() and text.isprintable() and "\\" not in text:
        return text
    return _HIDDEN.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return "".join(f"\\x{byte:02x}" for byte in to_bytes(match[0]))


def is_text(text: str) -> bool:
    r"""Whether all of it is text: no byte in it was not UTF-8.

    >>> is_text("caf\u00e9"), is_text(from_bytes(b"caf\xe9"))
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def shown_texts(texts: Mapping[str, str]) -> dict[str, str]:
    """Texts by id, both as people see them."""
    return {shown(id_): shown(text) for id_, text in texts.items()}


def unshown(text: str) -> str:
    r"""The id that `shown` wrote.

    >>> unshown(shown("tab\there")) == "tab\there"
    True
    """
    if "\\" not in text:
        return text
    return _SHOWN.sub(lambda match: from_bytes(bytes.fromhex(match[1].replace("\\x", ""))), text)


def some(ids: Sequence[str], most: int = 5, *, count: int | None = None) -> str:
    """The first ids as text for a message, and how many more there are.

    count  how many there are, if ids are only the first of them

    >>> some(["q1", "q2", "q3"], 2)
    'q1, q2 and 1 more'
    """
    left = (len(ids) if count is None else count) - most
    more = f" and {left:,} more" if left > 0 else ""
    return ", ".join(map(shown, ids[:most])) + more


def some_quoted(ids: Sequence[str]) -> str:
    """The first three ids in quotation marks, and how many more there are.

    >>> some_quoted(["q1", "q2", "q3", "q4"])
    "'q1', 'q2', 'q3' and 1 more"
    """
    return some([f"'{name}'" for name in ids[:3]], 3, count=len(ids))


def check_judged(topic: str, judged: Collection[str]) -> None:
    """Raise if a topic is not judged; the message names some topics that are.

    >>> check_judged("zz", ["1", "2"])
    Traceback (most recent call last):
    gainful.errors.UsageError: topic 'zz' is not judged; the judgments have '1', '2'.
    """
    if topic not in judged:
        raise UsageError(
            f"topic '{shown(topic)}' is not judged; the judgments have {some_quoted(list(judged))}."
        )


def in_order(topics: Iterable[str]) -> list[str]:
    """Topics that are numbers first, by size, then the others by their bytes.

    >>> in_order({"b", "10", "9", "a1"})
    ['9', '10', 'a1', 'b']
    """
    return sorted(topics, key=lambda topic: _place(to_bytes(topic)))


def _place(topic: bytes) -> tuple[bool, int, bytes, bytes]:
    """Numbers by how many digits they have and then by these: an id may have more than Python makes a number of."""
    digits = topic.lstrip(b"0") if topic.isdigit() else b""
    return not topic.isdigit(), len(digits), digits, topic
