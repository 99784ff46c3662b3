"""The outputs, the picture and the table of docs/models_audit.md anew.

    python docs/make_models_audit.py           what stands between the marks, from the bundled example; and the picture
    python docs/make_models_audit.py DATA      prints the table of real judges; DATA is a folder that holds dl21_passage

The model of the example is simulated: it gives the people's grade to six documents of ten, one more to three, one less to one.
"""

import random
import sys
import tarfile
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from gainful import audit, judgments, read_qrels
from gainful.auditing.audit_result import Audit
from gainful.auditing.judgment_savings import savings
from gainful.auditing.system_values import system_values
from gainful.formats import read_run
from gainful.presentation.chart_files import save
from gainful.presentation.table import Table
from gainful.presentation.text_style import fixed, percent

HERE = Path(__file__).parent
DATA = HERE.parent / "examples" / "data"
RUNS = [str(DATA / f"{name}.run") for name in ("sprinter", "marathon", "plain")]
BEGIN, END = "<!-- audit: begin -->", "<!-- audit: end -->"
COMMAND = (
    "$ gainful audit people.qrels model.qrels sprinter.run marathon.run plain.run "
    "--compare marathon sprinter --width 0.12 --decide"
)
PILOT, DRAWS, SHARE = 20, 50, 0.3
JUDGES = (
    *("gpt4o_umbrela", "gpt4_umbrela", "gpt4o_binary", "gpt4o_exam_max", "gpt4o_nuggets_weighted"),
    *("llama3.2_binary", "llama3.2_umbrela_pass1"),
)


def simulated(grades: dict[str, dict[str, float]], seed: int = 1) -> dict[str, dict[str, float]]:
    """Labels of a model that is mostly right and sometimes too kind."""
    drawn = random.Random(seed)

    def label(grade: float) -> float:
        place = drawn.random()
        return grade if place < 0.6 else min(3, grade + 1) if place < 0.9 else max(0, grade - 1)

    return {
        topic: {document: label(grade) for document, grade in row.items()} for topic, row in grades.items()
    }


def example() -> Audit:
    """People judged twenty topics, the model labelled fifty."""
    everything = read_qrels(DATA / "qrels.txt").to_dict()
    people = {topic: everything[topic] for topic in list(everything)[:PILOT]}
    return audit(
        people, simulated(everything), RUNS, compare=("marathon", "sprinter"), width=0.12, decide=True
    )


def page(made: Audit) -> str:
    """The page with what the command prints, of the parts that are shown there."""
    text = (HERE / "models_audit.md").read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n```text\n{COMMAND}\n{made.view()}```\n{END}{after}"


def real_judges(folder: Path) -> str:
    """A row for each judge of TREC DL 2021; its labels cover the topics that people judged."""
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        for name in ("llm", "runs"):
            with tarfile.open(folder / f"{name}.tar.xz", "r:xz") as archive:
                archive.extractall(place, filter="data")
        runs = sorted(map(str, (place / "runs").iterdir()))
        rows = [
            _row(folder / "qrels.human.txt.gz", place / "llm" / f"{judge}.qrels", runs) for judge in JUDGES
        ]
    heads = [
        "judge",
        "same grade",
        "kappa",
        "linear kappa",
        "tau",
        "turned",
        "favoured, disfavoured",
        "saved",
        "drawn",
    ]
    return Table(heads, rows).markdown()


def _row(qrels: Path, labels: Path, runs: list[str]) -> list[str]:
    made = audit(qrels, labels, runs, resamples=1000)
    order, saving = made.orders[0], made.savings[0]
    assert order.order is not None
    directions = [favour.direction for favour in order.favours]
    return [
        labels.name.removesuffix(".qrels"),
        percent(made.pair.same.value, 0),
        made.pair.kappa.shown(2),
        made.pair.kappa_linear.shown(2),
        fixed(order.order.tau_b.value, 2),
        f"{len(order.order.swaps)}",
        f"{directions.count('for')}, {directions.count('against')}",
        percent(saving.median, 0),
        percent(_drawn(qrels, labels, runs), 0),
    ]


def _drawn(qrels: Path, labels: Path, runs: list[str]) -> float:
    """The saving of the median pair when people's topics are drawn, by the intervals of the comparison; median of draws."""
    both = judgments(qrels, models=labels)
    people, given = both.to_dict(), both.models[0].as_grades(both).to_dict()
    values = system_values(people, given, [read_run(run).in_memory() for run in runs], "nDCG@10", {})
    topics = len(values.topics)
    drawn = np.random.default_rng(0)
    found = []
    for _ in range(DRAWS):
        order = drawn.permutation(topics)
        judged, others = np.split(order, [round(SHARE * topics)])
        some = replace(
            values,
            topics=tuple(values.topics[place] for place in judged),
            people=values.people[:, :, judged],
            model=values.model[:, :, judged],
            elsewhere=values.model[:, :, others],
        )
        saving = savings(some, 0, confidence=0.95)
        assert saving is not None
        found.append(saving.median)
    return float(np.median(found))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(real_judges(Path(sys.argv[1]) / "dl21_passage"))
    else:
        example_audit = example()
        (HERE / "models_audit.md").write_text(page(example_audit), encoding="utf-8")
        save(example_audit.chart(), str(HERE / "models_audit.svg"), overwrite=True)
