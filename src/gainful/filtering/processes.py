"""Replays shared out among processes; the same outcomes as in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gainful.filtering.experiment import Outcome, Trial, Variant

Task = tuple[int, int, bool]
"""A topic, a variant, and whether everything is kept."""

_ENOUGH = 400_000  # documents × replays from which other processes are worth starting


def replays(
    trial: Trial, variants: Sequence[Variant], tasks: Sequence[Task], jobs: int
) -> Iterator[tuple[int, int, Outcome]]:
    """The outcome of every task, with its topic and its variant, as they come; `jobs` processes at the most."""
    # Topics with much to find take longest, and go first.
    ordered = sorted(tasks, key=lambda task: -len(trial.relevant[task[0]]))
    if jobs == 1 or len(trial.collection) * len(tasks) < _ENOUGH:
        return (_done(trial, variants, task) for task in ordered)
    return _shared_out(trial, variants, ordered, min(jobs, len(tasks)))


def _done(trial: Trial, variants: Sequence[Variant], task: Task) -> tuple[int, int, Outcome]:
    topic, number, trace = task
    return topic, number, trial.run(topic, variants[number], trace=trace)


def _shared_out(
    trial: Trial, variants: Sequence[Variant], tasks: Sequence[Task], jobs: int
) -> Iterator[tuple[int, int, Outcome]]:
    """The tasks done by some processes, each given the next one as soon as it has answered.

    Pipes and processes alone: when it is interrupted, nothing is left behind.
    """
    from multiprocessing import get_context
    from multiprocessing.connection import wait

    context = get_context("spawn")
    ends, workers = [], []
    try:
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            worker = context.Process(target=_work, args=(theirs, trial, list(variants)), daemon=True)
            worker.start()
            theirs.close()
            ends.append(ours)
            workers.append(worker)
        waiting = list(reversed(tasks))
        for end in ends:
            _ask(end, waiting.pop())
        answers = 0
        while answers < len(tasks):
            ready: list[Any] = wait(ends)
            for one in ready:
                answer = _answer(one)
                answers += 1
                if waiting:
                    _ask(one, waiting.pop())
                yield answer
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()


def _ask(end: Any, task: Task) -> None:
    try:
        end.send(task)
    except OSError:  # not to be taken for a reader of our output that went away
        raise _ended() from None


def _answer(end: Any) -> tuple[int, int, Outcome]:
    try:
        answer: tuple[int, int, Outcome] | Exception = end.recv()
    except (EOFError, OSError):
        raise _ended() from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _ended() -> RuntimeError:
    return RuntimeError("a process that replays topics ended without an answer; was memory short?")


def _work(end: Any, trial: Trial, variants: Sequence[Variant]) -> None:
    """A process that answers task after task until it is ended."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who asked is told, and ends this one
    try:
        while True:
            task = end.recv()
            try:
                end.send(_done(trial, variants, task))
            except Exception as fault:
                end.send(fault)
    except (EOFError, OSError):
        return
