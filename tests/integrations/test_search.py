"""`gainful search` against a small server that answers as the engines do; expected lists are counted by hand."""

import json
from threading import Event

import pytest

import gainful
from gainful.cli import run as command
from gainful.errors import DataError, UsageError
from gainful.integrations import endpoint_search
from gainful.integrations.endpoint_search import search

from .search_server import serving

QUERIES = {"q1": "red wine", "q2": "shoes", "q3": "quokka"}
EXPECTED = {"q1": {"d2": 3.0, "d1": 1.0, "d4": 1.0}, "q2": {"d1": 1.0, "d3": 1.0}}
INDEX = {"elasticsearch": "/products", "opensearch": "/products", "solr": "/solr/products"}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(endpoint_search, "FIRST_WAIT", 0.0)
    for name in ("API_KEY", "TOKEN", "USER", "PASSWORD"):
        monkeypatch.delenv(f"GAINFUL_SEARCH_{name}", raising=False)


@pytest.mark.parametrize("engine", INDEX)
def test_lists_become_a_run_with_the_engines_scores(engine):
    with serving() as (index, address):
        found = search(address + INDEX[engine], QUERIES, engine=engine, depth=3)
        assert found.run.to_dict() == EXPECTED
        assert found.notes == ("1 query (q3) found nothing and is not in the run",)
        assert len(index.asked) == (3 if engine == "solr" else 1)
        shallow = search(address + INDEX[engine], QUERIES, depth=1)  # the address says which engine it is
        assert shallow.run.to_dict() == {"q1": {"d2": 3.0}, "q2": {"d1": 1.0}}
        assert shallow.stated.startswith("solr" if engine == "solr" else "elasticsearch")
        named = search(address + INDEX[engine], {"q2": "shoes"}, id_field="sku")
        assert named.run.to_dict() == {"q2": {"S-1": 1.0, "S-3": 1.0}}


