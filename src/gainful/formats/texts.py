"""Texts of queries, titles and texts of documents: what stands beside ids where people read results."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from gainful.errors import DataError, GainfulError, UsageError
from gainful.formats.ids import from_bytes, shown, unshown
from gainful.formats.records import column_named, csv_rows
from gainful.formats.sources import Kept, Paths, Source, is_path, kept
from gainful.formats.text_matches import SEEN, TextMatch, source_of
from gainful.formats.text_records import ID as DOCUMENT_ID
from gainful.formats.text_records import Place, form_of, given_id, given_text, records_in
from gainful.formats.types import MARK, Progress

Given: TypeAlias = "str | os.PathLike[str] | Mapping[str, Any]"
"""Texts as they are given: a file, or a mapping from ids."""

T = TypeVar("T")

ID = ("id", "_id", "qid", "query_id", "query-id", "topic", "topic_id", "queryid", "number", "num")
"""What the id of a query may be called."""
TEXT = ("text", "query", "title", "question", "description")
"""What the text of a query may be called."""

LONGEST_QUERY, LONGEST_TEXT = 2000, 280  # characters that are kept
_LARGEST_TOPICS = 1 << 30  # bytes of a file of TREC topics
_LARGEST_FOUND = 256 << 20  # bytes of documents that are read without being asked for


@dataclass(frozen=True, eq=False)
class Texts:
    """Where the texts of queries and documents come from; they are read when they are shown, and only those.

    queries    a file or a mapping; None where there are none
    documents  a file or a mapping; None where there are none
    found      whether the files were found beside the judgments, not given: what is wrong with them is then a note
    said       what was found, and what could not be read
    matches    how many ids had a text, of "queries" and of "documents"

    >>> Texts({"q1": "red shoes"}).of_queries(["q1", "q2"])
    {'q1': 'red shoes'}
    """

    queries: Given | None = None
    documents: Given | None = None
    found: frozenset[str] = frozenset()
    said: list[str] = field(default_factory=list)
    matches: dict[str, TextMatch] = field(default_factory=dict)

    @property
    def notes(self) -> list[str]:
        """What was found, what could not be read, and where less than half of the ids have a text, by what was read so far."""
        return [*self.said, *(str(match) for match in self.matches.values() if match.few)]

    def of_queries(self, topics: Collection[str]) -> dict[str, str]:
        """The texts of these topics, of those that have one."""
        given = self.queries
        return {} if given is None else self._noted("queries", given, lambda: read_queries(given, topics))

    def of_documents(
        self, wanted: Collection[str], *, progress: Progress | None = None
    ) -> dict[str, tuple[str, str]]:
        """Title and text of these documents, of those that have one."""
        given = self.documents
        if given is None or not wanted:
            return {}
        seen: list[str] = []
        texts = self._noted(
            "documents", given, lambda: read_documents(given, wanted, progress=progress, seen=seen)
        )
        if not self._was_found(given):
            match = TextMatch.of(source_of(given, "documents"), "listed document", wanted, texts, seen)
            self.matches["documents"] = match.joined(self.matches.get("documents"))
        return texts

    def titles(self, wanted: Collection[str]) -> dict[str, str]:
        """What these documents are called: their titles, or where they have none the beginning of their texts."""
        return {document: title or text for document, (title, text) in self.of_documents(wanted).items()}

    def _noted(self, what: str, given: Given, read: Callable[[], dict[str, T]]) -> dict[str, T]:
        """What is read; of a file that was found, the notes say so, also where it cannot be read."""
        if not self._was_found(given):
            return read()
        path = source_of(given, what)
        texts: dict[str, T] = {}
        try:
            texts = read()
            note = f"texts of {what} are from {path}, found beside the judgments"
        except GainfulError as fault:
            note = f"{path}, found beside the judgments, was not read: {fault}"
        if note not in self.said:
            self.said.append(note)
        return texts

    def _was_found(self, given: Given) -> bool:
        return is_path(given) and os.fsdecode(given) in self.found


def texts_of(
    queries: Given | None, documents: Given | None, *, qrels: str | None, topics: Collection[str]
) -> Texts | None:
    """The texts that were given, and those that lie beside BEIR's judgments; None where there are none.

    queries, documents  a file or a mapping; a file that cannot be read is refused at once
    qrels               the path of the judgments: beside `qrels/test.tsv`, `queries.jsonl` and `corpus.jsonl` are found
    topics              whose texts are wanted
    """
    for name, given in (("queries", queries), ("documents", documents)):
        if given is not None and not is_path(given) and not isinstance(given, Mapping):
            raise UsageError(f"{name} must be a file or {{id: text}}; got {type(given).__name__}.")
    notes: list[str] = []
    found = found_beside(qrels, notes) if queries is None or documents is None else {}
    matches = {}
    if queries is not None:
        source, seen = source_of(queries, "queries"), list[str]()
        queries = read_queries(queries, topics, seen=seen)
        matches["queries"] = TextMatch.of(source, "topic", topics, queries, seen)
    if is_path(documents):
        documents = kept(os.fsdecode(documents))
        Source(documents).close()
    queries_found = found.get("queries") if queries is None else None
    documents_found = found.get("documents") if documents is None else None
    if queries is None and documents is None and not found and not notes:
        return None
    return Texts(
        queries_found if queries is None else queries,
        documents_found if documents is None else documents,
        frozenset(path for path in (queries_found, documents_found) if path),
        notes,
        matches,
    )


def found_beside(qrels: str | None, notes: list[str]) -> dict[str, str]:
    """The files of queries and documents beside the folder of BEIR's judgments; notes say which is too large."""
    if not qrels or isinstance(qrels, Kept | Paths) or Path(qrels).parent.name != "qrels":
        return {}
    folder = Path(qrels).parent.parent
    found: dict[str, str] = {}
    for name, stem in (("queries", "queries.jsonl"), ("documents", "corpus.jsonl")):
        for path in (folder / stem, folder / f"{stem}.gz"):
            try:
                size = path.stat().st_size if path.is_file() else None
            except OSError:
                continue
            if size is None or name in found:
                continue
            if size <= _LARGEST_FOUND:
                found[name] = str(path)
            else:
                notes.append(
                    f"{shown(str(path))} is larger than {_LARGEST_FOUND >> 20} MiB and was not read; "
                    f"give it with --{name} to see its texts"
                )
    return found


