"""trec_eval's own test files: every line of its expected outputs for which there is a measure, as printed.

The files are trec_eval 10's, which differs from Gainful in two places.
Its interpolated precision asks for round(r·R) relevant documents, where the definition says r·R at the least.
Its residual of RBP is 0 for a list without unjudged documents, where p^n is still unseen.
Both numbers are tested here, theirs and ours.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from gainful.cli import run as command_line

Lines = dict[tuple[str, str], str]
TOPICS = ("301", "302", "303")
ONCE = {"Rprec_mult_1.00": "Rprec"}  # two names of one measure, which is printed once
TEN = "all_trec,rbp,rbp_resid,unj"  # all_trec is trec_eval 9's; 10 has three more

# expected output: (judgments, run, options, lines compared as they are, interpolated ones, text)
CASES = {
    "out.test": ("qrels.test", "results.test", ["-m", "official"], 19, 11, 0),
    "out.comment.test": ("qrels.comment.test.gz", "results.comment.test.gz", ["-m", "official"], 19, 11, 0),
    "out.test.a": ("qrels.test", "results.test", ["-m", TEN], 87, 12, 0),
    "out.test.aq": ("qrels.test", "results.test", ["-m", TEN, "-q"], 336, 48, 3),
    "out.test.aqc": ("qrels.test", "results.trunc", ["-m", TEN, "-q"], 334, 48, 3),
    "out.test.aqcM": ("qrels.test", "results.trunc", ["-m", TEN, "-q", "--depth", "100"], 334, 48, 3),
    "out.test.aql": ("qrels.rel_level", "results.test", ["-m", TEN, "-q", "--rel", "2"], 336, 48, 3),
}


def is_interpolated(name: str) -> bool:
    return name.startswith(("iprec_at_recall", "11pt_avg"))


def is_text(name: str) -> bool:
    """The relevance of the first documents as a string: not a measure."""
    return name.startswith("relstring")


@pytest.fixture
def printed(
    published: Path, read_lines: Callable[[str], Lines], capsys: pytest.CaptureFixture[str]
) -> Callable[..., Lines]:
    """What Gainful prints in trec_eval's layout."""

    def evaluate(judgments: str, run: str, *options: str) -> Lines:
        folder = published / "trec_eval_tests"
        command = ["evaluate", str(folder / judgments), str(folder / run), "-f", "trec", *options]
        assert command_line(command) == 0
        return read_lines(capsys.readouterr().out)

    return evaluate


@pytest.fixture
def expected(published: Path, read_lines: Callable[[str], Lines]) -> Callable[[str], Lines]:
    """What trec_eval printed."""
    return lambda name: read_lines((published / "trec_eval_tests" / name).read_text())


@pytest.mark.parametrize("name", CASES)
def test_every_line_is_printed_as_trec_eval_prints_it(
    name: str, expected: Callable[[str], Lines], printed: Callable[..., Lines]
) -> None:
    judgments, run, options, plain, interpolated, text = CASES[name]
    theirs, ours = expected(name), printed(judgments, run, *options)
    same = [key for key in theirs if not is_interpolated(key[0]) and not is_text(key[0])]
    differ = residuals_of_nothing(name)
    for measure, topic in same:
        if (measure, topic) not in differ:
            assert ours[ONCE.get(measure, measure), topic] == theirs[measure, topic], (measure, topic)
    assert len(set(same) - differ) == plain
    assert sum(is_interpolated(measure) for measure, _ in theirs) == interpolated
    assert sum(is_text(measure) for measure, _ in theirs) == text
    assert {
        (ONCE.get(measure, measure), topic) for measure, topic in theirs if not is_text(measure)
    } == ours.keys()


def residuals_of_nothing(name: str) -> set[tuple[str, str]]:
    """Where topic 302 is missing from the run, all of it is unseen: the residual is 1, and not 0."""
    return (
        {("rbp_resid", "302"), ("rbp_resid", "all")} if name in ("out.test.aqc", "out.test.aqcM") else set()
    )


