"""gainful filter serve and account, as they are called."""

import os
import re
import signal
import subprocess
import sys
import time

import httpx
import pytest
from click.testing import CliRunner

from gainful.cli.filter.service_commands import account_group, serve_command
from gainful.errors import DataError
from gainful.filtering.service.accounts import Accounts
from gainful.filtering.service.ledger import Ledger
from gainful.filtering.service.server import listen
from gainful.filtering.state.store_address import open_store


def accounts_of(state):
    ledger = Ledger(open_store(state))
    try:
        return [account.name for account in Accounts(ledger).all()]
    finally:
        ledger.close()


def run(*words, state=None, **given):
    return CliRunner().invoke(account_group, [*words, *(["--state", state] if state else [])], **given)


@pytest.fixture
def home(folder, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    monkeypatch.delenv("GAINFUL_STATE", raising=False)
    return folder


@pytest.mark.parametrize(
    "ending",
    [[signal.SIGINT], [signal.SIGTERM], [signal.SIGINT, signal.SIGINT]],
    ids=["interrupted", "terminated", "interrupted twice"],
)
def test_the_first_start_needs_no_settings_is_entered_by_a_link_that_works_once_and_ends_quietly(
    home, ending
):
    command = [
        sys.executable,
        "-c",
        "from gainful.cli import main; main()",
        "filter",
        "serve",
        "--port",
        "0",
        "--no-fetch",
    ]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ.copy()
    )
    try:
        link = None
        for line in process.stderr:
            link = re.search(r"http://127\.0\.0\.1:\d+/start\?key=\S+", line)
            if link:
                break
        assert link
        patient = {"follow_redirects": True, "timeout": 60}
        with httpx.Client(**patient) as first, httpx.Client(**patient) as second:
            for _ in range(100):
                try:
                    page = first.get(link[0])
                    break
                except httpx.ConnectError:
                    continue
            assert "Read what is worth reading" in page.text
            assert second.get(link[0]).status_code == 403
    finally:
        for number in ending:
            process.send_signal(number)
            time.sleep(0.05)  # else the second may be taken for the first
        written, said = process.stdout.read(), process.stderr.read()
        process.wait(30)
        process.stdout.close()
        process.stderr.close()
    assert (process.returncode, written) == (0, "")
    assert said.startswith("The link works once")
    assert said.count("\n") == 1  # nothing more
    assert (home / "gainful" / "my.filter").exists()
    assert accounts_of(str(home / "gainful" / "my.filter")) == ["reader"]


def test_other_machines_are_not_listened_to_before_there_is_an_account(state):
    answer = CliRunner().invoke(serve_command, ["--state", state, "--host", "0.0.0.0", "--port", "0"])
    assert "there is no account yet" in str(answer.exception)
    answer = CliRunner().invoke(serve_command, ["--state", state, "--behind-proxy", "--port", "0"])
    assert "there is no account yet" in str(answer.exception)
    assert accounts_of(state) == []


def test_a_port_that_is_taken_is_said(served):
    port = served.base.rsplit(":", 1)[1]
    answer = CliRunner().invoke(serve_command, ["--state", served.address, "--port", port])
    assert "Choose another port with --port" in str(answer.exception)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("--prefix", path) for path in ("/a b", "/a?b")),
        *(
            ("--public-url", url)
            for url in ("ftp://example.org", "http://", "https:///news", "http://[", "example.org")
        ),
    ],
)
def test_a_prefix_or_an_address_that_cannot_be_is_refused(state, option, value):
    assert f"{option} must" in str(
        CliRunner().invoke(serve_command, ["--state", state, option, value]).exception
    )


@pytest.mark.parametrize(
    ("host", "port", "way_out"),
    [
        ("999.1.1.1", 0, "no address of this machine; give one with --host"),
        ("192.0.2.1", 0, "give one with --host"),
        ("h\udcff", 0, "is no name of a host; give an address of this machine with --host"),
    ],
)
def test_a_host_that_is_not_here_is_no_question_of_the_port(host, port, way_out):
    with pytest.raises(DataError, match=way_out):
        listen(host, port)


def test_where_nobody_can_be_asked_for_a_password_the_way_out_is_said(state):
    program = "from gainful.cli import main; main()"
    asked = subprocess.run(
        [sys.executable, "-c", program, "filter", "account", "add", "ada", "--state", state],
        input="correct horse battery\n" * 2,
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,  # without a terminal
    )
    assert asked.returncode == 2
    assert asked.stderr == (
        "gainful: a password is asked for on a terminal, and there is none here; "
        "set GAINFUL_PASSWORD in the environment instead.\n"
    )
    assert accounts_of(state) == []


def test_accounts_are_added_listed_given_passwords_and_removed(state):
    added = run("add", "ada", state=state, input="correct horse battery\ncorrect horse battery\n")
    assert "reader 1" in added.output
    assert "correct horse" not in added.output
    assert "reader 2" in run("add", "bob", "--password", "another password", state=state).output
    assert "already exists" in str(run("add", "ADA", "--password", "another password", state=state).exception)
    listed = run("list", state=state).output
    assert "ada" in listed
    assert "bob" in listed
    changed = run("password", "bob", state=state, env={"GAINFUL_PASSWORD": "a third password"})
    assert "new password" in changed.output
    assert run("remove", "bob", state=state, input="n\n").exit_code == 1
    assert accounts_of(state) == ["ada", "bob"]
    assert "is removed" in run("remove", "bob", "--yes", state=state).output
    assert accounts_of(state) == ["ada"]
    assert "there is no account 'bob'" in str(
        run("password", "bob", "--password", "x" * 12, state=state).exception
    )


def test_a_short_password_is_refused_and_no_account_is_made(state):
    assert "10 to 1,024 characters" in str(run("add", "ada", "--password", "short", state=state).exception)
    assert accounts_of(state) == []
    assert "There is no account yet" in run("list", state=state).output
