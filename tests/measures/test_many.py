"""A measure at many cutoffs at once: what is refused. That the values are right is tested with the curves."""

import pytest

from gainful.errors import MeasureError
from gainful.judging import judged_run
from gainful.measures import P, measure
from gainful.measures._many import at_cutoffs


@pytest.mark.parametrize("cutoffs", [[1.5], [0, 1], [2, 1], [1, 1], [], [[1]]])
def test_cutoffs_are_whole_and_rise(cutoffs):
    with pytest.raises(MeasureError, match="cutoffs must be whole numbers, 1 or more, each larger than"):
        at_cutoffs(P, judged_run([1, 0]), cutoffs)


def test_a_parameter_that_is_lacking_beside_the_cutoff_is_the_one_that_is_named():
    @measure
    def Own(judged, *, cutoff: int, share: float):
        return judged.cut(cutoff).total() * share

    with pytest.raises(MeasureError, match=r"needs a share, as in Own\(share=…\)"):
        at_cutoffs(Own, judged_run([1, 0]), [1, 2])
    assert at_cutoffs(Own(share=0.5), judged_run([1, 0]), [1, 2])[0].tolist() == [[0.5], [1.0]]
