"""All the way: index documents, search them with BM25, evaluate, and read the numbers.

pip install bm25s
python examples/search.py
"""

from pathlib import Path

import bm25s

import gainful

DATA = Path(__file__).parent / "data" / "search"
STOPWORDS = ["a", "an", "and", "in", "is", "it", "my", "not", "of", "on", "or", "that", "the", "to", "with"]
TOP = 10


def read(name: str) -> dict[str, str]:
    """Text by id, from a file of two columns."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines)


def search(documents: dict[str, str], queries: dict[str, str]) -> dict[str, dict[str, float]]:
    """The best documents for each query: {query: {document: score}}, which is a run."""
    engine = bm25s.BM25()
    tokens = bm25s.tokenize(list(documents.values()), stopwords=STOPWORDS, show_progress=False)
    engine.index(tokens, show_progress=False)
    asked = bm25s.tokenize(list(queries.values()), stopwords=STOPWORDS, show_progress=False)
    found, scores = engine.retrieve(asked, corpus=list(documents), k=TOP, show_progress=False)
    return {
        query: {document: float(score) for document, score in zip(*row, strict=True) if score > 0}
        for query, row in zip(queries, zip(found, scores, strict=True), strict=True)
    }


documents, queries = read("documents.tsv"), read("queries.tsv")
run = search(documents, queries)
scores = gainful.evaluate(DATA / "qrels.txt", run, "nDCG@10, RR, R@10, Judged@10")

for query, values in scores.per_topic.items():
    print(f"{values['nDCG@10']:.3f}  {queries[query]}")
print()
for measure, value in scores.mean.items():
    print(f"{measure:<10} {value:.3f}")

# Reading them. RR: where the first useful document stands. R@10: how much of what there is was found at all.
# Judged@10: how much of what was shown has been judged; the rest counts as not relevant, so judge it before believing
# a small difference. And the mean is the least of it: look at the worst queries.
worst = min(scores.per_topic, key=lambda query: scores.per_topic[query]["nDCG@10"])
print(f"\nWorst: '{queries[worst]}' found {', '.join(run[worst]) or 'nothing'}")
print(
    f"wanted {', '.join(d for d, grade in gainful.read_qrels(DATA / 'qrels.txt').to_dict()[worst].items() if grade > 0)}"
)
