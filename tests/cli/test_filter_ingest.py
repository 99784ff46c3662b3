"""gainful filter ingest: every format, what came before, and what is said where a file is wrong."""

import csv
import gzip
import io
import json
from datetime import UTC, date, datetime

import pyarrow
import pytest
from pyarrow import parquet

from gainful.filtering.stream_reader import documents_in

from .stream import STREAM, delivered, lines

RSS = (
    '<rss version="2.0"><channel><title>N</title><item><guid>r1</guid><title>Cocoa &amp; sugar</title>'
    "<description>&lt;p&gt;harvest&lt;/p&gt;&lt;script&gt;x()&lt;/script&gt;</description></item></channel></rss>"
)


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


def test_rows_with_commas_come_back_from_csv(state, use):
    text = io.StringIO()
    csv.writer(text).writerows([["id", "text"], ["q", 'cocoa, "harvest"']])
    (state / "q.csv").write_text(text.getvalue())
    use("ingest", "q.csv")
    assert json.loads(use("deliveries", "-f", "jsonl"))["text"] == 'cocoa, "harvest"'


def test_an_edited_item_is_a_fault_or_left_as_first_seen(state, use, gainful):
    (state / "feed.xml").write_text(RSS)
    use("ingest", "feed.xml")
    (state / "feed.xml").write_text(RSS.replace("harvest", "harvest, corrected"))
    done = gainful("filter", "ingest", "feed.xml")
    assert (done.code, done.out) == (3, "")
    assert "--changed keep" in done.err
    kept = "0 new documents, 1 changed (the first version is kept); 0 deliveries.\n"
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
    assert "The documents before it are kept: 2 new documents" in done.err
    assert len(done.err.splitlines()) == 1
    assert delivered(use) == ["d1"]


BAD_FEEDS = {
    "broken XML": (RSS.replace("</item>", ""), "broken XML"),
    "a bomb": (
        '<!DOCTYPE r [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>' + RSS,
        "the entity 'b' is made of other entities",
    ),
    "no feed": ("<html></html>", "is not a feed"),
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
    assert shown.err.startswith(
        "gainful: bad.jsonl: document 'a' (line 2) arrived before with a different text"
    )


def test_an_interruption_says_what_is_kept(state, gainful, use, monkeypatch):
    from gainful.filtering import stream_reader

    def interrupted(source, form, progress):
        yield from list(real(source, form, progress))[:2]
        raise KeyboardInterrupt

    real = stream_reader.records_in
    (state / "long.jsonl").write_text(lines({"id": f"n{n}", "text": "cocoa"} for n in range(300)))
    monkeypatch.setattr(stream_reader, "records_in", interrupted)
    done = gainful("filter", "ingest", "long.jsonl")
    assert (done.code, done.out) == (130, "")
    assert done.err == "gainful: interrupted. Nothing was taken in. Run it again to continue.\n"
    monkeypatch.setattr(stream_reader, "records_in", real)
    assert use("ingest", "long.jsonl").startswith("300 new documents")


def test_a_broken_feed_is_salvaged_where_that_is_asked_for(state, gainful):
    (state / "bad.xml").write_text(RSS.replace("</item>", ""))
    done = gainful("filter", "ingest", "bad.xml", "--salvage")
    assert done.code == 0
    assert done.out.startswith("1 new document;")
    assert "note: bad.xml, line 1: broken XML" in done.err
