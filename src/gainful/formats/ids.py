r"""Ids of topics and documents are bytes; this is how they look in Python and in text.

In Python an id is a `str`; bytes that are not UTF-8 become lone surrogates (`surrogateescape`), and turn back into
the same bytes.
In tables, JSON and messages such bytes, and control characters, are written `\xNN`, the same way everywhere:

>>> from_bytes(b"caf\xe9")
'caf\udce9'
>>> shown('caf\udce9')
'caf\\xe9'
>>> unshown('caf\\xe9') == 'caf\udce9'
True
"""

import re

_HIDDEN = re.compile("[\udc80-\udcff\x00-\x1f\x7f]|\\\\(?=x[0-9a-fA-F]{2})")
_SHOWN = re.compile(r"((?:\\x[0-9a-fA-F]{2})+)")


def from_bytes(raw: bytes) -> str:
    """The id as Python text; every sequence of bytes has one."""
    return raw.decode("utf-8", "surrogateescape")


def to_bytes(text: str) -> bytes:
    """The bytes of an id, as `from_bytes` found them."""
    return text.encode("utf-8", "surrogateescape")


def shown(text: str) -> str:
    r"""The id as people see it: what is not text is written `\xNN`, and so is a backslash that would look like it.

    >>> shown("plain-id"), shown("tab\there"), shown(r"\x41")
    ('plain-id', 'tab\\x09here', '\\x5cx41')
    """
    if text.isascii() and text.isprintable() and "\\" not in text:
        return text
    return _HIDDEN.sub(lambda found: f"\\x{ord(found[0]) & 0xFF:02x}", text)


def unshown(text: str) -> str:
    r"""The id that `shown` wrote.

    >>> unshown(shown("tab\there")) == "tab\there"
    True
    """
    if "\\" not in text:
        return text
    return _SHOWN.sub(lambda found: from_bytes(bytes.fromhex(found[1].replace("\\x", ""))), text)
