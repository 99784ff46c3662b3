"""The judging page in Chromium, opened as a file: by keyboard, over reloads and tabs, with full storage and hostile texts."""

import json
import re
from dataclasses import replace

import msgspec
import pytest
from tests.chromium import violations

from gainful.studies.answer_collection import Collection
from gainful.studies.answer_files import read_answers
from gainful.studies.collected_answers import Collected
from gainful.studies.judging_page import adjudication_page, assessor_page
from gainful.studies.study_folder import read_study, write_study
from gainful.studies.study_records import ScaleGrade

from .judging_studies import PAIRS, QUERIES, TEXTS, answers_of, large_study, small_study

SIZES = {"desktop": {"width": 1200, "height": 800}, "phone": {"width": 390, "height": 844}}
TITLE = "#documents h2"


@pytest.fixture
def open_page(browser, tmp_path):
    """Opens the page of a study's first assessor as a file; a second call with the same context is a second tab."""
    contexts = []

    def opened(study=None, *, page=None, context=None, size="desktop", before="", **given):
        path = tmp_path / "page.html"
        if not path.exists():
            path.write_text(page or assessor_page(study or small_study(), "ann"), encoding="utf-8")
        if context is None:
            context = browser.new_context(viewport=SIZES[size], **given)
            contexts.append(context)
        tab = context.new_page()
        tab.said, tab.asked = [], []
        tab.on("console", lambda message: tab.said.append(message.text))
        tab.on("pageerror", lambda fault: tab.said.append(str(fault)))
        tab.on("request", lambda request: tab.asked.append(request.url))
        if before:
            tab.add_init_script(before)
        tab.goto(path.as_uri())
        return tab

    yield opened
    for context in contexts:
        context.close()


def begin(tab):
    """Close the instructions, which a first visit opens."""
    tab.keyboard.press("Enter")
    tab.locator("#help-box").wait_for(state="hidden")


def press(tab, *keys):
    for key in keys:
        tab.keyboard.press(key)


def saved(tab, study, tmp_path, key="w"):
    """The answers that the page saves, as `--collect` reads them."""
    with tab.expect_download() as downloading:
        tab.keyboard.press(key)
    path = tmp_path / downloading.value.suggested_filename
    downloading.value.save_as(path)
    return read_answers(study, str(path))


def given(answers):
    return {
        (row.topic, row.document): row.grade if row.state == "graded" else row.state
        for row in answers.answers
        if row.state != "open"
    }


MARKDOWN = """\
# Grades

Read **all** of it, *then* grade `doc_1_2`.
Two lines, and 2 * 3 * 4.

0. nothing
1. words
   - alone
2. answer

- one
- [two](https://example.org/a)

| grade | means |
|---|---|
| 0 | nothing |

```
**as it is**
```
<b>no</b> [markup](javascript:alert(1))
"""


def with_instructions(text):
    study = small_study()
    return replace(study, manifest=msgspec.structs.replace(study.manifest, instructions=text))


def counts(tab):
    return tab.locator("#counts").inner_text()


def test_a_study_is_judged_by_keyboard_alone_and_saved(open_page, tmp_path):
    study = small_study()
    tab = open_page(study)
    assert tab.locator("#help-body").inner_text().startswith("Grade how well")
    begin(tab)
    assert tab.locator("#query").inner_text() == "cure for malaria"
    assert tab.locator(TITLE).inner_text() == "Treating malaria"
    press(tab, "3", "k", "2", "s", "r")
    tab.keyboard.type("0 about engines, 3 about steam")  # digits in a reason are letters
    press(tab, "Escape", "1", "0", "c")
    assert tab.locator("#end").is_visible()
    answers = saved(tab, study, tmp_path)
    assert answers.assessor == "ann"
    assert given(answers) == dict(zip(PAIRS, [3, 2, "skipped", 1, 0, "cannot tell"], strict=True))
    of = {row.document: row for row in answers.answers}
    assert [name for name, row in of.items() if row.known] == ["d2"]
    assert of["d4"].reason == "0 about engines, 3 about steam"
    assert tab.said == []


