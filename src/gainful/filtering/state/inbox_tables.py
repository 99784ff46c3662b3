"""Tables of a reader's inbox, in the reader's own state: what was read or saved, and the lists that were shown in a terminal."""

from __future__ import annotations

from typing import Any

from gainful.filtering.state.column_types import Positive, Truth

INBOX_TABLES = """
-- Documents that were read or saved. Reading says nothing about relevance, so the log knows nothing of it.
CREATE TABLE marks (document INTEGER PRIMARY KEY, read INTEGER NOT NULL, saved INTEGER NOT NULL);
-- Numbered lists shown in a terminal: what stood in each line, a delivery or a near miss.
CREATE TABLE listed (
    list INTEGER NOT NULL, line INTEGER NOT NULL, profile INTEGER NOT NULL, document INTEGER NOT NULL,
    time INTEGER NOT NULL, PRIMARY KEY (list, line));
CREATE INDEX listed_before ON listed (profile, document);
-- A profile's deliveries from the newest on.
CREATE INDEX deliveries_of_profiles ON deliveries (profile, event);
"""

INBOX_COLUMNS: dict[str, Any] = {
    **dict.fromkeys(("read", "saved"), Truth),
    **dict.fromkeys(("list", "line"), Positive),
    # of a delivery that need not be there
    **dict.fromkeys(("delivery", "delivered_time"), int | None),
    **dict.fromkeys(("then_score", "then_theta"), float | None),
}
"""What a column holds, by its name in a query (see `schema.COLUMNS`)."""
