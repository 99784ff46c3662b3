"""Errors as readers see them: what concerns the server alone, such as where its states lie, stays in the server's log."""

from __future__ import annotations

import logging

from gainful.errors import GainfulError, printable
from gainful.filtering.state.store import StoreUnavailable
from gainful.filtering.state.store_address import address_name

UNUSABLE = "What the service keeps cannot be used just now; the log of the server says more."
"""Shown instead of an error that names a file or a database of the server."""

_log = logging.getLogger("gainful.service")


def reader_message(address: str, fault: GainfulError) -> str:
    """The message that a reader gets for an error.

    address  of the main state: states of other readers lie beside it, so their names begin with its name
    """
    message = printable(str(fault))
    if not isinstance(fault, StoreUnavailable) and address_name(address) not in message:
        return message
    _log.warning("%s", message)
    return UNUSABLE
