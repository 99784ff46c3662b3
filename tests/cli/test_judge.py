"""gainful judge: pages, collecting, adjudicating and deciding from the command line; bad input in one sentence each."""

import json
import shlex
from pathlib import Path

import pytest
from tests.studies.judging_studies import PAIRS, answers_of, small_study

from gainful.studies.answer_files import content_of
from gainful.studies.study_folder import read_study, write_study
from gainful.studies.study_records import Answer, Answers

GRADES = {"ann": [3, 2, 1, 2, 0], "bob": [3, 1, 1, 0, 1]}


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A study, and the files that its two assessors saved, in the current folder."""
    monkeypatch.chdir(tmp_path)
    for name, grades in GRADES.items():
        answers = answers_of(name, dict(zip(PAIRS, grades, strict=False)))
        Path(f"answers-{name}.json").write_bytes(content_of(answers))
    return write_study(small_study(), tmp_path / "study")


def contents(folder="study"):
    return {str(path): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


def test_a_page_is_written_for_each_assessor_and_never_over_another(gainful, study):
    made = gainful("judge", "study")
    assert made.code == 0
    assert made.err.splitlines() == [
        "ann: study/pages/ann.html",
        "bob: study/pages/bob.html",
        "Documents without a text: 1 ('d6'); they are shown by title and id, and an assessor can answer 'cannot tell'. "
        "Texts come from `gainful pool --documents`.",
    ]
    before = contents()
    again = gainful("judge", "study")
    assert (again.code, contents()) == (2, before)
    assert "study/pages/ann.html already exists" in again.err
    assert gainful("judge", "study", "--overwrite").code == 0


@pytest.mark.parametrize("name", ["study.json", "pool.jsonl", "judgments.qrels"])
def test_prompts_are_never_written_over_a_file_of_the_study(gainful, study, name):
    before = contents()
    done = gainful("judge", "--prompts", f"study/{name}", "study", "--overwrite")
    assert (done.code, contents()) == (2, before)
    assert f"study/{name} is a file of the study itself" in done.err
    assert gainful("judge", "--prompts", "study/prompts.jsonl", "study").code == 0


def test_one_page_can_be_written_elsewhere_and_goes_on_from_what_was_collected(gainful, study):
    gainful("judge", "--collect", "study", "answers-ann.json")
    assert gainful("judge", "study", "--assessor", "ann", "-o", "mail").code == 0
    assert [path.name for path in Path("mail").iterdir()] == ["ann.html"]
    assert '"answers":[{"topic":"1","document":"d1","grade":3' in Path("mail/ann.html").read_text()
    stranger = gainful("judge", "study", "--assessor", "eve")
    assert (stranger.code, stranger.err) == (
        3,
        "gainful: nothing is assigned to 'eve'; the study has 'ann', 'bob'.\n",
    )


def test_answers_are_collected_adjudicated_and_collected_again(gainful, study):
    collected = gainful("judge", "--collect", "study", "answers-ann.json", "answers-bob.json", "--wide")
    assert collected.code == 0
    assert "Krippendorff's alpha" in collected.out
    assert "Documents that assessors disagree about: 3." in collected.err
    assert gainful("judge", "--adjudicate", "study", "--apart", "2").err == (
        "1 disputed document is in study/pages/adjudicator.html.\n"
    )
    decided = Answers(
        study="study-1",
        assessor="adjudicator",
        adjudication=True,
        answers=(Answer(topic="2", document="d4", grade=3),),
    )
    Path("decided.json").write_bytes(content_of(decided))
    again = gainful("judge", "--collect", "study", "decided.json", "--overwrite", "-f", "json")
    conflict = json.loads(again.out)["conflicts"][1]
    assert (conflict["document"], conflict["grade"]) == ("d4", 3)
    assert conflict["decided"] == "adjudicated by adjudicator"
    assert "2 0 d4 3\n" in Path("study/judgments.qrels").read_text()
    left = gainful("judge", "--adjudicate", "study", "--apart", "2", "--overwrite")
    assert (left.code, left.err.startswith("gainful: assessors disagree about no document by 2")) == (3, True)


def test_collecting_prints_a_summary_and_all_tables_only_when_asked(gainful, study):
    short = gainful("judge", "--collect", "study", "answers-ann.json", "answers-bob.json")
    lines = short.out.splitlines()
    assert lines[:4] == [
        "Collected: 5 judgments, by 2 assessors.",
        "Answered: ann 5 of 6, bob 5 of 6.",
        "Open: 1 pooled document without an answer.",
        "Conflicts: 3 documents graded differently, none adjudicated; merged by majority.",
    ]
    assert lines[4].startswith("Agreement: Krippendorff's alpha ")
    assert lines[4].endswith(" on 5 shared documents.")
    assert (len(lines), max(map(len, lines))) == (5, 80)
    assert "The tables of agreement are in study/data_sheet.md; --wide shows them." in short.err
    assert short.err.splitlines()[-1] == (
        "Next: when the other answers are there, "
        "`gainful judge --collect study answers-ann.json answers-bob.json --overwrite`."
    )
    whole = gainful("judge", "--collect", "study", "--wide")
    assert "--wide" not in whole.err
    sheet = Path("study/data_sheet.md").read_text()
    heads = [line for line in whole.out.splitlines() if line.startswith("Agreement ")]
    assert heads == [f"Agreement {by}" for by in ("of all assessors", "by pair", "by grade", "by topic")]
    assert all(f"### {head}\n" in sheet for head in heads)
    marked = gainful("judge", "--collect", "study", "-f", "markdown").out
    assert all(line in sheet for line in marked.splitlines() if line.startswith("| "))


def test_after_collecting_everything_the_next_command_asks_whether_it_is_enough(gainful, study):
    """The study of this test has no runs to decide between: a command that cannot work is not offered."""
    for name in GRADES:
        answers = answers_of(name, dict(zip(PAIRS, [1] * 6, strict=True)))
        Path(f"answers-{name}.json").write_bytes(content_of(answers))
    made = gainful("judge", "--collect", "study", "answers-ann.json", "answers-bob.json")
    assert "Open: none; every pooled document has a grade." in made.out
    assert "Conflicts: none." in made.out
    assert "Next:" not in made.err


def test_where_the_study_does_not_say_which_runs_to_decide_between_the_next_command_does(
    gainful, tmp_path, monkeypatch
):
    from gainful.studies import pool

    monkeypatch.chdir(tmp_path)
    made = pool({name: {"1": {name: 1.0}} for name in "abc"}, output="study")
    answer_all(made)
    collected = gainful("judge", "--collect", "study", "answers-assessor.json")
    assert "Next: `gainful judge --next study --compare A B` says whether enough is judged" in collected.err


def test_the_command_for_the_other_answers_keeps_how_grades_are_merged(gainful, study):
    made = gainful("judge", "--collect", "study", "answers-ann.json", "--merge", "max")
    assert "Agreement is not known: fewer than two assessors have graded documents." in made.out
    assert made.err.endswith("answers-ann.json answers-bob.json --overwrite --merge max`.\n")


def test_merging_is_an_option(gainful, study):
    gainful("judge", "--collect", "study", "answers-ann.json", "answers-bob.json", "--merge", "mean")
    assert Path("study/judgments.qrels").read_text().splitlines()[1] == "1 0 d2 1.5"


def edit(path, old, new):
    text = Path(path).read_text()
    assert old in text
    Path(path).write_text(text.replace(old, new))


BAD = {
    "a study edited by hand": (
        ["--collect", "study", "answers-ann.json"],
        lambda: edit("study/assignments.jsonl", '"d5"', '"d55"'),
        3,
        "document 'd55' of topic '2' is not in pool.jsonl",
    ),
    "a scale edited by hand": (
        ["study"],
        lambda: edit("study/study.json", '"grade": 1', '"grade": 0'),
        3,
        "the grade '0' is there twice",
    ),
    "answers of another study": (
        ["--collect", "study", "answers-ann.json"],
        lambda: edit("answers-ann.json", "study-1", "study-2"),
        3,
        "these answers belong to another study ('study-2', not 'study-1')",
    ),
    "a file twice": (
        ["--collect", "study", "answers-ann.json", "answers-ann.json"],
        lambda: None,
        2,
        "answers-ann.json is given twice",
    ),
    "a grade outside the scale": (
        ["--collect", "study", "answers-ann.json"],
        lambda: edit("answers-ann.json", '"grade": 3', '"grade": 4'),
        3,
        "grade 4 is not on the scale of the study (0, 1, 2, 3)",
    ),
    "no study": (["nowhere"], lambda: None, 3, "nowhere is not a study"),
    "no answers": (["--collect", "study"], lambda: None, 3, "there are no answers yet"),
    "a file that is not there": (["--collect", "study", "gone.json"], lambda: None, 3, "gone.json"),
    "answers for pages": (["study", "answers-ann.json"], lambda: None, 2, "are read with --collect"),
    "two modes": (
        ["--collect", "--serve", "study"],
        lambda: None,
        2,
        "--collect and --serve exclude each other",
    ),
    "an assessor who decides": (
        ["--adjudicate", "study", "--adjudicator", "ann"],
        lambda: None,
        2,
        "'ann' is an assessor of the study",
    ),
    "an adjudicator who is no text": (
        ["--adjudicate", "study", "--adjudicator", "b\udcff"],
        lambda: None,
        2,
        "--adjudicator 'b\\xff' is not UTF-8",
    ),
    "no runs to decide between": (["--next", "study"], lambda: None, 2, "--compare A B"),
    "nobody of that name": (["--password", "eve", "study"], lambda: None, 2, "'eve' is no assessor"),
    "runs to decide between without --next": (
        ["study", "--compare", "a", "b"],
        lambda: None,
        2,
        "--compare is an option of --next, and pages are written",
    ),
    "an option of another mode": (
        ["--adjudicate", "study", "--port", "80"],
        lambda: None,
        2,
        "--port is an option of --serve, and --adjudicate is given",
    ),
    "one assessor's answers": (
        ["--collect", "study", "--assessor", "ann"],
        lambda: None,
        2,
        "--assessor is an option of pages, and --collect is given",
    ),
    "a folder that is not there": (["study", "-o", "no/where"], lambda: None, 2, "there is no folder no"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_in_a_sentence_and_nothing_is_written(gainful, study, case, monkeypatch):
    arguments, spoil, code, said = BAD[case]
    monkeypatch.setenv("GAINFUL_PASSWORD", "correct horse battery staple")
    spoil()
    before = contents(".")
    refused = gainful("judge", *arguments)
    assert refused.code == code
    assert said in refused.err
    assert refused.err.startswith("gainful: ")
    assert contents(".") == before


def test_next_adds_documents_until_two_runs_are_told_apart(gainful, tmp_path, monkeypatch):
    """Ten topics: the candidate has the only relevant document first, the baseline last."""
    from gainful.studies import pool

    monkeypatch.chdir(tmp_path)
    topics = [str(number) for number in range(1, 11)]
    good = {topic: {"yes": 3.0, "no": 2.0, "never": 1.0} for topic in topics}
    bad = {topic: {"never": 3.0, "no": 2.0, "yes": 1.0} for topic in topics}
    texts = {"yes": "A good one.", "no": "A poor one.", "never": "A bad one."}
    pool(
        {"old": bad, "new": good}, strategy="depth:1", measure="RR", documents=texts, batch=10, output="study"
    )
    said = []
    for _ in range(6):
        step = gainful("judge", "--next", "study", "--compare", "old", "new")
        said.append(step.out.partition(":")[0].partition("\n")[0])
        if step.out.startswith("decided"):
            break
        study = read_study("study")
        answers = tuple(
            Answer(topic=row.topic, document=row.document, grade=3 * (row.document == "yes"))
            for row in study.assignments
        )
        content = content_of(Answers(study=study.manifest.id, assessor="assessor", answers=answers))
        Path("answers.json").write_bytes(content)
        collected = gainful("judge", "--collect", "study", "answers.json", "--overwrite")
        assert collected.code == 0
        assert "--design" not in collected.err
    assert step.code == 0
    assert "new" in step.out
    assert "--design" not in step.err
    assert (len(said), study.batches) == (3, 2)
    as_json = json.loads(gainful("judge", "--next", "study", "-f", "json").out)
    assert (as_json["status"], as_json["better"]) == ("decided", "new")


@pytest.fixture
def two_runs(tmp_path, monkeypatch):
    """A study of ten topics in a folder with a blank, by two assessors; nobody has answered."""
    from gainful.studies import pool

    monkeypatch.chdir(tmp_path)
    good, bad = (
        {str(topic): {f"d{n}": score * n for n in range(1, 9)} for topic in range(1, 11)}
        for score in (1.0, -1.0)
    )
    return pool(
        {"old": bad, "new": good},
        strategy="depth:8",
        batch=10,
        measure="P@5",
        assessors=("ann", "bob"),
        output="my study",
    )


def answer_all(study, grade=0):
    for name in study.manifest.assessors:
        pairs = [row.pair for row in study.assignments if row.assessor == name]
        content = content_of(answers_of(name, dict.fromkeys(pairs, grade), study=study.manifest.id))
        Path(f"answers-{name}.json").write_bytes(content)


def test_next_wraps_its_lines_and_lists_the_commands_of_the_next_round(gainful, two_runs):
    waiting = gainful("judge", "--next", "my study")
    assert waiting.out.splitlines()[-2:] == [
        "  gainful judge 'my study'",
        "  gainful judge --collect 'my study' answers-ann.json answers-bob.json",
    ]
    gainful("judge", "my study")
    answer_all(two_runs)
    collected = gainful("judge", "--collect", "my study", "answers-ann.json", "answers-bob.json")
    assert "Next: `gainful judge --next 'my study'` says whether enough is judged" in collected.err
    dry = gainful("judge", "--next", "my study", "--dry-run")
    assert "next: judge 10 more documents (batch 2)" in dry.out
    assert "gainful judge" not in dry.out
    step = gainful("judge", "--next", "my study")
    lines = step.out.splitlines()
    assert max(map(len, lines[:3])) <= 80  # commands are copied, and stay whole
    assert len(lines) == 5
    assert lines[1].startswith("  ")
    assert lines[2].startswith("next: judge 10 more documents (batch 2)")
    assert lines[3:] == [
        "  gainful judge 'my study' --overwrite",
        "  gainful judge --collect 'my study' answers-ann.json answers-bob.json --overwrite",
    ]
    assert "Batch 2 is added to my study; answers given before stay." in step.err
    for line in lines[3:]:
        answer_all(read_study("my study"))
        program, *words = shlex.split(line)
        assert (program, gainful(*words).code) == ("gainful", 0)
    wide = gainful("judge", "--next", "my study", "--wide").out.splitlines()
    assert len(wide[0]) > 80
    assert wide[1].startswith("next: ")


def test_a_study_that_is_served_goes_on_on_the_server(gainful, two_runs):
    answer_all(two_runs)
    gainful("judge", "--collect", "my study", "answers-ann.json", "answers-bob.json")
    Path("my study/answers/ann.journal").touch()
    step = gainful("judge", "--next", "my study")
    assert step.out.splitlines()[-2:] == [
        "  gainful judge --serve 'my study'",
        "  gainful judge --collect 'my study' --overwrite",
    ]
    assert "A server reads the study when it starts: end it, and start it again" in step.err


def test_a_decision_from_a_sample_says_how_its_size_is_estimated(gainful, tmp_path, monkeypatch):
    """Ten topics: the candidate has the only relevant document first, and documents have inclusion probabilities."""
    from gainful.studies import pool

    monkeypatch.chdir(tmp_path)
    topics = [str(number) for number in range(1, 11)]
    good, bad = ({topic: {"yes": yes, "no": 2.0} for topic in topics} for yes in (3.0, 1.0))
    study = pool({"old": bad, "new": good}, strategy="sample:ranks:1-2=100%", measure="P@1", output="study")
    answers = tuple(
        Answer(topic=row.topic, document=row.document, grade=int(row.document == "yes"))
        for row in study.assignments
    )
    Path("answers.json").write_bytes(
        content_of(Answers(study=study.manifest.id, assessor="assessor", answers=answers))
    )
    collected = gainful("judge", "--collect", "study", "answers.json", "--overwrite")
    assert "other commands take study/judgments.qrels with --design study" in collected.err
    step = gainful("judge", "--next", "study")
    assert step.out.startswith("decided: new is better")
    assert "`gainful compare study/judgments.qrels RUN RUN --design study`" in step.err
