"""Libraries under the names of the array API: what each function gives is what NumPy gives."""

import numpy as np
import pytest

from gainful.batch import evaluate
from gainful.errors import UsageError
from gainful.judging import ranking
from gainful.judging.namespaces import CuPys
from gainful.measures import get, names


class LikeCuPy:
    """NumPy without what CuPy lacks of the array API."""

    def __getattr__(self, name):
        if name in ("concat", "astype", "cumulative_sum", "cumulative_prod", "permute_dims", "bool"):
            raise AttributeError(name)
        return getattr(np, name)


def test_cupy_s_names_are_enough_for_every_measure(monkeypatch):
    class Array(np.ndarray):
        """An array that does not say which functions go with it."""

    monkeypatch.setitem(ranking._KNOWN, Array, CuPys(LikeCuPy()))
    asked = [get(name) for name in names() if get(name).needs is None]
    asked = [one @ {"cutoff": 3, "recall": 0.3}[one.definition.at] if one._lacks else one for one in asked]
    chance = np.random.default_rng(1)
    scores, grades = chance.random((4, 9)), chance.integers(-1, 4, (4, 9))
    mask, beyond = chance.random((4, 9)) < 0.8, chance.integers(0, 3, (4, 2))
    wanted = evaluate(scores, grades, asked, mask=mask, beyond=beyond)
    found = evaluate(
        scores.view(Array), grades.view(Array), asked, mask=mask.view(Array), beyond=beyond.view(Array)
    )
    for name, values in found.items():
        np.testing.assert_allclose(values, wanted[name], rtol=0, atol=1e-12, err_msg=name)


def test_what_is_no_array_is_refused():
    class Thing:
        shape = (1, 2)

    with pytest.raises(UsageError, match=r"Thing"):
        evaluate(Thing(), Thing(), "AP")
