"""What `gainful judge` can be asked to do, and which of its options belong to what."""

from __future__ import annotations

import click
from click.core import ParameterSource

from gainful.errors import UsageError

MODES = ("collect", "adjudicate", "serve", "next", "prompts", "collect_labels", "password")
_TAKEN_BY = {
    "assessors": ("pages",),
    "output": ("pages", "adjudicate"),
    "merge": ("collect", "adjudicate"),
    "rel": ("collect",),
    "form": ("collect", "collect_labels", "next"),
    "wide": ("collect", "collect_labels", "next"),
    "apart": ("adjudicate", "collect"),
    "adjudicator": ("adjudicate",),
    **dict.fromkeys(("compare", "measure", "model_qrels", "alpha", "documents", "dry_run"), ("next",)),
    **dict.fromkeys(("host", "port", "behind_proxy", "prefix", "public_url"), ("serve",)),
}
"""The modes that take an option; one that is not here, they all may have."""


def check_options(mode: str) -> None:
    """Raise where an option is given that this mode would ignore: its mode was forgotten, or it is not meant."""
    context = click.get_current_context()
    for option in context.command.params:
        modes = _TAKEN_BY.get(option.name or "", (mode,))
        if (
            mode not in modes
            and context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        ):
            name = max(option.opts, key=len)
            places = " or ".join(
                "pages" if taker == "pages" else f"--{taker.replace('_', '-')}" for taker in modes
            )
            said = "pages are written" if mode == "pages" else f"--{mode.replace('_', '-')} is given"
            raise UsageError(
                f"{name} is an option of {places}, and {said}; add the one or leave out the other."
            )
