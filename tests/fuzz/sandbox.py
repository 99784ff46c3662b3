"""A command in a process of its own, with bounds on its time and memory."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

FINE = frozenset({0, 2, 3, 4})
"""Exit codes that a command may give on any input; a gate may also fail, with 1."""

SECONDS = 20
"""A command on a few kilobytes that takes longer hangs."""

PEAK = 500 << 20
"""Resident bytes, beyond those of the process that starts it, that no command on a few kilobytes may need."""

ADDRESSES = 6 << 30
"""Address space of the process: protects the machine while a fault is looked for."""


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    code: int
    signal: int
    hung: bool
    peak: int
    output: bytes
    messages: str


def run(arguments: list[str], folder: Path) -> Outcome:
    """Run `gainful` with these arguments in a child process, in this folder."""

    def command() -> int:
        from gainful import cli

        return cli.run(arguments)

    return call(command, folder)


def call(task: Callable[[], int], folder: Path) -> Outcome:
    """Call a function that gives an exit code in a child process, in this folder."""
    out, err = folder / ".stdout", folder / ".stderr"
    resident, shared = map(int, Path("/proc/self/statm").read_text().split()[1:3])
    inherited = (resident - shared) * resource.getpagesize()  # pages of files are not handed down
    child = os.fork()
    if child == 0:
        _child(task, folder, out, err)
    status, usage, hung = _wait(child)
    return Outcome(
        code=os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else -1,
        signal=os.WTERMSIG(status) if os.WIFSIGNALED(status) and not hung else 0,
        hung=hung,
        peak=max(0, (usage.ru_maxrss << 10) - inherited),
        output=out.read_bytes(),
        messages=err.read_text(errors="replace"),
    )


def _child(task: Callable[[], int], folder: Path, out: Path, err: Path) -> None:
    """Runs the task and ends the process."""
    code = 99
    try:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.chdir(folder)
        for number, path in ((1, out), (2, err)):
            opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(opened, number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdin, sys.stdout, sys.stderr = (
            open(0, closefd=False),  # noqa: SIM115 (open as long as the process)
            open(1, "w", closefd=False),  # noqa: SIM115
            open(2, "w", closefd=False),  # noqa: SIM115
        )
        code = task()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _wait(child: int) -> tuple[int, resource.struct_rusage, bool]:
    deadline = time.monotonic() + SECONDS
    while True:
        ended, status, usage = os.wait4(child, os.WNOHANG)
        if ended:
            return status, usage, False
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            _, status, usage = os.wait4(child, 0)
            return status, usage, True
        time.sleep(0.002)


def fault(outcome: Outcome, allowed: frozenset[int]) -> str | None:
    """What is wrong with the way a command ended; None where nothing is."""
    if outcome.hung:
        return f"still running after {SECONDS} s"
    if outcome.signal:
        return f"ended by signal {outcome.signal}"
    if outcome.code not in allowed:
        return f"exit code {outcome.code}"
    if outcome.peak > PEAK:
        return f"{outcome.peak >> 20} MB of memory"
    if "Traceback" in outcome.messages or "panicked" in outcome.messages:
        return "a traceback on standard error"
    if unclean := [character for character in outcome.messages if character in "\x1b\x9b\0"]:
        return f"{unclean[0]!r} printed raw on standard error"
    return None


def failure_of(arguments: list[str], folder: Path) -> str | None:
    """Run `gainful` with these arguments: what is wrong with the way it ended, with the command and its messages."""
    outcome = run(arguments, folder)
    failure = fault(outcome, FINE | {1} if arguments[0] == "gate" else FINE)
    return failure and f"{failure}: gainful {' '.join(arguments)}\n{outcome.messages[-600:]}"
