"""The commands of a filter in use: deliveries, feedback, and the reasons told by explanations, previews and curves."""

import json
import math

import feedparser
import pytest

from .stream import delivered, lines


def test_feedback_says_how_the_threshold_moved(full, use):
    use("profile", "add", "learner", "cocoa", "--beta", "0.1", "--gamma", "0.05")
    before = json.loads(use("profile", "show", "learner", "-f", "json"))
    said = use("feedback", "learner", "d1", "relevant")
    after = json.loads(use("profile", "show", "learner", "-f", "json"))
    assert said == (
        f"learner: 1 judged, 1 of them relevant; threshold {before['theta']:.4f} → {after['theta']:.4f}.\n"
    )
    use("feedback", "learner", "d1", "undo")
    undone = json.loads(use("profile", "show", "learner", "-f", "json"))
    assert (undone["theta"], undone["judged"], undone["terms"]) == (before["theta"], 0, before["terms"])


def test_feedback_given_twice_says_where_the_profile_stands(full, use):
    use("feedback", "cocoa", "d1", "relevant")
    said = "cocoa: 1 judged, 1 of them relevant; threshold 0.0500 → 0.0500.\n"
    assert use("feedback", "cocoa", "d1", "relevant") == said


def test_deliveries_can_be_filled_in_and_given_back_all_or_none(full, use, gainful):
    rows = [json.loads(line) for line in use("deliveries", "-f", "jsonl").splitlines()]
    (full / "answers.jsonl").write_text(lines([{**rows[0], "verdict": "relevant"}, rows[1]]))
    assert use("feedback", "--file", "answers.jsonl").startswith("1 answer taken.\n")
    (full / "bad.jsonl").write_text(
        lines([{**rows[1], "verdict": "relevant"}, {**rows[0], "verdict": "good"}])
    )
    done = gainful("filter", "feedback", "--file", "bad.jsonl")
    assert done.code == 3
    assert done.err.startswith("gainful: bad.jsonl, line 2: verdict must be relevant")
    (full / "gone.jsonl").write_text(
        lines([{**rows[1], "verdict": "relevant"}, {**rows[0], "id": "x", "verdict": "relevant"}])
    )
    done = gainful("filter", "feedback", "--file", "gone.jsonl")
    assert done.code == 3
    assert done.err.startswith("gainful: gone.jsonl, line 2: my.filter has no document 'x'")
    verdicts = [json.loads(line)["verdict"] for line in use("deliveries", "-f", "jsonl").splitlines()]
    assert verdicts == ["relevant", None]


def test_what_was_said_for_a_removed_profile_is_not_taken_for_one_that_has_its_name_now(full, use):
    use("feedback", "cocoa", "d1", "relevant")
    use("profile", "remove", "cocoa")
    use("profile", "add", "cocoa", "cocoa again")
    (full / "back.jsonl").write_text(use("deliveries", "-f", "jsonl"))
    assert use("feedback", "--file", "back.jsonl") == "0 answers taken.\n"


def test_deliveries_since_an_event_a_time_and_the_newest(full, use):
    first = json.loads(use("deliveries", "-f", "jsonl").splitlines()[0])
    assert delivered(use, "--since", first["event"]) == ["d4"]
    assert delivered(use, "--since", first["time"]) == ["d1", "d4"]
    assert delivered(use, "--since", "2999-01-01") == []
    assert delivered(use, "--since", 10**30) == []
    assert delivered(use, "--last", 1) == ["d4"]


def test_output_files_are_whole_and_never_replaced_unasked(full, use, gainful):
    for form in ("table", "jsonl", "markdown", "atom"):
        path = full / f"out.{form}"
        use("deliveries", "-f", form, "-o", path)
        assert path.read_text() == use("deliveries", "-f", form)
        assert gainful("filter", "deliveries", "-f", form, "-o", path).code == 2
        use("deliveries", "-f", form, "-o", path, "--overwrite")
    assert len(feedparser.parse((full / "out.atom").read_bytes()).entries) == 2
    assert not [path for path in full.iterdir() if path.name.startswith(".out")]


def test_hostile_names_do_not_reach_the_terminal_raw(state, use):
    (state / "odd.jsonl").write_text(
        lines([{"id": "a\u001b[2Jb", "title": "\u001b]0;x\u0007 cocoa", "text": "cocoa"}])
    )
    use("ingest", "odd.jsonl")
    for form in ("table", "markdown", "jsonl", "atom"):
        assert "\x1b" not in use("deliveries", "-f", form)
    assert "\x1b" not in use("explain", "cocoa", "a\\x1b[2Jb")


def test_explain_gives_terms_that_add_up_and_reasons_for_what_did_not_come(full, use):
    found = json.loads(use("explain", "cocoa", "d1", "-f", "json"))
    assert sum(one["adds"] for one in found["terms"]) == pytest.approx(found["score"], abs=1e-12)
    assert "It was delivered as document 1" in use("explain", "cocoa", "d1")
    assert "It shares no term with the profile" in use("explain", "cocoa", "d2")
    assert "It has no terms" in use("explain", "cocoa", "d3")
    use("profile", "add", "late", "cocoa")
    assert "It arrived before the profile was added; with the current profile its score is" in use(
        "explain", "late", "d1"
    )


