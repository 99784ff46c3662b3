"""Numbers as people read them."""

import math

from hypothesis import given
from hypothesis import strategies as st

from gainful.presentation.text_style import fixed, p_value, percent, signed, stated_p, whole


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 6))
def test_a_number_that_rounds_to_zero_has_no_sign_and_no_other_minus_is_a_hyphen(value, places):
    for text in (fixed(value, places), signed(value, places)):
        assert "-" not in text
        if not set(text) & set("123456789"):
            assert text.strip("0.") == ""


@given(st.floats(-1e9, 1e9), st.integers(0, 6))
def test_a_number_reads_back_as_it_was_rounded(value, places):
    back = float(signed(value, places).replace("−", "-"))
    assert back == round(value, places) or math.isclose(back, value, abs_tol=0.51 * 10**-places)


def test_undefined_is_the_same_dash_everywhere():
    assert {look(math.nan) for look in (fixed, signed, whole, percent, p_value)} == {"–"}
    assert stated_p(math.nan) == "unknown"


def test_a_count_has_no_decimals_unless_it_is_a_mean_of_counts():
    assert fixed(3.0, whole=True) == "3"
    assert fixed(3.5, 2, whole=True) == "3.50"
    assert fixed(-1200.0, whole=True) == "−1,200"
