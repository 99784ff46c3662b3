"""The application: a module of this package that has `routes` answers requests, one that has `duties` works in the background."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import ModuleType
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from gainful.errors import GainfulError, UsageError
from gainful.filtering import service as package
from gainful.filtering.service.background_worker import EVERY, Duty, Worker
from gainful.filtering.service.ledger import Ledger
from gainful.filtering.service.open_inboxes import OpenInboxes
from gainful.filtering.service.page_templates import page_response, wants_json
from gainful.filtering.service.request_guard import RequestGuard
from gainful.filtering.service.service_faults import reader_message
from gainful.filtering.service.service_parts import Service, ServiceOptions
from gainful.filtering.service.threshold_pictures import Pictures
from gainful.filtering.service.visitors import visitor_of
from gainful.filtering.state.filter_session import Clock
from gainful.filtering.state.store import StoreUnavailable
from gainful.filtering.state.store_address import open_store


def create_app(
    address: str,
    *,
    options: ServiceOptions | None = None,
    clock: Clock | None = None,
    work: bool = True,
    every: float = EVERY,
) -> Starlette:
    """The service on a state that is there.

    address  of the main state: an SQLite file, or postgresql://…
    options  how it is reached
    clock    gives the time; the system's by default
    work     do the background duties while it runs
    every    seconds between rounds of them
    """
    chosen = options or ServiceOptions()
    ledger = Ledger(open_store(address), clock)
    service = Service(address, chosen, ledger, OpenInboxes(address, clock=clock), Pictures())
    modules = _modules()
    duties: list[Duty] = [duty for module in modules for duty in getattr(module, "duties", [])]
    routes: list[BaseRoute] = [route for module in modules for route in getattr(module, "routes", [])]

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        worker = Worker(service, duties, every=every)
        if work:
            worker.start()
        yield
        await worker.stop()
        await service.inboxes.close()
        await run_in_threadpool(service.pictures.close)
        await run_in_threadpool(ledger.close)

    app = Starlette(
        routes=[HEALTH, *routes],
        lifespan=running,
        middleware=[Middleware(RequestGuard, options=chosen)],
        exception_handlers=FAULT_HANDLERS,
    )
    app.state.service = service
    return app


def _modules() -> list[ModuleType]:
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.name != "app")
    return [importlib.import_module(f"{package.__name__}.{name}") for name in names]


async def _health(_: Request) -> Response:
    return PlainTextResponse("ok\n")


HEALTH = Route("/health", _health)
"""Whether the service answers."""


# ---- what is answered when something cannot be done


async def _refused(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, HTTPException)
    message = "There is no such page." if fault.detail == "Not Found" else str(fault.detail)
    return await _fault_page(request, message, fault.status_code)


async def _faulty(request: Request, fault: Exception) -> Response:
    status = 503 if isinstance(fault, StoreUnavailable) else 400 if isinstance(fault, UsageError) else 409
    assert isinstance(fault, GainfulError)
    return await _fault_page(request, reader_message(request.app.state.service.address, fault), status)


async def _broken(request: Request, _: Exception) -> Response:
    message = "Something went wrong inside the service; its log says more. What you did before is kept."
    if wants_json(request):
        return JSONResponse({"said": message}, 500)
    return PlainTextResponse(f"{message}\n", 500)


async def _fault_page(request: Request, message: str, status: int) -> Response:
    if wants_json(request):
        return JSONResponse({"said": message}, status)
    try:
        visitor = await visitor_of(request)
    except GainfulError:  # the database is away
        visitor = None
    return page_response(request, "fault.html", visitor, fault=message, status=status)


FAULT_HANDLERS: dict[Any, Any] = {HTTPException: _refused, GainfulError: _faulty, Exception: _broken}
"""What is answered where something cannot be done, by the exception that was raised."""
