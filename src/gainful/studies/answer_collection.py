"""The answers of a study collected: read, joined, checked, and written as judgments, all files or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown, to_bytes
from gainful.formats.output_files import put
from gainful.formats.sources import file_type
from gainful.formats.trec_format import plain_ids
from gainful.presentation.page import page
from gainful.presentation.table import as_json
from gainful.presentation.text_style import NARROW, WIDE, Screen, counted
from gainful.studies.answer_files import answers_in, content_of, file_stem, given_answers, joined
from gainful.studies.assessor_agreement import AssessorAgreement, assessor_agreement
from gainful.studies.collected_answers import MERGE, Collected, pairs_in_order, qrels_text
from gainful.studies.collection_summary import summary_lines
from gainful.studies.data_sheet import data_sheet, rule_sentences, work_table
from gainful.studies.preference_order import preference_lines
from gainful.studies.study_folder import Pair, Study
from gainful.studies.study_records import Answers


def collect(study: Study, paths: Sequence[str] = (), *, merge: str = MERGE) -> Collected:
    """The answers in the folder of the study and in these files, joined: of each document the latest answer counts.

    merge  how several grades of one document become one: majority, max, min or mean; adjudicated ones stand instead
    """
    there = answers_in(study)
    given = given_answers(study, paths)
    everything = {
        name: joined([answers[name] for answers in (there, given) if name in answers])
        for name in dict.fromkeys((*there, *given))
    }
    adjudicated = [answers for answers in everything.values() if answers.adjudication]
    if len(adjudicated) > 1:
        raise DataError(
            f"'{shown(adjudicated[0].assessor)}' and '{shown(adjudicated[1].assessor)}' have both adjudicated; "
            "keep the answers of one of them."
        )
    ordered = [name for name in study.manifest.assessors if name in everything]
    if not any(answers.answers or answers.preferences for answers in everything.values()):
        raise DataError(
            f"there are no answers yet in {shown(str(study.path))}/answers; give the files that assessors saved."
        )
    return Collected(
        study, {name: everything[name] for name in ordered}, next(iter(adjudicated), None), merge
    )


def given_up(study: Study) -> set[Pair]:
    """Documents that everybody who was asked has skipped or could not tell about, by the answers in the study."""
    return Collected(
        study, {name: row for name, row in answers_in(study).items() if not row.adjudication}
    ).given_up


@dataclass(frozen=True, eq=False)
class Collection:
    """Collected answers with the agreement of their assessors, ready to be printed and written."""

    collected: Collected
    agreement: AssessorAgreement

    @classmethod
    def of(cls, collected: Collected, *, rel: float = 1) -> Collection:
        """Collected answers and their agreement.

        rel  lowest grade that is relevant
        """
        return cls(collected, assessor_agreement(collected, rel=rel))

    def __str__(self) -> str:
        return self.summary().rstrip("\n")

    def __repr__(self) -> str:
        return f"<Collection: {counted(len(self.collected.judgments), 'judgment')}, merged by {self.collected.merge}>"

    def summary(self, screen: Screen = NARROW) -> str:
        """What was collected, in a few lines; the tables are in `text` and in the data sheet."""
        return "".join(
            f"{screen.filled(line, indent='  ')}\n" for line in summary_lines(self.collected, self.agreement)
        )

    def text(self, form: str = "table", screen: Screen = WIDE) -> str:
        """What was collected, with every table, as table, markdown or json."""
        if form == "json":
            return as_json(self.to_dict())
        tables = [("What was answered", work_table(self.collected)), *self.agreement.tables()]
        sentences = [self.agreement.sentence(), *rule_sentences(self.collected)]
        return page(tables, sentences, f"merged by {self.collected.merge}", form, screen=screen)

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        work = work_table(self.collected)
        return {
            "study": self.collected.study.manifest.id,
            "merge": self.collected.merge,
            "judgments": len(self.collected.judgments),
            "conflicts": [conflict.to_dict() for conflict in self.collected.conflicts],
            "assessors": [dict(zip(work.heads, map(str, row), strict=True)) for row in work.rows],
            **self.agreement.to_dict(),
        }

    def files(self) -> dict[str, bytes]:
        """The files of the study that hold what was collected, by name; judgments come last."""
        collected = self.collected
        files = {
            f"judges/{file_stem(name)}.qrels": qrels_text(
                {pair: grades[pair] for pair in pairs_in_order(grades)}
            )
            for name, grades in collected.by_assessor.items()
        }
        if collected.knowledge:
            files["known.tsv"] = _knowledge(collected.knowledge)
        if collected.preferences:
            files["preferences.qrels"] = preference_lines(collected.preferences)
        files["conflicts.jsonl"] = b"".join(
            msgspec.json.encode(conflict.to_dict()) + b"\n" for conflict in collected.conflicts
        )
        named = [*files, "data_sheet.md", *(["judgments.qrels"] if collected.judgments else [])]
        files["data_sheet.md"] = data_sheet(collected, self.agreement, named).encode(
            "utf-8", "surrogateescape"
        )
        if collected.judgments:
            files["judgments.qrels"] = qrels_text(collected.judgments)
        return files

    def write(self, *, overwrite: bool = False) -> list[str]:
        """Write all files into the folder of the study; their names. Nothing is written where one would be replaced.

        overwrite  replace files that an earlier collection has written
        """
        folder = self.collected.study.path
        if folder is None:
            raise UsageError("the study has no folder yet; write it with write_study first.")
        files = self.files()
        if not overwrite:
            _refuse_replacing(folder, files)
        answers = {f"answers/{file_stem(row.assessor)}.json": content_of(row) for row in self._answers()}
        for name, content in (answers | files).items():
            (folder / name).parent.mkdir(exist_ok=True)
            put(content, str(folder / name), overwrite=True)
        return list(files)

    def _answers(self) -> list[Answers]:
        adjudicated = self.collected.adjudicated
        return [*self.collected.answers.values(), *([] if adjudicated is None else [adjudicated])]


def _refuse_replacing(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        if file_type(str(path)) is not None and path.read_bytes() != content:
            raise UsageError(
                f"{shown(str(path))} already exists and differs from what the answers give now; "
                "replace it with --overwrite. Nothing was written."
            )


def _knowledge(rows: Sequence[tuple[str, str, str, bool]]) -> bytes:
    """What assessors knew already, as Coverage and Novelty read it: topic, user, document, and 1 where it was known."""
    lines = []
    for topic, assessor, document, known in rows:
        names = plain_ids(to_bytes(topic), to_bytes(document))
        lines.append(b"%s\t%s\t%s\t%d\n" % (names[0], to_bytes(file_stem(assessor)), names[1], known))
    return b"".join(lines)
