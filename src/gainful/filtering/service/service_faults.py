"""Faults as readers are told them: what concerns the server alone, as where its states lie, stays in the server's log."""

from __future__ import annotations

import logging

from gainful.errors import GainfulError, printable
from gainful.filtering.state.store import StoreUnavailable
from gainful.filtering.state.store_address import address_name

UNUSABLE = "What the service keeps cannot be used just now; the log of the server says more."
"""Said instead of a fault that names a file or a database of the server."""

_log = logging.getLogger("gainful.service")


def told(address: str, fault: GainfulError) -> str:
    """What a reader is told of a fault.

    address  of the main state: states of other readers lie beside it, so their names begin with its name
    """
    said = printable(str(fault))
    if not isinstance(fault, StoreUnavailable) and address_name(address) not in said:
        return said
    _log.warning("%s", said)
    return UNUSABLE
