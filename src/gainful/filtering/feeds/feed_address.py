"""Addresses of feeds: made regular when they are given, and shown without their passwords."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from gainful.errors import DataError
from gainful.formats.ids import shown

LONGEST = 1500
"""Characters of an address."""

PORTS = {"http": 80, "https": 443}
"""The schemes that are fetched, and the port of each where none is given."""

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):(?!\d)", re.IGNORECASE)
_HOST = re.compile(r"[^\s/?#@\[\]\\<>\"'^`{|}%]+|\[[0-9a-f:.]+\]", re.IGNORECASE)
_STRANGE = re.compile(r"[\x00-\x20\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\\]")


def regular_address(address: str) -> str:
    """The address of a feed or page as it is kept: with a scheme, the host in lower case, no fragment, no default port.

    Anything that is not http or https is refused.

    >>> regular_address("Example.org/feed#top"), regular_address("feed://example.org:80")
    ('https://example.org/feed', 'http://example.org/')
    """
    given = address.strip()
    if len(given) > LONGEST:
        raise DataError(f"the address {shown_address(given)[:60]}… has more than {LONGEST:,} characters.")
    full = re.sub(r"^feed:(?://)?(?=https?:)", "", given, flags=re.IGNORECASE)  # as browsers once wrote it
    full = re.sub(r"^feed:(?=//)", "http:", full, flags=re.IGNORECASE)
    if not _SCHEME.match(full):
        full = f"https://{full}"
    parts = _split(full)
    if parts is None:
        raise DataError(
            f"'{shown_address(given)[:200]}' is not the address of a feed; it begins with http:// or https:// and a host."
        )
    host = (parts.hostname or "").rstrip(".")
    host = f"[{host}]" if ":" in host else host
    port = "" if parts.port in (None, PORTS[parts.scheme]) else f":{parts.port}"
    user, at, _ = parts.netloc.rpartition("@")
    return urlunsplit((parts.scheme, f"{user}{at}{host}{port}", parts.path or "/", parts.query, ""))


def _split(address: str) -> SplitResult | None:
    """The parts of a web address; None where it is none."""
    if _STRANGE.search(address):
        return None
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return None
    bracketed = f"[{host}]" if host and ":" in host else host
    return parts if parts.scheme in PORTS and bracketed and _HOST.fullmatch(bracketed) else None


def shown_address(address: str) -> str:
    """The address as people see it: without a password.

    >>> shown_address("https://me:secret@example.org/feed")
    'https://me:***@example.org/feed'
    """
    head, at, rest = _authority(address)
    if not at:
        return shown(address)
    scheme, slashes, user = head.rpartition("//")
    name, colon, _ = user.partition(":")
    return shown(f"{scheme}{slashes}{name}{':***' if colon else ''}@{rest}")


def without_login(address: str) -> tuple[str, tuple[str, str] | None]:
    """The address without name and password, and these.

    >>> without_login("https://me:se%20cret@example.org/feed")
    ('https://example.org/feed', ('me', 'se cret'))
    """
    head, at, rest = _authority(address)
    if not at:
        return address, None
    scheme, slashes, user = head.rpartition("//")
    name, _, password = user.partition(":")
    return f"{scheme}{slashes}{rest}", (unquote(name), unquote(password))


def with_login_of(address: str, known: str) -> str:
    """The address with the name and password of another one, if that is on the same host and port by the same scheme.

    >>> with_login_of("https://example.org/feed", "https://me:secret@example.org/")
    'https://me:secret@example.org/feed'
    >>> with_login_of("http://example.org/feed", "https://me:secret@example.org/")
    'http://example.org/feed'
    """
    bare, _ = without_login(known)
    head, at, _ = _authority(known)
    if not at or origin_of(bare) != origin_of(address):
        return address
    scheme, _, rest = address.partition("//")
    return f"{scheme}//{head.rpartition('//')[2]}@{rest}"


def origin_of(address: str) -> str:
    """Scheme, host and port of a regular address without name and password."""
    return "/".join(address.split("/", 3)[:3])


def without_password(address: str) -> str:
    """The address without its password, as it can be passed on; the name stays.

    >>> without_password("https://me:secret@example.org/feed")
    'https://me@example.org/feed'
    """
    head, at, rest = _authority(address)
    return (
        f"{head.rpartition('//')[0]}//{head.rpartition('//')[2].partition(':')[0]}@{rest}" if at else address
    )


def _authority(address: str) -> tuple[str, str, str]:
    """What stands before the last @ of the host, the @ itself, and what follows; all in the last part without one."""
    begin = address.find("//")
    end = min(
        (place for mark in "/?#" if (place := address.find(mark, begin + 2)) >= 0), default=len(address)
    )
    at = address.rfind("@", 0, end)
    return (address[:at], "@", address[at + 1 :]) if at >= 0 else ("", "", address)


def host_of(address: str) -> str:
    """The host of a regular address."""
    return urlsplit(address).hostname or ""
