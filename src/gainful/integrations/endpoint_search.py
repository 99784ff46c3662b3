"""search: queries are sent to a search engine, and its answers become a run."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from gainful.errors import DataError, UsageError
from gainful.formats.ids import is_text, shown, some
from gainful.formats.runs import Run
from gainful.formats.sources import is_path
from gainful.formats.texts import Given, read_queries
from gainful.formats.types import Progress
from gainful.integrations.search_engines import BUSY, ENGINES, Engine, Hit, TryAgain

API_KEY, TOKEN, USER, PASSWORD = (
    f"GAINFUL_SEARCH_{name}" for name in ("API_KEY", "TOKEN", "USER", "PASSWORD")
)
QUERY, DEPTH = "{{query}}", "{{depth}}"
FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0  # seconds before asking again; doubled each time
_NAMED = 400  # characters of an engine's own words in a message


@dataclass(frozen=True)
class Searched:
    """The run that a search engine gave, and what would surprise a reader of it.

    run     each query's documents, with scores
    notes   queries that found nothing, scores that were replaced
    stated  engine and settings, in a line
    """

    run: Run
    notes: tuple[str, ...]
    stated: str


def search(
    url: str,
    queries: Given,
    *,
    engine: str | None = None,
    template: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    depth: int = 100,
    id_field: str = "_id",
    batch: int | None = None,
    connections: int = 4,
    timeout: float = 30.0,
    retries: int = 5,
    name: str = "run",
    progress: Progress | None = None,
) -> Searched:
    """Ask a search engine every query; needs httpx (`pip install 'gainful[search]'`).

    url          of the index: http://localhost:9200/products, or of Solr's collection: http://localhost:8983/solr/products
    queries      texts by id: {topic: text}, or a file (TSV, CSV, JSON lines, TREC topics)
    engine       elasticsearch, opensearch or solr; by default solr where the address has /solr/, else elasticsearch
    template     the body of a request as JSON, a file or a mapping, {{query}} where the text stands and "{{depth}}" where the
                 number of documents does; by default all fields are searched
    depth        documents asked for
    id_field     where a document's id is, which judgments call it by; by default the engine's own
    batch        queries in a request, where the engine takes several
    connections  requests at a time
    timeout      seconds that an answer may take
    retries      how often a request is repeated that was not answered, or not completely; waits double from half a second
    progress     called with what is done and the number of queries

    Who asks is said in the environment: GAINFUL_SEARCH_API_KEY, GAINFUL_SEARCH_TOKEN, or GAINFUL_SEARCH_USER and
    GAINFUL_SEARCH_PASSWORD. An answer that stays incomplete is an error, since a run with gaps would be scored as a bad one.
    """
    chosen = engine or ("solr" if "/solr/" in url else "elasticsearch")
    if chosen not in ENGINES:
        raise UsageError(f"engine must be one of {', '.join(ENGINES)}; got {chosen!r}.")
    for what, number in (("depth", depth), ("connections", connections), ("batch", batch or 1)):
        if number < 1:
            raise UsageError(f"{what} must be 1 or more; got {number}.")
    spoken = ENGINES[chosen]
    if batch and batch > 1 and spoken.batch == 1:
        raise UsageError(f"{chosen} takes one query in a request; leave batch out, and raise connections.")
    address = address_of(url, spoken)
    body = filled(_template(template, spoken), depth)
    texts = read_queries(queries, whole=True)
    topics = list(texts)
    size = batch or spoken.batch
    portions = [topics[start : start + size] for start in range(0, len(topics), size)]
    asking = _Asking(spoken, address, body, texts, depth, id_field, timeout, retries)
    lists: dict[str, list[Hit]] = {}
    for portion, found in asking.answers(portions, connections):
        lists |= zip(portion, found, strict=True)
        if progress:
            progress("searching", len(lists), len(topics))
    scored, notes = _scored({topic: lists[topic] for topic in topics})
    if not scored:
        raise DataError(f"{_queries(topics)} found nothing at all; is the index the right one?")
    stated = f"{chosen} · {len(topics):,} queries · {depth:,} documents asked for"
    return Searched(Run(scored, name=name), tuple(notes), stated)


@dataclass(frozen=True)
class _Asking:
    """What every request needs."""

    engine: Engine
    address: str
    body: Any
    texts: Mapping[str, str]
    depth: int
    field: str
    timeout: float
    retries: int

    def answers(
        self, portions: Sequence[list[str]], connections: int
    ) -> Iterator[tuple[list[str], list[list[Hit]]]]:
        """Each portion of queries and its lists, as they come; the first fault ends all."""
        httpx = _httpx()
        headers = {"Content-Type": self.engine.media, "Accept": "application/json", **authorization()}
        threads, stop = ThreadPoolExecutor(connections), Event()
        with httpx.Client(headers=headers, timeout=self.timeout) as client:
            pending = {threads.submit(self._answer, client, portion, stop): portion for portion in portions}
            try:
                for done in as_completed(pending):
                    yield pending[done], done.result()
            finally:  # also where the caller was interrupted: nobody waits for what is not needed any more
                stop.set()
                threads.shutdown(wait=False, cancel_futures=True)

    def _answer(self, client: Any, topics: Sequence[str], stop: Event) -> list[list[Hit]]:
        """The lists of one request, which is repeated while that may help."""
        bodies = [filled(self.body, self.texts[topic]) for topic in topics]
        content = self.engine.body(bodies, self.depth, self.field)
        reason, advice, wait = "", "", FIRST_WAIT
        for attempt in range(self.retries + 1):
            try:
                return self._lists(client, content, topics)
            except TryAgain as again:
                reason, advice = str(again), again.advice
                if attempt < self.retries and stop.wait(min(max(wait, again.wait), LONGEST_WAIT)):
                    break
            wait *= 2
        times = f" ({self.retries + 1} times)" if self.retries else ""
        raise DataError(
            f"{shown(self.address)} gave no complete answer{times}: {reason}.\nNothing was written. {advice}"
        )

    def _lists(self, client: Any, content: bytes, topics: Sequence[str]) -> list[list[Hit]]:
        """The lists of one request."""
        httpx = _httpx()
        try:
            response = client.post(self.address, content=content)
        except httpx.TimeoutException:
            raise TryAgain(f"no answer within {self.timeout:g} seconds") from None
        except httpx.ConnectError as fault:
            reason = str(fault).rpartition("] ")[2].rstrip(".")  # without the number of the system's error
            raise TryAgain(
                reason or "no connection", advice="Is the engine running, and is this its address?"
            ) from None
        except httpx.TransportError as fault:
            raise TryAgain(f"{fault}".rstrip(".") or type(fault).__name__) from None
        if response.status_code in BUSY:
            waits = response.headers.get("retry-after", "")
            raise TryAgain(_status(response), float(waits) if waits.isdigit() else 0.0)
        if not response.is_success:
            raise DataError(
                f"{shown(self.address)} refused: {_status(response)}.{_advice(response.status_code)}"
            )
        try:
            return self.engine.lists(response.json(), topics, self.field)
        except (ValueError, KeyError, TypeError, AttributeError) as fault:
            if isinstance(fault, DataError):
                raise
            raise DataError(
                f"{shown(self.address)} did not answer as expected ({type(fault).__name__}: {fault}): "
                f"{_start(response.text)}\nIs it the address of an index, and of this --engine?"
            ) from None


def address_of(url: str, engine: Engine) -> str:
    """Where requests go: the search of the index.

    >>> address_of("http://localhost:9200/products/", ENGINES["elasticsearch"])
    'http://localhost:9200/products/_msearch'
    """
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or not is_text(url):
        raise UsageError(f"{shown(url)} is no address of an index; expected http://localhost:9200/products.")
    if parts.username or parts.password:
        raise UsageError(
            f"a password in an address is seen by others; set {USER} and {PASSWORD} in the environment instead."
        )
    path = parts.path.rstrip("/")
    if not path:
        raise UsageError(f"{shown(url)} names no index; expected {shown(url).rstrip('/')}/products.")
    at = path if path.endswith(f"/{engine.path}") else f"{path}/{engine.path}"
    return parts._replace(path=at).geturl()


def filled(template: Any, value: str | int) -> Any:
    """The template with a text in place of {{query}}, or a number in place of "{{depth}}".

    >>> filled({"match": {"text": "{{query}}"}, "k": "{{depth}}"}, 'say "hi"')
    {'match': {'text': 'say "hi"'}, 'k': '{{depth}}'}
    """
    if isinstance(template, Mapping):
        return {key: filled(inner, value) for key, inner in template.items()}
    if isinstance(template, list):
        return [filled(inner, value) for inner in template]
    if isinstance(value, int):
        return value if template == DEPTH else template
    return template.replace(QUERY, value) if isinstance(template, str) else template


def _template(given: str | os.PathLike[str] | Mapping[str, Any] | None, engine: Engine) -> Mapping[str, Any]:
    """The template that was given, or the engine's own."""
    if given is None:
        return engine.template
    body: Any = given
    name = "the template"
    if is_path(given):
        name = shown(os.fsdecode(given))
        try:
            body = json.loads(Path(os.fsdecode(given)).read_bytes())
        except OSError as fault:
            raise DataError(f"{name} cannot be read: {fault.strerror}.") from None
        except ValueError as fault:
            raise DataError(f"{name} is not JSON: {fault}.") from None
    if not isinstance(body, Mapping):
        raise DataError(f"{name} must be a JSON object, the body of a search.")
    if QUERY not in json.dumps(body):
        raise UsageError(f"{name} has no {QUERY} where the text of the query stands.")
    return body


