"""Texts of a study: queries and descriptions of its topics, titles and texts of its documents; and what has none."""

from __future__ import annotations

from collections.abc import Sequence

from gainful.errors import NothingInCommon
from gainful.formats.ids import some
from gainful.formats.text_matches import TextMatch, source_of
from gainful.formats.texts import Given, read_documents, read_queries
from gainful.studies.query_descriptions import read_descriptions
from gainful.studies.study_folder import Study
from gainful.studies.study_records import StudyDocument, StudyTopic


def study_topics(topics: Sequence[str], queries: Given | None) -> tuple[tuple[StudyTopic, ...], list[str]]:
    """The topics with their queries and descriptions; and notes on those without."""
    if queries is None:
        return tuple(StudyTopic(topic=topic, query="", description="") for topic in topics), []
    seen = list[str]()
    texts, more = read_queries(queries, topics, seen=seen), read_descriptions(queries, topics)
    worded = {topic: texts.get(topic, "") or more.get(topic, "") for topic in topics}
    match = TextMatch.of(source_of(queries, "queries"), "pooled topic", topics, worded, seen)
    _refuse_other_texts(match, "queries")
    return tuple(
        StudyTopic(topic=topic, query=texts.get(topic, ""), description=more.get(topic, ""))
        for topic in topics
    ), _textless_notes(match, "topics without a query")


def study_documents(
    study: Study, wanted: Sequence[str], given: Given | None
) -> tuple[list[StudyDocument], list[str]]:
    """The documents that are new in the pool, with their texts; and notes on those without."""
    there = {row.document for row in study.documents}
    new = [name for name in wanted if name not in there]
    source = given if given is not None else study.manifest.documents
    texts: dict[str, tuple[str, str]] = {}
    notes = []
    if new and source is None:
        notes = ["no texts of documents were given (--documents); assessors will see ids alone"]
    elif new and source is not None:
        name, seen = source_of(source, "documents"), list[str]()
        # the right file may have no text of the few documents of a later batch, but then of earlier ones
        asked = new if given is None else [*new, *there]
        texts = read_documents(source, asked, whole=True, seen=seen)
        if given is not None:
            _refuse_other_texts(TextMatch.of(name, "pooled document", asked, texts, seen), "documents")
        match = TextMatch.of(name, "pooled document", new, texts, seen)
        notes = _textless_notes(match, "documents without a title or text")
    return [
        StudyDocument(document=name, title=texts.get(name, ("", ""))[0], text=texts.get(name, ("", ""))[1])
        for name in new
    ], notes


def _refuse_other_texts(match: TextMatch, option: str) -> None:
    """Raise where texts were given and nothing that is pooled has one: assessors would see ids alone."""
    if match.none:
        raise NothingInCommon(
            f"{match}.\nGive the file of these {option}, with ids as in the runs, or leave --{option} ({option}= in Python) "
            "out to show ids alone. Nothing was written."
        )


def _textless_notes(match: TextMatch, what: str) -> list[str]:
    """What is shown by its id for want of a text; where this is more than half, with examples of the ids on both sides."""
    without = [name for name in match.wanted if name not in match.texted]
    if match.few:
        return [f"{match}; {'it is' if len(without) == 1 else 'they are'} shown by id"]
    return [f"{what}, shown by their ids: {some(without)}"] if without else []
