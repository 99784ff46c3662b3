"""Write the tables of docs/filtering.md anew: parameters chosen on half of the topics, reported on the other half.

    python docs/make_filtering.py [FOLDER]

FOLDER holds the files of Reuters-21578 (../shared/data/filtering/reuters21578 unless said). Takes some minutes.

The protocol is fixed here, before any number is seen:

1. Stories with TOPICS=YES in the order of their numbers; the first tenth is the reference set.
2. Topics with 3 relevant stories or more in the reference set and 10 or more after it, in alphabetical order:
   the 1st, 3rd, 5th … are for choosing, the 2nd, 4th, 6th … are held out.
3. On the topics for choosing, the profile with the best T11SU is taken, for beta_gamma (0.1, 0.01) and for ratio (0.005)
   on its own; then, with that profile, the best beta and gamma, and the best of as many shares for ratio.
4. The held-out topics are scored once, with what was chosen.
"""

import runpy
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

import numpy as np

from gainful.errors import GainfulError
from gainful.filtering import Rocchio, Rule, Simulation, read_stream, read_topics, simulate
from gainful.filtering.simulation_output import compared, grid
from gainful.formats.judgments import read_qrels
from gainful.presentation.table import Table

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "filtering.md"
DATA = ROOT.parent / "shared" / "data" / "filtering" / "reuters21578"
BEGIN, END = "<!-- made by docs/make_filtering.py: begin -->", "<!-- end -->"

DESCRIPTION = (0.25, 0.5, 1.0, 2.0)
TERMS = (20, 60, 200, 500, None)
OTHER = (0.0, 0.25, 0.5, 1.0, 2.0)
BETA = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4)
GAMMA = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
SHARE = tuple(float(f"{share:.2g}") for share in np.geomspace(0.0005, 0.034, len(BETA) * len(GAMMA)))
PROFILES = [Rocchio(description=d, terms=t, other=o) for d in DESCRIPTION for t in TERMS for o in OTHER]
FIRST = {"beta_gamma": Rule.of("beta_gamma", beta=0.1, gamma=0.01), "ratio": Rule.of("ratio", share=0.005)}
GRIDS = {
    "beta_gamma": [Rule.of("beta_gamma", beta=beta, gamma=gamma) for beta in BETA for gamma in GAMMA],
    "ratio": [Rule.of("ratio", share=share) for share in SHARE],
}


class Experiment:
    """The stream with its two halves of topics."""

    def __init__(self, folder: Path) -> None:
        with tempfile.TemporaryDirectory() as stream:
            runpy.run_path(str(ROOT / "examples" / "reuters_stream.py"))["convert"](folder, Path(stream))
            self.documents = read_stream(Path(stream) / "stream.jsonl")
            self.topics = read_topics(Path(stream) / "topics.jsonl")
            self.judgments = read_qrels(Path(stream) / "qrels.txt")
        self.reference = round(len(self.documents) / 10)
        early = {document.id for document in self.documents[: self.reference]}
        usable = []
        for topic, grades in sorted(self.judgments.to_dict().items()):
            before = sum(document in early for document in grades)
            if before >= 3 and len(grades) - before >= 10:
                usable.append(topic)
        self.choosing, self.held_out = usable[0::2], usable[1::2]

    def run(self, topics: list[str], rules: list[Rule], profiles: list[Rocchio]) -> Simulation:
        """Every rule with every profile on these topics."""
        begun = time.monotonic()
        simulation = simulate(
            self.documents,
            self.topics,
            self.judgments,
            rules=rules,
            profiles=profiles,
            reference=self.reference,
            only=topics,
            measures="T11SU,T11F,T11U,SetP,SetR,NumRet",
            jobs=2,
        )
        count = len(rules) * len(profiles)
        print(
            f"{count} configurations on {len(topics)} topics: {time.monotonic() - begun:.0f} s",
            file=sys.stderr,
        )
        return simulation


def written(given: Rule | Rocchio) -> str:
    """A rule or a profile with all its parameters, also those that are the defaults."""
    name, parameters = (
        ("rocchio", asdict(given)) if isinstance(given, Rocchio) else (given.name, given.parameters)
    )
    values = {name: "None" if value is None else f"{value:g}" for name, value in parameters.items()}
    return f"{name}({','.join(f'{name}={value}' for name, value in values.items())})"


def scores_of(simulation: Simulation) -> dict[tuple[Rule, Rocchio], float]:
    """T11SU of each configuration."""
    rows = [row for row in simulation.rows if row.variant is not None]
    return {(row.variant.rule, row.variant.profile): row.scores.mean["T11SU"] for row in rows if row.variant}


def best(scores: dict[tuple[Rule, Rocchio], float]) -> tuple[Rule, Rocchio]:
    """The configuration of the highest T11SU; of equal ones the first."""
    return max(scores, key=lambda configuration: scores[configuration])


