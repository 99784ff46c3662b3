"""Are the kernels right on this device? `python kernels_check.py cuda`, or cpu with TRITON_INTERPRET=1."""

import sys

import torch

from gainful.batch import deliver, evaluate, kernels, selecting, sweeping
from gainful.batch.dense import Dense
from gainful.batch.grades import Grades
from gainful.batch.ordering import in_order, largest
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
SMALL = [(4, 1, 1), (4, 9, 3), (4, 7, None), (4, 37, 3), (4, 9, 2), (3, 12, 1)]
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
    assert torch.equal(one, other), f"{what}: {one} is not {other}"


def check_order():
    selecting.PIECE = (
        selecting.PIECE if ON_GPU else 16
    )  # so that there are several pieces, where steps are slow
    cases = CASES if ON_GPU else SMALL
    for number, (topics, columns, k) in enumerate(cases):
        (one, other), masked = TYPES[number % 3], number % 2 == 0
        scores, grades, mask = case(topics, columns, one, other, masked, number)
        if number % 4 == 1:  # no two are equal
            scores = torch.argsort(torch.rand(scores.shape, device=DEVICE), dim=-1).to(one)
        held = Grades(grades, mask, 0 if number % 3 == 0 else None, torch.zeros((1, 1), device=DEVICE))
        what = f"{topics} × {columns}, k={k}, {one}, {other}, mask={masked}"
        found, broken = kernels.graded_in_order(scores, held, mask, k)
        there = scores if mask is None else torch.where(mask, scores, 0.0)
        same(f"not a number, {what}", broken, torch.isnan(there).any(-1))
        order = in_order(scores.cpu(), None if mask is None else mask.cpu(), k).to(DEVICE)
        same(what, found[~broken], torch.take_along_dim(held.clean, order, -1)[~broken])
        n = min(k or columns, columns)
        same(f"largest, {what}", kernels.largest(held, n), largest(held.clean, n))
        print("equal:", what, flush=True)


def check_sweeps():
    for topics, columns in [(300, 1000), (20, 65), (9, 4096)] if ON_GPU else [(3, 65)]:
        _, grades, mask = case(topics, columns, torch.float32, torch.float32, True, 1)
        grade = Grades(grades, mask, None, torch.zeros((1, 1), device=DEVICE)).clean
        ranking = Dense(grade)
        relevant, weight = grade >= 1, 1 / ranking.rank
        worth = torch.where(relevant, grade, torch.nan_to_num(0.0 * grade)) * weight
        for x in (relevant, worth, weight):
            wanted = ranking.running(x)
            assert (sweeping.running(grade, x) - wanted).abs().max() <= 1e-5 * wanted.abs().max()
            for most in (False, True):
                for where in (None, relevant, ranking.rank > 3):
                    wanted = ranking.most(x, where) if most else ranking.total(x, where)
                    found = sweeping.reduced(grade, x, where, most=most)
                    assert (found - wanted).abs().max() <= 1e-5 * wanted.abs().max().clamp(min=1)
        same("counted", sweeping.reduced(grade, None, relevant, most=False), ranking.total(where=relevant))


def check_measures():
    """On the GPU alone: with kernels and without, nothing waits for the device, and the values are those of the CPU."""
    scores, grades, mask = case(500, 700, torch.float32, torch.float32, True, 5)
    scores = torch.nan_to_num(scores, nan=0.0, neginf=-torch.inf)
    beyond = torch.randint(-1, 4, (500, 9)).float().to(DEVICE)
    asked = [get(name) for name in names() if get(name).needs is None]
    asked = [one @ {"cutoff": 10, "recall": 0.3}[one.definition.at] if one._lacks else one for one in asked]
    asked += [one @ 20 for one in asked if "cutoff" in one.definition.parameters]
    evaluate(scores, grades, asked, mask=mask, beyond=beyond)  # kernels are compiled
    torch.cuda.set_sync_debug_mode("error")
    fast = evaluate(scores, grades, asked, mask=mask, beyond=beyond)
    plain = evaluate(scores, grades, asked, mask=mask, beyond=beyond, kernels=False)
    torch.cuda.set_sync_debug_mode("default")
    scores, grades, beyond = (one.cpu().double() for one in (scores, grades, beyond))
    exact = evaluate(scores, grades, asked, mask=mask.cpu(), beyond=beyond)
    for name, wanted in exact.items():
        for found in (fast[name], plain[name]):
            off = (found.cpu().double() - wanted).abs() / wanted.abs().clamp(min=1)
            assert off.max() <= 1e-5, f"{name}: off by {off.max():.2g}"


def check_deliveries():
    """On the GPU alone: 16-bit matrix products."""
    for rows, across, deep, kind in ((1000, 700, 96, torch.bfloat16), (130, 300, 33, torch.float16)):
        documents = torch.randn(rows, deep, device=DEVICE).to(kind)
        profiles = torch.randn(across, deep, device=DEVICE).to(kind)
        exact = documents.double() @ profiles.double().T
        thresholds = exact.float().quantile(0.99, dim=0)
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
    check_sweeps()
    if ON_GPU:
        check_measures()
        check_deliveries()
    print("equal")
