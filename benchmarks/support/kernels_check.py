"""Are the kernels right on this device? `python kernels_check.py cuda`, or cpu with TRITON_INTERPRET=1.

Orders and sums are compared with literal ones in Python and NumPy, which share no code with the package.
"""

import sys

import numpy as np
import torch

from gainful.batch import deliver, evaluate, fused_evaluation, kernels, line_kernels
from gainful.batch.dense_ranking import Grades
from gainful.measures import get, names

DEVICE = sys.argv[1]
ON_GPU = DEVICE == "cuda"
CASES = [
    *(
        (7, 1, 1),
        (33, 17, 3),
        (50, 100, 10),
        (300, 1000, 10),
        (300, 1000, 16),
        (200, 1000, None),
        (50, 1024, 10),
    ),
    *((50, 1024, None), (40, 2500, 10), (9, 30000, 100), (64, 700, 100), (64, 700, 10), (33, 17, None)),
]
SMALL = [
    (4, 1, 1),
    (4, 9, 3),
    (4, 7, None),
    (4, 37, 3),
    (4, 9, 2),
    (3, 12, 1),
    (4, 70, 4),
    (3, 33, None),
]
TYPES = [(torch.float32, torch.float32), (torch.float16, torch.int64), (torch.bfloat16, torch.int8)]


