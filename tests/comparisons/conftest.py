"""What tests of several judges share: one comparison of them."""

import pytest

from gainful.comparisons.judges import compare_judges

from .several_judges import RUNS, SAID


@pytest.fixture(scope="session")
def made():
    """Four systems under three judges, by two measures; for reading only."""
    return compare_judges(SAID, RUNS, "nDCG@5, P(rel=2)@5", resamples=300, merge=["majority", "max"])