def test_instructions_are_shown_as_markdown(open_page, axe):
    tab = open_page(with_instructions(MARKDOWN))
    shown = tab.locator("#help-body .instructions")
    outline = shown.evaluate("(all) => [...all.children].map((child) => [child.localName, child.innerText])")
    assert outline == [
        ["h3", "Grades"],
        ["p", "Read all of it, then grade doc_1_2.\nTwo lines, and 2 * 3 * 4."],
        ["ol", "nothing\nwords\nalone\nanswer"],
        ["ul", "one\ntwo"],
        ["table", "grade\tmeans\n0\tnothing"],
        ["pre", "**as it is**"],
        ["p", "<b>no</b> [markup](javascript:alert(1))"],
    ]
    assert shown.locator("strong").all_inner_texts() == ["all"]
    assert shown.locator("em").all_inner_texts() == ["then"]
    assert shown.locator("code").all_inner_texts() == ["doc_1_2"]
    assert shown.locator("ol").first.get_attribute("start") == "0"
    assert shown.locator("ol li > ul li").all_inner_texts() == ["alone"]
    assert [link.get_attribute("href") for link in shown.locator("a").all()] == ["https://example.org/a"]
    assert violations(tab, axe) == []
    assert tab.said == []


def test_plain_instructions_keep_their_lines(open_page):
    tab = open_page(with_instructions("One line.\nAnother one.\n\nA year_of_much * and 3 > 2 | 1"))
    assert tab.locator("#help-body .instructions > p").all_inner_texts() == [
        "One line.\nAnother one.",
        "A year_of_much * and 3 > 2 | 1",
    ]


def test_the_end_offers_what_was_skipped_and_saving(open_page, tmp_path):
    study = small_study()
    tab = open_page(study)
    begin(tab)
    press(tab, "1", "1", "s", "1", "1", "1")
    assert tab.locator("#end").inner_text() == "Everything has an answer"
    assert tab.evaluate("document.activeElement.id") == "end"
    tab.get_by_role("button", name="Look at those skipped").press("Enter")
    assert tab.locator(TITLE).inner_text() == "Mosquito nets"
    press(tab, "2")
    assert given(saved(tab, study, tmp_path))["1", "d3"] == 2


def test_a_reload_in_the_middle_loses_nothing(open_page, tmp_path):
    study = small_study()
    tab = open_page(study)
    begin(tab)
    press(tab, "3", "2", "r")
    tab.keyboard.type("half a thou")
    tab.reload()
    assert not tab.locator("#help-box").is_visible()
    assert tab.locator(TITLE).inner_text() == "Mosquito nets"
    assert tab.locator("#reason").input_value() == "half a thou"
    assert counts(tab) == "2 of 6"
    press(tab, "u")  # the answer before the reload
    assert tab.locator(TITLE).inner_text() == "Bark and fever"
    press(tab, "0")
    answers = saved(tab, study, tmp_path)
    assert given(answers) == {PAIRS[0]: 3, PAIRS[1]: 0}


def test_an_undone_answer_is_taken_back_step_by_step_and_an_earlier_one_returns(open_page, tmp_path):
    study = small_study()
    tab = open_page(study)
    begin(tab)
    press(tab, "3", "2", "ArrowLeft", "ArrowLeft", "1")  # the first one is changed from 3 to 1
    assert given(saved(tab, study, tmp_path)) == {PAIRS[0]: 1, PAIRS[1]: 2}
    press(tab, "u")
    assert given(saved(tab, study, tmp_path)) == {PAIRS[0]: 3, PAIRS[1]: 2}
    press(tab, "u", "u")
    assert given(saved(tab, study, tmp_path)) == {}
    press(tab, "u")
    assert tab.locator("#said").inner_text() == "There is nothing to undo."


def test_two_tabs_share_their_answers_and_the_later_one_counts(open_page, tmp_path):
    study = small_study()
    first = open_page(study)
    begin(first)
    second = open_page(study, context=first.context)
    assert not first.said
    second.locator("#help-box").wait_for(state="visible")
    begin(second)
    press(first, "3")  # d1
    second.locator("#counts").filter(has_text="1 of 6").wait_for()
    press(second, "1")  # d1 again, as this tab still shows it
    press(second, "ArrowRight", "ArrowRight", "2")
    first.locator("#counts").filter(has_text="2 of 6").wait_for()
    expected = {PAIRS[0]: 1, PAIRS[3]: 2}
    assert given(saved(first, study, tmp_path)) == expected
    assert given(saved(second, study, tmp_path)) == expected
    first.close()
    second.reload()
    assert counts(second) == "2 of 6"


QUOTA = """
const real = Storage.prototype.setItem;
window.refusing = true;
Storage.prototype.setItem = function (name, value) {
  if (window.refusing && this.length > 2) throw new DOMException("no room", "QuotaExceededError");
  real.call(this, name, value);
};
"""


