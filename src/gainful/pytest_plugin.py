"""A pytest plugin: the `gainful_gate` fixture stops a candidate that is worse than the baseline.

    def test_search_did_not_get_worse(gainful_gate):
        gainful_gate("qrels.txt", "main.json", "branch.run", "nDCG@10", margin=0.01)

Options that are not given come from `[tool.gainful]` and `[tool.gainful.gate]` in pyproject.toml, or gainful.toml, the files too:
`gainful_gate(candidate="branch.run")`, or `gainful_gate()`. What is written there counts from that file's folder,
what is given in a test from the current one. Results may be looked at: the fixture returns what the gate said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from gainful.comparisons import Gate


class GateFixture(Protocol):
    """What the fixture is: a call that fails the test unless the candidate passes."""

    def __call__(
        self,
        qrels: Any = None,
        baseline: Any = None,
        candidate: Any = None,
        measures: Any = None,
        **options: Any,
    ) -> Gate:
        """What the gate said."""
        ...


@pytest.fixture
def gainful_gate(request: pytest.FixtureRequest) -> GateFixture:
    """Fails the test unless the candidate is as good as the baseline, give or take a margin."""

    def call(
        qrels: Any = None, baseline: Any = None, candidate: Any = None, measures: Any = None, **options: Any
    ) -> Gate:
        __tracebackhide__ = True
        from gainful.comparisons import gate
        from gainful.comparisons.gate_verdict import text
        from gainful.configuration import find, read_options
        from gainful.errors import GainfulError

        given = {"qrels": qrels, "baseline": baseline, "candidate": candidate, "measures": measures} | options
        try:
            where = find(request.config.rootpath)
            chosen = (read_options(where) if where else {}) | {
                name: one for name, one in given.items() if one is not None
            }
            for written in ("junit", "badge"):
                chosen.pop(written, None)
            lacking = [
                name
                for name in ("qrels", "baseline", "candidate", "measures", "margin")
                if name not in chosen
            ]
            if lacking:
                pytest.fail(
                    f"gainful_gate needs {', '.join(lacking)}, given or in [tool.gainful] or [tool.gainful.gate].",
                    pytrace=False,
                )
            made = gate(**chosen)
        except GainfulError as error:
            pytest.fail(f"gainful_gate: {error}", pytrace=False)
        if not made.passed:
            pytest.fail(text(made), pytrace=False)
        return made

    return call
