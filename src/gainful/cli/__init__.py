"""The command line: each command reads, calls one function, prints.

Here, and nowhere else, an exception becomes an exit code: 0 fine · 1 a gate failed · 2 wrong usage · 3 bad data or file ·
4 nothing to compare · 70 internal error · 130 interrupted · 141 the reader of our output went away · 143 terminated.

Importing this module loads nothing but what is here, so that an interrupt finds `main` at work, not an import.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import FrameType

    import click

INTERRUPTED = "gainful: interrupted; no file is half written."

_received: list[int] = []
"""Signals that asked this process to end."""


def main() -> None:
    """Run the command; every way it can end has its exit code."""
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
                signal.signal(number, _interrupted)
        _tune()
        _open_streams()
        code = run(sys.argv[1:])
    except BaseException:  # a second signal, while the first was reported
        code = 128 + (_received[0] if _received else signal.SIGINT)
    _leave(code)


def run(arguments: list[str]) -> int:
    """The exit code of a command line, whether or not the message beside it can be written."""
    try:
        from gainful.errors import PlainCore

        warnings.simplefilter("ignore", PlainCore)  # it is said below, once, as a note
        from gainful.cli.commands import gainful

        if "_GAINFUL_COMPLETE" in os.environ:
            from gainful.cli.completion import install

            install()
        gainful.main(arguments, prog_name="gainful", standalone_mode=False)
        sys.stdout.flush()
        core = sys.modules.get("gainful._core")
        if core is not None and core.PLAIN_UNASKED and arguments != ["--version"]:
            say(f"note: {core.SLOW}")
    except BaseException as error:
        message, code = _ending(error)
        if message:
            with suppress(OSError, ValueError):  # nobody can be told
                say(message)
        return code
    return 0


def say(message: str) -> None:
    """Print a message or a note on standard error, with control characters made visible; on a terminal filled to its width.

    Names of files and messages of libraries may hold escape sequences, which a terminal would obey.
    """
    from gainful.errors import printable

    lines = printable(message)
    if sys.stderr.isatty():
        lines = _filled(lines)
    sys.stderr.write(f"{lines}\n")
    sys.stderr.flush()


def _filled(message: str) -> str:
    """The message in lines as wide as the terminal, those that go on indented; where nobody reads along, lines stay whole."""
    import shutil

    from gainful.presentation.text_style import Screen

    screen = Screen(shutil.get_terminal_size().columns)
    return "\n".join(screen.filled(line, indent="  ") if line else "" for line in message.split("\n"))


def _ending(error: BaseException) -> tuple[str, int]:
    """What to say of an exception that ended a command, and its exit code."""
    if (
        _received
    ):  # whatever surfaced: a library may turn an interrupt of its import into an exception of its own
        return INTERRUPTED, 128 + _received[0]
    import click

    from gainful.errors import GainfulError

    if isinstance(error, KeyboardInterrupt | click.Abort):
        return INTERRUPTED, 128 + signal.SIGINT
    if isinstance(error, GainfulError):
        return f"gainful: {error}", error.exit_code
    if isinstance(error, click.ClickException):
        return _usage(error), 2
    if isinstance(error, SystemExit) and error.code == 0:  # click has answered a shell that completes
        return "", 0
    if isinstance(error, BrokenPipeError | SystemExit):
        # The latter is click's answer to a closed pipe, with the code of a failed gate. Whoever read our output has seen
        # enough; Python must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return "", 141
    if isinstance(error, ModuleNotFoundError) and not (error.name or "gainful").startswith("gainful"):
        return f"gainful: {_missing(str(error.name))}", 2
    refused = _refusal(error)
    if refused:
        return f"gainful: {refused}", 3
    return _internal(error), 70


def _missing(module: str) -> str:
    """What to do where a package that a plain install brings along is not there, as in a browser or after `--no-deps`."""
    name = module.partition(".")[0]
    package = {"Stemmer": "PyStemmer", "vl_convert": "vl-convert-python"}.get(name, name.replace("_", "-"))
    return f"this needs one more package, which is not installed: pip install {package}"


def _refusal(error: BaseException) -> str:
    """Why the machine refused, where it did: the operating system, memory or nesting; nothing for other exceptions."""
    if isinstance(error, OSError):
        return _system_refusal(error)
    if isinstance(error, MemoryError):
        detail = f" ({error})" if str(error) else ""
        return f"out of memory{detail}. Use fewer or smaller files, or raise the limit (ulimit -v)."
    if isinstance(error, RecursionError):
        return "the input is nested too deeply. Flatten it; nothing was written."
    if isinstance(error, RuntimeError) and "can't start new thread" in str(error):
        return "the system allows no more threads. Use fewer (--threads 1), or raise the limit (ulimit -u, ulimit -v)."
    return ""


def _system_refusal(error: OSError) -> str:
    reason = (error.strerror or str(error) or type(error).__name__).rstrip(".")
    if error.filename is not None:
        place = (
            os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else str(error.filename)
        )
        return f"{place}: {reason}."
    try:
        os.getcwd()  # noqa: PTH109 (whether there is one)
    except OSError:
        return "the current folder does not exist any more. Change to one that does."
    return f"a file or standard stream cannot be read or written: {reason}."


def _usage(error: click.ClickException) -> str:
    """Click's message for wrong usage, with the line of usage above it; or the help, where nothing was asked for."""
    from io import StringIO

    text = StringIO()
    error.show(text)
    return text.getvalue().rstrip("\n")


def _internal(error: BaseException) -> str:
    import traceback

    from gainful import __version__

    lines = "".join(traceback.format_exception(error))
    return f"{lines}gainful: internal error (version {__version__}); please report it with the lines above."


def _interrupted(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 (a signal handler's signature)
    _received.append(number)
    raise KeyboardInterrupt


def _tune() -> None:
    """A process that lives so briefly has little to collect; threads that read should not wait for imports.

    Reading and resampling use all cores themselves, so BLAS gets one thread. NumPy spends a sixth of its import on attaching
    docstrings, which no command shows. Both must be set before NumPy is imported. SciPy imports all modules of NumPy; those
    that no command uses take 0.05 s, and wait until somebody does.
    """
    import gc
    from types import ModuleType

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for docstrings in ("numpy._core._add_newdocs", "numpy._core._add_newdocs_scalars"):
        sys.modules.setdefault(docstrings, ModuleType(docstrings))

    sys.meta_path.insert(0, _Unused())
    gc.set_threshold(100_000)
    sys.setswitchinterval(0.0005)


class _Unused:
    """Finds modules that are imported and not used; each is loaded when it is used all the same."""

    NAMES = ("numpy.f2py", "numpy.testing")

    def find_spec(self, name: str, path: Sequence[str] | None = None, _: object = None) -> ModuleSpec | None:
        """The module, to be loaded on first use; None for all others."""
        if name not in self.NAMES:
            return None
        from importlib.machinery import PathFinder
        from importlib.util import LazyLoader

        spec = PathFinder.find_spec(name, path)
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec


def _open_streams() -> None:
    """Whoever starts us may have closed a standard stream; what goes there is dropped, and no file takes its number."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
            pass
        os.close(number)
        sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115 (open as long as we are)
        sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115 (likewise)
        sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115 (likewise)


def _leave(code: int) -> None:
    """End now: taking the interpreter apart takes time, and a thread may still wait for bytes from standard input."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # whoever reads our output has gone
            stream.flush()
    os._exit(code)
