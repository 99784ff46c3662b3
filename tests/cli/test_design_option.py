"""--design, --estimator and a fifth column on the command line."""

import json

import pytest

TOPICS = range(1, 31)


@pytest.fixture
def files(tmp_path):
    qrels, plain, design = [], [], []
    runs = {"a": [], "b": []}
    for topic in TOPICS:
        for number in range(6):
            grade = (topic + number) % 3 if (topic * number) % 2 == 0 else -1
            qrels.append(f"{topic} 0 d{number} {grade} 0.5")
            plain.append(f"{topic} 0 d{number} {grade}")
            design.append(json.dumps({"topic": str(topic), "document": f"d{number}", "probability": 0.5}))
            runs["a"].append(f"{topic} Q0 d{number} 1 {10 - number} a")
            runs["b"].append(f"{topic} Q0 d{number} 1 {(topic * 7 + number * 5) % 11} b")
    contents = {"five": qrels, "four": plain, "design.jsonl": design, "a.run": runs["a"], "b.run": runs["b"]}
    for name, lines in contents.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    return {name: str(tmp_path / name) for name in contents}


def test_a_fifth_column_and_a_design_give_the_same_estimates(files, gainful):
    column = gainful("evaluate", files["five"], files["a.run"], "-m", "DCG@3,AP", "-f", "json")
    design = gainful(
        "evaluate",
        files["four"],
        files["a.run"],
        "-m",
        "DCG@3,AP",
        "--design",
        files["design.jsonl"],
        "-f",
        "json",
    )
    assert column.code == design.code == 0
    first, second = (json.loads(each.out) for each in (column, design))
    assert first["runs"][0]["mean"] == second["runs"][0]["mean"]
    assert first["qrels"]["design"]["least_probability"] == 0.5
    assert "intervals" in first["runs"][0]
    assert (
        "intervals"
        not in json.loads(gainful("evaluate", files["four"], files["a.run"], "-f", "json").out)["runs"][0]
    )


def test_compare_and_gate_say_that_numbers_are_estimates(files, gainful):
    compared = gainful(
        "compare", files["five"], files["a.run"], files["b.run"], "-m", "DCG@3", "--estimator", "ht"
    )
    assert compared.code == 0
    assert "estimated from" in " ".join(compared.out.split())
    assert "all values are estimates from" in compared.err
    gated = gainful(
        "gate",
        files["four"],
        files["a.run"],
        files["a.run"],
        "-m",
        "DCG@3",
        "--margin",
        "0.1",
        "--design",
        files["design.jsonl"],
    )
    assert gated.code == 0


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (("compare", "five", "a.run", "b.run", "-m", "RR"), "no test and no interval", 3),
        (
            ("evaluate", "four", "a.run", "--design", "five", "--dialect", "beir"),
            "leave --dialect and --engine out",
            2,
        ),
        (
            ("evaluate", "five", "a.run", "--unjudged", "condense"),
            "--unjudged condense changes which documents count",
            2,
        ),
        (("curve", "five", "a.run"), "taken for an inclusion probability", 3),
        (
            ("compare", "five", "a.run", "b.run", "-m", "DCG@3", "--readers"),
            "estimates under a design rest on",
            2,
        ),
        (("report", "five", "a.run", "-m", "RR", "-f", "json"), "the first measure orders the systems", 2),
        (("report", "five", "a.run", "--against", "beir", "-f", "json"), "and estimates have none", 2),
        (
            ("evaluate", "four", "a.run", "--design", "a.run"),
            "the inclusion probability '10' must be a number above 0",
            3,
        ),
    ],
)
def test_what_is_not_possible_is_said_in_a_sentence(files, gainful, words, said, code):
    result = gainful(*(files.get(word, word) for word in words))
    assert said in result.err
    assert result.code == code
