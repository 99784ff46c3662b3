"""Do two versions of Gainful print the same numbers?

    python benchmarks/same_numbers.py --old OLD/.venv/bin/gainful --new .venv/bin/gainful

Runs the same commands with both, on the bundled data and, where it is there, on ../shared/data/eval, and compares their
JSON: every number to the last bit, every other value as text. Keys and words that were renamed on purpose are in RENAMED,
numbers that changed on purpose in CHANGED, each with the words of CHANGELOG.md that say so; whatever else differs is
printed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BUNDLED = ROOT / "examples" / "data"
SHARED = ROOT.parent / "shared" / "data" / "eval"

RENAMED = {
    "lower_is_better": "less_is_better",
    "apart": "significant_neighbours",
    "run": "baseline",
    "other": "candidate",
    "brings": "contributes",
    "RBP": "RBP(p=0.8)",
}
"""Keys and values of the old output that have another name now; an old key that still stands is left as it is."""

ADDED = {
    "scores",
    "p_value_method",
    "smallest_p_adjusted",
    "significant_neighbours",
    "unresolved_neighbours",
    "close",
    "matters",
    "verdict",
    "next",
    "found",
    "documents",
    "rest",
    "less_is_better",
    "pool",
    "round_topics",
    "round_mean",
    "round_halves",
}
"""Keys that only the new output has."""

DROPPED = {"exact"}
"""Keys that only the old output has."""

CHANGED = (
    ("curve .*--band", r"\.curves\[\d+\]\.(low|high|band)", "Bands of curves draw 2,000 resamples"),
    ("--moved", r"\.moved.*\.rank_[ab]", "ranks below the cutoff are given (null before)"),
    (
        "--moved",
        r"\.moved.*\.(document|part|grade)",
        "of documents with equal parts those that A has come first",
    ),
    (
        "explain .*nDCG",
        r"\.variants\..*ideal=(hits|uncut)",
        "the variants with `ideal=hits` and `ideal=uncut`",
    ),
    ("filter demo", "", "New profiles of a filter use the rule `expected`"),
    ("_ap.csv", r"\.comparisons.*\.(p_value|p_adjusted|flips)", "resolves small p-values"),
    ("_ap.csv", r"\.leaderboards.*\.letters", "resolves small p-values"),
    ("", r"\.runs\[\d+\]\.name", "`.txt` stays"),
)
"""What changed on purpose: commands, paths in their JSON, and the words of CHANGELOG.md that tell it."""

INSTEAD = {"--readers": ("--by-rank", "P")}
"""Options with which the new version does what the old one did by default: it sweeps nDCG for nDCG@10."""

PROSE = re.compile(
    r"(^|\.)(notes|sentence|sentences|headlines?|stated|gainful|advice|way_out|say|said|text)(\.|\[|$)"
)
"""Paths in the JSON whose values are sentences; they may be worded anew."""

MEASURES = (
    "nDCG@10,nDCG(gain=exp)@20,nDCG(discount=jk,ideal=retrieved),AP,AP(rel=2)@100,RR,P@10,R@100,Rprec,Bpref,infAP,"
    "RBP(p=0.8),ERR@20,Judged@10,Q,IPrec@0.1,NumRet,NumRelRet,Success@5,F@10,INST,BPM@10,Compat,SetP,DCG@5,G,Utility"
)


def commands() -> Iterator[list[str]]:
    """Every command that prints JSON, in its main forms."""
    qrels = str(BUNDLED / "qrels.txt")
    runs = [str(BUNDLED / f"{name}.run") for name in ("sprinter", "marathon", "plain")]
    yield from _evaluations(qrels, runs)
    yield from _comparisons(qrels, runs)
    yield from _curves(qrels, runs)
    yield ["filter", "demo"]
    if SHARED.is_dir():
        yield from _on_shared_data()


def _evaluations(qrels: str, runs: list[str]) -> Iterator[list[str]]:
    yield ["evaluate", qrels, *runs, "-q", "-f", "json"]
    yield ["evaluate", qrels, *runs, "-m", MEASURES, "-q", "-f", "json"]
    for setting in (
        *(["--ties", ties] for ties in ("input", "best", "worst")),
        *(
            ["--missing", "skip"],
            ["--undefined", "skip"],
            ["--unjudged", "condense"],
            ["--rel", "2"],
            ["--depth", "7"],
        ),
    ):
        yield ["evaluate", qrels, *runs, "-m", MEASURES, "-q", "-f", "json", *setting]
    yield ["check", qrels, *runs, "-f", "json"]


def _comparisons(qrels: str, runs: list[str]) -> Iterator[list[str]]:
    compare = ["compare", qrels, *runs, "-m", "nDCG@10,AP,RR", "-f", "json"]
    yield compare
    for more in (
        *(["--test", test] for test in ("t", "wilcoxon", "sign", "bootstrap")),
        *(["--interval", interval] for interval in ("bca", "percentile", "flips")),
        *(["--correction", correction] for correction in ("bh", "max-t", "tukey", "none")),
        *(["--view", "topics"], ["--view", "components"], ["--baseline", "plain"], ["--family", "all"]),
    ):
        yield [*compare, *more]
    pair = ["compare", qrels, *runs[:2], "-m", "nDCG@10", "-f", "json"]
    yield [*pair, "--readers", "--moved", "--unknown"]
    yield ["gate", qrels, *runs[:2], "-m", "nDCG@10,AP", "--margin", "0.01", "-f", "json"]
    yield ["correlate", *runs[:2], "--qrels", qrels, "-f", "json"]


def _curves(qrels: str, runs: list[str]) -> Iterator[list[str]]:
    yield ["curve", qrels, *runs, "-m", "nDCG,P,R", "--ideal", "-f", "json"]
    for kind in ("recall", "precision-recall", "roc", "effort"):
        yield ["curve", qrels, *runs, "--kind", kind, "--band", "0.95", "-f", "json"]
    for measure in ("nDCG@10", "AP", "RBP(p=0.8)", "ERR@20"):
        yield ["explain", qrels, runs[0], "--topic", "1", "-m", measure, "-f", "json"]


def _on_shared_data() -> Iterator[list[str]]:
    hard = SHARED / "dl_hard"
    runs = sorted(map(str, (hard / "runs" / "passage").iterdir()))[:8]
    qrels = str(hard / "dl_hard-passage.qrels")
    yield ["evaluate", qrels, *runs, "-m", MEASURES, "-q", "-f", "json"]
    yield ["compare", qrels, *runs, "-m", "nDCG@10,AP", "-f", "json"]
    yield ["compare", qrels, *runs[:2], "-m", "nDCG@10", "--readers", "--moved", "--unknown", "-f", "json"]
    boards = SHARED / "topic_by_system" / "urbano_sigir2019" / "data"
    yield ["compare", str(boards / "adhoc5_ap.csv"), "-f", "json"]
    tests = SHARED / "trec_eval_tests"
    yield [
        "evaluate",
        str(tests / "qrels.test"),
        str(tests / "results.test"),
        "-m",
        MEASURES,
        "-q",
        "-f",
        "json",
    ]
    clef = SHARED / "clef_tar2017"
    for run in sorted((clef / "runs2017").iterdir())[:1]:
        (qrels_file, *_) = sorted(path for path in (clef / "qrels").iterdir() if path.is_file())
        yield ["evaluate", str(qrels_file), str(run), "-m", "AP,nDCG@10,R@1000", "-q", "-f", "json"]


def main() -> int:
    """Exit code 1 where any number differs."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--old", required=True, help="the gainful command of the older version")
    options.add_argument("--new", required=True, help="the gainful command of the newer version")
    options.add_argument("--only", default="", help="commands that hold this text")
    asked = options.parse_args()
    changelog = " ".join((ROOT / "CHANGELOG.md").read_text("utf-8").split())
    if unsaid := [words for *_, words in CHANGED if words not in changelog]:
        options.error(f"CHANGELOG.md does not say: {'; '.join(unsaid)}")
    compared = differing = 0
    explained: Counter[str] = Counter()
    for command in commands():
        shown = " ".join(Path(word).name if "/" in word else word for word in command)
        if asked.only not in shown:
            continue
        more = [word for option, words in INSTEAD.items() if option in command for word in words]
        outputs = [
            _turned(_output(Path(asked.old).absolute(), command)),
            _output(Path(asked.new).absolute(), [*command, *more]),
        ]
        found = list(_differences(*outputs))
        differences = [line for line in found if _reason(shown, line) is None]
        explained.update(reason for line in found if (reason := _reason(shown, line)))
        differences += (
            [f"neither version answers: {outputs[0]['message']}"] if "exit code" in outputs[0] else []
        )
        compared += _numbers(outputs[0])
        if differences:
            differing += 1
            print(f"gainful {shown}: {len(differences)} differ")
            for line in differences[:12]:
                print(f"    {line}")
    for reason, count in explained.items():
        print(f"{count:,} values differ as CHANGELOG.md says: {reason}")
    print(f"{compared:,} numbers compared; {differing} commands differ in what it does not say.")
    return 1 if differing else 0


