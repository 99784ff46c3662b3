"""Profiles: what readers settings for, added, changed and removed."""

from __future__ import annotations

from collections.abc import Iterable

from gainful.errors import DataError
from gainful.filtering.document import Document, Topic
from gainful.filtering.rocchio import Rocchio
from gainful.filtering.rule_text import Rule
from gainful.filtering.state import answers
from gainful.filtering.state.engine import Engine
from gainful.filtering.state.events import ProfileSettings, changed_settings, new_settings
from gainful.filtering.state.filter_results import ProfileState
from gainful.filtering.state.filter_session import Session
from gainful.filtering.utilities import LinearUtility
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
        rocchio: str | Rocchio | None = None,
    ) -> ProfileState:
        """A reader's new profile, from a text, from examples, or both.

        examples  relevant documents: ids of documents seen, or documents, which then are seen (and delivered to nobody)
        rule      a threshold rule, "ratio(share=0.01)"; beta_gamma unless given
        beta, gamma  of beta_gamma: short for rule
        utility   what deliveries are worth; "2,-1" unless given
        rocchio   how the profile learns, "rocchio(terms=60)"
        """
        settings = new_settings(
            name, text, rule=rule, beta=beta, gamma=gamma, utility=utility, rocchio=rocchio
        )
        with self._writing() as engine:
            number = self._add(engine, settings, list(examples))
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
                settings = new_settings(topic.id, topic.text, rule=rule, utility=utility, rocchio=rocchio)
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
        rocchio: str | Rocchio | None = None,
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
                rocchio=rocchio,
            )
            if settings.name != reader.settings.name:
                self._free(settings.name)
            self._change_profile(engine, "profile-edited", reader.number, settings, list(examples))
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
        fresh = arrivals.archive([one for one in examples if isinstance(one, Document)], time=self._time())
        known = [self._document(one) for one in examples if isinstance(one, str)]
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
        if self._store.one("SELECT count(*) FROM profiles WHERE active AND name = ?", name):
            raise DataError(f"a profile '{shown(name)}' is there already; choose another name, or edit it.")