def authorization() -> dict[str, str]:
    """The header that says who asks, from the environment; none where nothing is set."""
    key, token, user = (os.environ.get(name) for name in (API_KEY, TOKEN, USER))
    if key:
        return {"Authorization": f"ApiKey {key}"}
    if token:
        return {"Authorization": f"Bearer {token}"}
    if user:
        pair = f"{user}:{os.environ.get(PASSWORD, '')}"
        return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
    return {}


def _scored(lists: Mapping[str, list[Hit]]) -> tuple[dict[str, dict[str, float]], list[str]]:
    """Documents with scores; where scores would give another order than the engine did, minus the rank is the score."""
    scored: dict[str, dict[str, float]] = {}
    ranked, repeated = [], []
    for topic, hits in lists.items():
        best = dict(reversed(hits))  # of copies the first
        documents = list(dict.fromkeys(document for document, _ in hits))
        scores = [best[document] for document in documents]
        numbers = [score for score in scores if score is not None]
        if len(documents) < len(hits):
            repeated.append(topic)
        if len(numbers) < len(scores) or numbers != sorted(numbers, reverse=True):
            ranked.append(topic)
            numbers = [-float(rank) for rank in range(1, len(documents) + 1)]
        if documents:
            scored[topic] = dict(zip(documents, numbers, strict=True))
    empty = [topic for topic in lists if topic not in scored]
    notes = []
    if empty:
        notes.append(
            f"{_queries(empty)} found nothing and {'is' if len(empty) == 1 else 'are'} not in the run"
        )
    if repeated:
        notes.append(f"{_queries(repeated)} gave a document more than once; the first stays")
    if ranked:
        notes.append(
            f"{_queries(ranked)} came without scores, or not in their order; minus the rank is the score there"
        )
    return scored, notes


def _queries(topics: Sequence[str]) -> str:
    return f"{len(topics):,} quer{'y' if len(topics) == 1 else 'ies'} ({some(topics)})"


def _status(response: Any) -> str:
    """What the engine says: its status, and its reason where it gives one."""
    said = ""
    try:
        error = response.json()["error"]
        cause = (error.get("root_cause") or [error])[0]
        said = str(cause.get("reason") or cause.get("msg") or "")
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        pass
    status = f"{response.status_code} {response.reason_phrase}".strip()
    return f"{status}: {_start(said)}" if said else status


def _start(text: str) -> str:
    return re.sub(r"\s+", " ", text)[:_NAMED].rstrip(".")


def _advice(status: int) -> str:
    if status in (401, 403):
        return f"\nSet {API_KEY}, {TOKEN}, or {USER} and {PASSWORD}, in the environment."
    if status == 404:
        return "\nIs the index of that name there?"
    return "\nThe template of the query may not fit the engine."


def _httpx() -> Any:
    try:
        import httpx
    except ImportError:
        raise UsageError("searching needs httpx: pip install 'gainful[search]'") from None
    return httpx
