"""Servers that are killed under clicks, and two servers on one database: every answer that was acknowledged is there, once."""

import random
import re
import subprocess
import sys
import time

import httpx

from gainful.filtering.inbox.inbox import Inbox
from gainful.filtering.service.ledger import Ledger
from gainful.filtering.service.sessions import Sessions
from gainful.filtering.state.store_address import open_store

from .conftest import stock
from .serving import Served, publish

SERVER = """
import sys, uvicorn
from gainful.filtering.service.app import create_app
from gainful.filtering.service.service_parts import ServiceOptions
app = create_app(sys.argv[1], options=ServiceOptions(fetch=False))
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="error", ws="none")
"""


def test_every_answer_that_was_acknowledged_survives_a_kill_of_the_server(either, clock):
    with Served(either, clock) as served:
        served.accounts.create("ada")
        with served.inbox() as inbox:
            stock(inbox)
            inbox.filter.add_profile("all", text="paper rain", rule="fixed(theta=0.001)")
            publish(
                inbox,
                "https://many.example",
                [(f"Rain {n}", f"paper rain number{n} word{n}") for n in range(60)],
            )
            inbox.take_in()
            numbers = [entry.number for entry in inbox.entries(profile="all", most=60)]
    secret = _session(either)
    chance, port, acknowledged = random.Random(5), _free_port(), {}
    for _ in range(2):
        server = subprocess.Popen(
            [sys.executable, "-c", SERVER, either, str(port)], stderr=subprocess.DEVNULL
        )
        try:
            with httpx.Client(
                base_url=f"http://127.0.0.1:{port}", cookies={"gainful_session": secret}
            ) as client:
                token = _token(client)
                until, answers = time.monotonic() + 0.3 + chance.random() / 2, 0
                while time.monotonic() < until or answers < 8:
                    number, deed = chance.choice(numbers), chance.choice(["relevant", "not-relevant"])
                    press = {"token": token, "press": f"{deed} {number}"}
                    if (
                        client.post("/entry", data=press, headers={"Accept": "application/json"}).status_code
                        == 200
                    ):
                        acknowledged[number] = deed == "relevant"
                        answers += 1
        finally:
            server.kill()
            server.wait()
    assert len(acknowledged) > 5
    with Inbox(either, clock=clock) as inbox:
        assert {number: inbox.entry(number).verdict for number in acknowledged} == acknowledged
        assert inbox.filter.rebuild().agrees
        assert inbox.filter.check() == []


def _session(address):
    ledger = Ledger(open_store(address))
    try:
        return Sessions(ledger).begin(1)
    finally:
        ledger.close()


def _free_port():
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def _token(client):
    """The token of the session, once the server answers."""
    until = time.monotonic() + 60
    while True:
        try:
            return re.search(r'name="token" value="([0-9a-f]+)"', client.get("/settings").text)[1]
        except httpx.TransportError:
            assert time.monotonic() < until
            time.sleep(0.05)


def test_two_servers_on_one_database_see_each_others_answers(either, clock):
    with Served(either, clock) as first, Served(either, clock) as second:
        first.accounts.create("ada")
        with first.inbox() as inbox:
            stock(inbox)
            entries = inbox.entries()
        with first.reader() as here, second.reader() as there:
            for place, entry in enumerate(entries):
                one, other = (here, there) if place % 2 else (there, here)
                assert other.get(f"/entry/{entry.number}").text.count('aria-pressed="true"') == 0
                said = one.say("/entry", press=f"relevant {entry.number}")["said"]
                assert said.startswith("Noted as relevant.")
                assert 'value="undo' in other.get(f"/entry/{entry.number}").text
                assert (
                    other.say("/entry", press=f"relevant {entry.number}")["said"] == "You had said so before."
                )
        with first.inbox() as inbox:
            assert inbox.filter.profile("bees").relevant == len(entries)
            assert inbox.filter.rebuild().agrees
