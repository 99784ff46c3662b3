"""Filtering: a stream of documents, readers with profiles, and thresholds that learn what is worth delivering.

    thresholds   beta_gamma and the rules beside it: pure functions of scores and feedback
    cutoffs      what was seen, and what each cutoff of it would have been worth
    utilities    what deliveries are worth
    text         text becomes terms
    vectors      terms become vectors, by the idf epoch in force
    stores       the documents seen, scored by a profile
    profiles     what a reader wants, learned from judged documents
    learner      profile and threshold of one reader
    streams, topics          files become documents and topics
    feeds, arriving          RSS and Atom become documents; any source, one by one
    choices                  words that commands name too
    replay                   a judged stream goes by once more
    laboratory, simulation   many rules side by side, and what came of it
    processes                replays shared out among processes
    significance             rules compared on the same topics
    charts, views            pictures and text
    demo                     a stream made from a seed
    state                    Filter: the same in use, day after day, on an event log
    delivering               what readers get: table, JSON lines, digest, Atom feed; answers to their questions

>>> from gainful.filtering import beta_gamma
>>> beta_gamma([0.9, 0.8, 0.7, 0.6], [True, None, None, None]).theta_opt
0.9
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainful._lazy_import import door

if TYPE_CHECKING:
    from gainful.filtering.documents import Document, Topic
    from gainful.filtering.laboratory import simulate
    from gainful.filtering.learner import Schedule
    from gainful.filtering.profiles import Rocchio
    from gainful.filtering.replay import Feedback
    from gainful.filtering.rules import Rule
    from gainful.filtering.simulation import Simulation
    from gainful.filtering.state.filter import Filter
    from gainful.filtering.streams import read_stream
    from gainful.filtering.text import Analyzer
    from gainful.filtering.thresholds import Threshold, beta_gamma, fixed, none, optimum, ratio, zero
    from gainful.filtering.topics import read_topics
    from gainful.filtering.utilities import LinearUtility

__all__ = [
    "Analyzer",
    "Document",
    "Feedback",
    "Filter",
    "LinearUtility",
    "Rocchio",
    "Rule",
    "Schedule",
    "Simulation",
    "Threshold",
    "Topic",
    "beta_gamma",
    "fixed",
    "none",
    "optimum",
    "ratio",
    "read_stream",
    "read_topics",
    "simulate",
    "zero",
]

__getattr__, __dir__ = door(
    __name__,
    {
        "documents": ("Document", "Topic"),
        "learner": ("Schedule",),
        "profiles": ("Rocchio",),
        "replay": ("Feedback",),
        "rules": ("Rule",),
        "laboratory": ("simulate",),
        "simulation": ("Simulation",),
        "state.filter": ("Filter",),
        "streams": ("read_stream",),
        "text": ("Analyzer",),
        "thresholds": ("Threshold", "beta_gamma", "fixed", "none", "optimum", "ratio", "zero"),
        "topics": ("read_topics",),
        "utilities": ("LinearUtility",),
    },
)
