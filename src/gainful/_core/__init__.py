"""The one door to the native core, which reads, matches and orders.

    Rows     a table of (topic, document, value): a file, lists, a mapping or Arrow columns
    Index    judgments, ready to be matched
    Job      a run in a file, being judged in the background
    Crew     threads that do many jobs in turn
    Found    what a run holds of the judged documents
    Top      the first documents of each topic of a run, in order

and scores sparse vectors for filtering:

    VectorStore   documents in the order of their arrival, scored by one profile
    ProfileIndex  many profiles, against which documents are scored
    fit_curve     the probability of relevance by the place of a score, fitted to answers

`plain` and the modules named after it are the same in plain Python, for tests and for reading. Importing this
package does not import NumPy; asking one of these objects for an array does.
"""

from gainful._core._native import (
    Crew,
    Found,
    Index,
    Job,
    ProfileIndex,
    Rows,
    Top,
    VectorStore,
    arrow_stream,
    columns,
    fit_curve,
    judge_mapping,
    judge_rows,
    judge_stream,
    say_on_abort,
)
from gainful._core.faults import Cancelled, Fault

__all__ = [
    "Cancelled",
    "Crew",
    "Fault",
    "Found",
    "Index",
    "Job",
    "ProfileIndex",
    "Rows",
    "Top",
    "VectorStore",
    "arrow_stream",
    "columns",
    "fit_curve",
    "judge_mapping",
    "judge_rows",
    "judge_stream",
    "say_on_abort",
]
