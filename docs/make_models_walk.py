"""The walk of docs/models.md anew: two runs, a model's labels, ten topics judged by people, a plan, and an answer.

    python docs/make_models_walk.py

The runs and people's judgments are the bundled example, the model is that of `make_models_audit.py`. Which topics people judge is
chosen by chance. What commands print is cut to its first lines.
"""

import os
import random
import shlex
import tempfile
from collections.abc import Mapping
from pathlib import Path

from click.testing import CliRunner
from make_models_audit import DATA, simulated

from gainful import read_qrels
from gainful.cli.commands import gainful

PAGE = Path(__file__).parent / "models.md"
BEGIN, END = "<!-- walk: begin -->", "<!-- walk: end -->"
PILOT, PLANNED = 10, 13
RUNS = "marathon.run sprinter.run"
STEPS = (
    (f"audit pilot.qrels model.qrels {RUNS} --width 0.1", ("for this comparison", "an interval of width")),
    (f"compare people.qrels {RUNS}", ()),
    (f"compare people.qrels {RUNS} --model-qrels model.qrels", ()),
    (f"compare everything.qrels {RUNS}", ()),
)


def walk() -> str:
    """Commands and what they print."""
    everything = read_qrels(DATA / "qrels.txt").to_dict()
    order = list(everything)
    random.Random(1).shuffle(order)
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            _write("model.qrels", simulated(everything))
            _write("everything.qrels", everything)
            _write("pilot.qrels", {topic: everything[topic] for topic in order[:PILOT]})
            _write("people.qrels", {topic: everything[topic] for topic in order[:PLANNED]})
            for run in RUNS.split():
                Path(run).write_bytes((DATA / run).read_bytes())
            return "\n".join(f"$ gainful {step}\n{_printed(step, wanted)}" for step, wanted in STEPS)
        finally:
            os.chdir(here)


def _printed(step: str, wanted: tuple[str, ...]) -> str:
    """The paragraph before the first blank line; of an audit, the sentences that begin with these words."""
    done = CliRunner().invoke(gainful, shlex.split(step))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    if not wanted:
        return done.stdout.split("\n\n")[0].strip()
    sentences = done.stdout.split("\n\n")[1].split("nDCG@10: ")
    return "\n".join(f"nDCG@10: {each.strip()}" for each in sentences if each.startswith(wanted))


def _write(name: str, judged: Mapping[str, Mapping[str, float]]) -> None:
    Path(name).write_text(
        "".join(f"{t} 0 {d} {grade:g}\n" for t, of in judged.items() for d, grade in of.items()), "utf-8"
    )


def page(text: str) -> str:
    """The page with the walk."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n```text\n{walk()}\n```\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
