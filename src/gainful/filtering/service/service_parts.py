"""The parts of a running service that its handlers use, and the options it is started with."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starlette.requests import Request

from gainful.filtering.feeds.guarded_network import NetworkRules
from gainful.filtering.service.accounts import Accounts
from gainful.filtering.service.ledger import Ledger
from gainful.filtering.service.open_inboxes import OpenInboxes
from gainful.filtering.service.sessions import LoginLimits, Sessions

if TYPE_CHECKING:
    from gainful.filtering.service.threshold_pictures import Pictures

_SEARCHES = 4


@dataclass(frozen=True)
class ServiceOptions:
    """How the service is reached, and what it does beside answering.

    behind_proxy  believe X-Forwarded-For, -Proto and -Host of the proxy in front
    prefix        the path under which the service stands, "/news"; a proxy may leave it in requests or remove it
    hosts         names by which it may be asked for; any where there are none
    fetch         fetch feeds in the background
    network       where requests for feeds may go
    public        the service's address as readers know it, for links in mails
    """

    behind_proxy: bool = False
    prefix: str = ""
    hosts: tuple[str, ...] = ()
    fetch: bool = True
    network: NetworkRules = field(default_factory=NetworkRules)
    public: str = ""

    @property
    def allow_private(self) -> bool:
        """Whether requests may go to addresses of the own network."""
        return self.network.allow_private


@dataclass(frozen=True)
class Service:
    """All that handlers use; `Service.of(request)` finds it.

    woken    set when the background worker should not wait for its next round
    finding  how many addresses may be searched for feeds at once: each search starts a process
    seekers  readers for whom an address is being searched
    """

    address: str
    options: ServiceOptions
    ledger: Ledger
    inboxes: OpenInboxes
    pictures: Pictures
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    finding: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_SEARCHES))
    seekers: set[int] = field(default_factory=set)
    accounts: Accounts = field(init=False)
    sessions: Sessions = field(init=False)
    limits: LoginLimits = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "accounts", Accounts(self.ledger))
        object.__setattr__(self, "sessions", Sessions(self.ledger))
        object.__setattr__(self, "limits", LoginLimits(self.ledger))

    @staticmethod
    def of(request: Request) -> Service:
        """The service that a request was sent to."""
        service = request.app.state.service
        assert isinstance(service, Service)
        return service