def test_many_queries_go_in_batches_and_stay_in_order():
    queries = {f"q{number:03}": "red wine" if number % 2 else "shoes" for number in range(95)}
    with serving() as (index, address):
        found = search(f"{address}/products", queries, batch=10, connections=3)
        assert list(found.run.to_dict()) == list(queries)
        assert sorted(body.count(b"\n") // 2 for _, body in index.asked) == [5, *[10] * 9]


def test_a_template_is_filled_as_json():
    template = {
        "query": {"multi_match": {"query": "{{query}}", "fields": ["title^2", "text"]}},
        "size": "{{depth}}",
    }
    with serving() as (index, address):
        search(
            f"{address}/products", {"q": 'say red "x" \\ {{depth}}'}, template=template, depth=7, retries=0
        )
        (_, body), *_ = index.asked
        sent = json.loads(body.splitlines()[1])
    assert sent["query"]["multi_match"] == {
        "query": 'say red "x" \\ {{depth}}',
        "fields": ["title^2", "text"],
    }
    assert (sent["size"], sent["_source"], sent["track_total_hits"]) == (7, False, False)


def partial(answer):
    answer["responses"][0]["_shards"]["failed"] = 1
    return answer


def busy(answer):
    answer["responses"][0] = {"error": {"type": "es_rejected", "reason": "queue full"}, "status": 429}
    return answer


@pytest.mark.parametrize("faults", [[429, 503], [partial], [busy, 502, partial]])
def test_what_is_busy_or_answers_in_part_is_asked_again(faults):
    with serving(faults) as (index, address):
        assert search(f"{address}/products", QUERIES).run.to_dict() == EXPECTED
        assert len(index.asked) == len(faults) + 1


@pytest.mark.parametrize(
    ("faults", "said"),
    [
        ([503] * 3, r"503 Service Unavailable: circuit breaker"),
        ([partial] * 3, r"query 'q1': 1 of 2 shards failed"),
        ([busy] * 3, r"query 'q1': queue full"),
    ],
)
def test_what_stays_incomplete_is_an_error(faults, said):
    with serving(faults) as (index, address), pytest.raises(DataError, match=said) as error:
        search(f"{address}/products", QUERIES, retries=2)
    assert "(3 times)" in str(error.value)
    assert len(index.asked) == 3


def test_partial_results_of_solr_are_incomplete_too():
    def in_part(answer):
        answer["responseHeader"]["partialResults"] = True
        return answer

    with serving([in_part]) as (_, address), pytest.raises(DataError, match="partial results"):
        search(f"{address}/solr/products", {"q1": "wine"}, retries=0)


def test_nobody_there_and_no_answer_in_time_are_sentences():
    with serving() as (_, address):
        pass
    with pytest.raises(DataError, match=r"\(2 times\): Connection refused\.\n.* Is the engine running"):
        search(f"{address}/products", QUERIES, retries=1)
    ended = Event()

    def late(answer):
        ended.wait(10)
        return answer

    with serving([late]) as (_, address):
        with pytest.raises(DataError, match=r"no answer within 0\.05 seconds"):
            search(f"{address}/products", QUERIES, retries=0, timeout=0.05)
        ended.set()


@pytest.mark.parametrize(
    ("path", "more", "said"),
    [
        ("/nothing", {}, r"404 Not Found: no such index \[nothing\]"),
        (
            "/products",
            {"template": {"query": {"match_al": "{{query}}"}}},
            r"query 'q1': unknown query \[match_al\]",
        ),
        (
            "/solr/products",
            {"template": {"query": {"dismax": "{{query}}"}}},
            r"400 Bad Request: Unknown query parser",
        ),
        ("/solr/products", {"id_field": "nothing"}, "has no id in the field nothing"),
    ],
)
def test_what_the_engine_refuses_is_told_in_its_words(path, more, said):
    with serving() as (_, address), pytest.raises(DataError, match=said):
        search(address + path, QUERIES, connections=1, **more)


def test_an_answer_of_something_else_says_how_it_begins():
    with serving([lambda _answer: b"<html>Welcome"]) as (_, address):
        with pytest.raises(DataError, match="did not answer as expected") as error:
            search(f"{address}/products", QUERIES)
        assert "<html>Welcome" in str(error.value)


@pytest.mark.parametrize(
    ("environment", "header"),
    [
        ({"API_KEY": "abc="}, "ApiKey abc="),
        ({"TOKEN": "t"}, "Bearer t"),
        ({"USER": "ann", "PASSWORD": "pass"}, "Basic YW5uOnBhc3M="),
    ],
)
def test_who_asks_is_said_in_the_environment(environment, header, monkeypatch):
    with serving(authorization=header) as (_, address):
        with pytest.raises(DataError, match="missing authentication credentials") as error:
            search(f"{address}/products", QUERIES)
        assert "GAINFUL_SEARCH_API_KEY" in str(error.value)
        for name, value in environment.items():
            monkeypatch.setenv(f"GAINFUL_SEARCH_{name}", value)
        assert search(f"{address}/products", QUERIES).run.to_dict() == EXPECTED


def test_scores_that_give_another_order_are_replaced_by_ranks():
    def reranked(answer):
        hits = answer["responses"][0]["hits"]["hits"]
        hits[0]["_score"], hits[1]["_score"] = None, 9.0
        hits.append(hits[2])
        return answer

    with serving([reranked]) as (_, address):
        found = search(f"{address}/products", {"q1": "red wine"})
    assert found.run.to_dict() == {"q1": {"d2": -1.0, "d1": -2.0, "d4": -3.0}}
    assert "more than once" in found.notes[0]
    assert "minus the rank" in found.notes[1]


@pytest.mark.parametrize(
    ("url", "more", "said"),
    [
        ("localhost:9200/products", {}, "no address of an index"),
        ("http://localhost:9200", {}, "names no index"),
        ("http://localhost:9200/p\udcff", {}, "no address of an index"),
        ("http://ann:secret@localhost:9200/products", {}, "seen by others"),
        ("http://localhost:9200/products", {"engine": "vespa"}, "engine must be one of"),
        ("http://localhost:9200/products", {"template": {"query": "all"}}, "has no {{query}}"),
        ("http://localhost:9200/products", {"depth": 0}, "depth must be 1 or more"),
        ("http://localhost:8983/solr/products", {"batch": 2}, "solr takes one query in a request"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_anything_is_sent(url, more, said):
    with pytest.raises(UsageError, match=said) as error:
        search(url, QUERIES, **more)
    assert "secret" not in str(error.value)


def test_the_command_writes_a_run_that_evaluate_takes(tmp_path, capfd):
    (tmp_path / "queries.tsv").write_text("".join(f"{topic}\t{text}\n" for topic, text in QUERIES.items()))
    (tmp_path / "body.json").write_text('{"query": {"multi_match": {"query": "{{query}}"}}}')
    (tmp_path / "qrels.txt").write_text("q1 0 d4 1\nq2 0 d1 1\nq3 0 d1 1\n")
    words = ["--template", str(tmp_path / "body.json"), "-o", str(tmp_path / "products.run")]
    with serving() as (_, address):
        call = ["search", f"{address}/products", str(tmp_path / "queries.tsv"), *words]
        assert command(call) == 0
        said = capfd.readouterr().err
        assert "note: 1 query (q3) found nothing and is not in the run." in said
        assert "5 rows of a run written" in said
        assert command(call) == 2  # it is there already
        assert command(call[:3]) == 0
    assert capfd.readouterr().out == (tmp_path / "products.run").read_text()
    mean = gainful.evaluate(tmp_path / "qrels.txt", tmp_path / "products.run", "RR").mean["RR"]
    assert mean == pytest.approx((1 / 2 + 1 / 2 + 0) / 3)  # d4 before d1, d3 before d1: tied, by document id


def test_a_fault_leaves_no_file(tmp_path, capfd):
    (tmp_path / "queries.tsv").write_text("q1\tred\nq2\twine\n")
    with serving([400]) as (_, address):
        out = str(tmp_path / "out.run")
        words = ["search", f"{address}/products", str(tmp_path / "queries.tsv"), "--batch", "1", "-o", out]
        assert command(words) == 3
    assert "400 Bad Request: circuit breaker" in capfd.readouterr().err
    assert not (tmp_path / "out.run").exists()
