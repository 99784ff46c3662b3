"""Filter: a stream kept worth reading, day after day, and nothing lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Literal

from gainful.errors import DataError, UsageError
from gainful.filtering.documents import Document, Topic
from gainful.filtering.profiles import Rocchio
from gainful.filtering.rules import Rule
from gainful.filtering.state import answers, checkup, forget
from gainful.filtering.state.engine import Engine
from gainful.filtering.state.events import (
    CAP,
    VERDICTS,
    Event,
    Settings,
    Wish,
    id_of,
    plain,
    stamp,
)
from gainful.filtering.state.explain import explanation
from gainful.filtering.state.export import export
from gainful.filtering.state.rebuild import Quiet, derive, rebuild
from gainful.filtering.state.results import (
    Delivery,
    Explanation,
    Forgotten,
    History,
    Ingested,
    Preview,
    ProfileState,
    Rebuilt,
    Stats,
)
from gainful.filtering.state.schema import VERSION
from gainful.filtering.state.session import Clock, Session
from gainful.filtering.state.store import Store, copies_of, copy_of, migrate
from gainful.filtering.state.wishes import changed, wished
from gainful.filtering.text import Analyzer
from gainful.filtering.utilities import LinearUtility
from gainful.formats.ids import shown

Verdict = Literal["relevant", "not-relevant", "undo"]
Told = Callable[[Ingested], None]

_PAGE = 500  # deliveries read at once


class Filter(Session):
    """Profiles, documents and feedback in one file.

    Every call that changes something has happened for good when it returns; a call that raises has changed nothing
    (`ingest`: what was reported before stays). Data faults raise `DataError`, wrong arguments `UsageError`.

    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Filter.create(pathlib.Path(folder.name) / "my.filter") as mine:
    ...     _ = mine.add_profile("cocoa", text="cocoa harvest and prices")
    ...     _ = mine.ingest([Document("a", "Cocoa prices rise after a poor harvest"), Document("b", "A goal late in the match")])
    ...     [one.document for one in mine.deliveries()]
    ['a']
    >>> folder.cleanup()
    """

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        *,
        analyzer: Analyzer | None = None,
        epochs: float | None = 2.0,
        refresh: float = 0.05,
        cap: int | None = CAP,
        clock: Clock | None = None,
        wait: float = 30.0,
    ) -> Filter:
        """Make a new state; a file that is there already is refused.

        analyzer  how text becomes terms; the usual one is English
        epochs    a new idf epoch begins when the documents seen have grown by this factor; None keeps the first
        refresh   thresholds are made anew after feedback, and when the documents seen have grown by this share
        cap       documents of the history that stay (see docs/filter_state.md); None keeps all
        clock     gives the time that events are stamped with; the system's by default. Time decides nothing
        wait      seconds to wait for another process that is writing
        """
        settings = Settings.of(analyzer or Analyzer(), epochs=epochs, refresh=refresh, cap=cap)
        store = Store.create(Path(path), wait=wait)
        made = cls(store, clock)
        made._log.add(Event(1, "settings", made._time(), 0, body=settings.to_dict()))
        store.commit()
        return made

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, wait: float = 30.0, clock: Clock | None = None) -> Filter:
        """Open a state. A file that is none, or of a newer version, is refused; an older one is migrated, with a copy kept
        beside it. `with Filter.open(path) as state:` closes it.
        """
        store = Store.open(Path(path), wait=wait)
        opened = cls(store, clock)
        try:
            if store.version < VERSION:
                opened._migrate()
        except BaseException:
            store.close()
            raise
        return opened

    def _migrate(self) -> None:
        with self._store.writing():
            if self._store.version < VERSION:  # another process may have done it meanwhile
                copy_of(self._store)
                migrate(self._store)
                derive(self._store, self._log, Quiet())

    # ---- profiles

    def add_profile(
        self,
        name: str,
        *,
        text: str = "",
        examples: Iterable[str | Document] = (),
        rule: str | Rule | None = None,
        beta: float | None = None,
        gamma: float | None = None,
        utility: str | LinearUtility | None = None,
        rocchio: str | Rocchio | None = None,
    ) -> ProfileState:
        """A reader's new profile, from a text, from examples, or both.

        examples  relevant documents: ids of documents seen, or documents, which then are seen (and delivered to nobody)
        rule      beta_gamma(beta=0.4,gamma=0.02) unless given
        beta, gamma  of beta_gamma: short for rule
        utility   "2,-1" unless given
        rocchio   how the profile learns, "rocchio(terms=60)"
        """
        wish = wished(name, text, rule=rule, beta=beta, gamma=gamma, utility=utility, rocchio=rocchio)
        with self._writing() as engine:
            number = self._add(engine, wish, list(examples))
            engine.flush()
            return answers.state_of(self._store, self._log, engine, engine.readers[number])

    def add_profiles(
        self,
        topics: Iterable[Topic],
        *,
        rule: str | Rule | None = None,
        utility: str | LinearUtility | None = None,
        rocchio: str | Rocchio | None = None,
    ) -> int:
        """A profile for each topic, by the topic's id, with its text and examples; all of them or none. How many."""
        count = 0
        with self._writing() as engine:
            for topic in topics:
                wish = wished(topic.id, topic.text, rule=rule, utility=utility, rocchio=rocchio)
                self._add(engine, wish, list(topic.examples))
                count += 1
        return count

    def _add(self, engine: Engine, wish: Wish, examples: list[str | Document]) -> int:
        self._free(wish.name)
        number = int(self._store.one("SELECT coalesce(max(number), 0) + 1 FROM profiles"))
        self._wish(engine, "profile-added", number, wish, examples)
        return number

    def edit_profile(
        self,
        name: str,
        *,
        rename: str | None = None,
        text: str | None = None,
        examples: Iterable[str | Document] = (),
        rule: str | Rule | None = None,
        beta: float | None = None,
        gamma: float | None = None,
        utility: str | LinearUtility | None = None,
        rocchio: str | Rocchio | None = None,
    ) -> ProfileState:
        """Change what is given (None leaves it); examples are added. The history is scored again."""
        with self._writing() as engine:
            reader = self._reader(engine, name)
            wish = changed(
                reader.wish,
                rename=rename,
                text=text,
                rule=rule,
                beta=beta,
                gamma=gamma,
                utility=utility,
                rocchio=rocchio,
            )
            if wish.name != reader.wish.name:
                self._free(wish.name)
            self._wish(engine, "profile-edited", reader.number, wish, list(examples))
            engine.flush()
            return answers.state_of(self._store, self._log, engine, engine.readers[reader.number])

    def remove_profile(self, name: str) -> None:
        """No more deliveries to it; its past stays in the log (`forget_profile` removes that too). The name is free again."""
        with self._writing() as engine:
            self._event(engine, "profile-removed", profile=self._reader(engine, name).number)

    def profiles(self) -> list[ProfileState]:
        """All profiles, in the order of their making, without their terms."""
        with self._reading() as engine:
            return answers.states(self._store, engine)

    def profile(self, name: str) -> ProfileState:
        """One profile, with all its terms."""
        with self._reading() as engine:
            return answers.state_of(self._store, self._log, engine, self._reader(engine, name))

    def _wish(
        self, engine: Engine, kind: str, number: int, wish: Wish, examples: list[str | Document]
    ) -> None:
        """A profile as it is wished for, and its examples, which are judged relevant."""
        arrivals = self._arriving(engine)
        fresh = arrivals.archive([one for one in examples if isinstance(one, Document)], time=self._time())
        known = [self._document(one) for one in examples if isinstance(one, str)]
        counts = arrivals.counted([wish.text])
        judged = kind == "profile-edited" and any(engine.readers[number].judged.values())
        if not len(counts.terms) and not fresh and not known and not judged:
            raise DataError(
                f"profile '{shown(wish.name)}' has no text with a word to look for, and no examples; give it one of them."
            )
        self._event(engine, kind, profile=number, body=wish.to_dict(), counts=counts)
        for document in [*fresh, *known]:
            self._event(engine, "feedback", profile=number, document=document, verdict=True)

    def _free(self, name: str) -> None:
        if self._store.one("SELECT count(*) FROM profiles WHERE active AND name = ?", name):
            raise DataError(f"a profile '{shown(name)}' is there already; choose another name, or edit it.")

    # ---- documents and deliveries

    def ingest(
        self,
        documents: Iterable[Document],
        *,
        deliver: bool = True,
        batch: int = 256,
        progress: Told | None = None,
    ) -> Ingested:
        """Documents that arrive, in their order.

        Done in batches, each there for good once `progress` is told (with the total so far). The same id with the same
        text and title is counted as `again`; with another text it is a fault. When the fault comes, or reading `documents`
        raises, what came before it stays.

        deliver  False: an archive, which fills the history and is delivered to nobody; a new idf epoch begins after it
        """
        if batch < 1:
            raise UsageError(f"batch must be 1 document or more; got {batch}")
        total, source = Ingested(), iter(documents)
        some, fault = _take(source, batch)
        while some or fault:
            following: tuple[list[Document], Exception | None] = ([], None)
            if fault is None and not deliver:
                following = _take(source, batch)
            with self._writing() as engine:
                done, wrong = self._arriving(engine).arrive(some, deliverable=deliver, time=self._time())
                if (
                    not deliver
                    and not any(following)
                    and (total + done).documents
                    and engine.began < engine.seen
                ):
                    self._event(engine, "epoch")
            total += done
            if progress is not None:
                progress(total)
            if wrong or fault:
                raise wrong or fault  # type: ignore[misc]  # one of them is there
            some, fault = following if not deliver else _take(source, batch)
        return total

    def deliveries(
        self, *, profile: str | None = None, since: datetime | int | None = None
    ) -> Iterator[Delivery]:
        """Deliveries in their order; since a time (inclusive), or after an event's number."""
        with self._store.reading():
            whose = None if profile is None else self._profile(profile)
        return self._delivered(whose, since)

    def _delivered(self, profile: int | None, since: datetime | int | None) -> Iterator[Delivery]:
        last = since if isinstance(since, int) else 0
        from_time = stamp(since) if isinstance(since, datetime) else None
        whose = "" if profile is None else "AND d.profile = :profile"
        when = "" if from_time is None else "AND e.time >= :time"
        query = f"{answers.DELIVERIES} WHERE d.event > :last {whose} {when} ORDER BY d.event LIMIT :most"
        while True:
            with self._store.reading():
                given = {"last": last, "profile": profile, "time": from_time, "most": _PAGE}
                rows = self._store.execute(query, given).fetchall()
            if not rows:
                return
            last = rows[-1][0]
            yield from map(answers.delivery, rows)

    # ---- feedback

    def feedback(self, profile: str, document: str, verdict: Verdict) -> None:
        """What the reader says of a document that was seen, delivered or not, early or late; "undo" takes it back."""
        self.bulk([(profile, document, verdict)])

    def bulk(self, said: Iterable[tuple[str, str, str]]) -> int:
        """Many of them at once, (profile, document, verdict): all or none. How many there were."""
        count = 0
        with self._writing() as engine:
            for profile, document, verdict in said:
                if verdict not in VERDICTS:
                    raise DataError(f"feedback is relevant, not-relevant or undo; got '{shown(verdict)}'.")
                reader, number = self._reader(engine, profile), self._document(document)
                if VERDICTS[verdict] is None and number not in reader.judged:
                    raise DataError(
                        f"there is nothing to undo: '{shown(profile)}' has given no feedback on '{shown(document)}'."
                    )
                self._event(
                    engine, "feedback", profile=reader.number, document=number, verdict=VERDICTS[verdict]
                )
                count += 1
        return count

    # ---- questions

    def explain(self, profile: str, document: str) -> Explanation:
        """Why a document came, or did not, and what would have changed it."""
        with self._reading() as engine:
            reader, number = self._reader(engine, profile), self._document(document)
            return explanation(self._store, self._log, engine, reader, number)

    def preview(self, profile: str, threshold: float) -> Preview:
        """What a threshold would have done on the history."""
        with self._reading() as engine:
            return answers.preview(self._store, engine, self._reader(engine, profile), threshold)

    def history(self, profile: str) -> History:
        """Scores and judgments of one profile, for curves."""
        with self._reading() as engine:
            return answers.history(self._store, engine, self._reader(engine, profile))

    def stats(self) -> Stats:
        """The state in numbers."""
        with self._reading() as engine:
            return checkup.stats(self._store, self._log, engine)

    # ---- the whole state

    @property
    def settings(self) -> Settings:
        """What holds for the whole state."""
        with self._store.reading():
            return self._log.settings

    def configure(self, **changes: Any) -> Settings:
        """Change `epochs`, `refresh` or `cap` from now on."""
        for name in changes.keys() - {"epochs", "refresh", "cap"}:
            raise UsageError(f"'{name}' cannot be changed; epochs, refresh and cap can")
        with self._writing() as engine:
            settings = engine.settings.changed(**changes)
            self._event(engine, "settings", body=settings.to_dict())
            return settings

    def rebuild(self) -> Rebuilt:
        """Make everything anew from the log, and say whether it was as it should be."""
        with self._writing():
            found, self._engine = rebuild(self._store, self._log)
            return found

    def check(self) -> list[str]:
        """Findings, a sentence each; none where file, log and what is made from it agree. Changes nothing."""
        self._engine = None
        with self._store.speaking():
            self._store.execute("BEGIN IMMEDIATE")
            try:
                return checkup.check(self._store, self._log)
            finally:
                self._store.undo()

    def export(self, file: IO[str]) -> int:
        """Everything as JSON lines, a header and then the events in their order; how many lines."""
        with self._store.reading():
            return export(self._store, file)

    def forget_document(self, document: str) -> Forgotten:
        """Remove a document for good, the log included. A hash of its id stays, so that it is not taken in again."""
        with self._store.reading():
            number = self._document(document)
        return self._forget("document", lambda: forget.forget_document(self._store, number, id_of(document)))

    def forget_profile(self, name: str) -> Forgotten:
        """Remove a profile for good, present or removed, with its deliveries and feedback, the log included."""
        with self._store.reading():
            query = "SELECT number FROM profiles WHERE name = ?"
            numbers = [number for (number,) in self._store.execute(query, (plain(name),))]
        if not numbers:
            raise self._unknown_profile(name)

        def remove() -> tuple[int, int]:
            done = [forget.forget_profile(self._store, number) for number in numbers]
            return sum(events for events, _ in done), sum(terms for _, terms in done)

        return self._forget("profile", remove)

    def scrub(self) -> None:
        """Write the file anew, without traces of what was forgotten; needed only where forgetting could not finish."""
        self._store.scrub()

    def _forget(self, what: str, remove: Callable[[], tuple[int, int]]) -> Forgotten:
        with self._writing() as engine:
            self._store.execute("PRAGMA secure_delete = ON")
            events, terms = remove()
            self._log.add(Event(self._log.last + 1, "forget", self._time(), engine.seen, body={"what": what}))
            self._engine = derive(self._store, self._log, Quiet())
        self._store.scrub()
        self._engine = self._arrivals = None
        return Forgotten(events, terms, tuple(map(str, copies_of(self._store.path))))


def _take(source: Iterator[Document], most: int) -> tuple[list[Document], Exception | None]:
    """The next documents, and what went wrong in reading on."""
    some: list[Document] = []
    try:
        for one in source:
            some.append(one)
            if len(some) == most:
                break
    except Exception as fault:
        return some, fault
    return some, None
