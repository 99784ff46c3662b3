"""The page on which an assessor judges: one self-contained HTML file, which asks nothing of any network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gainful import __version__
from gainful.errors import DataError
from gainful.formats.ids import shown, some_quoted
from gainful.presentation.page_theme import embedded_json, hashed, shared_script, theme
from gainful.studies.study_folder import Pair, Study
from gainful.studies.study_records import Answers, Record, ScaleGrade, StudyTopic

if TYPE_CHECKING:
    from gainful.filtering.analyzer import Analyzer

_SCRIPTS = (
    *("judge_records.js", "judge_storage.js", "judge_server.js", "judge_clock.js", "judge_text.js"),
    *("judge_pairs.js", "judge_grades.js", "judge_preferences.js", "judge_commands.js", "judge_markdown.js"),
    *("judge_help.js", "judge_page.js"),
)

Opinion = tuple[str, float, str]
"""What an assessor said of a disputed document: name, grade, reason."""


def assessor_page(study: Study, assessor: str, answers: Answers | None = None) -> str:
    """The page of one assessor as a file, with everything that is assigned to them.

    answers  what they have answered already, so that the page goes on from there
    """
    return filled_page(study, assessor, assessor_data(study, assessor), answers)


def assessor_data(study: Study, assessor: str) -> str:
    """What the page of an assessor shows, as JSON that can stand in it: it is the same whatever was answered."""
    rows = [row for row in study.assignments if row.assessor == assessor]
    if not rows:
        raise DataError(
            f"nothing is assigned to '{shown(assessor)}'; the study has {some_quoted(study.manifest.assessors)}."
        )
    known = {row.pair: study.known.get(row.pair) if row.calibration else None for row in rows}
    # Practice comes first; otherwise the order of the assignment stays.
    pairs = sorted(known, key=lambda pair: known[pair] is None)
    return _data(study, assessor, [(pair, known[pair], None) for pair in pairs])


def adjudication_page(study: Study, adjudicator: str, disputed: Mapping[Pair, Sequence[Opinion]]) -> str:
    """The page of whoever decides where assessors disagree: each disputed document with what they said of it."""
    data = _data(study, adjudicator, [(pair, None, opinions) for pair, opinions in disputed.items()])
    return filled_page(study, adjudicator, data)


def _data(
    study: Study, assessor: str, items: Sequence[tuple[Pair, float | None, Sequence[Opinion] | None]]
) -> str:
    topics = {topic: number for number, topic in enumerate(dict.fromkeys(pair[0] for pair, *_ in items))}
    documents = {pair[1] for pair, *_ in items}
    manifest = study.manifest
    return embedded_json(
        {
            "study": manifest.id,
            "assessor": assessor,
            "mode": manifest.mode,
            "scale": scale_with_keys(manifest.scale),
            "instructions": manifest.instructions,
            "examples": [_filled(example) for example in manifest.examples],
            "topics": _topics(study, items, topics),
            "documents": {
                shown(row.document): {"title": row.title, "text": row.text}
                for row in study.documents
                if row.document in documents
            },
            "items": [
                [topics[topic], shown(document), known, others] for (topic, document), known, others in items
            ],
            "others": any(others is not None for *_, others in items),
        }
    )


def filled_page(
    study: Study,
    assessor: str,
    data: str,
    answers: Answers | None = None,
    *,
    served: Mapping[str, str] | None = None,
) -> str:
    """The page with its data and with what was answered so far.

    served  where the page sends answers ("address", "leave") and with which token; None for a page opened as a file
    """
    script = page_script()
    session = {
        "answers": [] if answers is None else _records(answers),
        "served": None if served is None else {"study": study.manifest.id, **served},
    }
    text: str = (
        _environment()
        .from_string(_template("judge.html"))
        .render(
            assessor=shown(assessor),
            version=__version__,
            policy=page_policy(script),
            preferences=study.manifest.mode == "preferences",
            served=served,
            style=_template("judge.css"),
            theme=theme(),
            data=data,
            session=embedded_json(session),
            script=script,
        )
    )
    return text


def page_script() -> str:
    """The script of the page."""
    return (
        "(() => {\n" + '"use strict";\n' + "\n".join([shared_script(), *map(_template, _SCRIPTS)]) + "})();\n"
    )


def page_policy(script: str, *, connect: str = "'none'") -> str:
    """The content-security policy: this script and no other; nothing is fetched.

    connect  where the script may send answers; nowhere, unless the page is served
    """
    return "; ".join(
        [
            "default-src 'none'",
            "style-src 'unsafe-inline'",
            f"script-src {hashed(script)}",
            f"connect-src {connect}",
            "base-uri 'none'",
            f"form-action {connect}",
        ]
    )


def scale_with_keys(scale: Sequence[ScaleGrade]) -> list[dict[str, Any]]:
    """The grades from the lowest to the highest, each with a key: its own, or its digit where that is free.

    >>> [level["key"] for level in scale_with_keys([ScaleGrade(grade=1, label="yes", key="j"), ScaleGrade(grade=0, label="no")])]
    ['0', 'j']
    """
    taken = {level.key.lower() for level in scale}
    levels = []
    for level in sorted(scale, key=lambda level: level.grade):
        digit = str(level.grade)
        free = len(digit) == 1 and digit not in taken
        key = level.key if len(level.key) == 1 else digit if free else ""
        levels.append({"grade": level.grade, "label": level.label, "key": key})
    return levels


def _topics(
    study: Study, items: Sequence[tuple[Pair, float | None, Any]], topics: Mapping[str, int]
) -> list[dict[str, Any]]:
    """The topics of the page, each with the words that are marked in its documents."""
    known = {row.topic: row for row in study.topics}
    texts = {row.document: f"{row.title}\n{row.text}" for row in study.documents}
    judged: dict[str, list[str]] = {}
    for (topic, document), *_ in items:
        judged.setdefault(topic, []).append(texts.get(document, ""))
    listed = []
    for topic in topics:
        row = known.get(topic) or StudyTopic(topic=topic)
        fields = {"topic": shown(topic), "query": row.query, "description": row.description}
        listed.append(fields | {"words": marked_words(row.query, judged[topic])})
    return listed


def marked_words(query: str, texts: Sequence[str]) -> list[str]:
    """The words of texts that share a stem with a word of the query, as they stand there, in lower case.

    >>> marked_words("the cure of malaria", ["Cures for malaria were found", "the cured"])
    ['cure', 'cured', 'cures', 'malaria']
    """
    import unicodedata

    from gainful.filtering.analyzer import words

    analyzer = _analyzer()
    wanted = set(analyzer.terms(query))
    if not wanted:
        return []
    there = {
        word for text in (query, *texts) for word in set(words(unicodedata.normalize("NFKC", text).lower()))
    }
    return sorted(word for word in there if wanted.intersection(analyzer.terms(word)))


@cache
def _analyzer() -> Analyzer:
    """One for all topics: it remembers the stems of words."""
    from gainful.filtering.analyzer import Analyzer

    return Analyzer()


def _records(answers: Answers) -> list[dict[str, Any]]:
    """Answers as the page keeps them."""
    return [_filled(reply) for reply in answers.replies]


def _filled(record: Record) -> dict[str, Any]:
    """All fields of a record, ids as people see them."""
    fields = {name: getattr(record, name) for name in record.__struct_fields__}
    ids = ("topic", "document", "better", "worse")
    return {name: shown(value) if name in ids else value for name, value in fields.items()}


def _environment() -> Any:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["raw"] = Markup
    return environment


def _template(name: str) -> str:
    return files("gainful.studies").joinpath("templates", name).read_text(encoding="utf-8")
