"""gainful filter move: a state with all its readers, from a file into PostgreSQL or back."""

from __future__ import annotations

import click

from gainful.presentation.text_style import counted


@click.command("move", short_help="Copy a state to another file or database.")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.option(
    "--wait",
    type=click.FloatRange(0),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for a process that is writing to the state.",
)
def move_command(source: str, target: str, wait: float) -> None:
    """Copy a state with all its readers to an address where nothing is yet, and verify every table by its digest.

    An address is a file or postgresql://USER@HOST/DATABASE; both directions work. The new state appears when all of it is
    verified, or not at all. The old one stays as it is: stop what uses it before, use the new one from then on, and delete
    the old one when you no longer need it.

    \b
    gainful filter move my.filter postgresql://news@localhost/news
    gainful filter move postgresql://news@localhost/news copy.filter
    """
    from gainful.filtering.state.state_move import move

    moved = move(source, target, wait=wait)
    click.echo(
        f"{moved.target} has all of {moved.source}: {counted(moved.readers, 'reader')}, {counted(moved.tables, 'table')}, "
        f"{counted(moved.rows, 'row')}; every digest agrees. {moved.source} stays as it was: from now on use the new one."
    )
