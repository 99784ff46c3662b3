"""An audit of the simulated model, which several files look at."""

import pytest

import gainful

from .simulated_model import RUNS, pilot


@pytest.fixture(scope="module")
def audited():
    people, model = pilot()
    return people, model, gainful.audit(people, model, RUNS, width=0.12, decide=True, resamples=200)
