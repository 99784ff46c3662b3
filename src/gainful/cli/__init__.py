"""The command line: each command reads, calls one function, prints.

Exit codes: 0 fine · 1 a gate failed · 2 wrong usage · 3 bad data or file · 4 nothing to compare · 70 a fault of ours ·
130 interrupted · 141 the reader of our output went away.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from contextlib import suppress

import click

from gainful import __version__
from gainful.errors import GainfulError

# command: the module that holds it, under the same name
COMMANDS = (
    *("evaluate", "compare", "gate", "correlate", "curve", "explain", "report", "measures"),
    *("check", "convert", "trec_eval", "filter"),
)


class Commands(click.Group):
    """Commands whose modules are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """The names, in the order of use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 (likewise)
        """The command of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"gainful.cli.{cmd_name}").command
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True)
@click.version_option(__version__, prog_name="gainful", message="%(prog)s %(version)s")
def gainful() -> None:
    """What a ranked list is worth to its reader.

    \b
    gainful evaluate qrels.txt bm25.run dense.run
    gainful evaluate qrels.txt bm25.run -m nDCG@10,AP -q -f json -o scores.json
    gainful measures nDCG
    """


def main() -> None:
    """Run the command; every way it can end has its exit code."""
    gc.set_threshold(100_000)  # a process that lives so briefly has little to collect
    sys.setswitchinterval(0.0005)  # threads that read should not wait while modules are imported
    _open_streams()
    _leave(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """The exit code of a command line, whether or not the message beside it can be written."""
    try:
        gainful.main(arguments, prog_name="gainful", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as wrong:  # wrong usage, or no arguments where there must be some
        with suppress(OSError):
            wrong.show()
        return 2
    except GainfulError as error:
        with suppress(OSError):
            click.echo(f"gainful: {error}", err=True)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        with suppress(OSError):
            click.echo("gainful: interrupted; nothing was written.", err=True)
        return 130
    except (
        BrokenPipeError,
        SystemExit,
    ):  # the latter is click's answer to a closed pipe, with the code of a failed gate
        # Whoever read our output has seen enough; Python must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception:
        import traceback

        with suppress(OSError):
            traceback.print_exc()
            click.echo(
                f"gainful: this is a fault of ours (version {__version__}); please report it with the lines above.",
                err=True,
            )
        return 70
    return 0


def _open_streams() -> None:
    """Whoever starts us may have closed a standard stream; what goes there is dropped, and no file takes its number."""
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115 (open as long as we are)
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115 (likewise)
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115 (likewise)


def _leave(code: int) -> None:
    """End now: taking the interpreter apart takes time, and a thread may still wait for bytes from standard input."""
    with suppress(OSError):  # whoever reads our output has gone
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)
