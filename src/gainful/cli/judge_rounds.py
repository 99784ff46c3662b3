"""The commands of the next round of judging, to be copied: pages or a server for the assessors, then collecting."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from gainful.studies.study_folder import Pair, Study


def served(study: Study) -> bool:
    """Whether the study is judged on a server, whose journals lie beside the answers."""
    return study.path is not None and any((study.path / "answers").glob("*.journal"))


def after_collecting(study: Study, waiting: Collection[Pair], merge: str) -> str | None:
    """What to do next: collect the answers that are missing, or ask whether enough is judged; of grades alone.

    waiting  documents without an answer
    merge    how grades were merged
    """
    from gainful.studies.collected_answers import MERGE

    if study.manifest.mode == "preferences":
        return None
    if waiting:
        again = _collect_command(study, waiting) + ("" if merge == MERGE else f" --merge {merge}")
        return f"when the other answers are there, `{again}`"
    if len(study.runs) < 2:
        return None
    runs = "" if study.manifest.compare else " --compare A B"
    asked = f"gainful judge --next {_folder(study)}{runs}"
    return f"`{asked}` says whether enough is judged, or which documents to judge"


def round_commands(study: Study, pairs: Collection[Pair]) -> list[str]:
    """What to type so that these documents are judged, and what to type then."""
    return [_pages_command(study), _collect_command(study, pairs)]


def _pages_command(study: Study) -> str:
    """How assessors get the documents of the study as it is now; a server reads the study when it starts."""
    assert study.path is not None
    if served(study):
        return f"gainful judge --serve {_folder(study)}"
    from gainful.studies.answer_files import file_stem

    pages = [study.path / "pages" / f"{file_stem(name)}.html" for name in study.manifest.assessors]
    again = " --overwrite" if any(page.exists() for page in pages) else ""
    return f"gainful judge {_folder(study)}{again}"


def _collect_command(study: Study, pairs: Collection[Pair]) -> str:
    """How the answers to these documents are collected; a server writes them into the study, a page saves a file."""
    assert study.path is not None
    waiting = {*pairs}
    asked = {row.assessor for row in study.assignments if row.pair in waiting}
    names = [name for name in study.manifest.assessors if name in asked]
    files = [] if served(study) else [shlex.quote(f"answers-{name}.json") for name in names]
    again = ["--overwrite"] if (study.path / "data_sheet.md").exists() else []
    return " ".join(["gainful judge --collect", _folder(study), *files, *again])


def _folder(study: Study) -> str:
    return shlex.quote(str(study.path))
