"""The JSON of every command is as its published schema says."""

import json
from pathlib import Path

import click
import pytest
from docs.make_man import contexts
from docs.website.schema_page import schema_pages, schemas

from gainful.cli import run
from gainful.cli.commands import gainful

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).parents[2]
DATA = ROOT / "examples" / "data"
QRELS, SPRINTER, MARATHON, PLAIN = (
    DATA / name for name in ("qrels.txt", "sprinter.run", "marathon.run", "plain.run")
)
STREAM = "stream.jsonl topics.jsonl stream.qrels --reference 10%"
CALLS = {
    "evaluate": [
        "Q P -q -m nDCG@10,AP",
        "few.qrels few.run -q --undefined nan",
        "Q M --ties expected",
        "Q P M --dialect beir",
    ],
    "evaluate-jsonl": ["Q P -m RR"],
    "compare": [
        "Q M P -m nDCG@10,RR",
        "Q S M P -m AP --moved --unknown --correction tukey",
        "Q M P --readers --groups groups.tsv",
        "saved.json -m AP --view components",
        "S M --qrels Q --qrels labels.qrels",
    ],
    "gate": ["Q P M -m nDCG@10,RR --margin 0.02"],
    "correlate": ["saved.json saved.json -m nDCG@10", "S P --qrels Q"],
    "curve": ["Q P M -m R --ideal --difference --band 0.9", "Q P --kind roc", "Q P --kind effort -q"],
    "explain": [
        "Q P --topic 3 -m AP",
        "Q P --compare M --worst",
        "few.qrels few.run --topic q1",
        "--gains 3,0,1 -m RBP",
    ],
    "report": ["Q P M"],
    "reconcile": ["Q P --value 0.43 -m nDCG@10", "--between beir lightgbm Q P -m nDCG@10"],
    "judge": ["--next study"],
    "audit": ["Q labels.qrels S M P"],
    "check": ["Q P M"],
    "filter-feeds": [""],
    "filter-today": ["--offline"],
    "filter-profile-list": [""],
    "filter-profile-show": ["garden"],
    "filter-explain": ["garden tue-086g"],
    "filter-curve": ["garden"],
    "filter-preview": ["garden --threshold 0.1"],
    "filter-stats": [""],
    "filter-simulate": [f"{STREAM} -r ratio -r zero"],
    "filter-deliveries": [""],
    "filter-near": ["garden"],
}
LINES = {"evaluate-jsonl": "evaluate", "filter-deliveries": "filter deliveries", "filter-near": "filter near"}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with small files, a study, saved scores and a filter that was used."""
    folder = tmp_path_factory.mktemp("schemas")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("GAINFUL_STATE", str(folder / "my.filter"))
        Path("few.qrels").write_text("q1 0 a 1\nq2 0 b 0\nq3 0 c 2\n")
        Path("few.run").write_text("q1 Q0 a 1 1.0 few\nq1 Q0 x 2 1.0 few\nq2 Q0 b 1 1 few\n")
        Path("groups.tsv").write_text(
            "".join(f"{topic}\t{'odd' if topic % 2 else 'even'}\n" for topic in range(1, 51))
        )
        lines = QRELS.read_text().splitlines()
        labels = [
            line if number % 5 else f"{line.rpartition(' ')[0]} {number % 4}"
            for number, line in enumerate(lines)
        ]
        Path("labels.qrels").write_text("\n".join(labels) + "\n")
        days = [DATA / "filter" / f"{day}.jsonl" for day in ("monday", "tuesday")]
        documents = [json.loads(line) for day in days for line in day.read_text().splitlines()]
        Path("stream.jsonl").write_text("".join(json.dumps(document) + "\n" for document in documents))
        Path("topics.jsonl").write_text('{"id": "t1", "text": "gardening: flowers, vegetables, soil"}\n')
        judged = [f"t1 0 {document['id']} {int(document['id'].endswith('g'))}" for document in documents]
        Path("stream.qrels").write_text("\n".join(judged) + "\n")
        for command in (
            ["evaluate", QRELS, SPRINTER, PLAIN, "-q", "-f", "json", "-o", "saved.json"],
            ["pool", SPRINTER, PLAIN, "-o", "study"],
            ["filter", "init"],
            ["filter", "profile", "add", "garden", "gardening: flowers and vegetables, soil and compost"],
            ["filter", "ingest", days[0]],
            ["filter", "feedback", "garden", "mon-140g", "relevant"],
            ["filter", "ingest", days[1]],
        ):
            assert run([*map(str, command)]) == 0
        yield folder


def written(name, call, capfd):
    """What the command writes, as JSON; one record of each line where it writes lines."""
    files = {"Q": QRELS, "S": SPRINTER, "M": MARATHON, "P": PLAIN}
    words = LINES.get(name, name.replace("filter-", "filter ").replace("profile-", "profile ")).split()
    arguments = [str(files.get(word, word)) for word in call.split()]
    capfd.readouterr()
    code = run(
        [
            *words,
            *arguments,
            "-f" if words[0] != "filter" else "--format",
            "jsonl" if name in LINES else "json",
        ]
    )
    text = capfd.readouterr().out
    assert code in (0, 1), text
    return [json.loads(line) for line in text.splitlines()] if name in LINES else [json.loads(text)]


@pytest.mark.parametrize(("name", "call"), [(name, call) for name, calls in CALLS.items() for call in calls])
def test_what_a_command_writes_fits_its_schema(name, call, place, monkeypatch, capfd):
    monkeypatch.chdir(place)
    monkeypatch.setenv("GAINFUL_STATE", str(place / "my.filter"))
    validator = jsonschema.Draft202012Validator(schemas()[name])
    for record in written(name, call, capfd):
        assert [f"{fault.json_path}: {fault.message[:200]}" for fault in validator.iter_errors(record)][
            :3
        ] == []


def test_a_schema_refuses_what_is_not_said_there():
    schema = schemas()["evaluate"]
    with pytest.raises(jsonschema.ValidationError, match="required"):
        jsonschema.validate({}, schema)
    with pytest.raises(jsonschema.ValidationError, match="Additional properties"):
        jsonschema.validate({"gainful": "1", "settings": {}, "qrels": None, "runs": [], "more": 1}, schema)


def test_every_command_that_writes_json_has_a_schema_and_a_call_here():
    assert schemas().keys() == CALLS.keys()
    for context in contexts(gainful):
        forms = [
            form
            for option in context.command.params
            if option.name == "form"
            and isinstance(option.type, click.Choice)
            and context.command.name != "ingest"
            for form in option.type.choices
        ]
        name = context.command_path.removeprefix("gainful ").replace(" ", "-")
        for form in {"json", "jsonl"} & set(forms):
            assert name in CALLS if form == "json" else {name, f"{name}-jsonl"} & CALLS.keys(), (
                f"{name} -f {form}"
            )


def test_settings_are_those_of_the_code():
    import msgspec

    from gainful.filtering.feeds.feed_records import Feed
    from gainful.judging.settings import Settings

    ours = msgspec.json.schema(Settings)["$defs"]["Settings"]["properties"]
    stated = [
        schema["$defs"]["Settings"]["properties"]
        for schema in schemas().values()
        if "Settings" in schema.get("$defs", {})
    ]
    assert len(stated) > 5
    assert all(properties == ours for properties in stated)
    feed = msgspec.json.schema(Feed)["$defs"]["Feed"]["properties"]
    assert schemas()["filter-feeds"]["$defs"]["Feed"]["properties"] == feed


def test_the_page_says_what_every_schema_holds():
    page = schema_pages()["index.md"]
    for schema in schemas().values():
        jsonschema.Draft202012Validator.check_schema(schema)
        entry = schema.get("items", schema)
        for key, part in entry.get("properties", {}).items():
            assert f"| `{key}` |" in page
            assert part.get("description"), f"{schema['title']}: {key} is not described"