def _reason(command: str, difference: str) -> str | None:
    """The words of the changelog that tell this difference; None where none do."""
    for said, where, words in CHANGED:
        if re.search(said, command) and re.match(where, difference):
            return words
    return None


def _turned(old: Any) -> Any:
    """The old output with differences between readers as candidate minus baseline."""
    for sweep in old.get("sweeps", []) if isinstance(old, dict) else []:
        for name in ("difference", "low", "high"):
            sweep[name] = [None if value is None else -value for value in sweep[name]]
        sweep["low"], sweep["high"] = sweep["high"], sweep["low"]
    return old


def _output(program: Path, command: list[str]) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, *command], capture_output=True, text=True, cwd=folder, check=False)
    if not done.stdout:
        return {"exit code": done.returncode, "message": done.stderr[-400:]}
    if done.stdout.startswith(("{", "[")):
        return json.loads(done.stdout)
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", done.stdout)]  # text for people


def _numbers(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_numbers, value.values()))
    if isinstance(value, list):
        return sum(map(_numbers, value))
    return isinstance(value, int | float)


def _differences(old: Any, new: Any, path: str = "") -> Iterator[str]:
    if PROSE.search(path):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        old = {key if key in new else RENAMED.get(key, key): value for key, value in old.items()}
        for key in {**old, **new}:
            if (key not in old and key in ADDED) or (key not in new and key in DROPPED):
                continue
            if key not in new or key not in old:
                yield f"{path}.{key}: only in the {'old' if key in old else 'new'} output"
            else:
                yield from _differences(old[key], new[key], f"{path}.{key}")
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield f"{path}: {len(old)} items, now {len(new)}"
        for number, (before, now) in enumerate(zip(old, new, strict=False)):
            yield from _differences(before, now, f"{path}[{number}]")
    elif (old != new or type(old) is not type(new)) and (not isinstance(old, str) or RENAMED.get(old) != new):
        yield f"{path}: {str(old)[:100]!r}, now {str(new)[:100]!r}"


if __name__ == "__main__":
    sys.exit(main())