def read_queries(
    given: Given,
    topics: Collection[str] | None = None,
    *,
    whole: bool = False,
    seen: list[str] | None = None,
) -> dict[str, str]:
    """The text of each query by its id; a very long text is cut, unless it is wanted whole.

    given   a mapping, or a file: TSV or CSV (two columns, or named ones), JSON lines (BEIR's `queries.jsonl`), Parquet, or
            TREC topics (`<top>`, of which the title is taken, or else the description)
    topics  only these; None for all
    seen    receives the first ids that were given, wanted or not

    >>> read_queries({"q1": "red  shoes", "q2": "blue"}, ["q1"])
    {'q1': 'red shoes'}
    """
    if isinstance(given, Mapping):
        texts = {str(topic): _query(str(text), whole) for topic, text in given.items()}
        if seen is not None:
            seen += islice(texts, SEEN)
        return texts if topics is None else {topic: texts[topic] for topic in topics if topic in texts}
    wanted = None if topics is None else frozenset(topics)
    texts, places, some = {}, dict[str, int](), False
    with Source(os.fsdecode(given)) as source:
        source.hold()
        for place, topic, text in _queries_in(source):
            some = True
            if seen is not None and len(seen) < SEEN:
                seen.append(topic)
            if wanted is not None and topic not in wanted:
                continue
            words = _query(text, whole)
            if texts.setdefault(topic, words) != words:
                raise place.fault(
                    f"query '{shown(topic)}' stands already in {place.unit} {places[topic]} with another text; remove one."
                )
            places.setdefault(topic, place.number)
        if not some:
            raise DataError(f"{source.name} holds no queries; expected lines of id and text.")
    return texts