@pytest.mark.parametrize("name", ["out.test.aqc", "out.test.aqcM"])
def test_the_residual_of_an_empty_list_is_one(
    name: str, expected: Callable[[str], Lines], printed: Callable[..., Lines]
) -> None:
    judgments, run, options, *_ = CASES[name]
    theirs, ours = expected(name), printed(judgments, run, *options)
    assert [theirs["rbp_resid", topic] for topic in (*TOPICS, "all")] == [
        "0.0610",
        "0.0000",
        "0.0049",
        "0.0220",
    ]
    assert ours["rbp_resid", "302"] == "1.0000"
    assert float(ours["rbp_resid", "all"]) == pytest.approx((0.0610 + 1 + 0.0049) / 3, abs=1e-4)


Ranked = dict[str, tuple[list[bool], int]]


def relevance(folder: Path, judgments: str, run: str, *, level: int = 1, depth: int | None = None) -> Ranked:
    """For each judged topic: whether each ranked document is relevant, and how many relevant there are."""
    grades: dict[str, dict[str, int]] = {}
    for line in (folder / judgments).read_text().splitlines():
        topic, _, document, grade = line.split()
        grades.setdefault(topic, {})[document] = int(grade)
    scores: dict[str, dict[str, float]] = {}
    for line in (folder / run).read_text().splitlines():
        topic, _, document, _, score, *_ = line.split()
        scores.setdefault(topic, {})[document] = float(score)
    found = {}
    for topic, judged in grades.items():
        order = sorted(scores.get(topic, {}).items(), key=lambda item: (item[1], item[0]), reverse=True)
        relevant = [judged.get(document, 0) >= level for document, _ in order[:depth]]
        found[topic] = relevant, sum(grade >= level for grade in judged.values())
    return found


def interpolated(relevant: list[bool], needed: int) -> float:
    """The highest precision at any rank where so many relevant documents are found; 0 if they never are."""
    found, best = 0, 0.0
    for rank, is_relevant in enumerate(relevant, start=1):
        found += is_relevant
        if found >= needed:
            best = max(best, found / rank)
    return best


def as_trec_eval_10(level: Fraction, relevant: int) -> int:
    return int(float(level) * relevant + 0.5)


def exactly(level: Fraction, relevant: int) -> int:
    return math.ceil(level * relevant)


def curve(
    ranked: Ranked, levels: list[Fraction], rule: Callable[[Fraction, int], int]
) -> dict[str, list[float]]:
    """Interpolated precision at each level, topic by topic and on average."""
    found = {
        topic: [interpolated(relevant, rule(level, count)) for level in levels]
        for topic, (relevant, count) in ranked.items()
    }
    columns = zip(*found.values(), strict=True)
    return found | {"all": [sum(column) / len(found) for column in columns]}


LEVELS = [Fraction(tenth, 10) for tenth in range(11)]
FILES = {
    "out.test.a": ("qrels.test", "results.test", 1, None, ("all",)),
    "out.test.aq": ("qrels.test", "results.test", 1, None, (*TOPICS, "all")),
    "out.test.aqc": ("qrels.test", "results.trunc", 1, None, (*TOPICS, "all")),
    "out.test.aqcM": ("qrels.test", "results.trunc", 1, 100, (*TOPICS, "all")),
    "out.test.aql": ("qrels.rel_level", "results.test", 2, None, (*TOPICS, "all")),
}


@pytest.mark.parametrize("name", FILES)
def test_interpolated_precision_is_exact_where_trec_eval_10_rounds(
    name: str, published: Path, expected: Callable[[str], Lines], printed: Callable[..., Lines]
) -> None:
    judgments, run, level, depth, topics = FILES[name]
    theirs, ours = expected(name), printed(judgments, run, *CASES[name][2])
    ranked = relevance(published / "trec_eval_tests", judgments, run, level=level, depth=depth)
    rounded, exact = curve(ranked, LEVELS, as_trec_eval_10), curve(ranked, LEVELS, exactly)
    compared = 0
    for topic in topics:
        for place, recall in enumerate(LEVELS):
            key = f"iprec_at_recall_{float(recall):.2f}", topic
            assert theirs[key] == f"{rounded[topic][place]:.4f}", key
            assert ours[key] == f"{exact[topic][place]:.4f}", key
            compared += 1
        assert theirs["11pt_avg", topic] == f"{sum(rounded[topic]) / 11:.4f}"
        assert ours["11pt_avg", topic] == f"{sum(exact[topic]) / 11:.4f}"
    assert compared == 11 * len(topics)


