"""gainful filter init and profile: a new filter, and what readers want."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from gainful.cli.filter.filter_options import (
    VARIABLE,
    Answer,
    Derived,
    answering,
    factor,
    new_or_existing_state,
    opened,
    ready_folder,
    state_address,
    state_option,
    words_options,
)
from gainful.errors import UsageError
from gainful.filtering.document import CAP
from gainful.formats.ids import shown, unshown

if TYPE_CHECKING:
    from gainful.filtering.state.filter import Filter


@click.command("init", short_help="Create a new filter.")
@words_options
@click.option(
    "--cap",
    metavar="N|none",
    help=f"Size of the history; documents with feedback and the highest-scoring ones are always kept.  [default: {CAP}]",
)
@state_option
def init_command(language: str, title_weight: float, epochs: str, cap: str | None, state: str | None) -> None:
    """Create a new filter in a file that only its owner can read. The text settings cannot be changed later.

    \b
    gainful filter init --state my.filter
    gainful filter init --state zeitung.filter --language german
    """
    ready_folder(state)
    from gainful.filtering import Analyzer
    from gainful.filtering.state.filter import Filter

    analyzer = Analyzer(language=None if language == "none" else language, title_weight=title_weight)
    kept = CAP if cap is None else None if cap == "none" else _whole(cap)
    with Filter.create(state_address(state), analyzer=analyzer, epochs=factor(epochs), cap=kept) as filter_:
        name = filter_.name
    add = 'gainful filter profile add NAME "a description in one sentence"'
    click.echo(f"{name} is ready. Describe what you want to read:")
    if state:
        click.echo(
            f"{add} --state {name}\n(with {VARIABLE}={name} in the environment, --state can be left out)"
        )
    else:
        click.echo(add)


def _whole(text: str) -> int:
    try:
        return int(text.replace("_", "").replace(",", ""))
    except ValueError:
        raise UsageError(f"--cap must be a number of documents, or none; got {text!r}") from None


@click.group("profile", short_help="Add, list, show, edit or remove profiles.")
def profile_group() -> None:
    """Manage profiles: each describes one interest, with its own text, examples, utility and threshold rule.

    \b
    gainful filter profile add garden "gardens, soil and planting" --state my.filter
    gainful filter profile show garden --state my.filter
    gainful filter profile edit garden --gamma 0.05 --state my.filter
    """


_OF_SETTINGS: dict[str, Any] = {
    "cls": Derived,
    "source": "state.events:default_settings",
    "only_shown": True,
}
_OF_BETA_GAMMA: dict[str, Any] = {
    "cls": Derived,
    "source": "threshold_rules:beta_gamma",
    "only_shown": True,
    "type": float,
    "metavar": "N",
}


def _ways(command: Callable[..., Any]) -> Callable[..., Any]:
    """How a profile learns, and its examples."""
    for option in (
        click.option(
            "--model",
            **_OF_SETTINGS,
            metavar="PROFILE",
            help="How the profile learns: regression, or rocchio(terms=60,other=1).",
        ),
        click.option(
            "--utility",
            **_OF_SETTINGS,
            metavar="CREDIT,COST",
            help="Utility of relevant and other deliveries.",
        ),
        click.option("--gamma", **_OF_BETA_GAMMA, help="How soon exploration ends (beta_gamma)."),
        click.option(
            "--beta", **_OF_BETA_GAMMA, help="Share of the exploration that remains permanently (beta_gamma)."
        ),
        click.option(
            "--rule",
            **_OF_SETTINGS,
            metavar="RULE",
            help="Threshold rule, with parameters ('ratio(share=0.01)'): {rules}.",
        ),
        click.option(
            "--examples", metavar="FILE", help="File of relevant documents, in any format that ingest reads."
        ),
        click.option(
            "--example",
            "known",
            multiple=True,
            metavar="DOCUMENT",
            help="Id of a relevant document that was ingested before; may be repeated.",
        ),
    ):
        command = option(command)
    return command


def _examples(known: tuple[str, ...], file: str | None) -> list[Any]:
    if file is None:
        return [unshown(document) for document in known]
    from gainful.filtering.stream_reader import documents_in

    return [*(unshown(document) for document in known), *documents_in(file)]


def _text_is_an_argument(ctx: click.Context, param: click.Parameter, text: str | None) -> None:
    """`edit` has an option --text; whoever tries it here is told where the text goes."""
    if text is not None:
        hint = f"the description comes after the name, without {param.opts[0]}: {ctx.command_path} NAME TEXT"
        raise click.UsageError(hint, ctx)


@profile_group.command("add", short_help="Add a profile.")
@click.argument("name")
@click.argument("text", required=False, default="")
@click.option("--text", "misplaced", hidden=True, expose_value=False, callback=_text_is_an_argument)
@_ways
@state_option
def add_command(
    name: str,
    text: str,
    known: tuple[str, ...],
    examples: str | None,
    rule: str | None,
    beta: float | None,
    gamma: float | None,
    utility: str | None,
    model: str | None,
    state: str | None,
) -> None:
    """Add a profile from a description TEXT, from examples, or from both.

    \b
    gainful filter profile add garden "gardens, soil and planting" --state my.filter
    gainful filter profile add bees --examples liked.jsonl --utility 3,-2 --state my.filter
    """
    from gainful.filtering.inbox.inbox import Inbox

    with Inbox(new_or_existing_state(state)) as inbox:
        profile = inbox.filter.add_profile(
            unshown(name),
            text=text,
            examples=_examples(known, examples),
            rule=rule,
            beta=beta,
            gamma=gamma,
            utility=utility,
            model=model,
        )
        words = inbox.whole_words(profile.name, [term for term, weight in profile.terms[:8] if weight > 0])
    click.echo(f"Profile {shown(profile.name)} looks for: {', '.join(map(shown, words.values()))}.")


@profile_group.command("list", short_help="List all profiles.")
@answering
def list_command(filter_: Filter) -> Answer:
    """List the profiles with their thresholds."""
    from gainful.filtering.answer_text import listed, profile_record

    profiles = filter_.profiles()

    def records() -> list[dict[str, Any]]:
        each = map(profile_record, profiles)
        return [{key: value for key, value in record.items() if key != "terms"} for record in each]

    return Answer(records, partial(listed, profiles))


@profile_group.command("show", short_help="Show a profile, its terms and its threshold.")
@click.argument("name")
@click.option(
    "--terms",
    type=click.IntRange(0),
    default=15,
    show_default=True,
    metavar="N",
    help="Number of terms to show.",
)
@answering
def show_command(filter_: Filter, name: str, terms: int) -> Answer:
    """Show what a profile looks for, and where its threshold comes from."""
    from gainful.filtering.answer_text import profile_record, profiled
    from gainful.filtering.inbox.reader_texts import ReaderTexts

    profile = filter_.profile(unshown(name))
    worded = ReaderTexts(filter_).profile(profile, most=terms)
    return Answer(partial(profile_record, profile), partial(profiled, worded, terms=terms))


@profile_group.command("edit", short_help="Change a profile.")
@click.argument("name")
@click.option("--text", help="New description.")
@click.option("--rename", metavar="NAME", help="A new name.")
@_ways
@state_option
def edit_command(
    name: str,
    text: str | None,
    rename: str | None,
    known: tuple[str, ...],
    examples: str | None,
    rule: str | None,
    beta: float | None,
    gamma: float | None,
    utility: str | None,
    model: str | None,
    state: str | None,
) -> None:
    """Change what is given and leave the rest; examples are added. The history is scored again.

    \b
    gainful filter profile edit garden --text "gardens, soil, planting and compost" --state my.filter
    """
    if not known and all(
        value is None for value in (text, rename, examples, rule, beta, gamma, utility, model)
    ):
        raise UsageError(
            "nothing to change; give --text, --rename, --rule, --beta, --gamma, --utility, --model or examples."
        )
    with opened(state) as filter_:
        before = filter_.profile(unshown(name))
        after = filter_.edit_profile(
            unshown(name),
            rename=None if rename is None else unshown(rename),
            text=text,
            examples=_examples(known, examples),
            rule=rule,
            beta=beta,
            gamma=gamma,
            utility=utility,
            model=model,
        )
    click.echo(f"Profile {shown(after.name)}: threshold {before.theta:.4f} → {after.theta:.4f}.")


@profile_group.command("remove", short_help="Remove a profile; its past stays in the log.")
@click.argument("name")
@state_option
def remove_command(name: str, state: str | None) -> None:
    """Stop deliveries to a profile. Its past stays in the log; `gainful filter forget profile` removes that too."""
    with opened(state) as filter_:
        filter_.remove_profile(unshown(name))
    click.echo(f"Profile {shown(unshown(name))} was removed; its past stays in the log.")
