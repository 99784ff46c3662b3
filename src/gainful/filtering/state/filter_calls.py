"""What a filter is asked to do: profiles added, changed and removed; documents taken in, deliveries, feedback."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Literal

from gainful.errors import DataError, UsageError
from gainful.filtering.document import CHANGED, VERDICTS, Document, Topic
from gainful.filtering.profile_models import ProfileModel
from gainful.filtering.rule_text import Rule
from gainful.filtering.state import reader_answers
from gainful.filtering.state.engine import Engine
from gainful.filtering.state.events import ProfileSettings, changed_settings, new_settings, stamp
from gainful.filtering.state.filter_results import Delivery, Ingested, ProfileState
from gainful.filtering.state.filter_session import Session
from gainful.filtering.theta_opt_and_zero import LinearUtility
from gainful.formats.ids import shown


class ProfileCalls(Session):
    """The part of a filter that keeps profiles."""

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
        model: str | ProfileModel | None = None,
    ) -> ProfileState:
        """A reader's new profile, from a text, from examples, or both.

        examples  relevant documents: ids of documents seen, or documents, which then are seen (and delivered to nobody)
        rule      a threshold rule, "ratio(share=0.01)"; expected unless given
        beta, gamma  short for the rule beta_gamma with these
        utility   what deliveries are worth; "2,-1" unless given
        model     how the profile learns, "regression" or "rocchio(terms=60)"
        """
        settings = new_settings(name, text, rule=rule, beta=beta, gamma=gamma, utility=utility, model=model)
        with self._writing() as engine:
            number = self._add(engine, settings, list(examples))
            engine.flush()
            return reader_answers.state_of(self._store, self._log, engine, engine.readers[number])

    def add_profiles(
        self,
        topics: Iterable[Topic],
        *,
        rule: str | Rule | None = None,
        utility: str | LinearUtility | None = None,
        model: str | ProfileModel | None = None,
    ) -> int:
        """A profile for each topic, by the topic's id, with its text and examples; all of them or none. How many."""
        count = 0
        with self._writing() as engine:
            for topic in topics:
                settings = new_settings(topic.id, topic.text, rule=rule, utility=utility, model=model)
                self._add(engine, settings, list(topic.examples))
                count += 1
        return count

    def _add(self, engine: Engine, settings: ProfileSettings, examples: list[str | Document]) -> int:
        self._free(settings.name)
        number = int(self._store.one("SELECT coalesce(max(number), 0) + 1 AS profile FROM profiles"))
        self._change_profile(engine, "profile-added", number, settings, examples)
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
        model: str | ProfileModel | None = None,
    ) -> ProfileState:
        """Change what is given (None leaves it); examples are added. The history is scored again."""
        with self._writing() as engine:
            reader = self._reader(engine, name)
            settings = changed_settings(
                reader.settings,
                rename=rename,
                text=text,
                rule=rule,
                beta=beta,
                gamma=gamma,
                utility=utility,
                model=model,
            )
            if settings.name != reader.settings.name:
                self._free(settings.name)
            self._change_profile(engine, "profile-edited", reader.number, settings, list(examples))
            engine.flush()
            return reader_answers.state_of(self._store, self._log, engine, engine.readers[reader.number])

    def remove_profile(self, name: str) -> None:
        """No more deliveries to it; its past stays in the log (`forget_profile` removes that too). The name is free again."""
        with self._writing() as engine:
            self._event(engine, "profile-removed", profile=self._reader(engine, name).number)

    def profiles(self) -> list[ProfileState]:
        """All profiles, in the order of their making, without their terms."""
        with self.reading() as engine:
            return reader_answers.states(self._store, engine)

    def profile(self, name: str) -> ProfileState:
        """One profile, with all its terms."""
        with self.reading() as engine:
            return reader_answers.state_of(self._store, self._log, engine, self._reader(engine, name))

    def _change_profile(
        self,
        engine: Engine,
        kind: str,
        number: int,
        settings: ProfileSettings,
        examples: list[str | Document],
    ) -> None:
        """A new or changed profile, and its examples, which are judged relevant."""
        arrivals = self._arriving(engine)
        fresh = arrivals.archive(
            [example for example in examples if isinstance(example, Document)], time=self._time()
        )
        known = [self.document_number(example) for example in examples if isinstance(example, str)]
        counts = arrivals.counted([settings.text])
        judged = kind == "profile-edited" and any(engine.readers[number].judged.values())
        if not len(counts.terms) and not any(map(self._has_words, [*fresh, *known])) and not judged:
            raise DataError(
                f"profile '{shown(settings.name)}' has no text with a word to look for, and no examples that have one; "
                "give it one of them."
            )
        self._event(engine, kind, profile=number, body=settings.to_dict(), counts=counts)
        for document in [*fresh, *known]:
            self._event(engine, "feedback", profile=number, document=document, verdict=True)

    def _has_words(self, document: int) -> bool:
        return bool(self._store.one("SELECT size FROM documents WHERE number = ?", document))

    def _free(self, name: str) -> None:
        if self._store.one("SELECT count(*) FROM profiles WHERE active = 1 AND name = ?", name):
            raise DataError(f"a profile '{shown(name)}' already exists; choose another name, or edit it.")


