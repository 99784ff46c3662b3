"""Gainful inside other tools: one file for each, and nothing is imported until it is asked for.

    install_as                          Gainful in place of another package, for libraries that import it (BEIR, MTEB)
    trec_eval_launcher                  an executable of that name, for scripts that call it
    mteb                                judgments of its tasks, for the predictions that it saves
    ir_measures                         a provider for ir_measures, and measures of either as those of the other
    pyterrier                           measures in `pt.Experiment`, and the comparison of its results
    sentence_transformers               an evaluator with intervals, which writes runs
    haystack, llama_index, ragas        measures of what a pipeline retrieves
    hugging_face                        a metric for `evaluate.load`
    mlflow, wandb, tensorboard          scores, intervals and the report where experiments are tracked
    pandas, polars, duckdb              methods of frames, expressions, functions of SQL
    endpoint_search, search_engines     queries to Elasticsearch, OpenSearch and Solr become a run
    lightgbm, xgboost, scikit_learn     measures where these learners take a metric

The others hold what several of them share.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
