"""How long do measures take where the scores are? Dense arrays, on the GPU where there is one, beside torchmetrics.

It needs PyTorch and the source tree alone: `PYTHONPATH=src python benchmarks/arrays.py` prints the table.
"""

import importlib.util
import statistics
import time
from collections.abc import Callable
from typing import Any

COLUMNS = 1000
SEVERAL = "nDCG@10, AP, RR, P@10, R@100"
MEASURES = ("RR", "nDCG@10", "P@10", "ERR(top=3)@10", "nDCG@100", "AP", "nDCG", SEVERAL)


def answer() -> None:
    if importlib.util.find_spec("torch") is None:
        print("  PyTorch is not installed: nothing to time")
        return
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    name = torch.cuda.get_device_name() if device == "cuda" else "no GPU here; on the CPU"
    print(f"  {name}, PyTorch {torch.__version__}, 32-bit scores and grades")
    for topics in (1_000, 100_000) if device == "cuda" else (1_000,):
        print(f"  {topics:,} topics × {COLUMNS:,} candidates")
        _measures(torch, device, topics)
    if device == "cuda":
        _other_shapes(torch, device)
    _deliveries(torch, device)


def _measures(torch: Any, device: str, topics: int) -> None:
    from gainful.batch import evaluate

    chance = torch.Generator(device=device).manual_seed(1)
    scores = torch.randn((topics, COLUMNS), generator=chance, device=device)
    grades = torch.randint(0, 4, (topics, COLUMNS), generator=chance, device=device).float()
    told(f"memory limit: {topics * COLUMNS * 8 / 1e6:,.0f} MB, once", timed(scores.clone, device))
    told("PyTorch, nDCG@10 by two topk", timed(lambda: _two_topk(torch, scores, grades), device))
    told("PyTorch, a stable sort", timed(lambda: torch.sort(scores, descending=True, stable=True), device))
    for measures in MEASURES:
        for kernels in (True, False) if device == "cuda" else (False,):
            told(
                f"gainful {measures}{'' if kernels else ', plain'}",
                timed(lambda m=measures, k=kernels: evaluate(scores, grades, m, kernels=k), device),
            )
    found, wanted = evaluate(scores, grades, "nDCG@10")["nDCG@10"], _two_topk(torch, scores, grades)
    assert (found - wanted).abs().max() < 1e-5  # the same numbers
    if topics <= 1_000:
        _torchmetrics(torch, scores, grades, device)


def _other_shapes(torch: Any, device: str) -> None:
    """Few long lists, many short ones, and 16-bit scores with 8-bit grades."""
    from gainful.batch import evaluate

    chance = torch.Generator(device=device).manual_seed(3)
    for topics, columns, kind, of_grades, asked in (
        (200, 100_000, torch.float32, torch.float32, ("nDCG@100", "RR")),
        (1_000_000, 100, torch.float32, torch.float32, ("nDCG@10", "ERR(top=3)@10", "AP")),
        (100_000, 1_000, torch.bfloat16, torch.int8, ("RR", "nDCG@10", "AP", "nDCG", SEVERAL)),
    ):
        print(f"  {topics:,} topics × {columns:,} candidates, {kind} scores, {of_grades} grades")
        scores = torch.randn((topics, columns), generator=chance, device=device).to(kind)
        grades = torch.randint(0, 4, (topics, columns), generator=chance, device=device).to(of_grades)
        for measures in asked:
            for kernels in (True, False):
                taken = timed(
                    lambda s=scores, g=grades, m=measures, k=kernels: evaluate(s, g, m, kernels=k), device
                )
                told(f"gainful {measures}{'' if kernels else ', plain'}", taken)


def _two_topk(torch: Any, scores: Any, grades: Any) -> Any:
    """nDCG@10 as one writes it by hand, on lists that are whole."""
    weight = 1 / torch.log2(torch.arange(2, 12, device=scores.device))
    gained = (grades.gather(1, scores.topk(10).indices) * weight).sum(1)
    return gained / (grades.topk(10).values * weight).sum(1).clamp(min=1e-9)


def _torchmetrics(torch: Any, scores: Any, grades: Any, device: str) -> None:
    if importlib.util.find_spec("torchmetrics") is None:
        print("    torchmetrics is not installed here")
        return
    from torchmetrics.retrieval import RetrievalMAP, RetrievalNormalizedDCG

    topic = torch.arange(len(scores), device=device).repeat_interleave(COLUMNS)
    for name, made, target in (
        ("nDCG@10", RetrievalNormalizedDCG(top_k=10), grades.long()),
        ("MAP", RetrievalMAP(), grades > 0),
    ):
        metric = made.to(device)

        def once(metric: Any = metric, target: Any = target) -> None:
            metric.reset()
            metric.update(scores.flatten(), target.flatten(), indexes=topic)
            metric.compute()

        told(f"torchmetrics {name}", timed(once, device, rounds=3, calls=1))


def _deliveries(torch: Any, device: str) -> None:
    from gainful.batch import deliver

    gpu = device == "cuda"
    rows, across, deep = (65_536, 8_192, 1_024) if gpu else (4_096, 512, 128)
    kind = torch.bfloat16 if gpu else torch.float32
    unit = torch.nn.functional.normalize
    chance = torch.Generator(device=device).manual_seed(2)
    documents = unit(torch.randn((rows, deep), generator=chance, device=device), dim=1).to(kind)
    profiles = unit(torch.randn((across, deep), generator=chance, device=device), dim=1).to(kind)
    print(f"  {rows:,} documents × {across:,} profiles, {deep} dimensions, {kind}")
    work = 2 * rows * across * deep
    peak = timed(lambda: documents @ profiles.T, device)
    told(f"the matrix product alone: {work / peak / 1e12:,.0f} TFLOP/s", peak)
    for above in (5.4, 5.0, 4.0, 3.0):  # standard deviations of a score of random vectors
        thresholds = torch.full((across,), above / deep**0.5, device=device)
        for kernels in (True, False) if gpu else (False,):
            taken = timed(lambda t=thresholds, k=kernels: deliver(documents, profiles, t, kernels=k), device)
            number = len(deliver(documents, profiles, thresholds, kernels=kernels).score)
            what = "" if kernels else ", plain"
            told(f"deliver{what}: {number:,} deliveries, {peak / taken:.0%} of the product's rate", taken)


def timed(call: Callable[[], object], device: str, rounds: int = 7, calls: int = 10) -> float:
    """Seconds that a call takes: calls one after the other until the device is done, the median of several rounds."""
    rounds, calls = (rounds, calls) if device == "cuda" else (3, 1)
    call()
    taken = []
    for _ in range(rounds):
        _wait(device)
        start = time.perf_counter()
        for _ in range(calls):
            call()
        _wait(device)
        taken.append((time.perf_counter() - start) / calls)
    return statistics.median(taken)


def _wait(device: str) -> None:
    if device == "cuda":
        import torch

        torch.cuda.synchronize()


def told(what: str, seconds: float) -> None:
    print(f"    {what:<72}{seconds * 1e3:>10,.3f} ms", flush=True)


if __name__ == "__main__":
    answer()
