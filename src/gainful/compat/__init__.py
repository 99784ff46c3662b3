"""Other tools' ways in: their calls, names, numbers and layouts, computed by Gainful.

    pytrec_eval   the classes and functions of pytrec_eval, with the same dicts in and out
    trec_eval     trec_eval's names, roundings and layout; `gainful trec_eval` is its command line

What another tool computes differently is computed differently here too: that is what a dialect is for. The rest of
Gainful knows nothing of it.
"""
