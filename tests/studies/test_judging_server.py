"""Judging served to several at once: who may answer what, and nothing that was acknowledged is lost, killed or not."""

import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager

import httpx
import pytest

from gainful.errors import DataError, UsageError
from gainful.studies.answer_collection import collect
from gainful.studies.answer_files import answers_in, read_answers
from gainful.studies.answer_journal import AnswerJournal
from gainful.studies.judging_server import create_judging_app, serve_study, set_password
from gainful.studies.study_folder import read_study, write_study

from .judging_studies import PAIRS, small_study

PASSWORD = "correct horse battery staple"


@pytest.fixture
def study(tmp_path):
    return write_study(small_study(), tmp_path / "study")


def answer(place, grade, at="2026-11-18T09:00:00.000Z", **fields):
    """An answer as the page sends it."""
    topic, document = PAIRS[place]
    state = "graded" if grade is not None else "skipped"
    fields = {"reason": "", "known": False, "seconds": 1.0, "state": state} | fields
    return {"topic": topic, "document": document, "grade": grade, "at": at, **fields}


@contextmanager
def serving(study):
    """The study served on a free port by a thread; the address, and the service."""
    import uvicorn

    app = create_judging_app(study)
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
        assert thread.is_alive(), "the server did not start"
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}", app.state.service
    finally:
        server.should_exit = True
        thread.join(20)


class Assessor(httpx.Client):
    """What the page of an assessor sends, without a browser."""

    def __init__(self, base, secret):
        super().__init__(base_url=base, timeout=20, follow_redirects=True)
        self.cookies.set("gainful_session", secret)
        self.token = re.search(r'"token":"([0-9a-f]+)"', self.get("/").text)[1]

    def give(self, *records, study="study-1", **headers):
        given = {"X-Gainful-Token": self.token, "Accept": "application/json", **headers}
        return self.post("/answers", json={"study": study, "records": records}, headers=given)


def log_in(base, service, name):
    return closing(Assessor(base, service.sessions.begin(service.accounts.named(name).reader)))


def grades(answers):
    return {(row.topic, row.document): row.grade for row in answers.answers}


def test_each_assessor_gets_the_own_page_and_answers_go_to_the_own_journal(study):
    with (
        serving(study) as (base, service),
        log_in(base, service, "ann") as ann,
        log_in(base, service, "bob") as bob,
    ):
        assert "<title>Judging – ann</title>" in ann.get("/").text
        assert ann.give(answer(0, 3), answer(1, None)).json()["records"][0]["grade"] == 3
        bob.give(answer(0, 1))
        journal = (study.path / "answers/ann.journal").read_text().splitlines()
        assert len(journal) == 2
        assert grades(answers_in(study)["bob"]) == {PAIRS[0]: 1}
        assert '"grade":3,"state"' in ann.get("/").text  # a page that is loaded again goes on from there
        assert '"grade":3,"state"' not in bob.get("/").text
    assert grades(read_answers(study, str(study.path / "answers/ann.json"))) == {PAIRS[0]: 3, PAIRS[1]: None}
    assert collect(study).judgments == {PAIRS[0]: 1}


def test_of_two_answers_the_later_counts_in_whatever_order_they_arrive(study):
    with closing(AnswerJournal(study, "ann")) as journal:
        late, early = answer(0, 1, "2026-11-18T10:00:00Z"), answer(0, 3, "2026-11-18T09:00:00Z")
        journal.add([late])
        assert journal.add([early])[0].grade == 1
        assert journal.add([late])[0].grade == 1
    assert (study.path / "answers/ann.journal").read_bytes().count(b"\n") == 1


