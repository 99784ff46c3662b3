"""gainful install-trec-eval: an executable of that name for scripts that call it."""

from __future__ import annotations

import os
import shlex

import click

from gainful.cli import say


@click.command("install-trec-eval", short_help="Write an executable trec_eval into a folder.")
@click.argument("folder", metavar="FOLDER")
def command(folder: str) -> None:
    """Write an executable `trec_eval` into FOLDER that runs `gainful trec_eval`, for scripts that call trec_eval.

    Options, output and numbers are trec_eval 10's. A trec_eval that is in FOLDER already stays, and is an error. To undo it,
    delete the file.

    \b
    mkdir -p ~/gainful-bin && gainful install-trec-eval ~/gainful-bin
    PATH=~/gainful-bin:$PATH ./evaluate_all_runs.sh
    """
    from gainful.integrations.trec_eval_launcher import called_now, write_launcher

    path = write_launcher(folder)
    say(f"{path} runs gainful trec_eval.")
    first = called_now()
    change = f"PATH={shlex.quote(os.path.abspath(folder))}:$PATH"  # noqa: PTH100 (links stay as they were given)
    if first is None:
        say(f"note: {folder} is not on the path; {change} puts it there.")
    elif not os.path.samefile(first, path):  # noqa: PTH121 (these are names, no paths)
        say(f"note: the path leads to {first}; {change} puts this one first.")