def _queries_in(source: Source) -> Iterator[tuple[Place, str, str]]:
    """Place, id and text of each query of an open file, whatever its format."""
    head = source.head(line=True).removeprefix(MARK).lstrip()
    if form_of(source) == "parquet":
        rows = records_in(source, "parquet")
    elif head.startswith(b"<"):
        for place, topic, parts in tagged_topics(source):
            yield (
                place,
                topic,
                next((text for tag in ("title", "query", "desc") for text in parts.get(tag, []) if text), ""),
            )
        return
    elif head.startswith(b"{"):
        rows = records_in(source, "jsonl")
    else:
        yield from _columns(source, head)
        return
    for place, record in rows:
        names = list(record)
        key, words = column_named(names, ID), column_named(names, TEXT)
        if key is None or words is None:
            lacking = f"an id under the name {ID[0]}" if key is None else f"a text under the name {TEXT[0]}"
            raise place.fault(
                f"a query needs {lacking}; got {', '.join(map(shown, names))[:80] or 'nothing'}."
            )
        yield place, given_id(place, record, "a query", (key,)), given_text(place, record, words)


def _columns(source: Source, head: bytes) -> Iterator[tuple[Place, str, str]]:
    """Of columns: a first line may name them; else they are the id and the text."""
    first = head.partition(b"\n")[0]
    separator = next((mark for mark in ("\t", ",", ";") if mark.encode() in first), None)
    if separator is None:
        raise DataError(
            f"{source.at(1)}: neither a tab nor a comma stands between id and text.\n"
            "Expected TSV or CSV of id and text, JSON lines, or TREC topics (<top>)."
        )
    names: list[str] | None = None
    for line, row in _tabbed(source) if separator == "\t" else csv_rows(source, separator):
        place = Place(source.name, "line", line)
        if names is None:
            key, words = column_named(row, ID), column_named(row, TEXT)
            names = row if key is not None and words is not None else ["id", "text"]
            at = (names.index(key), names.index(words)) if names is row and key and words else (0, 1)
            if names is row:
                continue
        if len(row) != len(names):
            wanted = "id and text" if names == ["id", "text"] else f"{len(names)} columns"
            raise place.fault(f"{len(row)} column{'' if len(row) == 1 else 's'} where {wanted} are expected.")
        topic = unshown(row[at[0]].strip())
        if not topic:
            raise place.fault("a query without an id.")
        yield place, topic, row[at[1]]


