"""gainful filter: streams, readers, and thresholds that learn. Each command is imported when it is called.

feed_commands      subscribe, unsubscribe, feeds, opml: feeds and their health
inbox_commands     today, yes, no, undo, open: what is new, in a numbered list, and answers by number
profile_commands   init: a new state; profile add, list, show, edit, remove
stream_commands    ingest, deliveries, feedback
question_commands  near, explain, curve, preview: what was nearly delivered, and why
state_commands     stats, check, rebuild, export, forget; move: from a file to PostgreSQL, or back
service_commands   serve, account: the service, and who may use it
mail_commands      mail: digests by mail
simulate_commands  simulate and demo: judged streams replayed
filter_options     what these share
"""

from __future__ import annotations

from gainful.cli.commands import Commands

_MODULES = {
    "feed_commands": ("subscribe", "unsubscribe", "feeds", "opml"),
    "inbox_commands": ("today", "yes", "no", "undo", "open"),
    "service_commands": ("serve", "account"),
    "mail_commands": ("mail",),
    "profile_commands": ("init", "profile"),
    "stream_commands": ("ingest", "deliveries", "feedback"),
    "question_commands": ("near", "explain", "curve", "preview"),
    "state_commands": ("stats", "check", "rebuild", "export", "move", "forget"),
    "simulate_commands": ("simulate", "demo"),
}
_GROUPS = ("profile", "forget", "account", "mail")

HELP = """Filter feeds and streams of documents with profiles and thresholds that learn from your answers.

\b
Feeds, day by day, in the terminal or on a page:
gainful filter subscribe https://example.org/blog
gainful filter profile add garden "gardens, soil and planting"
gainful filter today
gainful filter yes 1 3
gainful filter serve

\b
A filter is kept in my.filter in your data folder, unless --state or
GAINFUL_STATE names another file. Documents of files are answered by id:
gainful filter init --state news.filter
gainful filter ingest monday.jsonl news.rss --state news.filter
gainful filter deliveries --format markdown --state news.filter
gainful filter feedback garden d17 relevant --state news.filter

\b
Judged streams are replayed, to compare rules:
gainful filter demo
gainful filter simulate stream.jsonl topics.jsonl qrels.txt --reference 10%
"""

command = Commands(
    {
        name: f"gainful.cli.filter.{module}:{name}_{'group' if name in _GROUPS else 'command'}"
        for module, names in _MODULES.items()
        for name in names
    },
    name="filter",
    help=HELP,
    short_help="Filter feeds and streams of documents with adaptive thresholds.",
    no_args_is_help=True,
)
