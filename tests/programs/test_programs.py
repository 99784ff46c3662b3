"""Measures recorded as programs give the bits of their own functions on arrays, over the whole registry."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainful._core import Program as NativeProgram
from gainful.errors import MeasureError
from gainful.judging.ranking import Ranking
from gainful.judging.record import JudgedRun
from gainful.measures import AP, RBP, RR, Measure, P, get, measure, names, nDCG, parse
from gainful.measures._gains import Discount, Gain
from gainful.programs.compilation import MOST_SYMBOLS
from gainful.programs.program import LONGEST, SHORT, Program, traced
from gainful.programs.recorded_measures import recorded

VARIANTS = [
    *(
        {"cutoff": 1},
        {"cutoff": 5},
        {"cutoff": 1000},
        {"rel": 2},
        {"rel": 0.5},
        {"gain": "exp"},
        {"gain": {1: 1, 2: 5}},
    ),
    *(
        {"gain": "signed"},
        {"discount": "jk"},
        {"base": 10},
        {"ideal": "hits"},
        {"ideal": "retrieved"},
        {"ideal": "uncut"},
    ),
    *(
        {"divisor": "min"},
        {"divisor": "retrieved"},
        {"stop": "linear"},
        {"stop": {1: 0.9, 2: 0.1}},
        {"top": 3},
        {"p": 0.35},
    ),
    *(
        {"part": "cost"},
        {"part": "residual"},
        {"recall": 0.7},
        {"mult": 2.5},
        {"beta": 0.3},
        {"asks": "nine_tenths"},
    ),
]
ON_ARRAYS = {"BPM", "Compat", "INSQ", "INST", "NERR10", "NERR11", "NERR8", "NERR9", "SDCG"}
"""Measures that use an operation which programs do not have: a look-up in a table, another order."""


def variants(name):
    base = get(name)
    forms = [base @ {"cutoff": 10, "recall": 0.3}[base.definition.at] if base._lacks else base]
    for given_ in VARIANTS:
        if given_.keys() <= base.definition.parameters.keys():
            try:
                forms.append(forms[0](**given_))
            except MeasureError:
                continue
    return forms


EVERY = [form for name in names() if get(name).needs is None for form in variants(name)]


class OnArrays(JudgedRun):
    """A record that no program takes."""


def record_of(chance, lengths, grades, deepest):
    """Lists of these lengths at any ranks down to the deepest, with judged documents that were not retrieved."""
    pools = lengths + chance.integers(0, 5, len(lengths))
    offsets, ends = (np.concatenate([[0], np.cumsum(sizes)]) for sizes in (lengths, pools))
    grade = chance.choice(grades, ends[-1]).astype(float)
    row = [
        start + chance.permutation(pool)[:length]
        for start, pool, length in zip(ends, pools, lengths, strict=False)
    ]
    rank = [np.sort(chance.choice(max(deepest, length), length, replace=False)) + 1.0 for length in lengths]
    last = np.array([ranks[-1] if len(ranks) else 0.0 for ranks in rank])
    row = np.concatenate([*row, []]).astype(np.int64)
    return JudgedRun(
        offsets,
        np.concatenate([*rank, []]),
        grade[row],
        pool=Ranking.best_first(ends, grade),
        retrieved=last + chance.integers(0, 3, len(lengths)),
        present=lengths > 0,
        row=row,
    )


def assert_same(form: Measure, judged: JudgedRun) -> bool:
    """The values and what is undefined are those of the function on arrays, to the last bit; False where it declines."""
    program = recorded((form,)).program(judged.top)
    found = None if program is None else program.values(judged)
    if found is None:
        return False
    values, undefined = form.evaluate(OnArrays(**judged.fields()))
    assert found[0].tobytes() == values.tobytes(), (form, found[0], values)
    assert (found[1] != 0).tolist() == undefined.tolist(), form
    return True


GRADES = [[0, 1], [0, 1, 2, 3], [-2, -1, 0, 1, 4], [0], [-1], [0, 0.5, 1, 1.75, 3]]


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32 - 1),
    lengths=st.lists(st.one_of(st.integers(0, 12), st.integers(0, 150)), max_size=9),
    grades=st.sampled_from(GRADES),
    deepest=st.sampled_from([1, 20, 400, 5000]),
)
def test_every_measure_has_the_bits_of_its_function_on_arrays(seed, lengths, grades, deepest):
    judged = record_of(np.random.default_rng(seed), np.array(lengths, np.int64), grades, deepest)
    for form in EVERY:
        assert_same(form, judged)


@pytest.mark.parametrize("lengths", [[3000], [0, 3000, 1, 129, 128, 8, 9, 7], [1] * 5000, [17] * 700])
def test_so_do_long_lists_and_many_topics(lengths):
    judged = record_of(np.random.default_rng(len(lengths)), np.array(lengths), [0, 1, 2, 3], 4000)
    for form in EVERY:
        assert assert_same(form, judged) == (form.name not in ON_ARRAYS), form


def test_recorded_are_all_but_those_that_use_other_operations():
    """A measure that is no longer recorded would be slower, and nothing else would say so."""
    assert {form.name for form in EVERY if recorded((form,)).program(3.0) is None} == ON_ARRAYS


def test_several_measures_are_one_program():
    forms = tuple(form for form in EVERY if form.name not in ON_ARRAYS)
    judged = record_of(np.random.default_rng(3), np.array([5, 0, 9, 31]), [0, 1, 2], 60)
    together = recorded(forms).program(judged.top).values(judged)
    for place, form in enumerate(forms):
        values, undefined = form.evaluate(OnArrays(**judged.fields()))
        assert together[place].tobytes() == values.tobytes(), form
        assert (together[len(forms) + place] != 0).tolist() == undefined.tolist(), form


def test_a_measure_gives_the_same_when_it_is_asked_again():
    judged = record_of(np.random.default_rng(5), np.array([5, 0, 9]), [0, 1, 2], 60)
    for form in EVERY:
        first, again = form.evaluate(judged), form.evaluate(judged)
        assert [values.tobytes() for values in first] == [values.tobytes() for values in again], form
        assert (again[0].flags.writeable, again[0].dtype, again[1].dtype) == (True, np.float64, np.bool_)


def test_ranks_beyond_the_tables_are_looked_up_in_longer_ones_and_at_last_on_arrays():
    for deepest, there in ((SHORT, True), (SHORT + 1, True), (50_000, True), (LONGEST + 1, False)):
        judged = record_of(np.random.default_rng(1), np.array([3]), [1, 2], 10)
        judged = judged.replace(rank=np.array([1.0, 2.0, deepest]), first=None, last=None)
        assert assert_same(RBP, judged) == there
        assert assert_same(nDCG, judged)  # logarithms to the base 2 are no table
        assert np.isfinite([RBP(judged), RBP(judged)]).all()


def test_what_a_program_cannot_say_is_asked_of_arrays():
    fractional = record_of(np.random.default_rng(1), np.array([4]), [0.5, 1.5], 10)
    form = nDCG(gain="exp")
    assert not assert_same(form, fractional)
    assert (
        form(fractional).tobytes()
        == form(fractional).tobytes()
        == form(OnArrays(**fractional.fields())).tobytes()
    )
    enormous = record_of(np.random.default_rng(1), np.array([4]), [2000.0], 10)
    for _ in range(3):
        with pytest.raises(MeasureError, match="more than sums of gains can hold"):
            form(enormous)


@pytest.mark.parametrize("form", [nDCG, nDCG @ 2, parse("RBP(p=0.8)")], ids=str)
def test_ranks_between_whole_ones_are_no_places_of_tables(form):
    judged = record_of(np.random.default_rng(1), np.array([3]), [1, 2], 10)
    judged = judged.replace(rank=np.array([1.5, 2.5, 3.0]), first=None, last=None)
    wanted = form(OnArrays(**judged.fields())).tobytes()
    assert [form(judged).tobytes() for _ in range(3)] == [wanted] * 3


def steps_for(grades):
    """Python functions that recording nDCG with a table of gains passes."""
    passed = 0

    def note(_, event, __):
        nonlocal passed
        passed += event == "call"

    form = nDCG(gain={grade: grade * grade % 101 for grade in range(1, grades + 1)})
    sys.setprofile(note)
    try:
        recorded((form,)).program(3.0)
    finally:
        sys.setprofile(None)
    return passed


def test_recording_a_table_takes_time_in_proportion_to_its_length():
    assert steps_for(81) < 2.5 * steps_for(40)
    assert steps_for(300) < 10 * steps_for(39)  # stays on arrays or not


def test_measures_with_very_many_symbols_stay_on_arrays():
    def many(judged):
        return tuple(judged.retrieved * number for number in range(MOST_SYMBOLS))

    assert traced(many, 1.0) == (None, False)
    assert traced(lambda judged: many(judged)[:50], 1.0)[0] is not None


def test_measures_of_the_best_grade_have_a_program_for_each():
    chance = np.random.default_rng(2)
    for _ in range(2):
        for top in (1, 2, 5, 3):
            judged = record_of(chance, np.array([9, 4]), [0, top], 30)
            assert [assert_same(parse(text), judged) for text in ("ERR", "RBP(p=0.8)")] == [True, True]


SCALE = 1.0


@measure(bounds=(0, 10))
def Scaled(judged):
    """Follows from a number around it."""
    return SCALE * judged.total(where=judged.grade >= 1)


def test_a_function_of_the_users_own_is_asked_each_time(monkeypatch):
    judged = record_of(np.random.default_rng(2), np.array([4]), [1], 5)
    gain = Gain("own", lambda grade: SCALE * grade, rising=True)
    discount = Discount("own", lambda rank, base: SCALE * base * rank)
    for form in (Scaled, nDCG(gain=gain), nDCG(discount=discount)):
        assert recorded((form,)).program(1.0) is None
    assert [Scaled(judged)[0] for _ in range(3)] == [4, 4, 4]
    monkeypatch.setitem(globals(), "SCALE", 2.0)
    assert Scaled(judged)[0] == 8


def test_what_follows_from_the_judgments_is_computed_once_for_all_runs():
    chance = np.random.default_rng(4)
    judged = record_of(chance, np.array([6, 3]), [0, 1, 2], 20)
    program = recorded((nDCG @ 10, AP)).program(judged.top)
    assert len(program.columns(judged.pool)) > 0
    assert program.columns(judged.pool) is program.columns(judged.pool)


def test_branches_and_unknown_operations_are_not_recorded():
    def branching(judged):
        return (judged.count(1) if judged.count(1) > 2 else judged.count(2),)

    def looking_up(judged):
        return (judged.grade[0],)

    def mixing(judged):
        return (judged.total(judged.cut(3).grade),)

    for function in (branching, looking_up, mixing):
        assert traced(function, 1.0) == (None, False)


RANKING = np.array([0, 2]), np.array([1.0, 2.0]), np.array([1.0, 0.0])
ADD = ("add", 0, 0, 1, 0, 0, None)
GRADE = ("grade", 0, 0, 0, None, None, None)
COUNT = ("count", -1, 0, 1, None, None, None)


@pytest.mark.parametrize(
    ("steps", "outputs"),
    [
        ([("nonsense", 0, 0, 0, None, None, None)], []),
        ([("add", 0, 0, 0, 0, 0, None)], []),  # of itself
        ([("add", 0, 0, 0, -1, -2, None)], []),  # a constant that is not there
        ([GRADE, ("total", -1, 1, 1, 0, None, None)], [1]),  # places of another list
        ([GRADE, ("add", -1, -1, 1, 0, 0, None)], [1]),
        ([GRADE], [0]),  # a number of each place, for one of each topic
        ([("rank", 5, 5, 0, None, None, None)], []),
        ([("table", 0, 0, 0, 3, None, None)], []),
        ([GRADE, ("count", -1, 0, 7, None, None, None)], []),
        ([("cut", 0, 0, 9, -1, None, None)], []),
        ([("column", -1, -1, 0, -4, None, None)], [0]),
        ([("grade", 0)], []),
        ([("sqrt", -1, -1, 0, -1, 2**31 - 1, None)], [0]),  # operands that the operation does not take
        ([("count", -1, 0, 0, -(2**31) + 1, None, None)], [0]),
        ([("rank", 0, 0, 0, 2**31 - 1, None, None)], []),
        ([("table", 0, 0, 0, 0, 2**31 - 1, None)], []),
        ([("retrieved", -1, -1, 0, None, None, -7)], [0]),
        ([("each", 0, 0, 0, -1, 5, None)], []),
        ([("cut", 0, 0, 2, -1, 5, None)], []),
        ([("column", -1, -1, 0, 2**31 - 1, None, None)], [0]),
    ],
)
def test_the_core_refuses_steps_that_refer_to_what_is_not_there(steps, outputs):
    with pytest.raises(ValueError, match=r"no operation|seven fields|what is not there"):
        NativeProgram(steps, [1.0], [np.ones(3)], outputs)


def test_the_core_refuses_arrays_that_do_not_fit_together():
    program = NativeProgram([GRADE, COUNT], [], [], [1])
    nothing, columns, out = np.zeros(1), np.empty((0, 1)), np.empty((1, 1))
    assert program.run(*RANKING, *RANKING, nothing, columns, out)
    assert out.tolist() == [[2.0]]
    offsets, rank, grade = RANKING
    for bad in ((np.array([0, 3]), rank, grade), (np.array([1, 2]), rank, grade), (offsets, rank[:1], grade)):
        with pytest.raises(ValueError, match="fit together"):
            program.run(*bad, *RANKING, nothing, columns, out)
        with pytest.raises(ValueError, match="fit together"):
            program.run(*RANKING, *bad, nothing, columns, out)
    with pytest.raises(ValueError, match="fit the program"):
        program.run(*RANKING, *RANKING, nothing, columns, np.empty((2, 1)))
    with pytest.raises(ValueError, match="fit the program"):
        NativeProgram([("column", -1, -1, 0, 0, None, None)], [], [], [0]).run(
            *RANKING, *RANKING, nothing, columns, out
        )


def test_programs_run_in_many_threads_at_once():
    from concurrent.futures import ThreadPoolExecutor

    forms = (nDCG @ 10, AP, RR, P @ 5, parse("ERR"), parse("Q"))
    records = [record_of(np.random.default_rng(n), np.full(3000, 40), [0, 1, 2], 300) for n in range(2)]
    program = recorded(forms).program(2.0)
    wanted = [program.values(judged).tobytes() for judged in records]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: program.values(records[n % 2]).tobytes(), range(24)))
    assert found == [wanted[n % 2] for n in range(24)]


def test_a_program_may_have_values_that_are_constants_or_of_the_judgments_alone():
    judged = record_of(np.random.default_rng(1), np.array([2, 0]), [1], 5)
    program = Program([traced_count(), 2.5])
    assert program.values(judged).tolist() == [judged.count(1).tolist(), [2.5, 2.5]]


def traced_count():
    from gainful.programs.hit_tracing import TracedRecord

    return TracedRecord(1.0).count(1)
