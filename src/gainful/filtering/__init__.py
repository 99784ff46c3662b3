"""Filtering: a stream of documents, readers with profiles, and thresholds that learn what is worth delivering.

    thresholds            beta_gamma and the other threshold rules: pure functions of scores and feedback
    theta_opt_and_zero    what each cutoff of the documents seen would have been worth
    utilities             what deliveries are worth
    rules                 rules and profiles with their parameters, as text and as grids
    analyzer, vectors     text becomes terms; terms become vectors, by the idf epoch in force
    rocchio, learner      what a reader wants, learned from judged documents
    document              documents, topics
    stream_records, stream_reader, topic_files, feeds
                          files become documents and topics
    replay, experiment    a judged stream replayed, for many topics, rules and processes
    simulation_run        simulate: many rules side by side
    simulation, simulation_output, threshold_charts
                          its results, as tables, JSON and charts
    demo                  a stream generated from a random seed
    state                 Filter: a filter in use, on an event log in SQLite
    output                deliveries as table, JSON lines, digest, Atom feed; answers to readers' questions

>>> from gainful.filtering import beta_gamma
>>> beta_gamma([0.9, 0.8, 0.7, 0.6], [True, None, None, None]).theta_opt
0.9
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainful._lazy_import import door

if TYPE_CHECKING:
    from gainful.filtering.analyzer import Analyzer
    from gainful.filtering.document import Document, Topic
    from gainful.filtering.learner import Schedule
    from gainful.filtering.replay import Feedback
    from gainful.filtering.rocchio import Rocchio
    from gainful.filtering.rules import Rule
    from gainful.filtering.simulation import Simulation
    from gainful.filtering.simulation_run import simulate
    from gainful.filtering.state.filter import Filter
    from gainful.filtering.stream_reader import read_stream
    from gainful.filtering.thresholds import Threshold, beta_gamma, fixed, none, optimum, ratio, zero
    from gainful.filtering.topic_files import read_topics
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
        "document": ("Document", "Topic"),
        "learner": ("Schedule",),
        "rocchio": ("Rocchio",),
        "replay": ("Feedback",),
        "rules": ("Rule",),
        "simulation_run": ("simulate",),
        "simulation": ("Simulation",),
        "state.filter": ("Filter",),
        "stream_reader": ("read_stream",),
        "analyzer": ("Analyzer",),
        "thresholds": ("Threshold", "beta_gamma", "fixed", "none", "optimum", "ratio", "zero"),
        "topic_files": ("read_topics",),
        "utilities": ("LinearUtility",),
    },
)