def test_a_full_storage_is_said_and_loses_nothing(open_page, tmp_path):
    study = small_study()
    tab = open_page(study, before=QUOTA)
    begin(tab)
    assert not tab.locator("#alarm").is_visible()
    press(tab, "3", "2", "1", "0")
    alarm = tab.locator("#alarm").inner_text()
    assert "This browser's storage is full: 2 answers are kept only while this page stays open." in alarm
    assert given(saved(tab, study, tmp_path)) == dict(zip(PAIRS, [3, 2, 1, 0], strict=False))
    tab.evaluate("window.refusing = false")
    press(tab, "0")
    assert not tab.locator("#alarm").is_visible()
    tab.evaluate("window.refusing = true")
    tab.reload()
    assert counts(tab) == "5 of 6"


NO_STORAGE = (
    "Object.defineProperty(window, 'localStorage', {get() {throw new DOMException('no', 'SecurityError');}});"
)


def test_a_browser_without_storage_is_said_at_once_and_answers_can_be_saved(open_page, tmp_path):
    study = small_study()
    tab = open_page(study, before=NO_STORAGE)
    assert "storage cannot be used" in tab.locator("#alarm").inner_text()
    begin(tab)
    press(tab, "3", "2")
    assert "2 answers are kept only while this page stays open" in tab.locator("#alarm").inner_text()
    assert given(saved(tab, study, tmp_path)) == {PAIRS[0]: 3, PAIRS[1]: 2}
    assert tab.said == []


def test_ten_thousand_documents_stay_quick(open_page, tmp_path):
    study = large_study()
    tab = open_page(study)
    begin(tab)
    assert counts(tab) == "0 of 10,000"
    assert tab.locator("#documents .place").first.inner_text().startswith("Document 1 of 10,000 ")
    took = tab.evaluate(
        """() => {
          const times = [];
          for (let turn = 0; turn < 60; turn += 1) {
            const start = performance.now();
            document.dispatchEvent(new KeyboardEvent("keydown", { key: String(turn % 4), bubbles: true }));
            document.body.getBoundingClientRect();
            times.push(performance.now() - start);
          }
          return times.sort((a, b) => a - b)[30];
        }"""
    )
    assert took < 100, f"{took:.0f} ms for an answer"
    assert counts(tab) == "60 of 10,000"
    assert tab.evaluate("document.querySelectorAll('*').length") < 400
    tab.reload()
    assert tab.locator(TITLE).inner_text() == "Document number 60"
    assert len(given(saved(tab, study, tmp_path))) == 60
    assert tab.said == []


HOSTILE = (
    "</script><script>window.broken = 1</script><img src=x onerror='window.broken = 1'>{{ 7 * 7 }}\u202e"
)


def test_hostile_texts_are_text(open_page, tmp_path):
    pairs = [(f"t{HOSTILE}", f"d{HOSTILE}")]
    study = small_study(
        ("ann",),
        pairs=pairs,
        texts={pairs[0][1]: (HOSTILE, f"{HOSTILE} and more")},
        queries={pairs[0][0]: (HOSTILE, HOSTILE)},
        instructions=HOSTILE,
        scale=(ScaleGrade(grade=0, label=HOSTILE), ScaleGrade(grade=1, label="yes")),
    )
    tab = open_page(study)
    assert HOSTILE.strip("\u202e") in tab.locator("#help-body").inner_text()
    begin(tab)
    for place in ("#query", TITLE, ".text p", ".description"):
        assert "{{ 7 * 7 }}" in tab.locator(place).first.inner_text()
        assert "<img src=x" in tab.locator(place).first.inner_text()
    assert tab.evaluate("window.broken") is None
    assert tab.locator("#documents img, #topic img").count() == 0
    press(tab, "1")
    assert given(saved(tab, study, tmp_path)) == {pairs[0]: 1}
    assert tab.said == []


