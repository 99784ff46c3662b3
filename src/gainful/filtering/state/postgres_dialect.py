"""PostgreSQL's dialect: addresses, placeholders, types of columns, and values as SQLite gives them."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import parse_qsl, quote, urlencode

import psycopg
from psycopg.adapt import Dumper, Loader
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import Format
from psycopg.types.numeric import NumericBinaryLoader

from gainful.errors import UsageError
from gainful.formats.ids import shown

SCHEMA = "gainful"
"""The schema of a state whose address names none."""

_FORM = "postgresql://user@host:port/database, and ?schema=NAME for another schema than gainful"
_LONGEST = 63  # bytes of a name; PostgreSQL cuts what is longer


@dataclass(frozen=True)
class Place:
    """Where a state lies: what libpq connects to, and the schema there."""

    conninfo: str
    schema: str

    @classmethod
    def of(cls, address: str) -> Place:
        """The place that an address names."""
        try:
            server, _, options = address.partition("?")
            given = parse_qsl(options, keep_blank_values=True, strict_parsing=bool(options))
            schemas = [value for key, value in given if key == "schema"] or [SCHEMA]
            rest = [(key, value) for key, value in given if key != "schema"]
            conninfo = f"{server}?{urlencode(rest, quote_via=quote)}" if rest else server
            conninfo_to_dict(conninfo)  # refuses what is none
        except (ValueError, psycopg.ProgrammingError):  # what they say may hold the password
            raise UsageError(f"the address of the database is not one; it is written {_FORM}") from None
        if len(schemas) != 1:
            raise UsageError(f"an address names one schema; got {len(schemas)}")
        return cls(conninfo, schemas[0])

    def __post_init__(self) -> None:
        if not re.fullmatch(rf"[a-z_][a-z0-9_]{{,{_LONGEST - 1}}}", self.schema, re.ASCII):
            raise UsageError(
                f"a schema's name has at most {_LONGEST} letters of a to z, 0 to 9 and _, the first no digit; got "
                f"'{shown(self.schema)}'"
            )

    def reader(self, number: int) -> Place:
        """Where the state of another reader lies."""
        return replace(self, schema=f"{self.schema}_reader_{number}")

    @property
    def address(self) -> str:
        """The address that names this place."""
        return f"{self.conninfo}{'&' if '?' in self.conninfo else '?'}schema={self.schema}"

    @property
    def name(self) -> str:
        """The address as messages show it, without password and options."""
        known = conninfo_to_dict(self.conninfo)
        user = f"{known['user']}@" if known.get("user") else ""
        port = f":{known['port']}" if known.get("port") else ""
        schema = "" if self.schema == SCHEMA else f"?schema={self.schema}"
        return shown(
            f"postgresql://{user}{known.get('host') or ''}{port}/{known.get('dbname') or ''}{schema}"
        )

    @property
    def lock(self) -> int:
        """The number of the lock that a writer of this state takes."""
        digest = hashlib.blake2b(self.schema.encode(), digest_size=8, person=b"gainful").digest()
        return int.from_bytes(digest, "little", signed=True)


# ---- SQL

_MARKS = re.compile(r"'(?:[^']|'')*'|--[^\n]*|\?|(?<!:):([a-z_]\w*)|%")


@lru_cache(maxsize=2048)
def placeholders(query: str) -> bytes:
    """A query with psycopg's placeholders in place of `?` and `:name`.

    >>> placeholders("SELECT '?', x FROM t WHERE y = ? AND z LIKE '50%'")
    b"SELECT '?', x FROM t WHERE y = %s AND z LIKE '50%%'"
    """

    def mark(found: re.Match[str]) -> str:
        if found[0] == "?":
            return "%s"
        return f"%({found[1]})s" if found[1] else found[0].replace("%", "%%")

    return _MARKS.sub(mark, query).encode()


_TYPES = {"INTEGER": "BIGINT", "REAL": "DOUBLE PRECISION", "TEXT": 'TEXT COLLATE "C"', "BLOB": "BYTEA"}
_OF_ANY_LENGTH = {  # a B-tree takes no key of more than 2,704 bytes, and ids, terms and names may be longer
    "id BYTEA UNIQUE": "id BYTEA, EXCLUDE USING hash (id WITH =)",
    'term TEXT COLLATE "C" NOT NULL UNIQUE': 'term TEXT COLLATE "C" NOT NULL, EXCLUDE USING hash (term WITH =)',
    "CREATE UNIQUE INDEX profiles_names ON profiles (name) WHERE active = 1": (
        "ALTER TABLE profiles ADD EXCLUDE USING hash (name WITH =) WHERE (active = 1)"
    ),
}


def definition(statement: str) -> str:
    """A statement that defines or changes a table, with PostgreSQL's types; text is compared by its bytes, as in SQLite.

    >>> definition("CREATE TABLE t (n INTEGER, x REAL) WITHOUT ROWID")
    'CREATE TABLE t (n BIGINT, x DOUBLE PRECISION)'
    """
    plain = re.sub(r"--[^\n]*\n", "", statement).replace(" WITHOUT ROWID", "")
    typed = re.sub(r"\b(INTEGER|REAL|TEXT|BLOB)\b", lambda found: _TYPES[found[0]], plain)
    for by_tree, by_hash in _OF_ANY_LENGTH.items():
        typed = typed.replace(by_tree, by_hash)
    return typed


# ---- values


class _TruthDumper(Dumper):
    """Truth values are written as 0 and 1, which is what columns hold."""

    oid = psycopg.postgres.types["int8"].oid

    def dump(self, obj: bool) -> bytes:
        return b"1" if obj else b"0"


class _TruthLoader(Loader):
    """Comparisons give 0 and 1."""

    format = Format.BINARY

    def load(self, data: psycopg.abc.Buffer) -> int:
        return int(bytes(data) != b"\x00")


class _NumberLoader(NumericBinaryLoader):
    """Sums of whole numbers are whole numbers."""

    def load(self, data: psycopg.abc.Buffer) -> int | float:  # type: ignore[override]
        number = super().load(data)
        return int(number) if number == number.to_integral_value() else float(number)


def adapt(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """Let values go in and come out as they do in SQLite."""
    connection.adapters.register_dumper(bool, _TruthDumper)
    connection.adapters.register_loader("bool", _TruthLoader)
    connection.adapters.register_loader("numeric", _NumberLoader)
