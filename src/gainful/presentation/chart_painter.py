"""The painter: charts are drawn in a separate process, while this one goes on working.

vl-convert holds the interpreter while it draws, and takes seconds to start and to bundle the page's script.
"""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from typing import Any, ClassVar, Self

import msgspec

from gainful.presentation import chart_files

_COMMAND = ("-P", "-m", "gainful.presentation.chart_painter")


class Painter:
    """Draws one chart after the other; what is asked for is there when its future says so.

    Where no other process can be had, or where it ends too early, this one draws.

    bundle  begin at once to make the script for pages whose charts are live

    >>> from gainful.presentation.chart_painter import Painter
    >>> with Painter() as painter:
    ...     drawn = painter.svg({"mark": "point", "data": {"values": []}})
    ...     drawn.result()[:4]
    '<svg'
    """

    _bundle: ClassVar[str] = ""  # the script, once it was made

    def __init__(self, *, bundle: bool = True) -> None:
        self._asking = ThreadPoolExecutor(1)
        self._process = _started()
        if bundle:  # the first thing that is made: it takes longest
            _ = self.script

    @cached_property
    def script(self) -> Future[str]:
        """Vega, Vega-Lite and Vega-Embed for the page."""
        return self._asking.submit(self._script)

    def svg(self, spec: dict[str, Any]) -> Future[str]:
        """The chart as SVG."""
        return self._asking.submit(self._svg, spec)

    def _script(self) -> str:
        if not Painter._bundle:
            Painter._bundle = self._asked(b"{}\n") or chart_files.script()
        return Painter._bundle

    def _svg(self, spec: dict[str, Any]) -> str:
        return self._asked(msgspec.json.encode(spec) + b"\n") or chart_files.svg(spec)

    def _asked(self, question: bytes) -> str:
        """The answer of the other process; nothing where it has none."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            return ""
        try:
            process.stdin.write(question)
            process.stdin.flush()
            return msgspec.json.decode(process.stdout.readline(), type=str)
        except (OSError, ValueError, msgspec.DecodeError):  # it has ended
            self._process = None
            _ended(process)
            return ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.kill()  # whoever waits for an answer gets none
        self._asking.shutdown(cancel_futures=True)
        if self._process is not None:
            _ended(self._process)


def _started() -> subprocess.Popen[bytes] | None:
    try:
        return subprocess.Popen(
            [sys.executable, *_COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:  # there is no room for another process, or nothing to start one with
        return None


def _ended(process: subprocess.Popen[bytes]) -> None:
    """End the process and close its pipes."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):  # what was not sent yet cannot be sent any more
                stream.close()


def _serve() -> None:
    """Answer line by line: {} asks for the script, anything else is a spec."""
    for line in sys.stdin.buffer:
        spec = msgspec.json.decode(line)
        answer = chart_files.svg(spec) if spec else chart_files.script()
        sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    _serve()
