"""Assessors that answer from judgments, for the walk of docs/judging.md: writes what a judging page would save.

    python docs/simulated_assessor.py STUDY QRELS

Everything that a study assigned and nobody answered yet is answered: with the grade in QRELS, or 0 where it has none, after as
many seconds as a person might take. A second assessor of a document is now and then one grade away.
"""

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from gainful.formats import read_qrels
from gainful.studies.answer_files import answers_in, content_of, file_stem
from gainful.studies.study_folder import read_study
from gainful.studies.study_records import Answer, Answers

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
SLIPS, SECONDS = 0.1, 15.0


def answer(study_folder: str, qrels: str) -> float:
    """Answer everything that waits; returns the minutes that the assessor with most to do took."""
    study, grades = read_study(study_folder), read_qrels(qrels).to_dict()
    best = study.best_grade
    answered, longest = answers_in(study), 0.0
    for number, name in enumerate(study.manifest.assessors):
        before = answered[name].answers if name in answered else ()
        done = {(reply.topic, reply.document) for reply in before}
        random = np.random.default_rng([study.manifest.seed, number, len(before)])
        clock, replies = START + timedelta(hours=len(done)), list(before)
        for row in study.assignments:
            if row.assessor == name and row.pair not in done:
                seconds = float(random.gamma(4, SECONDS / 4))
                clock += timedelta(seconds=seconds)
                slip = int(random.choice([-1, 1])) if random.random() < SLIPS * bool(number) else 0
                grade = int(np.clip(grades.get(row.topic, {}).get(row.document, 0) + slip, 0, best))
                replies.append(
                    Answer(
                        topic=row.topic,
                        document=row.document,
                        grade=grade,
                        seconds=round(seconds, 1),
                        at=clock.isoformat(),
                    )
                )
        made = Answers(
            study=study.manifest.id, assessor=name, saved=clock.isoformat(), answers=tuple(replies)
        )
        Path(study_folder, "answers", f"{file_stem(name)}.json").write_bytes(content_of(made))
        longest = max(longest, sum(reply.seconds for reply in replies[len(before) :]) / 60)
    return longest


if __name__ == "__main__":
    print(f"{answer(*sys.argv[1:]):.0f} minutes")