def test_a_document_below_the_threshold_is_told_what_would_have_delivered_it(full, use):
    use("profile", "add", "strict", "cocoa harvest", "--rule", "fixed(theta=0.99)")
    (full / "low.jsonl").write_text(lines([{"id": "low", "text": "cocoa and many other words of the day"}]))
    use("ingest", "low.jsonl")
    found = json.loads(use("explain", "strict", "low", "-f", "json"))
    assert found["delivered"] is False
    assert found["margin"] == found["score"] - 0.99
    rounded_down = math.floor(found["score"] * 10_000) / 10_000
    assert f"A threshold of {rounded_down:.4f} or less would deliver it." in found["change"]
    assert found["missing"][0]["term"] == "harvest"
    preview = json.loads(use("preview", "strict", "--threshold", found["score"], "-f", "json"))
    assert "low" in [one["id"] for one in preview["would_come"]]


def test_preview_says_what_would_have_come_and_been_missed(full, use):
    all_of_it = json.loads(use("preview", "cocoa", "--threshold", "0.01", "-f", "json"))
    assert sorted(one["id"] for one in all_of_it["would_come"]) == ["d1", "d4"]
    none_of_it = json.loads(use("preview", "cocoa", "--threshold", "2", "-f", "json"))
    assert none_of_it["would_come"] == []
    assert sorted(one["id"] for one in none_of_it["lost"]) == ["d1", "d4"]
    assert "Missed: 2 of those that were delivered" in use("preview", "cocoa", "--threshold", "2")


def test_curve_gives_points_tables_and_charts(full, use):
    use("feedback", "cocoa", "d1", "relevant")
    found = json.loads(use("curve", "cocoa", "-f", "json"))
    assert found["curve"]["utility"][0] in (2, -1)
    assert [one["judged"] for one in found["over_time"]][-1] == 1
    assert "Utility against cutoff for cocoa: 1 judged of 4 documents." in use("curve", "cocoa")
    use("curve", "cocoa", "--chart", full / "c.svg", "--over-time", full / "t.svg")
    assert (full / "c.svg").read_text().startswith("<svg")
    assert "not judged" in (full / "t.svg").read_text()


def test_no_cutoff_is_marked_for_a_threshold_above_every_score(full, use):
    use("profile", "add", "strict", "cocoa", "--rule", "fixed(theta=5)")
    table = use("curve", "strict").partition("Threshold over time")[0]
    assert "theta 5.0000" in table
    assert not any(line.endswith("theta") for line in table.splitlines())


def test_a_name_in_the_page_of_a_chart_stays_text(full, use):
    name = "</script><script>alert(1)</script>"
    use("profile", "add", name, "cocoa")
    use("curve", name, "--chart", "curve.html")
    page = (full / "curve.html").read_text()
    assert "alert(1)" in page
    assert "<script>alert" not in page


def test_near_lists_what_was_nearly_delivered_and_takes_answers_back(full, use):
    use("profile", "add", "strict", "cocoa harvest", "--rule", "fixed(theta=0.99)")
    assert "No near misses" in use("near", "cocoa")
    table = use("near", "strict", "-n", "1").splitlines()
    assert table[2].split()[:2] == ["d4", "Harvest"]
    assert table[-1] == "Answer with: gainful filter feedback strict DOCUMENT relevant|not-relevant"
    rows = [json.loads(line) for line in use("near", "strict", "-f", "jsonl").splitlines()]
    assert [(row["id"], row["probability"], row["verdict"]) for row in rows] == [
        ("d4", None, None),
        ("d1", None, None),
    ]
    assert sum(rows[0]["terms"].values()) == pytest.approx(rows[0]["score"])
    (full / "answers.jsonl").write_text(lines([{**rows[0], "verdict": "relevant"}, rows[1]]))
    assert use("feedback", "--file", "answers.jsonl").startswith("1 answer taken.\n")
    page = use("near", "strict", "-f", "markdown")
    assert page.startswith("# Near misses: strict\n\n1 document not delivered, highest score first.\n")
    assert "[Cocoa](https://news.example/1)" in page
    assert use("near", "strict", "--last", "1") == (
        "No near misses: no document that was not delivered has a score above 0.\n"
    )


def test_near_says_how_probable_relevance_is_and_what_would_come_now(full, use):
    use("profile", "add", "late", "cocoa harvest", "--rule", "expected(patience=10)")
    table = use("near", "late")
    assert "%" in table.splitlines()[2]
    assert "With a + they would be delivered now; when they arrived" in table


def test_curve_compares_predictions_with_answers_where_a_rule_predicts(full, use, gainful):
    use("profile", "edit", "cocoa", "--rule", "expected")
    use("feedback", "cocoa", "d1", "relevant")
    use("feedback", "cocoa", "d4", "not-relevant")
    text = use("curve", "cocoa", "--chart", "c.svg", "--reliability", "r.svg")
    assert "Predicted and observed relevance, 2 answers; worth delivering from 33 %:" in text
    assert "expected: utility by the probability of relevance; band: two standard errors" in text
    found = json.loads(use("curve", "cocoa", "-f", "json"))
    expected = found["curve"]["expected"]
    assert len(expected["utility"]) == len(expected["low"]) == len(found["curve"]["score"])
    assert sum(part["answers"] for part in found["calibration"]["bins"]) == 2
    assert "expected utility" in (full / "c.svg").read_text()
    assert "1 in N documents scores as high" in (full / "r.svg").read_text()
    use("profile", "edit", "cocoa", "--rule", "beta_gamma")
    done = gainful("filter", "curve", "cocoa", "--reliability", "none.svg")
    assert done.code == 2
    assert "estimates no probabilities; the rule expected does." in done.err
    assert not (full / "none.svg").exists()