Verdict = Literal["relevant", "not-relevant", "undo"]
Changed = Literal["error", "keep"]
IngestProgress = Callable[[Ingested], None]

_PAGE = 500  # deliveries read at once


class StreamCalls(Session):
    """The part of a filter that takes documents in, delivers them and hears feedback."""

    def ingest(
        self,
        documents: Iterable[Document],
        *,
        deliver: bool = True,
        changed: Changed = "error",
        keep_text: bool = True,
        batch: int = 256,
        progress: IngestProgress | None = None,
    ) -> Ingested:
        """Documents that arrive, in their order.

        Done in batches, each committed once `progress` is called (with the total so far). An id seen before with the same
        text and title is counted as `again`. When a fault comes, or reading `documents` raises, what came before it stays.

        deliver  False: an archive, which fills the history and is delivered to nobody; a new idf epoch begins after it
        changed  what an id seen before with another text is: "error", a fault; or "keep", which leaves what was first
                 seen as it is and counts it as `changed`
        keep_text  False: the log keeps title, link, terms and a digest, but no text, which is kept elsewhere
        """
        if batch < 1:
            raise UsageError(f"batch must be 1 document or more; got {batch}")
        if changed not in CHANGED:
            raise UsageError(f"changed must be {' or '.join(CHANGED)}; got {changed!r}")
        total, source = Ingested(), iter(documents)
        some, fault = _take(source, batch)
        while some or fault:
            following = _take(source, batch) if not deliver and fault is None else ([], None)
            with self._writing() as engine:
                done, wrong = self._arriving(engine).arrive(
                    some, deliverable=deliver, changed=changed, keep_text=keep_text, time=self._time()
                )
                last = wrong is not None or not any(following)
                if not deliver and last and (total + done).documents and engine.began < engine.seen:
                    self._event(engine, "epoch")
            total += done
            if progress is not None:
                progress(total)
            if (problem := wrong or fault) is not None:
                raise problem
            some, fault = _take(source, batch) if deliver else following
        return total

    def deliveries(
        self, *, profile: str | None = None, since: datetime | int | None = None
    ) -> Iterator[Delivery]:
        """Deliveries in their order; since a time (inclusive), or after an event's number."""
        with self._store.reading():
            whose = None if profile is None else self.profile_number(profile)
        return self._delivered(whose, since)

    def _delivered(self, profile: int | None, since: datetime | int | None) -> Iterator[Delivery]:
        last = since if isinstance(since, int) else 0
        from_time = stamp(since) if isinstance(since, datetime) else None
        whose = "" if profile is None else "AND d.profile = :profile"
        when = "" if from_time is None else "AND e.time >= :time"
        query = (
            f"{reader_answers.DELIVERIES} WHERE d.event > :last {whose} {when} ORDER BY d.event LIMIT :most"
        )
        while True:
            with self._store.reading():
                given = {"last": last, "profile": profile, "time": from_time, "most": _PAGE}
                rows = list(self._store.rows(query, given))
            if not rows:
                return
            last = rows[-1][0]
            yield from map(reader_answers.delivery, rows)

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
                reader, number = self._reader(engine, profile), self.document_number(document)
                if VERDICTS[verdict] is None and number not in reader.judged:
                    raise DataError(
                        f"there is nothing to undo: '{shown(profile)}' has given no feedback on '{shown(document)}'."
                    )
                self._event(
                    engine, "feedback", profile=reader.number, document=number, verdict=VERDICTS[verdict]
                )
                count += 1
        return count


def _take(source: Iterator[Document], most: int) -> tuple[list[Document], Exception | None]:
    """The next documents, and what went wrong in reading on."""
    some: list[Document] = []
    try:
        for document in source:
            some.append(document)
            if len(some) == most:
                break
    except Exception as fault:
        return some, fault
    return some, None