def case(topics, columns, score_type, grade_type, masked, seed):
    chance = torch.Generator().manual_seed(seed)

    def drawn(low, high):
        return torch.randint(low, high, (topics, columns), generator=chance)

    scores = (drawn(-300, 301) / 64).to(score_type)
    scores = torch.where(drawn(0, 10) == 0, -torch.inf, scores)
    scores = torch.where(drawn(0, 20) == 0, -0.0 * torch.ones_like(scores), scores)
    grades = drawn(-1, 4).to(grade_type)
    if grade_type.is_floating_point:
        grades = torch.where(drawn(0, 5) == 0, torch.nan, grades)
    mask = drawn(0, 4) > 0 if masked else None
    if masked:
        mask[0] = False
    scores[topics // 2, columns // 2] = torch.nan
    return scores.to(DEVICE), grades.to(DEVICE), None if mask is None else mask.to(DEVICE)


def same(what, one, other):
    np.testing.assert_array_equal(one.cpu().numpy(), np.asarray(other), err_msg=what)


def judged(grades, mask, unjudged):
    """Grades as doubles, minus infinity where there is none; by NumPy alone."""
    clean = grades.cpu().double().numpy().copy()
    clean[np.isnan(clean)] = -np.inf
    if unjudged is not None:
        clean[clean == unjudged] = -np.inf
    if mask is not None:
        clean[~mask.cpu().numpy()] = -np.inf
    return clean


def literal(scores, clean, mask, k):
    """Each line sorted by Python, which leaves equal scores as they stand; and whether a score is not a number."""
    scores = scores.cpu().double().numpy().tolist()
    there = np.ones(clean.shape, bool) if mask is None else mask.cpu().numpy()
    found, broken = np.full((len(scores), k), -np.inf), []
    for line, of_line in enumerate(scores):
        columns = np.flatnonzero(there[line]).tolist()
        broken.append(any(of_line[column] != of_line[column] for column in columns))
        if not broken[-1]:
            first = sorted(columns, key=lambda column, of_line=of_line: -of_line[column])[:k]
            found[line, : len(first)] = clean[line, first]
    return found, np.array(broken)


def check_order():
    if not ON_GPU:
        line_kernels.PIECE = 4  # of 16 columns: lines of several pieces, where steps are slow
    for number, (topics, columns, k) in enumerate(CASES if ON_GPU else SMALL):
        (one, other), masked = TYPES[number % 3], number % 2 == 0
        scores, grades, mask = case(topics, columns, one, other, masked, number)
        if number % 4 == 1:  # no two are equal
            scores = torch.argsort(torch.rand(scores.shape, device=DEVICE), dim=-1).to(one)
        check_case(scores, grades, mask, 0 if number % 3 == 0 else None, k)


def check_case(scores, grades, mask, unjudged, k):
    what = f"{tuple(scores.shape)}, k={k}, {scores.dtype}, {grades.dtype}, mask={mask is not None}"
    held = Grades(grades, mask, unjudged, torch.zeros((1, 1), device=DEVICE))
    clean, n = judged(grades, mask, unjudged), min(k or scores.shape[1], scores.shape[1])
    wanted, not_numbers = literal(scores, clean, mask, n)
    found, broken = kernels.graded_in_order(scores, held, mask, k)
    same(f"not a number, {what}", broken, not_numbers)
    same(what, found[~broken], wanted[~not_numbers])
    same(f"largest, {what}", kernels.largest(held, n), -np.sort(-clean, axis=-1)[:, :n])
    print("equal:", what, flush=True)


def check_padding():
    """Lines in which 0, 1, 2, … places are padding, with grades that must not be seen."""
    for columns in (2, 4, 8, 16) if ON_GPU else (2, 4, 8):
        for k in (None, columns // 2):
            padding = torch.arange(columns)[None, :] < torch.arange(min(columns, 4) + 1)[:, None]
            scores = torch.arange(columns).float().expand(padding.shape).clone()
            grades = torch.where(padding, 9.0, 1.0 + torch.arange(columns) % 3)
            check_case(*(one.to(DEVICE) for one in (scores, grades, ~padding)), None, k)


def check_sweeps():
    for topics, columns in [(300, 1000), (20, 65), (9, 4096)] if ON_GPU else [(3, 65)]:
        _, grades, mask = case(topics, columns, torch.float32, torch.float32, True, 1)
        clean = judged(grades, mask, None)
        grade = torch.asarray(clean, dtype=torch.float32, device=DEVICE)
        rank = np.arange(1.0, columns + 1)
        hit, relevant, weight = clean > -np.inf, clean >= 1, 1 / rank
        for x in (relevant, np.where(relevant, clean, 0) * weight, weight):
            kept = np.where(hit, x, 0.0)
            near(line_kernels.running(grade, on_device(x)), np.cumsum(kept, axis=-1))
            for where in (None, relevant, rank > 3):
                counted = kept if where is None else np.where(where, kept, 0.0)
                given = grade, on_device(x), None if where is None else on_device(where)
                near(line_kernels.reduced(*given, most=False), counted.sum(axis=-1))
                near(line_kernels.reduced(*given, most=True), counted.max(axis=-1))
        counted = line_kernels.reduced(grade, None, on_device(relevant), most=False)
        same("counted", counted, (hit & relevant).sum(axis=-1))


def on_device(x):
    made = torch.asarray(x).to(DEVICE)
    return made if made.dtype is torch.bool else made.float()


def near(found, wanted):
    np.testing.assert_allclose(found.cpu().numpy(), wanted, rtol=1e-5, atol=1e-5)


def check_fused():
    """Measures in one kernel beside operations on arrays, in 64 bits: rows held, long, with ties and without."""
    asked = traceable()
    if not ON_GPU:  # the interpreter reads arrays of the host
        fused_evaluation._fits = lambda *_: True
    for number, (topics, columns, further) in enumerate(
        [(300, 1000, 0), (60, 100, 9), (50, 1000, 70), (40, 5000, 3), (9, 30_000, 0), (7, 1, 2)]
        if ON_GPU
        else [(7, 40, 5), (6, 90, 0)]
    ):
        (one, other), masked = TYPES[number % 3], number % 2 == 0
        scores, grades, mask = case(topics, columns, one, other, masked, 20 + number)
        if number % 3 == 0 and columns > 1:
            close_together(scores)
        beyond = torch.randint(-1, 4, (topics, further), device=DEVICE).to(other) if further else None
        some = asked[number::6] if ON_GPU and columns > 100 else asked  # large kernels take long to compile
        check_values(some, scores, grades, mask, beyond, -1 if number % 2 else None)
        check_values(asked[number::8], scores, torch.rand(grades.shape, device=DEVICE) * 3, mask, None, None)
    if not ON_GPU:  # rows that are read in pieces
        fused_evaluation.HELD = fused_evaluation.PIECE = 64
        scores, grades, mask = case(6, 150, torch.float16, torch.int8, True, 30)
        check_values([one for one in asked if one.cutoff], scores, grades, mask, None, -1)


def close_together(scores):
    """Topics whose scores differ in their last bits only, all are equal, or one is far from all others."""
    steps = torch.randint(0, 50, scores.shape[1:], device=DEVICE)
    scores[-1] = (1 + steps * torch.finfo(scores.dtype).eps).to(scores.dtype)
    scores[-2] = 0.5
    scores[-3] = scores[-1]
    scores[-3, 0] = -30_000.0


def traceable():
    """Measures that become kernels, at every rank and at 20."""
    asked = [get(name) for name in names() if get(name).needs is None]
    asked = [one @ {"cutoff": 10, "recall": 0.3}[one.definition.at] if one._lacks else one for one in asked]
    asked += [one @ 20 for one in asked if "cutoff" in one.definition.parameters]
    kept = []
    for one in asked:
        try:
            fused_evaluation.traced(one, 40, 45, top=True)
        except fused_evaluation.Untraceable:
            continue
        kept.append(one)
    return kept


def check_values(asked, scores, grades, mask, beyond, unjudged):
    top = 3.0
    found = fused_evaluation.fused(
        {str(one): one for one in asked}, scores, grades, mask, beyond, unjudged, top
    )
    assert scores.shape[1] > 1024 or len(found) == len(asked), "some are computed by operations on arrays"
    arrays = [None if one is None else one.cpu() for one in (mask, beyond)]
    exact = evaluate(
        scores.cpu().double(),
        grades.cpu(),
        [one for one in asked if str(one) in found],
        mask=arrays[0],
        beyond=arrays[1],
        unjudged=unjudged,
        top=top,
    )
    for name, wanted in exact.items():
        alike(name, found[name], wanted)
    print(
        "equal:",
        len(found),
        "measures in one kernel,",
        tuple(scores.shape),
        scores.dtype,
        grades.dtype,
        flush=True,
    )


def alike(name, found, wanted):
    found, wanted = found.cpu().double(), wanted.cpu().double()
    assert torch.equal(found.isnan(), wanted.isnan()), name
    off = ((found - wanted).abs() / wanted.abs().clamp(min=1)).nan_to_num()
    assert off.max() <= 2e-5, f"{name}: off by {off.max():.2g} in line {int(off.argmax())}"


def check_compiled():
    """On the GPU alone: inside torch.compile, with and without CUDA graphs, the values are the same."""
    measures = "nDCG@10, AP, RR, P@10, R@100, Q"
    for mode in (None, "reduce-overhead"):
        loss = torch.compile(
            lambda scores, grades: evaluate(2 * scores, grades, measures), fullgraph=True, mode=mode
        )
        for seed in range(4):
            scores, grades, _ = case(100, 300, torch.float32, torch.float32, False, 40 + seed)
            found = {name: values.clone() for name, values in loss(scores, grades).items()}
            for name, wanted in evaluate(scores, grades, measures, kernels=False).items():
                alike(name, found[name], wanted)
        print("equal: torch.compile, mode", mode, flush=True)


def check_measures():
    """On the GPU alone: with kernels and without, nothing waits for the device, and the values are those of the CPU."""
    scores, grades, mask = case(500, 700, torch.float32, torch.float32, True, 5)
    scores = torch.nan_to_num(scores, nan=0.0, neginf=-torch.inf)
    beyond = torch.randint(-1, 4, (500, 9)).float().to(DEVICE)
    asked = [get(name) for name in names() if get(name).needs is None]
    asked = [one @ {"cutoff": 10, "recall": 0.3}[one.definition.at] if one._lacks else one for one in asked]
    asked += [one @ 20 for one in asked if "cutoff" in one.definition.parameters]
    for some in (asked[first::9] for first in range(9)):  # a kernel of all of them takes long to compile
        evaluate(scores, grades, some, mask=mask, beyond=beyond)
        torch.cuda.set_sync_debug_mode("error")
        fast = evaluate(scores, grades, some, mask=mask, beyond=beyond)
        plain = evaluate(scores, grades, some, mask=mask, beyond=beyond, kernels=False)
        torch.cuda.set_sync_debug_mode("default")
        given = (one.cpu().double() for one in (scores, grades))
        exact = evaluate(*given, some, mask=mask.cpu(), beyond=beyond.cpu().double())
        for name, wanted in exact.items():
            for found in (fast[name], plain[name]):
                off = (found.cpu().double() - wanted).abs() / wanted.abs().clamp(min=1)
                assert off.max() <= 1e-5, f"{name}: off by {off.max():.2g}"
    print("equal: every measure, and nothing waits", flush=True)


def check_deliveries():
    """On the GPU alone: 16-bit matrix products."""
    for rows, across, deep, kind, share in (
        (1000, 700, 96, torch.bfloat16, 0.99),
        (130, 300, 33, torch.float16, 0.5),
        (3000, 900, 64, torch.float16, 0.9999),
    ):
        documents = torch.randn(rows, deep, device=DEVICE).to(kind)
        profiles = torch.randn(across, deep, device=DEVICE).to(kind)
        exact = documents.double() @ profiles.double().T
        thresholds = exact.float().quantile(share, dim=0)
        found = deliver(documents, profiles, thresholds)
        reached = torch.zeros_like(exact, dtype=torch.bool)
        reached[found.document, found.profile] = True
        near = (exact - thresholds).abs() < 1e-3
        assert (near | (reached == (exact >= thresholds))).all()
        assert (found.score - exact[found.document, found.profile]).abs().max() < 1e-3
        pair = found.document * across + found.profile
        assert (pair[1:] > pair[:-1]).all()


if __name__ == "__main__":
    check_order()
    check_padding()
    check_sweeps()
    if ON_GPU:
        check_deliveries()
        check_compiled()
        check_measures()
    check_fused()
    print("equal")
