"""gainful filter: streams, readers, and thresholds that learn.

simulate_commands  simulate and demo: judged streams replayed
profile_commands   init: a new state; profile add, list, show, edit, remove
stream_commands    ingest, deliveries, feedback
state_commands     near, explain, curve, preview; stats, check, rebuild, export, forget
filter_options     what these share
"""

from __future__ import annotations

import click

from gainful.cli.filter import (
    profile_commands,
    simulate_commands,
    state_commands,
    stream_commands,
)


@click.group("filter", short_help="Filter streams of documents with adaptive thresholds.")
def command() -> None:
    """Filter streams of documents with profiles and thresholds that learn from feedback.

    \b
    A filter is kept in one file, given by --state or GAINFUL_STATE:
    gainful filter init --state my.filter
    gainful filter profile add garden "gardens, soil and planting" --state my.filter
    gainful filter ingest monday.jsonl news.rss --state my.filter
    gainful filter deliveries --format markdown --state my.filter
    gainful filter feedback garden d17 relevant --state my.filter

    \b
    Judged streams are replayed, to compare rules:
    gainful filter demo
    gainful filter simulate stream.jsonl topics.jsonl qrels.txt --reference 10%
    """


for _command in (
    profile_commands.init_command,
    profile_commands.profile_group,
    stream_commands.ingest_command,
    stream_commands.deliveries_command,
    stream_commands.feedback_command,
    state_commands.near_command,
    state_commands.explain_command,
    state_commands.curve_command,
    state_commands.preview_command,
    state_commands.stats_command,
    state_commands.check_command,
    state_commands.rebuild_command,
    state_commands.export_command,
    state_commands.forget_group,
    simulate_commands.simulate_command,
    simulate_commands.demo_command,
):
    command.add_command(_command)