def test_the_rule_for_interpolated_precision_matters_on_these_files(
    expected: Callable[[str], Lines], printed: Callable[..., Lines]
) -> None:
    theirs, ours = expected("out.test.a"), printed("qrels.test", "results.test", "-m", TEN)
    assert theirs["11pt_avg", "all"] == "0.1962"
    assert ours["11pt_avg", "all"] == "0.1947"


# what trec_eval printed → what Gainful calls it
PARAMETERS = {
    "P_3": "P@3",
    "P_5": "P@5",
    "P_7": "P@7",
    "recall_20": "R@20",
    "recall_2000": "R@2000",
    "Rprec_mult_0.20": "Rprec_mult.0.2",
    "Rprec_mult_0.35": "Rprec_mult.0.35",
    "Rprec_mult_5.00": "Rprec_mult.5.0",
    "utility_2,-1,0,0": "utility.2,-1,0,0",
    "ndcg_1=3,2=9,4=4.5": "nDCG(gain={1:3,2:9,4:4.5})",
    "ndcg_cut_10": "nDCG@10",
    "ndcg_cut_20": "nDCG@20",
    "ndcg_cut_23": "nDCG@23",
    "success_2": "Success@2",
    "success_5": "Success@5",
    "success_20": "Success@20",
}
RECALLS = {
    "iprec_at_recall_0.10": "IPrec@0.1",
    "iprec_at_recall_0.20": "IPrec@0.2",
    "iprec_at_recall_0.25": "IPrec@0.25",
    "iprec_at_recall_0.50": "IPrec@0.5",
    "iprec_at_recall_0.75": "IPrec@0.75",
}


def test_parameters_give_what_they_give_in_trec_eval(
    published: Path, expected: Callable[[str], Lines]
) -> None:
    import gainful

    theirs = expected("out.test.meas_params")
    folder = published / "trec_eval_tests"
    scores = gainful.evaluate(folder / "qrels.test", folder / "results.test", list(PARAMETERS.values()))
    compared = 0
    for name, measure in zip(PARAMETERS, scores.measures, strict=True):
        for topic in TOPICS:
            assert f"{scores.per_topic[topic][str(measure)]:.4f}" == theirs[name, topic], (name, topic)
            compared += 1
        assert f"{scores.mean[str(measure)]:.4f}" == theirs[name, "all"], name
        compared += 1
    others = {name for name, _ in theirs} - set(PARAMETERS)
    assert others == {*RECALLS, "11pt_avg_.25,.5,.75"}
    assert compared == len(PARAMETERS) * 4 == len(theirs) - 4 * len(others)


def test_other_recall_levels_are_exact_where_trec_eval_10_rounds(
    published: Path, expected: Callable[[str], Lines]
) -> None:
    import gainful

    theirs = expected("out.test.meas_params")
    folder = published / "trec_eval_tests"
    scores = gainful.evaluate(folder / "qrels.test", folder / "results.test", list(RECALLS.values()))
    ranked = relevance(folder, "qrels.test", "results.test")
    levels = [Fraction(name.rpartition("_")[2]) for name in RECALLS]
    rounded, exact = curve(ranked, levels, as_trec_eval_10), curve(ranked, levels, exactly)
    for place, (name, measure) in enumerate(RECALLS.items()):
        values = {topic: found[measure] for topic, found in scores.per_topic.items()} | {
            "all": scores.mean[measure]
        }
        for topic in (*TOPICS, "all"):
            assert theirs[name, topic] == f"{rounded[topic][place]:.4f}"
            assert values[topic] == pytest.approx(exact[topic][place], abs=1e-12)
