"""The commands of an inbox on a database."""

import json

from gainful.cli import run
from gainful.filtering.inbox.inbox import Inbox


def test_the_commands_work_on_a_database_as_on_a_file(postgres, capfd, monkeypatch, desk):
    monkeypatch.setenv("GAINFUL_STATE", postgres)

    def use(*words):
        assert run(["filter", *words]) == 0, capfd.readouterr().err
        return capfd.readouterr().out

    use("init")
    use("profile", "add", "garden", "compost, soil and mulch", "--rule", "fixed(theta=0.05)")
    with Inbox(postgres) as inbox:
        desk.inbox = inbox
        desk.publish(desk.subscribe(), *desk.garden("balcony", "border"), *desk.trade("Brixon"))
    first, *_ = use("today", "--offline").splitlines()
    assert first == "1  About border"
    assert use("yes", "2").splitlines() == [
        "2. About balcony: relevant.",
        "garden: 1 judged, 1 of them relevant; threshold 0.0500 → 0.0500.",
    ]
    assert use("open", "1") == "https://site.example/border\n"
    again = json.loads(use("today", "--again", "--format", "json"))["entries"]
    assert [(entry["verdict"], entry["read"]) for entry in again] == [(None, True), ("relevant", True)]
    assert use("undo").startswith("2. About balcony: answer taken back.")
    assert use("today", "--offline", "--near") == "Nothing was nearly delivered.\n"


def test_items_that_reach_no_threshold_are_counted(desk, capfd):
    desk.publish(desk.subscribe(), *desk.trade("Brixon", "Corvane"))
    assert run(["filter", "today", "--offline", "--state", str(desk.address)]) == 0
    assert capfd.readouterr().out == (
        "Nothing new: 2 items arrived, and none reached a threshold. `gainful filter today --near` lists the nearest.\n"
    )