def profile_table(scores: dict[tuple[Rule, Rocchio], float], rule: Rule) -> str:
    """T11SU by description, terms and other."""
    body = [
        [f"{d:g}", "all" if t is None else str(t)]
        + [f"{scores[rule, Rocchio(description=d, terms=t, other=o)]:.3f}" for o in OTHER]
        for d in DESCRIPTION
        for t in TERMS
    ]
    return Table(["description", "terms", *(f"other {o:g}" for o in OTHER)], body, names=2).markdown()


def threshold_table(scores: dict[tuple[Rule, Rocchio], float], profile: Rocchio) -> str:
    """T11SU by beta and gamma."""
    body = [
        [f"{beta:g}"]
        + [f"{scores[Rule.of('beta_gamma', beta=beta, gamma=gamma), profile]:.3f}" for gamma in GAMMA]
        for beta in BETA
    ]
    return Table(["beta", *(f"gamma {gamma:g}" for gamma in GAMMA)], body).markdown()


def share_table(scores: dict[tuple[Rule, Rocchio], float], profile: Rocchio) -> str:
    """T11SU by share, in three columns."""
    pairs = [(f"{share:g}", f"{scores[Rule.of('ratio', share=share), profile]:.3f}") for share in SHARE]
    third = -(-len(pairs) // 3)
    columns = [pairs[start : start + third] for start in range(0, len(pairs), third)]
    body = [
        [cell for column in columns for cell in (column[row] if row < len(column) else ("", ""))]
        for row in range(third)
    ]
    return Table(["share", "T11SU"] * len(columns), body, names=0).markdown()


def main(folder: Path) -> None:
    """Choose, score, write."""
    experiment = Experiment(folder)
    print(f"choosing on {', '.join(experiment.choosing)}", file=sys.stderr)
    by_profile = scores_of(experiment.run(experiment.choosing, list(FIRST.values()), PROFILES))
    profiles = {
        name: best({key: value for key, value in by_profile.items() if key[0] == rule})[1]
        for name, rule in FIRST.items()
    }
    by_rule = {
        name: scores_of(experiment.run(experiment.choosing, GRIDS[name], [profile]))
        for name, profile in profiles.items()
    }
    rules = {name: best(scores)[0] for name, scores in by_rule.items()}
    beside = [Rule.of("beta_gamma", beta=0.1, gamma=0.05), Rule.of("optimum"), Rule.of("zero")]
    if rules["beta_gamma"] in beside:
        beside.remove(rules["beta_gamma"])
    tuned = [rules["beta_gamma"], *beside, rules["ratio"]]
    held = experiment.run(experiment.held_out, tuned, list(dict.fromkeys(profiles.values())))
    write(experiment, by_profile, by_rule, profiles, rules, held)


def write(
    experiment: Experiment,
    by_profile: dict[tuple[Rule, Rocchio], float],
    by_rule: dict[str, dict[tuple[Rule, Rocchio], float]],
    profiles: dict[str, Rocchio],
    rules: dict[str, Rule],
    held: Simulation,
) -> None:
    """Put the tables into the page."""
    configurations = len(by_profile) + sum(map(len, by_rule.values()))
    chosen = {name: max(scores.values()) for name, scores in by_rule.items()}
    parts = [
        BEGIN,
        f"Topics for choosing: {', '.join(experiment.choosing)}.  ",
        f"Topics held out: {', '.join(experiment.held_out)}.",
        "### Held-out topics",
        "The rows use the parameters that were chosen on the other half of the topics; p compares T11SU with the first row.",
        grid(held, against=compared(held)).markdown(),
        f"Chosen for beta_gamma: `{written(rules['beta_gamma'])}` with `{written(profiles['beta_gamma'])}` "
        f"(T11SU {chosen['beta_gamma']:.3f} on the topics for choosing). "
        f"Chosen for ratio: `{written(rules['ratio'])}` with `{written(profiles['ratio'])}` ({chosen['ratio']:.3f}).",
        "### All configurations tried",
        f"{configurations} configurations, T11SU on the {len(experiment.choosing)} topics for choosing.",
        f"Profiles, with `{written(FIRST['beta_gamma'])}`:",
        profile_table(by_profile, FIRST["beta_gamma"]),
        f"Profiles, with `{written(FIRST['ratio'])}`:",
        profile_table(by_profile, FIRST["ratio"]),
        f"Beta and gamma, with `{written(profiles['beta_gamma'])}`:",
        threshold_table(by_rule["beta_gamma"], profiles["beta_gamma"]),
        f"Shares of ratio, with `{written(profiles['ratio'])}`:",
        share_table(by_rule["ratio"], profiles["ratio"]),
        END,
    ]
    page = PAGE.read_text(encoding="utf-8")
    head, tail = page.split(BEGIN)[0], page.split(END, 1)[1]
    PAGE.write_text(head + "\n\n".join(parts) + tail, encoding="utf-8")
    print(grid(held, against=compared(held)).text())


if __name__ == "__main__":
    given = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    if not given.is_dir():
        sys.exit(f"there is no {given}; name the folder of Reuters-21578.")
    try:
        main(given)
    except GainfulError as error:
        sys.exit(str(error))
