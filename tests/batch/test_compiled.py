"""`evaluate` inside functions that PyTorch and JAX compile, and measures as expressions."""

import numpy as np
import pytest

from gainful.batch import evaluate
from gainful.batch.kernel_text import KernelText, Layout
from gainful.measures import AP, get, measure, nDCG
from gainful.programs.measure_symbols import Untraceable

MEASURES = "nDCG@10, AP, RR, ERR(top=3)@5, Q"


def drawn(seed=1, shape=(6, 30)):
    chance = np.random.default_rng(seed)
    return chance.integers(-9, 9, shape).astype(np.float32), chance.integers(0, 4, shape).astype(np.float32)


@measure(bounds=(0, 1))
def Own(judged, *, cutoff: int | None = None):
    """A measure that no other module knows."""
    top = judged.cut(cutoff)
    return top.total(where=top.grade >= 2)


@pytest.mark.parametrize("asked", [MEASURES, nDCG @ 10, [nDCG @ 10, "AP, RR", AP(rel=2)], [Own @ 3]])
def test_torch_compile_takes_evaluate_into_one_graph(asked):
    torch = pytest.importorskip("torch")
    scores, grades = map(torch.asarray, drawn())
    mask = torch.asarray(drawn(2)[0] > -5)

    def doubled(scores, grades, mask):
        return evaluate(2 * scores, grades, asked, mask=mask)

    compiled = torch.compile(doubled, fullgraph=True, backend="aot_eager")
    found, wanted = compiled(scores, grades, mask), doubled(scores, grades, mask)
    assert list(found) == list(wanted)
    for name, values in wanted.items():
        np.testing.assert_allclose(found[name], values, rtol=0, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("kind", ["float64", "bfloat16", "int32"])
def test_in_a_graph_values_have_the_type_that_they_have_outside(kind):
    torch = pytest.importorskip("torch")
    scores, grades = (torch.asarray(array) for array in drawn())
    scores = scores.to(getattr(torch, kind))
    compiled = torch.compile(lambda s, g: evaluate(s, g, "AP")["AP"], fullgraph=True, backend="aot_eager")
    assert compiled(scores, grades).dtype == evaluate(scores, grades, "AP")["AP"].dtype


def test_jax_compiles_evaluate_and_maps_it_over_batches():
    jax = pytest.importorskip("jax")
    scores, grades = drawn(shape=(3, 6, 30))

    def values(scores, grades):
        return evaluate(scores, grades, MEASURES)

    wanted = [evaluate(*batch, MEASURES) for batch in zip(scores, grades, strict=True)]
    one_batch = jax.jit(values)(scores[0], grades[0])
    mapped = jax.jit(jax.vmap(values))(scores, grades)
    for name in wanted[0]:
        np.testing.assert_allclose(one_batch[name], wanted[0][name], rtol=0, atol=1e-5, err_msg=name)
        all_batches = np.stack([batch[name] for batch in wanted])
        np.testing.assert_allclose(mapped[name], all_batches, rtol=0, atol=1e-5, err_msg=name)


LAYOUT = Layout(
    block=64, pool=64, pieces=1, align=1, short=False, mask=False, unjudged=False, beyond=False, top=None
)


def text_of(name, columns=60):
    from gainful.batch.fused_evaluation import traced

    return KernelText([traced(get(name), columns, columns, top=False)], LAYOUT, columns, columns)


def test_the_first_relevant_rank_is_found_without_sorting():
    reciprocal_rank = text_of("RR")
    assert reciprocal_rank.depths == {"run": 0, "ideal": 0}
    assert "first_0" in str(reciprocal_rank)
    assert not reciprocal_rank.sorts


def test_a_cutoff_selects_and_no_cutoff_sorts():
    from gainful.batch.fused_evaluation import traced

    wide = Layout(**{**LAYOUT.__dict__, "block": 1024, "pool": 1024})
    selected = KernelText([traced(nDCG @ 10, 1000, 1000, top=False)], wide, 1000, 1000)
    assert (selected.depths, selected.scratch) == ({"run": 10, "ideal": 10}, 32)
    assert KernelText([traced(nDCG, 1000, 1000, top=False)], wide, 1000, 1000).sorts


@pytest.mark.parametrize("name", ["Q", "Compat", "INST"])
def test_what_cannot_be_written_as_an_expression_says_so(name):
    with pytest.raises(Untraceable):
        text_of(name)


def test_a_branch_on_the_data_cannot_be_traced():
    from gainful.batch.fused_evaluation import traced

    @measure(bounds=(0, 1))
    def Branching(judged):
        return judged.retrieved if judged.count(1) > 3 else judged.count(1)

    with pytest.raises(Untraceable, match="branch"):
        traced(Branching, 10, 10, top=False)
