"""The commands of a filter in use: what they print, and what they say where something is wrong."""

import csv
import gzip
import io
import json
import sqlite3
import stat
from datetime import UTC, date, datetime

import feedparser
import pyarrow
import pytest
from pyarrow import parquet

from gainful.errors import DataError
from gainful.filtering import Filter
from gainful.filtering.arriving import documents_in

STREAM = [
    {
        "id": "d1",
        "title": "Cocoa",
        "text": "Cocoa prices rise after a poor harvest.",
        "link": "https://news.example/1",
    },
    {"id": "d2", "title": "Football", "text": "A goal late in the match."},
    {"id": "d3", "text": ""},
    {"id": "d4", "title": "Harvest", "text": "Cocoa beans wait for the harvest."},
]
RSS = (
    '<rss version="2.0"><channel><title>N</title><item><guid>r1</guid><title>Cocoa &amp; sugar</title>'
    "<description>&lt;p&gt;harvest&lt;/p&gt;&lt;script&gt;x()&lt;/script&gt;</description></item></channel></rss>"
)


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def state(tmp_path, monkeypatch, gainful):
    """A state with one profile, named in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GAINFUL_STATE", "my.filter")
    (tmp_path / "stream.jsonl").write_text(lines(STREAM))
    assert gainful("filter", "init").code == 0
    made = gainful(
        "filter", "profile", "add", "cocoa", "cocoa and its harvest", "--rule", "fixed(theta=0.05)"
    )
    assert made.out == "Profile cocoa looks for: cocoa, harvest.\n"
    return tmp_path


@pytest.fixture
def use(gainful):
    """A command that ends well; what it printed."""

    def call(*words):
        done = gainful("filter", *words)
        assert done.code == 0, done.err
        return done.out

    return call


@pytest.fixture
def full(state, use):
    use("ingest", "stream.jsonl")
    return state


def delivered(use, *options):
    return [json.loads(line)["id"] for line in use("deliveries", "-f", "jsonl", *options).splitlines()]


def test_the_state_is_named_by_option_or_environment_or_asked_for(gainful, tmp_path, monkeypatch):
    monkeypatch.delenv("GAINFUL_STATE", raising=False)
    nowhere = gainful("filter", "stats")
    assert (nowhere.code, nowhere.out) == (2, "")
    assert "--state FILE" in nowhere.err
    assert "GAINFUL_STATE" in nowhere.err
    assert gainful("filter", "init", "--state", tmp_path / "a.filter").code == 0
    assert gainful("filter", "stats", "--state", tmp_path / "a.filter").code == 0
    again = gainful("filter", "init", "--state", tmp_path / "a.filter")
    assert again.code in (2, 3)
    assert len(again.err.splitlines()) == 1


def test_ingest_counts_what_came_and_takes_nothing_in_twice(state, use):
    assert use("ingest", "stream.jsonl") == "4 new documents, 1 empty; 2 deliveries (cocoa 2).\n"
    assert use("ingest", "stream.jsonl") == "0 new documents, 4 seen before; 0 deliveries.\n"
    assert delivered(use) == ["d1", "d4"]


def test_ingest_reads_feeds_csv_and_compressed_files_and_standard_input(state, use, monkeypatch):
    (state / "feed.xml").write_text(RSS)
    (state / "rows.csv").write_text("id,text\nc1,cocoa harvest\n")
    (state / "more.jsonl.gz").write_bytes(gzip.compress(b'{"id": "z1", "text": "cocoa"}\n'))
    assert use("ingest", "feed.xml", "rows.csv", "more.jsonl.gz").startswith("3 new documents")
    assert delivered(use) == ["r1", "c1", "z1"]
    row = json.loads(use("deliveries", "-f", "jsonl").splitlines()[0])
    assert (row["title"], row["text"]) == ("Cocoa & sugar", "harvest")
    (state / "plain").write_text("id,text\nc2,cocoa\n")
    assert use("ingest", "plain", "--format", "csv", "--prefix", "b-").startswith("1 new document;")
    assert delivered(use)[-1] == "b-c2"


def test_an_edited_item_is_a_fault_or_left_as_first_seen(state, use, gainful):
    (state / "feed.xml").write_text(RSS)
    use("ingest", "feed.xml")
    (state / "feed.xml").write_text(RSS.replace("harvest", "harvest, corrected"))
    done = gainful("filter", "ingest", "feed.xml")
    assert (done.code, done.out) == (3, "")
    assert "--changed keep" in done.err
    kept = "0 new documents, 1 changed (kept as first seen); 0 deliveries.\n"
    assert use("ingest", "feed.xml", "--changed", "keep") == kept
    assert json.loads(use("deliveries", "-f", "jsonl"))["text"] == "harvest"


def test_parquet_is_read_with_days_and_times_and_a_fault_names_its_row(state, use, gainful):
    days, times = [date(2026, 3, 1), None], [datetime(2026, 3, 1, 9, 30, tzinfo=UTC), None]
    for name, dates in (("days", days), ("times", times)):
        rows = {"id": [f"{name}-1", f"{name}-2"], "text": ["cocoa harvest", None], "date": dates}
        parquet.write_table(pyarrow.table(rows), state / f"{name}.parquet")
        said = use("ingest", f"{name}.parquet")
        assert said == "2 new documents, 1 empty; 1 delivery (cocoa 1).\n"
    found = [json.loads(one)["date"] for one in use("deliveries", "-f", "jsonl").splitlines()]
    assert found == ["2026-03-01T00:00:00+00:00", "2026-03-01T09:30:00+00:00"]
    parquet.write_table(pyarrow.table({"name": ["x"]}), state / "bad.parquet")
    assert "bad.parquet, row 1: a document without an id" in gainful("filter", "ingest", "bad.parquet").err


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet", "xml"])
def test_progress_is_told_for_every_format(tmp_path, form):
    rows = {"id": [f"d{n}" for n in range(2500)], "text": ["cocoa"] * 2500}
    path = tmp_path / f"stream.{form}"
    if form == "parquet":
        parquet.write_table(pyarrow.table(rows), path)
    elif form == "csv":
        path.write_text("id,text\n" + "".join(f"{one},cocoa\n" for one in rows["id"]))
    elif form == "xml":
        items = "".join(f"<item><guid>{one}</guid><title>cocoa</title></item>" for one in rows["id"])
        path.write_text(f'<rss version="2.0"><channel>{items}</channel></rss>')
    else:
        path.write_text(lines({"id": one, "text": "cocoa"} for one in rows["id"]))
    told = []
    assert len(list(documents_in(str(path), progress=lambda *given: told.append(given)))) == 2500
    assert len(told) >= 2
    assert {name for name, _, _ in told} == {str(path)}
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    assert all(whole is None or done <= whole == path.stat().st_size for _, done, whole in told)


def test_where_there_is_no_profile_it_is_said(gainful, tmp_path, monkeypatch):
    monkeypatch.setenv("GAINFUL_STATE", str(tmp_path / "my.filter"))
    (tmp_path / "stream.jsonl").write_text(lines(STREAM))
    gainful("filter", "init")
    done = gainful("filter", "ingest", tmp_path / "stream.jsonl")
    assert done.code == 0
    assert done.err.startswith("note: there is no profile, so nothing can be delivered")


def test_an_archive_is_history_and_delivered_to_nobody(state, use):
    assert use("ingest", "stream.jsonl", "--archive") == "4 new documents, 1 empty; 0 deliveries.\n"
    assert delivered(use) == []
    assert "archive" in use("explain", "cocoa", "d1")


BAD = {
    "not JSON": ("x.jsonl", lines(STREAM[:2]) + "nonsense\n", "x.jsonl, line 3: this is not JSON"),
    "no id": (
        "x.jsonl",
        lines(STREAM[:2]) + '{"text": "oil"}\n',
        "x.jsonl, line 3: a document without an id",
    ),
    "other text": ("x.jsonl", lines([*STREAM[:2], {"id": "d1", "text": "other"}]), "x.jsonl: document 'd1'"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_lines_are_one_line_and_what_came_before_stays(state, gainful, use, what):
    name, text, said = BAD[what]
    (state / name).write_text(text)
    done = gainful("filter", "ingest", name)
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith(f"gainful: {said}")
    assert "What came before it is kept: 2 new documents" in done.err
    assert len(done.err.splitlines()) == 1
    assert delivered(use) == ["d1"]


BAD_FEEDS = {
    "broken XML": (RSS.replace("</item>", ""), "broken XML"),
    "a bomb": (
        '<!DOCTYPE r [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>' + RSS,
        "the entity 'b' is made of other entities",
    ),
    "no feed": ("<html></html>", "is no feed"),
}


@pytest.mark.parametrize("what", BAD_FEEDS)
def test_bad_feeds_are_one_line_and_the_files_before_stay(state, gainful, use, what):
    text, said = BAD_FEEDS[what]
    (state / "bad.xml").write_text(text)
    done = gainful("filter", "ingest", "stream.jsonl", "bad.xml")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("gainful: bad.xml")
    assert said in done.err
    assert len(done.err.splitlines()) == 1
    assert delivered(use) == ["d1", "d4"]


def test_a_changed_document_is_told_with_its_file_though_reading_fails_after_it(state, gainful):
    (state / "bad.jsonl").write_text(lines([{"id": "a", "text": "one"}, {"id": "a", "text": "two"}]) + "{\n")
    shown = gainful("filter", "ingest", "bad.jsonl")
    assert shown.code == 3
    assert shown.err.startswith("gainful: bad.jsonl: document 'a' (line 2) was seen before with other text")


def test_an_interruption_says_what_is_kept(state, gainful, use, monkeypatch):
    from gainful.filtering import arriving

    def interrupted(source, form, progress):
        yield from list(real(source, form, progress))[:2]
        raise KeyboardInterrupt

    real = arriving.records_in
    (state / "long.jsonl").write_text(lines({"id": f"n{n}", "text": "cocoa"} for n in range(300)))
    monkeypatch.setattr(arriving, "records_in", interrupted)
    done = gainful("filter", "ingest", "long.jsonl")
    assert (done.code, done.out) == (130, "")
    assert done.err == "gainful: interrupted. Nothing was taken in. Run it again to go on.\n"
    monkeypatch.setattr(arriving, "records_in", real)
    assert use("ingest", "long.jsonl").startswith("300 new documents")


def test_a_broken_feed_is_salvaged_where_that_is_asked_for(state, gainful):
    (state / "bad.xml").write_text(RSS.replace("</item>", ""))
    done = gainful("filter", "ingest", "bad.xml", "--salvage")
    assert done.code == 0
    assert done.out.startswith("1 new document;")
    assert "note: bad.xml, line 1: broken XML" in done.err


@pytest.mark.parametrize(
    "words",
    [
        ("feedback", "cocoa", "nowhere", "relevant"),
        ("feedback", "nobody", "d1", "relevant"),
        ("explain", "cocoa", "nowhere"),
        ("explain", "nobody", "d1"),
        ("curve", "nobody"),
        ("preview", "nobody", "--threshold", "0.2"),
        ("profile", "show", "nobody"),
        ("profile", "edit", "nobody", "--text", "x"),
        ("profile", "remove", "nobody"),
        ("profile", "add", "empty", "the of and"),
        ("profile", "add", "cocoa", "again"),
        ("forget", "profile", "nobody", "--yes"),
        ("forget", "document", "nowhere", "--yes"),
        ("deliveries", "--profile", "nobody"),
        ("ingest", "nowhere.jsonl"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(full, gainful, words):
    done = gainful("filter", *words)
    assert (done.code, done.out) == (3, "")
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("content", [b"", b"hello\n" * 100, b"SQLite format 3\0" + b"\0" * 4096])
def test_a_file_that_is_no_state_is_refused_and_left_alone(gainful, tmp_path, content):
    path = tmp_path / "other"
    path.write_bytes(content)
    done = gainful("filter", "stats", "--state", path)
    assert (done.code, done.out) == (3, "")
    assert len(done.err.splitlines()) == 1
    assert path.read_bytes() == content


def test_another_database_is_no_state(gainful, tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (a)")
    other.close()
    done = gainful("filter", "ingest", "-", "--state", path)
    assert done.code == 3
    assert len(done.err.splitlines()) == 1


def test_a_state_that_is_not_there_is_not_made_by_the_way(gainful, tmp_path):
    done = gainful("filter", "profile", "list", "--state", tmp_path / "none.filter")
    assert done.code == 3
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        ("feedback",),
        ("feedback", "cocoa"),
        ("feedback", "cocoa", "d1"),
        ("feedback", "cocoa", "d1", "good"),
        ("feedback", "cocoa", "d1", "relevant", "--file", "x"),
        ("deliveries", "--since", "soon"),
        ("profile", "edit", "cocoa"),
        ("profile", "add", "new", "words", "--beta", "7"),
        ("profile", "add", "new", "words", "--rule", "best"),
        ("profile", "add", "new", "words", "--utility", "1"),
        ("curve", "cocoa", "--chart", "x.gif"),
        ("preview", "cocoa", "--threshold", "high"),
        ("ingest", "-", "-"),
        ("forget", "document", "d1"),
        ("init", "--state", "new", "--cap", "few"),
    ],
)
def test_wrong_usage_is_told_apart_from_bad_data(full, gainful, words, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    done = gainful("filter", *words)
    assert (done.code, done.out) == (2, "")
    assert "Traceback" not in done.err


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


def test_a_name_in_the_page_of_a_chart_stays_text(full, use):
    name = "</script><script>alert(1)</script>"
    use("profile", "add", name, "cocoa")
    use("curve", name, "--chart", "curve.html")
    page = (full / "curve.html").read_text()
    assert "alert(1)" in page
    assert "<script>alert" not in page


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


def test_explain_gives_terms_that_add_up_and_reasons_for_what_did_not_come(full, use):
    found = json.loads(use("explain", "cocoa", "d1", "-f", "json"))
    assert sum(one["adds"] for one in found["terms"]) == pytest.approx(found["score"], abs=1e-12)
    assert "It was delivered as document 1" in use("explain", "cocoa", "d1")
    assert "It shares no term with the profile" in use("explain", "cocoa", "d2")
    assert "It is empty" in use("explain", "cocoa", "d3")
    use("profile", "add", "late", "cocoa")
    assert "It came before the profile was there" in use("explain", "late", "d1")


def test_a_document_below_the_threshold_is_told_what_would_have_delivered_it(full, use):
    use("profile", "add", "strict", "cocoa harvest", "--rule", "fixed(theta=0.99)")
    (full / "low.jsonl").write_text(lines([{"id": "low", "text": "cocoa and many other words of the day"}]))
    use("ingest", "low.jsonl")
    found = json.loads(use("explain", "strict", "low", "-f", "json"))
    assert found["delivered"] is False
    assert found["margin"] == found["score"] - 0.99
    assert f"A threshold of {found['score']:.4f} or less would deliver it." in found["change"]
    assert [one["term"] for one in found["missing"]] == ["harvest"]
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


def test_profiles_are_listed_changed_and_removed(full, use):
    assert use("profile", "list").splitlines()[2].split()[:2] == ["cocoa", "cocoa"]
    assert "threshold 0.0500 → 0.9000" in use("profile", "edit", "cocoa", "--rule", "fixed(theta=0.9)")
    use("profile", "edit", "cocoa", "--rename", "beans")
    assert [one["name"] for one in json.loads(use("profile", "list", "-f", "json"))] == ["beans"]
    use("profile", "add", "like", "--example", "d4")
    assert json.loads(use("profile", "show", "like", "-f", "json"))["relevant"] == 1
    use("profile", "remove", "like")
    assert [one["name"] for one in json.loads(use("profile", "list", "-f", "json"))] == ["beans"]
    assert "strongest" not in use("profile", "show", "beans", "--terms", 1)


def test_examples_may_come_from_a_file(state, use):
    (state / "liked.jsonl").write_text(lines([STREAM[3]]))
    assert "bean" in use("profile", "add", "beans", "--examples", "liked.jsonl")
    assert json.loads(use("profile", "show", "beans", "-f", "json"))["judged"] == 1


def test_rebuild_and_check_agree_with_the_log(full, use):
    use("feedback", "cocoa", "d1", "relevant")
    before = use("profile", "show", "cocoa", "-f", "json")
    assert use("rebuild").endswith("everything agrees.\n")
    assert use("profile", "show", "cocoa", "-f", "json") == before
    assert use("check") == "my.filter is in order.\n"


def test_export_has_everything_as_json_lines(full, use):
    use("feedback", "cocoa", "d1", "relevant")
    use("export", "-o", "all.jsonl")
    rows = [json.loads(line) for line in (full / "all.jsonl").read_text().splitlines()]
    text = json.dumps(rows)
    assert all(one["text"] in text for one in STREAM)
    assert use("export").splitlines() == (full / "all.jsonl").read_text().splitlines()


def test_an_export_can_be_read_by_its_owner_only_and_is_utf_8_on_any_terminal(full, use, monkeypatch):
    use("export", "-o", "mine.jsonl")
    assert stat.S_IMODE((full / "mine.jsonl").stat().st_mode) == 0o600
    (full / "more.jsonl").write_text(lines([{"id": "ö", "text": "cocoa"}]))
    use("ingest", "more.jsonl")
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(open(1, "wb", closefd=False), "ascii"))  # noqa: SIM115
    assert '"id": "ö"' in use("export")


def test_traces_are_removed_where_forgetting_could_not_finish(full, use, gainful):
    reader = sqlite3.connect("my.filter", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM documents").fetchone()
    with Filter.open("my.filter", wait=0.05) as state, pytest.raises(DataError, match="forget traces"):
        state.forget_document("d1")
    reader.close()
    assert use("forget", "traces").startswith("my.filter was written anew")
    assert not any(b"poor harvest" in one.read_bytes() for one in full.glob("my.filter*"))


def test_what_is_forgotten_is_in_no_file(full, use):
    use("forget", "document", "d1", "--yes")
    assert not [
        path
        for path in full.iterdir()
        if path.name.startswith("my.filter") and b"poor harvest" in path.read_bytes()
    ]
    assert delivered(use) == ["d4"]
    assert use("ingest", "stream.jsonl").startswith("0 new documents, 4 seen before")
    use("forget", "profile", "cocoa", "--yes")
    assert use("profile", "list") == "No profiles.\n"
    assert use("check") == "my.filter is in order.\n"


def test_stats_count(full, use):
    found = json.loads(use("stats", "-f", "json"))
    assert (found["documents"], found["empty"], found["deliveries"], found["profiles"]) == (4, 1, 2, 1)
    assert use("stats").splitlines()[0].split() == ["state", "my.filter"]


def test_hostile_names_do_not_reach_the_terminal_raw(state, use):
    (state / "odd.jsonl").write_text(
        lines([{"id": "a\u001b[2Jb", "title": "\u001b]0;x\u0007 cocoa", "text": "cocoa"}])
    )
    use("ingest", "odd.jsonl")
    for form in ("table", "markdown", "jsonl", "atom"):
        assert "\x1b" not in use("deliveries", "-f", form)
    assert "\x1b" not in use("explain", "cocoa", "a\\x1b[2Jb")


def test_every_command_has_help_with_an_option_for_the_state(gainful):
    names = "init ingest deliveries feedback explain curve preview rebuild export stats check".split()  # noqa: SIM905 (a line of names)
    groups = [["profile", one] for one in ("add", "list", "show", "edit", "remove")]
    for words in [*([name] for name in names), *groups, ["forget", "document"], ["forget", "profile"]]:
        shown = gainful("filter", *words, "--help")
        assert shown.code == 0
        assert "--state FILE" in shown.out, words


def test_rows_with_commas_come_back_from_csv(state, use):
    text = io.StringIO()
    csv.writer(text).writerows([["id", "text"], ["q", 'cocoa, "harvest"']])
    (state / "q.csv").write_text(text.getvalue())
    use("ingest", "q.csv")
    assert json.loads(use("deliveries", "-f", "jsonl"))["text"] == 'cocoa, "harvest"'
