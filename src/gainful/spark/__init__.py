"""Gainful on Spark: the measures of one machine on a cluster, with equal digits.

    frame_evaluation  evaluate: DataFrames of judgments and runs in, scores out
    frames            the session, and DataFrames brought to one shape
    cluster_files     judgments and runs from paths that Spark can read, for the command line
    worker_messages   the task of the workers, the rows that they send back, and the faults they met
    worker            the work itself: chunks of whole topics go through the native core
    collected_scores  the rows that came back become scores, in the order of topics
    stream_delivery   deliver: a batch or a stream of documents meets the profiles of many readers

The executors need Gainful in their Python: `pip install 'gainful[spark]'`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