def test_who_is_not_logged_in_sees_nothing_and_changes_nothing(study):
    with serving(study) as (base, service), log_in(base, service, "ann") as ann:
        with httpx.Client(base_url=base) as stranger:
            assert stranger.get("/").headers["location"] == "/login"
            sent = {"study": "study-1", "records": [answer(0, 3)]}
            assert stranger.post("/answers", json=sent).status_code == 401
        assert ann.give(answer(0, 3), **{"X-Gainful-Token": "0" * 64}).status_code == 403
        assert ann.give(answer(0, 3), **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
        assert ann.get("/", headers={"Host": "evil.example"}).status_code in (200, 400)
    assert (study.path / "answers/ann.journal").read_bytes() == b""


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([answer(0, 9)], "grade 9 is not on the scale"),
        ([answer(0, 3), {**answer(1, 2), "document": "d9"}], "was not asked about document 'd9'"),
        ([answer(0, 3), 7], "the message"),
        ([{**answer(0, 3), "at": "soon"}], "not an ISO time"),
        ([answer(0, 3)] * 1001, "at most 1,000 records"),
    ],
)
def test_a_message_with_a_fault_is_refused_whole(study, records, said):
    with serving(study) as (base, service), log_in(base, service, "ann") as ann:
        reply = ann.give(*records)
        assert reply.status_code == 409
        assert said in reply.json()["said"]
        assert ann.give(answer(0, 3), study="another").status_code == 409
    assert (study.path / "answers/ann.journal").read_bytes() == b""


def test_a_password_lets_an_assessor_in(study):
    set_password(study, "ann", PASSWORD)
    with pytest.raises(UsageError, match="'eve' is no assessor"):
        set_password(study, "eve", PASSWORD)
    with serving(study) as (base, _), httpx.Client(base_url=base, follow_redirects=True) as client:
        token = re.search(r'name="token" value="([0-9a-f]+)"', client.get("/login").text)[1]
        page = client.post("/login", data={"token": token, "name": "ann", "password": PASSWORD})
        assert "<title>Judging – ann</title>" in page.text
        policy = page.headers["content-security-policy"]
        assert "connect-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy


def test_other_machines_are_not_served_while_somebody_has_no_password(study):
    from gainful.filtering.service.service_parts import ServiceOptions

    set_password(study, "ann", PASSWORD)
    with pytest.raises(UsageError, match="'bob' have no password"):
        serve_study(study, host="127.0.0.1", port=0, options=ServiceOptions(behind_proxy=True), say=print)


def test_names_that_one_account_would_share_are_refused(tmp_path):
    alike = write_study(small_study(("Ann", "ann")), tmp_path / "alike")
    with pytest.raises(UsageError, match="'Ann' and 'ann' cannot have accounts of their own"):
        create_judging_app(alike)


def test_a_line_that_was_cut_off_by_a_crash_was_never_acknowledged_and_goes(study):
    path = study.path / "answers/ann.journal"
    with closing(AnswerJournal(study, "ann")) as journal:
        journal.add([answer(0, 3)])
    path.write_bytes(path.read_bytes() + b'{"topic":"1","docum')
    assert grades(answers_in(study)["ann"]) == {PAIRS[0]: 3}
    with closing(AnswerJournal(study, "ann")) as journal:
        journal.add([answer(1, 2)])
    assert grades(answers_in(study)["ann"]) == {PAIRS[0]: 3, PAIRS[1]: 2}
    path.write_bytes(b"nonsense\n" + path.read_bytes())
    with pytest.raises(DataError, match=r"ann\.journal, line 1: this is not JSON"):
        answers_in(study)


def test_a_study_is_served_once_at_a_time(study):
    with (
        closing(AnswerJournal(study, "ann")),
        pytest.raises(DataError, match="another server serves this study"),
    ):
        AnswerJournal(study, "ann")


def test_a_full_disk_is_said_and_the_answer_is_not_acknowledged(study, monkeypatch):
    with closing(AnswerJournal(study, "ann")) as journal:
        journal.add([answer(0, 3)])

        def refused(handle):
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr("gainful.studies.answer_journal.os.fsync", refused)
            with pytest.raises(DataError, match="cannot be written: No space left"):
                journal.add([answer(1, 2)])
        assert grades(journal.answers()) == {PAIRS[0]: 3}
        journal.add([answer(1, 1)])
    assert grades(answers_in(study)["ann"]) == {PAIRS[0]: 3, PAIRS[1]: 1}


# ---- killed


def free_port():
    with closing(socket.socket()) as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


class Server:
    """`gainful judge --serve` as a process, with the one-time links that it prints."""

    def __init__(self, folder, port):
        command = [sys.executable, "-c", "from gainful.cli import main; main()"]
        self.process = subprocess.Popen(
            [*command, "judge", "--serve", str(folder), "--port", str(port)],
            stderr=subprocess.PIPE,
            text=True,
        )
        self.base = f"http://127.0.0.1:{port}"
        self.links = {}
        for line in self.process.stderr:
            if found := re.match(r"(\w+): open (\S+)", line):
                self.links[found[1]] = found[2]
            if "Ctrl+C" in line:
                break
        assert self.links, "the server did not start"
        assert httpx.get(f"{self.base}/health", timeout=20).text == "ok\n"

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stderr.close()

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.process.stderr.close()


