"""Values of many batches, kept topic by topic until they are summed up."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from gainful.batch.dense_evaluation import Measures, evaluated, named
from gainful.batch.dense_ranking import Array
from gainful.errors import UsageError
from gainful.judging.ranking import namespace
from gainful.presentation.text_style import counted
from gainful.summaries import SUMMARIES


class Accumulator:
    """Measures over many batches: `update` with each, `compute` at the end, `merge` what other processes saw, `reset`.

    It keeps a number for each topic and measure, on the device, and no scores. Sums are exact, so that neither the
    order of topics nor how they were dealt out to batches and processes changes a bit of what `compute` gives.

    measures  names, measures, or a list of them
    unjudged  a number among the grades that stands for "not judged"; NaN always does
    top       the best grade of the scale; measures that ask for it (ERR, RBP) are refused without, as a batch may lack it
    kernels   whether Triton may be used on a GPU; the order is the same, and values but for rounding

    >>> import numpy as np
    >>> seen = Accumulator("RR, NumRel")
    >>> seen.update(np.array([[0.2, 0.9]]), np.array([[1, 0]]))
    >>> seen.update(np.array([[0.8, 0.9], [0.3, 0.1]]), np.array([[1, 1], [1, 0]]))
    >>> seen.compute()
    {'RR': 0.8333333333333334, 'NumRel': 4.0}
    """

    def __init__(
        self,
        measures: Measures,
        *,
        unjudged: float | None = None,
        top: float | None = None,
        kernels: bool = True,
    ) -> None:
        self.measures = named(measures)
        self.unjudged = unjudged
        self.top = top
        self.kernels = kernels
        self._blocks: list[Array] = []

    def __repr__(self) -> str:
        return f"<Accumulator: {', '.join(self.measures)}; {counted(len(self), 'topic')}>"

    def __len__(self) -> int:
        """How many topics there are so far."""
        return sum(int(block.shape[0]) for block in self._blocks)

    def update(
        self,
        scores: Array,
        grades: Array,
        *,
        mask: Array = None,
        beyond: Array = None,
        aspects: Array = None,
        beyond_aspects: Array = None,
    ) -> None:
        """See a batch of topics; arrays as for `evaluate`."""
        values = evaluated(
            self.measures,
            scores,
            grades,
            mask=mask,
            beyond=beyond,
            aspects=aspects,
            beyond_aspects=beyond_aspects,
            unjudged=self.unjudged,
            top=self.top,
            kernels=self.kernels,
            partial=True,
        )
        self.add(values)

    def add(self, values: "Mapping[str, Array] | Array") -> None:
        """Take values that `evaluate` gave, in a compiled function or another process.

        A mapping as it came (arrays of any shape, of the same one for all measures), or topics × measures as in `table`.
        """
        if not isinstance(values, Mapping):
            if not hasattr(values, "shape"):
                raise UsageError(
                    f"expected values by measure, or a table of them; got {type(values).__qualname__}"
                )
            if len(values.shape) != 2 or values.shape[1] != len(self.measures):
                raise UsageError(
                    f"expected topics × {len(self.measures)} measures; got the shape {tuple(values.shape)}"
                )
            self._keep(values)
            return
        if values.keys() != self.measures.keys():
            raise UsageError(
                f"expected values of {', '.join(self.measures)}; got those of {', '.join(map(str, values))}"
            )
        columns = [values[name] for name in self.measures]
        xp = namespace(columns[0])
        if _is_traced(columns[0], xp):
            raise UsageError(
                "an accumulator cannot be updated in a function compiled by JAX: return the values, and add them outside"
            )
        if len({tuple(column.shape) for column in columns}) > 1:
            raise UsageError("expected as many values of one measure as of another")
        if hasattr(columns[0], "detach"):
            columns = [column.detach() for column in columns]
        self._keep(xp.stack([xp.reshape(column, (-1,)) for column in columns], axis=-1))

    def _keep(self, block: Array) -> None:
        """Topics × measures, beside those that are there; what is elsewhere meets them in the memory of the host."""
        if self._blocks and _where(block) != _where(self._blocks[0]):
            self._blocks, block = [_on_host(self.table())], _on_host(block)
        self._blocks.append(block)

    def table(self) -> Array:
        """All values so far, topics × measures, where they are: what to send to other processes, which `add` it."""
        if not self._blocks:
            return np.zeros((0, len(self.measures)))
        if len(self._blocks) > 1:
            self._blocks = [namespace(self._blocks[0]).concat(tuple(self._blocks), axis=0)]
        return self._blocks[0]

    def values(self) -> dict[str, Array]:
        """The value of each topic so far, by measure."""
        table = self.table()
        return {name: table[:, place] for place, name in enumerate(self.measures)}

    def compute(self) -> dict[str, float]:
        """Each measure over all topics so far: its mean, or the summary that it names; NaN where there is no topic."""
        table = _on_host(self.table())
        return {
            name: SUMMARIES[measure.summary](table[:, place])
            for place, (name, measure) in enumerate(self.measures.items())
        }

    def merge(self, *others: "Accumulator") -> "Accumulator":
        """Take in what others saw; they stay as they are. Gives this one back."""
        for other in others:
            if not isinstance(other, Accumulator):
                raise UsageError(f"expected an accumulator; got {type(other).__qualname__}")
            if other.top != self.top:
                raise UsageError(f"expected an accumulator with top={self.top}; got one with top={other.top}")
            if list(other.measures) != list(self.measures):
                raise UsageError(
                    f"expected an accumulator of {', '.join(self.measures)}; got one of {', '.join(other.measures)}"
                )
            if len(other):
                self._keep(other.table())
        return self

    def reset(self) -> None:
        """Forget all topics."""
        self._blocks = []

    def __getstate__(self) -> dict[str, Any]:
        """For other processes: values travel in the host's memory."""
        return {**self.__dict__, "_blocks": [_on_host(self.table())] if self._blocks else []}


def _where(table: Array) -> tuple[Any, ...]:
    """Tables of one library on one device can be put together there."""
    return type(table), getattr(table, "device", None)


def _is_traced(array: Array, xp: Any) -> bool:
    """Whether it has no numbers yet, as inside a function that JAX compiles."""
    if not xp.__name__.startswith("jax"):
        return False
    import jax

    return isinstance(array, jax.core.Tracer)


def _on_host(table: Array) -> Any:
    if hasattr(table, "detach"):
        table = table.detach().cpu().numpy()
    elif hasattr(table, "get") and not isinstance(table, np.ndarray):  # CuPy
        table = table.get()
    return np.asarray(table, dtype=np.float64)
