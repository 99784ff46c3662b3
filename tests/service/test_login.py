"""Getting in and staying out: logins, links, cookies, tokens of forms, hosts, prefixes, proxies, sizes and times."""

import re
import socket

import pytest

from gainful.filtering.service import request_guard
from gainful.filtering.service.sessions import forgery_token

from .serving import PASSWORD, Browser, Served, told


def log_in(browser, name="ada", password=PASSWORD, **more):
    form = re.search(r'name="token" value="([0-9a-f]+)"', browser.get("/login").text)[1]
    return browser.post("/login", data={"token": form, "name": name, "password": password}, **more)


def test_name_and_password_let_in_and_logging_out_ends_the_session(served):
    with Browser(served) as browser:
        assert browser.get("/").url.path == "/login"
        assert log_in(browser).url.path == "/"
        kept = browser.cookies["gainful_session"]
        assert "logged out" in told(browser.submit("/logout"))
        assert browser.get("/").url.path == "/login"
        browser.cookies.set("gainful_session", kept)
        assert browser.get("/").url.path == "/login"


def test_a_wrong_password_is_refused_and_the_sixth_try_must_wait(served, clock):
    with Browser(served) as browser:
        answers = [log_in(browser, password="wrong wrong wrong") for _ in range(6)]
        assert [answer.status_code for answer in answers] == [401] * 5 + [429]
        assert int(answers[-1].headers["retry-after"]) == 15 * 60
        assert log_in(browser).status_code == 429  # the right one too
        clock.pass_by(minutes=16)
        assert log_in(browser).url.path == "/"


def test_an_unknown_name_is_answered_as_a_wrong_password_is(served):
    with Browser(served) as browser:
        wrong, unknown = log_in(browser, password="x" * 12), log_in(browser, name="nobody")
    assert (wrong.status_code, unknown.status_code) == (401, 401)
    without = [re.sub(r'value="[^"]*"', "", answer.text) for answer in (wrong, unknown)]
    assert without[0] == without[1]


def test_a_login_form_of_another_site_is_refused(served):
    with Browser(served) as browser:
        sent = {"name": "ada", "password": PASSWORD}
        assert browser.post("/login", data=sent).status_code == 403
        browser.get("/login")
        assert browser.post("/login", data={**sent, "token": forgery_token("guess")}).status_code == 403
        assert "gainful_session" not in browser.cookies


def test_the_session_is_a_new_one_after_a_login(served):
    """A secret that was planted in the browser before is not the one of the session."""
    with Browser(served) as browser:
        browser.cookies.set("gainful_session", "planted")
        log_in(browser)
        assert [cookie.value for cookie in browser.cookies.jar if cookie.name == "gainful_session"][
            -1
        ] != "planted"
        assert served.service.sessions.reader_of("planted") is None


def test_the_one_time_link_lets_in_once(served):
    key = served.service.sessions.link(1)
    with Browser(served) as first, Browser(served) as second:
        assert first.head(f"/start?key={key}").status_code == 200  # a preview does not use it up
        assert first.get(f"/start?key={key}").url.path == "/"
        assert first.get(f"/start?key={key}").url.path == "/"  # she is in already
        assert second.get(f"/start?key={key}").status_code == 403
        assert second.get("/start").status_code == 403


def test_cookies_are_kept_from_scripts_and_other_sites_and_are_sent_over_https_only_where_it_is_spoken(
    state, clock
):
    with Served(state, clock, behind_proxy=True, prefix="/news") as running:
        running.accounts.create("ada", PASSWORD)
        for scheme, secure in (("https", True), ("http", False)):
            with Browser(running, headers={"X-Forwarded-Proto": scheme}) as browser:
                answer = browser.get(
                    f"/news/start?key={running.service.sessions.link(1)}", follow_redirects=False
                )
                session = next(
                    line
                    for line in answer.headers.get_list("set-cookie")
                    if line.startswith("gainful_session")
                )
                assert "HttpOnly" in session
                assert "SameSite=lax" in session
                assert "Path=/news" in session
                assert ("Secure" in session) is secure
                assert ("strict-transport-security" in answer.headers) is secure


@pytest.mark.parametrize("stripped", [True, False])
def test_a_prefix_is_in_every_link_whether_or_not_the_proxy_removes_it(state, clock, stripped):
    with Served(state, clock, prefix="/news") as running, running.reader() as ada:
        page = ada.get("/feeds" if stripped else "/news/feeds")
        assert page.status_code == 200
        links = re.findall(r'(?:href|action|src)="(/[^"]*)"', page.text)
        assert len(links) > 8
        assert all(link.startswith("/news/") for link in links)
        style = next(link for link in links if "style.css" in link)
        assert (
            ada.get(style.removeprefix("/news") if stripped else style)
            .headers["content-type"]
            .startswith("text/css")
        )


