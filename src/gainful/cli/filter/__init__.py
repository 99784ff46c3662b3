"""gainful filter: streams, readers, and thresholds that learn.

simulating, demonstrating  simulate and demo: judged streams replayed; charting draws what came of it
setup        init: a new state
profiles     profile add, list, show, edit, remove
ingesting    ingest
reading      deliveries, and what the reader says of them: feedback
asking       explain, curve, preview
upkeep       rebuild, check, stats, export, forget
"""

from __future__ import annotations

import click

from gainful.cli.filter import asking, demonstrating, ingesting, profiles, reading, setup, simulating, upkeep


@click.group("filter", short_help="Filter streams with thresholds that learn.")
def command() -> None:
    """Filter streams of documents with profiles and thresholds that learn from the reader.

    \b
    A filter in use lives in one file, named with --state or in GAINFUL_STATE:
    gainful filter init --state my.filter
    gainful filter profile add garden "gardens, soil and planting" --state my.filter
    gainful filter ingest monday.jsonl news.rss --state my.filter
    gainful filter deliveries --format markdown --state my.filter
    gainful filter feedback garden d17 relevant --state my.filter

    \b
    The laboratory replays judged streams:
    gainful filter demo
    gainful filter simulate stream.jsonl topics.jsonl qrels.txt --reference 10%
    """


for _one in (
    setup.init_command,
    profiles.profile_group,
    ingesting.ingest_command,
    reading.deliveries_command,
    reading.feedback_command,
    asking.explain_command,
    asking.curve_command,
    asking.preview_command,
    upkeep.stats_command,
    upkeep.check_command,
    upkeep.rebuild_command,
    upkeep.export_command,
    upkeep.forget_group,
    simulating.simulate_command,
    demonstrating.demo_command,
):
    command.add_command(_one)
