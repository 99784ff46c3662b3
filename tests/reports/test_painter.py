"""Charts drawn in a process of their own."""

import subprocess

import pytest

from gainful.errors import UsageError
from gainful.presentation import chart_files, chart_painter
from gainful.presentation.chart_painter import Painter
from gainful.presentation.page_theme import placed
from gainful.reports import html_page

SPEC = {
    "mark": "point",
    "data": {"values": [{"a": 1}, {"a": 2}]},
    "encoding": {"x": {"field": "a", "type": "quantitative"}},
}


def same(drawn):
    """An SVG without the numbers that Vega counts on."""
    return placed(drawn, "x")


@pytest.fixture
def known(monkeypatch):
    """The script is taken as made, as it takes a while."""
    monkeypatch.setattr(Painter, "_bundle", "known")


def test_a_chart_is_the_same_wherever_it_is_drawn(known):
    with Painter() as one:
        drawn = [one.svg(SPEC) for _ in range(3)]
        assert {same(picture.result()) for picture in drawn} == {same(chart_files.svg(SPEC))}
        assert one.script.result() == "known"


def test_where_no_process_can_be_started_this_one_draws(known, monkeypatch):
    def fails(*_, **__):
        raise OSError("no room")

    monkeypatch.setattr(subprocess, "Popen", fails)
    with Painter() as one:
        assert one.svg(SPEC).result().startswith("<svg")


def test_where_the_process_ends_too_early_this_one_draws_on(known, monkeypatch):
    monkeypatch.setattr(chart_painter, "_COMMAND", ("-c", "print('not an answer')"))
    with Painter() as one:
        assert one.svg(SPEC).result().startswith("<svg")
        assert one.svg(SPEC).result().startswith("<svg")


def test_what_nobody_waits_for_is_left_undone(known):
    with Painter() as one:
        waiting = [one.svg(SPEC) for _ in range(50)]
    assert waiting[-1].cancelled()


def test_what_is_not_installed_is_said_with_the_way_to_get_it(monkeypatch):
    monkeypatch.setattr(html_page, "_LIBRARIES", ("no_such_library",))
    with pytest.raises(UsageError, match="pip install vl-convert-python jinja2"):
        html_page.ready()
