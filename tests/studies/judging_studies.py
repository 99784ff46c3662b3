"""Studies for tests of the judging page: few documents, or ten thousand."""

from gainful.studies.study_folder import Study
from gainful.studies.study_records import (
    GRADES,
    Answer,
    Answers,
    Assignment,
    Example,
    Manifest,
    Pooled,
    StudyDocument,
    StudyTopic,
)

INSTRUCTIONS = """Grade how well a page answers the question behind the query.

Judge what the page says, not how well it is written."""

QUERIES = {
    "1": ("cure for malaria", "A relevant page says how malaria is treated today, or how it was before."),
    "2": ("steam engine efficiency", ""),
    "10": ("", ""),
}

TEXTS = {
    "d1": (
        "Treating malaria",
        "Malaria is cured with combinations of artemisinin and a second drug.\n\n"
        "The treatment lasts three days; severe malaria is treated in a hospital first.",
    ),
    "d2": (
        "Bark and fever",
        "For three hundred years the bark of the cinchona tree was the only cure known in Europe.",
    ),
    "d3": ("Mosquito nets", "Nets keep mosquitoes away. They prevent malaria; they do not treat it."),
    "d4": ("The condenser", "A separate condenser made the steam engine four times as efficient."),
    "d5": ("Railway timetable", "Trains leave at nine and at noon."),
    "d6": ("", ""),
}

PAIRS = [("1", "d1"), ("1", "d2"), ("1", "d3"), ("2", "d4"), ("2", "d5"), ("10", "d6")]


def small_study(assessors=("ann", "bob"), *, pairs=PAIRS, texts=TEXTS, queries=QUERIES, known=None, **given):
    """A study in which everybody judges everything, in this order; what is known serves for practice."""
    known = known or {}
    manifest = Manifest(
        id=given.pop("id", "study-1"),
        strategy="depth:3",
        seed=1,
        runs={},
        assessors=tuple(assessors),
        instructions=given.pop("instructions", INSTRUCTIONS),
        scale=given.pop("scale", GRADES),
        examples=given.pop(
            "examples",
            (
                Example(
                    query="cure for scurvy",
                    title="Lemons at sea",
                    text="Sailors were given lemon juice.",
                    grade=3,
                    why="names the cure",
                ),
            ),
        ),
        **given,
    )
    topics = dict.fromkeys(topic for topic, _ in (*known, *pairs))
    documents = dict.fromkeys(document for _, document in (*known, *pairs))
    return Study(
        manifest,
        tuple(
            StudyTopic(topic=topic, query=queries[topic][0], description=queries[topic][1])
            for topic in topics
        ),
        tuple(
            StudyDocument(document=document, title=texts[document][0], text=texts[document][1])
            for document in documents
        ),
        tuple(Pooled(topic=topic, document=document, batch=1, reason="rank 1") for topic, document in pairs),
        tuple(
            Assignment(assessor=name, topic=topic, document=document, batch=1, calibration=practice)
            for name in assessors
            for practice, chosen in ((True, known), (False, pairs))
            for topic, document in chosen
        ),
        dict(known),
    )


def large_study(count=10_000, topics=50):
    """A study of many documents of some 200 words each, for one assessor."""
    sentence = "The cure of the fever was looked for in bark and root and found at last by chance. " * 12
    texts = {f"doc{n}": (f"Document number {n}", f"{sentence}{n}") for n in range(count)}
    pairs = [(str(1 + n * topics // count), f"doc{n}") for n in range(count)]
    queries = {str(n): (f"cure for fever {n}", "") for n in range(1, topics + 1)}
    return small_study(("ann",), pairs=pairs, texts=texts, queries=queries, id="large")


def answers_of(assessor, grades, *, study="study-1", at="2026-11-18T09:00:00.000Z", **given):
    """Answers of an assessor: a grade for each pair, or the state that stands instead of one."""
    return Answers(
        study=study,
        assessor=assessor,
        saved="2026-11-18T12:00:00.000Z",
        answers=tuple(
            Answer(topic=topic, document=document, grade=grade, at=at, seconds=4.0, **given)
            if isinstance(grade, int)
            else Answer(topic=topic, document=document, grade=None, state=grade, at=at, seconds=4.0, **given)
            for (topic, document), grade in grades.items()
        ),
    )
