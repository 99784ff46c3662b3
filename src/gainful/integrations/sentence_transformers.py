"""sentence-transformers: an evaluator whose numbers have confidence intervals, and which writes runs to compare.

evaluator = RankingEvaluator(queries, corpus, relevant_docs, measures="nDCG@10, RR@10", name="dev")
evaluator(model, output_path="results")    # then: gainful compare results/dev.qrels results/dev_*.run
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sentence_transformers.sentence_transformer.evaluation import InformationRetrievalEvaluator

from gainful.dialects import evaluate
from gainful.formats.output_files import put, written
from gainful.formats.rows import of_object
from gainful.formats.types import TREC, Kind
from gainful.integrations.id_lists import Relevant, grades_of
from gainful.integrations.tracked_scores import named
from gainful.judging.settings import Conventions
from gainful.measures import Measure
from gainful.scores import Scores

Lists = dict[str, dict[str, float]]


class RankingEvaluator(InformationRetrievalEvaluator):  # type: ignore[misc]
    """Their InformationRetrievalEvaluator, and beside its metrics any measures, each with its 95 % confidence interval.

    relevant_docs  relevant ids of each query, or their grades: {query: {document: grade}}
    measures       as text or as objects; metrics are called cosine_nDCG@10, cosine_nDCG@10_low and cosine_nDCG@10_high,
                   and a trainer keeps its best model by the first measure
    dialect        "sentence-transformers" gives its numbers, by its names
    conventions    fields of `gainful.Settings`
    given          the other arguments of InformationRetrievalEvaluator; lists are as long as the largest of its cutoffs
                   (`map_at_k`: 100, unless said otherwise)

    With an `output_path` it writes the judgments (dev.qrels) and the run of each similarity (dev_cosine.run, and while a
    model is trained dev_cosine_epoch1_step500.run). `scores` has what was computed last, by similarity.
    """

    def __init__(
        self,
        queries: dict[str, str],
        corpus: dict[str, str],
        relevant_docs: Mapping[str, Relevant],
        *,
        measures: str | Measure | Iterable[str | Measure] = "nDCG@10, RR@10",
        dialect: str | None = None,
        conventions: Conventions | None = None,
        **given: Any,
    ) -> None:
        grades = {query: grades_of(relevant) for query, relevant in relevant_docs.items()}
        sets = {query: {id_ for id_, grade in of.items() if grade >= 1} for query, of in grades.items()}
        super().__init__(queries, corpus, sets, **given)
        self.judgments = {query: grades[query] for query in self.queries_ids}
        self.measures, self.dialect, self.conventions = measures, dialect, conventions or {}
        self.scores: dict[str, Scores] = {}
        self._lists: list[Lists] = []

    def __call__(
        self,
        model: Any,
        output_path: str | None = None,
        epoch: int = -1,
        steps: int = -1,
        *args: Any,
        **kwargs: Any,
    ) -> dict[str, float]:
        """Every metric by name; runs and judgments are written to the output path."""
        self._lists = []
        metrics: dict[str, float] = super().__call__(model, output_path, epoch, steps, *args, **kwargs)
        runs = dict(zip(self.score_functions, self._lists, strict=True))
        self.scores = {
            similarity: evaluate(self.judgments, run, self.measures, dialect=self.dialect, **self.conventions)
            for similarity, run in runs.items()
        }
        ours = {
            f"{similarity}_{name}": value
            for similarity, scores in self.scores.items()
            for name, value in named(scores.runs[0]).items()
        }
        metrics |= self.prefix_name_to_metrics(ours, self.name)
        self.primary_metric = self._primary()
        self.store_metrics_in_model_card_data(model, metrics, epoch, steps)
        if output_path is not None:
            when = "".join(f"_{word}{n}" for word, n in (("epoch", epoch), ("step", steps)) if n != -1)
            self._write(runs, Path(output_path), when)
        return metrics

    def compute_metrics(self, queries_result_list: list[Any]) -> Any:
        """Their numbers; the lists of one similarity are kept on the way."""
        self._lists.append(
            {
                query: {hit["corpus_id"]: hit["score"] for hit in hits}
                for query, hits in zip(self.queries_ids, queries_result_list, strict=True)
            }
        )
        return super().compute_metrics(queries_result_list)

    def _primary(self) -> str:
        """The first measure, of the similarity asked for or of the one that is best by it."""
        measure = next(iter(self.scores.values())).measures[0]
        chosen = self.main_score_function and self.main_score_function.value
        best = min if measure.less_is_better else max
        chosen = chosen or best(self.scores, key=lambda name: self.scores[name].mean[str(measure)])
        self.greater_is_better = not measure.less_is_better
        return "_".join([*([self.name] if self.name else []), chosen, str(measure)])

    def _write(self, runs: Mapping[str, Lists], folder: Path, when: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        stem = self.name or "retrieval"
        contents: list[tuple[str, Kind, Any]] = [(f"{stem}.qrels", "qrels", self.judgments)]
        contents += [(f"{stem}_{similarity}{when}.run", "run", run) for similarity, run in runs.items()]
        for name, kind, content in contents:
            path = str(folder / name)
            put(written(of_object(content, kind), kind, TREC, path=path, tag=stem), path, overwrite=True)