def test_nothing_is_fetched_and_no_other_script_runs(open_page):
    tab = open_page()
    begin(tab)
    assert [address.partition(":")[0] for address in tab.asked] == ["file"]
    policy = tab.locator("meta[http-equiv]").get_attribute("content")
    assert re.search(r"script-src 'sha256-[\w+/=]+';", policy)
    assert "unsafe-eval" not in policy
    tab.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.broken = 1";
          document.body.append(script);
        }"""
    )
    assert tab.evaluate("window.broken") is None
    assert "Content Security Policy" in tab.said[0]


def test_words_of_the_query_are_marked_in_every_form(open_page):
    tab = open_page()
    begin(tab)
    assert tab.locator("mark").all_inner_texts() == ["malaria", "Malaria", "cured", "malaria"]


def test_a_document_without_text_says_so(open_page):
    tab = open_page(small_study(pairs=[("10", "d6")]))
    begin(tab)
    assert tab.locator(TITLE).inner_text() == "d6"
    assert "no text for this document" in tab.locator(".missing").inner_text()
    assert tab.locator("#query").inner_text() == "10"


def test_practice_comes_first_and_shows_the_known_grade(open_page, tmp_path):
    study = small_study(known={("1", "d2"): 2.0, ("1", "d3"): 1.0}, pairs=[("1", "d1")])
    tab = open_page(study)
    begin(tab)
    assert tab.locator(TITLE).inner_text() == "Bark and fever"
    press(tab, "0")
    assert tab.locator("#lesson p").inner_text() == "The known grade is 2 relevant; you gave 0, not relevant."
    press(tab, "Enter")
    assert tab.locator(TITLE).inner_text() == "Mosquito nets"
    press(tab, "1")
    assert tab.locator("#lesson p").inner_text().startswith("As known: 1")
    press(tab, "Enter", "3")
    assert given(saved(tab, study, tmp_path)) == {("1", "d2"): 0, ("1", "d3"): 1, ("1", "d1"): 3}


def test_time_is_counted_while_somebody_reads_and_not_in_a_pause(open_page, tmp_path):
    study = small_study()
    tab = open_page(study, before="")
    tab.clock.install()
    tab.reload()
    begin(tab)
    tab.clock.run_for(5_000)
    press(tab, "p")
    tab.clock.run_for(60_000)
    press(tab, "Enter")
    tab.clock.run_for(2_000)
    press(tab, "3")
    tab.clock.run_for(300_000)  # nobody touches anything for five minutes: two of them count
    press(tab, "2")
    seconds = [row.seconds for row in saved(tab, study, tmp_path).answers]
    assert seconds[0] == pytest.approx(7, abs=1)
    assert seconds[1] == pytest.approx(120, abs=2.5)
    assert tab.locator("#time").inner_text() in [f"2:{seconds:02} min" for seconds in range(5, 11)]


def test_answers_are_taken_from_a_file_and_those_of_another_study_are_not(open_page, tmp_path):
    study = small_study()
    tab = open_page(study)
    begin(tab)
    press(tab, "3", "2")
    with tab.expect_download() as downloading:
        press(tab, "w")
    downloading.value.save_as(tmp_path / "kept.json")
    tab.evaluate("localStorage.clear()")
    tab.close()
    other = open_page(study)
    assert counts(other) == "0 of 6"
    other.locator("#load").set_input_files(tmp_path / "kept.json")
    other.locator("#counts").filter(has_text="2 of 6").wait_for()
    changed = json.loads((tmp_path / "kept.json").read_text()) | {"study": "another"}
    (tmp_path / "wrong.json").write_text(json.dumps(changed))
    other.locator("#load").set_input_files(tmp_path / "wrong.json")
    other.locator("#told").filter(has_text="belong to another study").wait_for()
    (tmp_path / "broken.json").write_text("{")
    other.locator("#load").set_input_files(tmp_path / "broken.json")
    other.locator("#told").filter(has_text="it is not JSON").wait_for()
    assert counts(other) == "2 of 6"


def test_a_scale_with_letters_takes_them_from_the_commands(open_page, tmp_path):
    scale = (
        ScaleGrade(grade=0, label="no", key="n"),
        ScaleGrade(grade=1, label="so-so", key="s"),
        ScaleGrade(grade=2, label="yes", key="y"),
    )
    study = small_study(scale=scale, examples=())
    tab = open_page(study)
    begin(tab)
    press(tab, "y", "s", "n")
    tab.get_by_role("button", name="Skip", exact=True).click()
    assert given(saved(tab, study, tmp_path)) == dict(zip(PAIRS, [2, 1, 0, "skipped"], strict=False))


def test_keys_can_be_turned_off_for_those_who_speak_to_their_computer(open_page):
    tab = open_page()
    tab.locator("#use-keys").uncheck()
    tab.locator("#help-close").click()
    press(tab, "3")
    assert counts(tab) == "0 of 6"
    tab.get_by_role("button", name="3 highly relevant").click()
    assert counts(tab) == "1 of 6"


def preference_study(documents):
    texts = {name: (f"Document {name}", "A text.") for name in documents}
    pairs = [("1", name) for name in documents]
    return small_study(("ann",), pairs=pairs, texts={**TEXTS, **texts}, mode="preferences", examples=())


def compare_all(tab, worth):
    """Answer every comparison by what the documents are worth; how many there were."""
    asked = 0
    while tab.locator("#documents").is_visible():
        first, second = (
            worth[place.get_attribute("data-document")] for place in tab.locator(".document .place").all()
        )
        press(tab, "e" if first == second else "a" if first > second else "b")
        asked += 1
    return asked


def test_documents_are_compared_two_at_a_time_until_their_order_is_known(open_page, tmp_path):
    worth = {"m1": 3, "m2": 1, "m3": 4, "m4": 1, "m5": 5, "m6": 9, "m7": 2, "m8": 6}
    study = preference_study(list(worth))
    tab = open_page(study)
    begin(tab)
    assert compare_all(tab, worth) <= sum((n).bit_length() for n in range(1, len(worth)))
    answers = saved(tab, study, tmp_path)
    stated = {(row.better, row.worse) for row in answers.preferences if not row.tie}
    while True:  # what follows from them
        more = {(a, d) for a, b in stated for c, d in stated if b == c} - stated
        if not more:
            break
        stated |= more
    ties = {frozenset((row.better, row.worse)) for row in answers.preferences if row.tie}
    assert ties == {frozenset(("m2", "m4"))}
    alone = [name for name in worth if name != "m4"]  # it stands where its equal stands
    assert {(a, b) for a, b in stated if "m4" not in (a, b)} == {
        (a, b) for a in alone for b in alone if worth[a] > worth[b]
    }
    press(tab, "u")
    assert tab.locator("#documents").is_visible()
    tab.reload()
    assert compare_all(tab, worth) == 1
    assert tab.said == []


def test_comparisons_become_preferences_that_measures_read(open_page, tmp_path):
    worth = {"m1": 3, "m2": 1, "m3": 4}
    study = write_study(preference_study(list(worth)), tmp_path / "study")
    tab = open_page(study)
    begin(tab)
    compare_all(tab, worth)
    collected = Collected(study, {"ann": saved(tab, study, tmp_path)})
    Collection.of(collected).write()
    from gainful import evaluate

    path = str(tmp_path / "study/preferences.qrels")
    right = evaluate(path, {"1": {"m3": 3.0, "m1": 2.0, "m2": 1.0}}, "Prefs")
    wrong = evaluate(path, {"1": {"m2": 3.0, "m1": 2.0, "m3": 1.0}}, "Prefs")
    assert (right.mean["Prefs"], wrong.mean["Prefs"]) == (1.0, 0.0)


def test_whoever_adjudicates_sees_what_was_said(open_page, tmp_path):
    study = write_study(small_study(), tmp_path / "study")
    ann = answers_of("ann", {PAIRS[0]: 3, PAIRS[1]: 2}, reason="names the drug")
    bob = answers_of("bob", {PAIRS[0]: 1, PAIRS[1]: 2})
    disputed = Collected(study, {"ann": ann, "bob": bob}).disputed()
    tab = open_page(study, page=adjudication_page(study, "cy", disputed))
    begin(tab)
    assert counts(tab) == "0 of 1"
    assert tab.locator(".others li").all_inner_texts() == [
        "3 ann: highly relevant – names the drug",
        "1 bob: marginally relevant",
    ]
    press(tab, "2")
    answers = saved(tab, read_study(tmp_path / "study"), tmp_path)
    assert (answers.adjudication, answers.assessor) == (True, "cy")
    assert Collected(study, {"ann": ann, "bob": bob}, answers).judgments[PAIRS[0]] == 2


VIEWS = {
    "instructions": [],
    "document": ["Enter"],
    "reason": ["Enter", "3", "r"],
    "end": ["Enter", "1", "1", "s", "1", "1", "1"],
    "pause": ["Enter", "p"],
}


@pytest.mark.parametrize(("size", "scheme"), [("desktop", "light"), ("phone", "dark")])
def test_axe_finds_no_violation(open_page, axe, size, scheme):
    tab = open_page(size=size, color_scheme=scheme)
    found = {}
    for view, keys in VIEWS.items():
        tab.evaluate("localStorage.clear()")
        tab.reload()
        press(tab, *keys)
        found[view] = violations(tab, axe)
    assert found == {view: [] for view in VIEWS}


def test_axe_finds_no_violation_in_comparisons(open_page, axe):
    tab = open_page(preference_study(["m1", "m2"]), color_scheme="dark")
    begin(tab)
    assert violations(tab, axe) == []


def test_axe_finds_no_violation_in_practice(open_page, axe):
    tab = open_page(small_study(known={("1", "d2"): 2.0}))
    begin(tab)
    press(tab, "1")
    assert violations(tab, axe) == []


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_wider_than_the_screen(open_page, size):
    long = "x" * 400
    study = small_study(
        pairs=[("1", "d1")], texts={"d1": (long, long)}, queries={"1": (long, QUERIES["1"][1])}
    )
    tab = open_page(study, size=size)
    begin(tab)
    assert tab.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
