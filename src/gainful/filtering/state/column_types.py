"""Types of columns, and the SQL that both databases understand.

A table of a state is written once, for SQLite and for PostgreSQL:

- types are INTEGER, REAL, TEXT and BLOB; truth values are 0 and 1, and compared as such (`active = 1`)
- placeholders are `?` and `:name`; numbers of rows are given by the writer (`coalesce(max(number), 0) + 1`)
- upserts are `INSERT … ON CONFLICT (…) DO UPDATE SET x = excluded.x`, or `DO NOTHING`
- a subquery in FROM has an alias; NULL is compared by `IS NULL`, never by a placeholder
- text holds no NUL; what is in an index has at most 2,000 bytes
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

Whole = Annotated[int, Meta(ge=0, le=2**53)]
"""0 or more."""

Positive = Annotated[int, Meta(ge=1, le=2**53)]
"""1 or more: numbers of things that begin at 1."""

Truth = Literal[0, 1]
"""No or yes."""