def _tabbed(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Lines cut at tabs; quotation marks are part of a text, as in MS MARCO's files."""
    for number, raw in enumerate(source.lines(), 1):
        line = from_bytes(raw).rstrip("\r\n")
        if line.strip():
            yield number, line.split("\t")


_TOP = re.compile(r"<(/?)top(?:ic)?(?=[\s>])([^<>]*)>", re.IGNORECASE)
_PART = re.compile(r"<(\w+)[^<>]*>([^<]*)")
_NAMED = re.compile(r"""(?:number|id)\s*=\s*["']([^"']+)["']""")
_NUMBER = re.compile(r"(?:(?:Number|Topic)(?=[\s:]))?\s*:?\s*(\S+)", re.IGNORECASE)
_LABEL = re.compile(r"^\s*(?:Description|Narrative|Topic|Title)\s*:\s*", re.IGNORECASE)


def tagged_topics(source: Source) -> Iterator[tuple[Place, str, dict[str, list[str]]]]:
    """TREC topics: the place, the number and the parts of each `<top>`, by the names of their tags in lower case."""
    raw = source.read_all(_LARGEST_TOPICS).removeprefix(MARK)
    try:
        text = raw.decode()
    except UnicodeDecodeError as fault:
        line = raw.count(b"\n", 0, fault.start) + 1
        raise DataError(f"{source.at(line)}: not UTF-8; write the file in UTF-8.") from None
    line, counted = 1, 0
    opened: tuple[Place, str, int] | None = None
    some = False
    for tag in chain(_TOP.finditer(text), [None]):
        if opened is not None:
            place, attributes, start = opened
            yield _tagged(place, attributes, text[start : None if tag is None else tag.start()])
            opened, some = None, True
        if tag is not None and not tag[1]:
            line += text.count("\n", counted, tag.start())
            counted = tag.start()
            opened = Place(source.name, "line", line), tag[2], tag.end()
    if not some:
        raise DataError(f"{source.name} holds no topics; expected <top> ... </top>.")


def _tagged(place: Place, attributes: str, inside: str) -> tuple[Place, str, dict[str, list[str]]]:
    parts: dict[str, list[str]] = {}
    for tag, words in _PART.findall(inside):
        parts.setdefault(tag.lower(), []).append(_LABEL.sub("", html.unescape(words)).strip())
    named = _NAMED.search(attributes)
    number = (
        named[1]
        if named
        else next((words for tag in ("num", "number", "id") for words in parts.get(tag, [])), "")
    )
    name = _NUMBER.fullmatch(number.strip())
    if not name:
        raise place.fault("a topic without a number; expected <num> Number: 301.")
    return place, name[1], parts


def read_documents(
    given: Given,
    wanted: Collection[str],
    *,
    progress: Progress | None = None,
    whole: bool = False,
    seen: list[str] | None = None,
) -> dict[str, tuple[str, str]]:
    """Title and text of the documents that are wanted; a long text is cut, unless it is wanted whole.

    given  JSON lines (or CSV, TSV, Parquet) with id, title and text, or CSV or TSV of id and text alone; or a mapping from
           ids to texts, or to {"title": …, "text": …}
    seen   receives the first ids that were given, wanted or not

    >>> read_documents({"d1": {"title": "Apes", "text": "They climb."}, "d2": "not asked for"}, ["d1"])
    {'d1': ('Apes', 'They climb.')}
    """
    if isinstance(given, Mapping):
        if seen is not None:
            seen += islice(map(str, given), SEEN)
        return {document: _of_mapping(given[document], whole) for document in wanted if document in given}
    texts: dict[str, tuple[str, str]] = {}
    wanted = frozenset(wanted)
    some = False
    with Source(os.fsdecode(given)) as source:
        for place, record in _documents_in(source, progress):
            some = True
            name = given_id(place, record, "a document")
            if seen is not None and len(seen) < SEEN:
                seen.append(name)
            if name in wanted:
                title, text = (given_text(place, record, key) for key in ("title", "text"))
                texts[name] = _kept(title, text, whole)
        if not some:
            raise DataError(f"{source.name} holds no documents.")
    return texts


def _documents_in(source: Source, progress: Progress | None) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    form = form_of(source) or "jsonl"
    if form in ("csv", "tsv"):
        head = source.head(line=True).removeprefix(MARK).lstrip()
        names = from_bytes(head.partition(b"\n")[0]).split("\t" if form == "tsv" else ",")
        if column_named(names, DOCUMENT_ID) is None and column_named(names, TEXT) is None:
            yield from ((place, {"id": name, "text": text}) for place, name, text in _columns(source, head))
            return
    yield from records_in(source, form, progress)


def _of_mapping(value: Any, whole: bool) -> tuple[str, str]:
    if isinstance(value, Mapping):
        title, text = (str(value.get(name, "") or "") for name in ("title", "text"))
        return _kept(title, text, whole)
    return _kept("", str(value), whole)


def _kept(title: str, text: str, whole: bool) -> tuple[str, str]:
    return _cut(title, LONGEST_TEXT), _text(text) if whole else _cut(text, LONGEST_TEXT)


def _query(text: str, whole: bool) -> str:
    return _text(" ".join(text.split())) if whole else _cut(text, LONGEST_QUERY)


def _cut(text: str, longest: int) -> str:
    """The beginning of a text, on one line.

    >>> _cut("word " * 100, 280)[-6:]
    'word …'
    """
    whole = _text(" ".join(text[: 8 * longest].split()))
    return whole if len(whole) <= longest else whole[:longest].rsplit(" ", 1)[0] + " …"


def _text(text: str) -> str:
    """The text without what is none: a lone half of a surrogate pair, or a byte that is not UTF-8."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