@pytest.fixture
def start(study):
    """Starts servers of the study on one port; those still running are killed at the end."""
    servers, port = [], free_port()

    def started():
        servers.append(Server(study.path, port))
        return servers[-1]

    yield started
    for server in servers:
        if server.process.poll() is None:
            server.kill()


def click(client, chance, acknowledged, until):
    """Answer at random until the server is gone, or the time is over; note what was acknowledged."""
    while time.monotonic() < until:
        place, grade = chance.randrange(len(PAIRS)), chance.randrange(4)
        at = f"2026-11-18T09:00:{len(acknowledged) // 1000:02}.{len(acknowledged) % 1000:03}Z"
        try:
            if client.give(answer(place, grade, at)).status_code == 200:
                acknowledged.append((PAIRS[place], grade))
        except httpx.TransportError:
            return


def test_every_acknowledged_answer_of_two_assessors_survives_a_kill_of_the_server(study, start):
    acknowledged = {"ann": [], "bob": []}
    secrets = {}
    for _ in range(2):
        server = start()
        clients = {}
        for name, link in server.links.items():
            if name not in secrets:
                with httpx.Client(follow_redirects=True) as browser:
                    browser.get(link)
                    secrets[name] = browser.cookies["gainful_session"]
            clients[name] = Assessor(server.base, secrets[name])
        until = time.monotonic() + 30
        threads = [
            threading.Thread(target=click, args=(client, random.Random(name), acknowledged[name], until))
            for name, client in clients.items()
        ]
        wanted = [len(answers) + 15 for answers in acknowledged.values()]
        for thread in threads:
            thread.start()
        while any(len(answers) < least for answers, least in zip(acknowledged.values(), wanted, strict=True)):
            assert time.monotonic() < until
            time.sleep(0.005)
        server.kill()  # while they click
        for thread in threads:
            thread.join(20)
        for client in clients.values():
            client.close()
    kept = answers_in(read_study(study.path))
    for name, answers in acknowledged.items():
        assert len(answers) >= 30
        # An answer that was on its way when the server died may be there too, unacknowledged: it is later.
        assert {pair for pair, _ in answers} <= set(grades(kept[name]))
        lines = (study.path / f"answers/{name}.journal").read_text().splitlines()
        written = [tuple(re.search(r'"document":"(\w+)","grade":(\d)', line).groups()) for line in lines]
        for pair, grade in answers:
            assert (pair[1], str(grade)) in written


def test_a_page_whose_server_is_killed_goes_on_and_sends_everything_later(study, start, browser):
    server = start()
    context = browser.new_context()
    tab = context.new_page()
    tab.goto(server.links["ann"])
    tab.keyboard.press("Enter")
    tab.keyboard.press("3")
    tab.locator("#saved").filter(has_text="All sent").wait_for()
    server.kill()
    for key in "210":
        tab.keyboard.press(key)
    tab.locator("#alarm").filter(has_text="The server cannot be reached. 3 answers wait here").wait_for()
    assert grades(answers_in(study)["ann"]) == {PAIRS[0]: 3}
    again = start()
    tab.locator("#alarm").wait_for(state="hidden")
    assert grades(answers_in(study)["ann"]) == dict(zip(PAIRS, [3, 2, 1, 0], strict=False))
    tab.reload()
    assert tab.locator("#counts").inner_text() == "4 of 6"
    other = browser.new_context()  # another browser: what the server has is there
    elsewhere = other.new_page()
    elsewhere.goto(again.links["ann"])
    assert elsewhere.locator("#counts").inner_text() == "4 of 6"
    tab.keyboard.press("1")
    tab.keyboard.press("c")
    tab.locator("#what-now").filter(has_text="The server has all your answers").wait_for()
    again.stop()
    assert grades(read_answers(study, str(study.path / "answers/ann.json"))) == dict(
        zip(PAIRS, [3, 2, 1, 0, 1, None], strict=True)
    )
    context.close()
    other.close()
