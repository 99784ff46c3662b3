"""Gainful inside other tools: one file for each, and nothing is imported until it is asked for.

    install_as    Gainful in place of another package, for libraries that import that package (BEIR, MTEB)
    ir_measures   a provider for ir_measures, and measures of either as those of the other
    pandas        `run.gainful.evaluate(qrels)` on data frames
    lightgbm, xgboost, scikit_learn   measures where these learners take a metric

polars, DuckDB and pyarrow need no file here: `gainful.evaluate` takes their frames, and they take its scores.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
