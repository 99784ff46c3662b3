"""trec_eval's own test files: every line of its expected outputs for which there is a measure, as printed.

The files are trec_eval 10's, which differs from Gainful in three places; both numbers are tested here.
Its interpolated precision asks for round(r·R) relevant documents, where the definition says r·R at the least.
Its RBP divides a grade by the best one of the topic, where Gainful divides by the best one of the judgments.
Its residual of RBP is 0 for an empty list, of which nothing has been seen.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import gainful
from gainful.cli import run as command_line

Lines = dict[tuple[str, str], str]
TOPICS = ("301", "302", "303")

# expected output: (judgments, run, options, lines compared as they are, interpolated ones, text)
CASES = {
    "out.test": ("qrels.test", "results.test", ["-m", "official"], 19, 11, 0),
    "out.comment.test": ("qrels.comment.test.gz", "results.comment.test.gz", ["-m", "official"], 19, 11, 0),
    "out.test.a": ("qrels.test", "results.test", ["-m", "all_trec"], 87, 12, 0),
    "out.test.aq": ("qrels.test", "results.test", ["-m", "all_trec", "-q"], 336, 48, 3),
    "out.test.aqc": ("qrels.test", "results.trunc", ["-m", "all_trec", "-q"], 334, 48, 3),
    "out.test.aqcM": ("qrels.test", "results.trunc", ["-m", "all_trec", "-q", "--depth", "100"], 334, 48, 3),
    "out.test.aql": ("qrels.rel_level", "results.test", ["-m", "all_trec", "-q", "--rel", "2"], 333, 48, 3),
}

# where the definition is another one
DIFFERENT = {
    "out.test.aqc": [("rbp_resid", "302"), ("rbp_resid", "all")],
    "out.test.aqcM": [("rbp_resid", "302"), ("rbp_resid", "all")],
    "out.test.aql": [("rbp", "302"), ("rbp", "303"), ("rbp", "all")],
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
    same = [key for key in same if key not in DIFFERENT.get(name, ())]
    for measure, topic in same:
        value = ours[measure, topic]
        # the name of a run may have several words here; trec_eval knows the first
        assert (value.split()[0] if measure == "runid" else value) == theirs[measure, topic], (measure, topic)
    assert len(same) == plain
    assert sum(is_interpolated(measure) for measure, _ in theirs) == interpolated
    assert sum(is_text(measure) for measure, _ in theirs) == text
    numbers = {(measure, topic) for measure, topic in theirs if not is_text(measure)}
    assert numbers == ours.keys()


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


def test_a_grade_is_divided_by_the_best_of_all_topics_in_rbp(
    published: Path, expected: Callable[[str], Lines], printed: Callable[..., Lines]
) -> None:
    judgments, run, options, *_ = CASES["out.test.aql"]
    theirs, ours = expected("out.test.aql"), printed(judgments, run, *options)
    folder = published / "trec_eval_tests"
    best = {"301": 4, "302": 3, "303": 2}
    measures = {topic: gainful.RBP(p=0.9, top=grade) for topic, grade in best.items()}
    scores = gainful.evaluate(folder / judgments, folder / run, list(measures.values()))
    for topic, measure in measures.items():
        assert theirs["rbp", topic] == f"{scores.per_topic[topic][str(measure)]:.4f}"
        assert ours["rbp", topic] == f"{scores.per_topic[topic][str(measures['301'])]:.4f}"
    assert [theirs["rbp", topic] for topic in best] == ["0.0465", "0.7628", "0.0212"]
    assert [ours["rbp", topic] for topic in best] == ["0.0465", "0.5721", "0.0106"]


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
    theirs, ours = expected("out.test.a"), printed("qrels.test", "results.test", "-m", "all_trec")
    assert theirs["11pt_avg", "all"] == "0.1962"
    assert ours["11pt_avg", "all"] == "0.1947"


PARAMETERS = (
    "-m P.5,7,3 -m recall.20,2000 -m Rprec_mult.5.0,0.2,0.35 -m utility.2,-1,0,0 -m ndcg.1=3,2=9,4=4.5 "
    "-m ndcg_cut.10,20,23 -m success.2,5,20 -m 11pt_avg..25,.5,.75 -m iprec_at_recall..10,.20,.25,.75,.50"
)
RECALLS = [Fraction(level) for level in ("0.10", "0.20", "0.25", "0.50", "0.75")]


def test_parameters_give_what_they_give_in_trec_eval(
    expected: Callable[[str], Lines], printed: Callable[..., Lines]
) -> None:
    theirs = expected("out.test.meas_params")
    ours = printed("qrels.test", "results.test", "-q", *PARAMETERS.split())
    assert ours.pop(("runid", "all")) == "STANDARD"
    assert ours.keys() == theirs.keys()
    compared = 0
    for key, value in theirs.items():
        if not is_interpolated(key[0]):
            assert ours[key] == value, key
            compared += 1
    assert compared == 16 * 4 == len(theirs) - 6 * 4


def test_other_recall_levels_are_exact_where_trec_eval_10_rounds(
    published: Path, expected: Callable[[str], Lines], printed: Callable[..., Lines]
) -> None:
    theirs = expected("out.test.meas_params")
    ours = printed("qrels.test", "results.test", "-q", *PARAMETERS.split())
    ranked = relevance(published / "trec_eval_tests", "qrels.test", "results.test")
    rounded, exact = curve(ranked, RECALLS, as_trec_eval_10), curve(ranked, RECALLS, exactly)
    compared = 0
    for topic in (*TOPICS, "all"):
        for place, recall in enumerate(RECALLS):
            key = f"iprec_at_recall_{float(recall):.2f}", topic
            assert theirs[key] == f"{rounded[topic][place]:.4f}", key
            assert ours[key] == f"{exact[topic][place]:.4f}", key
            compared += 1
        last = [RECALLS.index(Fraction(level)) for level in ("0.25", "0.5", "0.75")]
        key = "11pt_avg_.25,.5,.75", topic
        assert theirs[key] == f"{sum(rounded[topic][place] for place in last) / 3:.4f}"
        assert ours[key] == f"{sum(exact[topic][place] for place in last) / 3:.4f}"
    assert compared == 5 * 4