def test_forwarded_headers_are_believed_only_when_that_was_asked_for(state, clock):
    forged = {
        "X-Forwarded-For": "203.0.113.7",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Host": "evil.example",
    }
    with Served(state, clock) as running, Browser(running, headers=forged) as browser:
        running.accounts.create("ada", PASSWORD)
        for _ in range(5):
            log_in(browser, password="wrong wrong")
        with Browser(running) as other:  # the same client, without the headers
            assert log_in(other).status_code == 429
        assert "strict-transport-security" not in browser.get("/login").headers


def test_of_several_forwarded_addresses_only_the_proxys_own_is_believed(state, clock):
    with Served(state, clock, behind_proxy=True) as running:
        running.accounts.create("ada", PASSWORD)
        for number in range(5):
            with Browser(
                running, headers={"X-Forwarded-For": f"198.51.100.{number}, 203.0.113.7"}
            ) as browser:
                log_in(browser, password="wrong wrong")
        forged = [("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-For", "203.0.113.7")]
        for sent in ({"X-Forwarded-For": "192.0.2.1, 203.0.113.7"}, forged):
            with Browser(running, headers=sent) as browser:
                assert log_in(browser).status_code == 429


def test_a_name_that_was_pointed_at_this_machine_is_not_answered(state, clock):
    with (
        Served(state, clock, hosts=("localhost", "127.0.0.1", "::1")) as running,
        Browser(running) as browser,
    ):
        assert browser.get("/health").text == "ok\n"
        for host in ("evil.example", "127.0.0.1.evil.example", "", "[::1].evil.example"):
            assert browser.get("/health", headers={"Host": host}).status_code == 400
        assert browser.get("/health", headers={"Host": "[::1]:8400"}).status_code == 200


def test_every_answer_forbids_scripts_of_others_frames_sniffing_and_caching(served, ada):
    for path in ("/", "/login", "/nothing", "/static/page.js", "/feeds.opml"):
        headers = ada.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    assert ada.get("/").headers["cache-control"] == "no-store"


def test_pages_have_no_inline_scripts_or_styles(served, ada):
    for path in ("/", "/nearly", "/profiles", "/profile?name=bees", "/feeds", "/settings"):
        text = ada.get(path).text
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon[a-z]+=", text), path


FORMS = [
    "/entry", "/read-all", "/profiles/add", "/profile/edit", "/profile/remove", "/feeds/subscribe", "/feeds/unsubscribe",
    "/feeds/rename", "/feeds/opml", "/settings/preferences", "/settings/name", "/settings/password",
    "/settings/elsewhere", "/settings/forget", "/logout",
]  # fmt: skip


def routes_of(served, method):
    return sorted(
        route.path
        for route in served.app.routes
        if method in (route.methods or ()) and not route.path.startswith(("/reader", "/accounts", "/api"))
    )


def test_a_form_without_the_sessions_token_is_refused(served, ada):
    fields = {"press": "relevant 1", "name": "ada", "profile": "bees", "feed": "1"}
    other = forgery_token(served.service.sessions.begin(1))
    token = ada.token()
    for path in FORMS:
        for wrong in ({}, {"token": ""}, {"token": other}, {"token": "ü" * 64}):
            assert ada.post(path, data={**fields, **wrong}).status_code == 403, path
        crossing = ada.post(path, data={**fields, "token": token}, headers={"Sec-Fetch-Site": "cross-site"})
        assert crossing.status_code == 403, path


def test_the_list_of_forms_above_is_whole(served):
    assert set(FORMS) <= set(routes_of(served, "POST"))
    ours = {
        path
        for path in routes_of(served, "POST")
        if not path.startswith(("/settings/programs", "/mail", "/feed/"))
    }
    assert ours - {"/login"} == set(FORMS)


def test_a_body_that_is_too_large_is_refused_announced_or_not(served, ada):
    token = ada.token()
    large = {"token": token, "text": "x" * (request_guard.MOST_BODY + 1), "name": "large"}
    assert ada.post("/profiles/add", data=large).status_code == 413

    def pieces():
        yield f"token={token}&name=large&text=".encode()
        for _ in range(20):
            yield b"x" * 100_000

    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert ada.post("/profiles/add", content=pieces(), headers=headers).status_code == 413
    assert ada.get("/profile", params={"name": "large"}).status_code == 404


def test_a_body_that_comes_too_slowly_is_refused(served, ada, monkeypatch):
    monkeypatch.setattr(request_guard, "BODY_SECONDS", 0.3)
    host, port = served.base.removeprefix("http://").split(":")
    secret = ada.cookies["gainful_session"]
    with socket.create_connection((host, int(port)), timeout=25) as slow:
        slow.sendall(
            f"POST /entry HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: gainful_session={secret}\r\nContent-Length: 1000\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n\r\ntoken=".encode()
        )
        assert b" 408 " in slow.recv(200)


def test_an_address_that_is_not_there_is_said_to_be_none(served, ada):
    answer = ada.get("/nothing/<b>here</b>")
    assert answer.status_code == 404
    assert "There is no such page" in answer.text
    for number in ("9" * 20, "9" * 5000, "-1", "x", "1%00"):
        assert ada.get(f"/entry/{number}").status_code == 404
