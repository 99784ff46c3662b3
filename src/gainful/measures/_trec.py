"""Names of trec_eval: a root, and parameters after a dot when asked for (P.5,10) or a line when printed (P_5).

A measure says under which roots trec_eval knows it, and which form its parameters take there.
"""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from gainful.errors import MeasureError
from gainful.measures._gains import OTHER, Table

if TYPE_CHECKING:
    from gainful.measures._measure import Measure

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)

# Sets of measures, in the order in which trec_eval 10 prints them; runid and relstring are text, not measures.
OFFICIAL = (
    *("num_q", "num_ret", "num_rel", "num_rel_ret"),
    *("map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"),
)
PREFERENCES = (
    *("prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret"),
    *("prefs_simp", "prefs_pair", "prefs_avgjg", "prefs_avgjg_Rnonrel"),
    *("prefs_simp_ret", "prefs_pair_ret", "prefs_avgjg_ret", "prefs_avgjg_Rnonrel_ret"),
    *("prefs_simp_imp", "prefs_pair_imp", "prefs_avgjg_imp"),
)
SETS = {
    "official": OFFICIAL,
    "prefs": ("num_q", *PREFERENCES[:6]),
    "all_prefs": ("num_q", *PREFERENCES),
    "qrels_jg": ("num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
    "set": (
        *("num_q", "num_ret", "num_rel", "num_rel_ret", "utility"),
        *("set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
    ),
    "all_trec": (
        *OFFICIAL,
        *(
            "recall",
            "infAP",
            "gm_bpref",
            "Rprec_mult",
            "utility",
            "11pt_avg",
            "binG",
            "G",
            "ndcg",
            "ndcg_rel",
            "Rndcg",
        ),
        *(
            "ndcg_cut",
            "map_cut",
            "relative_P",
            "success",
            "set_P",
            "set_relative_P",
            "set_recall",
            "set_map",
            "set_F",
        ),
        "num_nonrel_judged_ret",
        *("rbp", "rbp_resid", "unj"),
    ),
}


class Form(Protocol):
    """How parameters are written after a root."""

    def read(self, text: str | None) -> list[dict[str, Any]]:
        """Parameters of each measure that the text asks for; None where nothing stood after the root."""

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        """What follows the root when it is printed, or None if these values have no such name."""


class Same:
    """A root that stands for one measure, with parameters of it fixed."""

    def __init__(self, **fixed: Any) -> None:
        self.fixed = fixed

    def read(self, text: str | None) -> list[dict[str, Any]]:
        """Nothing may follow."""
        if text is not None:
            raise MeasureError(f"it takes no parameters there; got {text!r}")
        return [self.fixed]

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        """Nothing, where the values are the fixed ones."""
        return "" if values == {**defaults, **self.fixed} else None


class Each:
    """A root whose parameters ask for a measure each: cutoffs, levels of recall, multiples."""

    def __init__(self, name: str = "cutoff", usual: Sequence[float] = CUTOFFS, *, places: int = 0) -> None:
        self.name = name
        self.usual = usual
        self.places = places

    def read(self, text: str | None) -> list[dict[str, Any]]:
        """One measure for each number, in rising order."""
        values = self.usual if text is None else sorted(set(numbers(text)))
        return [{self.name: value} for value in values]

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        """The number, with as many decimals as trec_eval gives it."""
        value = values.get(self.name)
        if value is None or values != {**defaults, self.name: value}:
            return None
        return f"_{value:.{self.places}f}"


class Gains:
    """A root that takes gains of its own: ndcg.1=3,2=9; levels that are not listed are worth themselves."""

    def read(self, text: str | None) -> list[dict[str, Any]]:
        """The grade as its gain, or a table."""
        if text is None:
            return [{}]
        table: dict[Any, Any] = {}
        for pair in text.split(","):
            grade, _, gain = pair.partition("=")
            table[numbers(grade)[0]] = numbers(gain)[0]
        return [{"gain": Table({**table, OTHER: "linear"})}]

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        """The table, if there is one and it leaves other grades as they are."""
        if values == defaults:
            return ""
        gain = values.get("gain")
        if not isinstance(gain, Table) or not gain.others or values != {**defaults, "gain": gain}:
            return None
        return "_" + ",".join(f"{grade!r}={worth!r}" for grade, worth in gain.gains)


class Several:
    """A root with one measure whose parameters are several numbers in their order: utility.1,-1,0,0."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def read(self, text: str | None) -> list[dict[str, Any]]:
        """As many numbers as there are names."""
        if text is None:
            return [{}]
        given = numbers(text)
        if len(given) != len(self.names):
            raise MeasureError(f"expected {len(self.names)} numbers ({', '.join(self.names)}); got {text!r}")
        return [dict(zip(self.names, given, strict=True))]

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        """The numbers, unless they are the usual ones."""
        if values == defaults:
            return ""
        mine = {name: values[name] for name in self.names}
        return (
            "_" + ",".join(f"{value:g}" for value in mine.values())
            if values == {**defaults, **mine}
            else None
        )


class Levels:
    """A root with one measure averaged over levels: 11pt_avg..25,.5,.75."""

    def read(self, text: str | None) -> list[dict[str, Any]]:
        """The levels, or none for the usual ones."""
        return [{}] if text is None else [{"levels": tuple(numbers(text))}]

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        """The levels without their leading zeros, as they are mostly typed."""
        if values == defaults:
            return ""
        levels = values.get("levels")
        if levels is None or values != {**defaults, "levels": levels}:
            return None
        return "_" + ",".join(f"{level:g}".removeprefix("0") or "0" for level in levels)


class SquareOf:
    """A root whose parameter is the square of ours: set_F's is beta squared."""

    def __init__(self, name: str) -> None:
        self.name = name

    def read(self, text: str | None) -> list[dict[str, Any]]:
        """The root of the number."""
        if text is None:
            return [{}]
        square = one_number(text)
        if square < 0:
            raise MeasureError(f"expected a number, 0 or more; got {text!r}")
        return [{self.name: math.sqrt(square)}]

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        """The square, unless it is the usual one."""
        if values == defaults:
            return ""
        value = values[self.name]
        return f"_{value**2:g}" if values == {**defaults, self.name: value} else None


class Named:
    """A root whose parameter has a name and another default there: rbp.p=0.8, or rbp.0.8."""

    def __init__(self, name: str, usual: float) -> None:
        self.name = name
        self.usual = usual

    def read(self, text: str | None) -> list[dict[str, Any]]:
        """The number, with or without its name; digits alone are decimals, as in rbp.95."""
        if text is not None and text.isdecimal():
            text = f"0.{text}"
        return [{self.name: self.usual if text is None else one_number(text.removeprefix(f"{self.name}="))}]

    def write(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str | None:
        """The name and the number, unless it is the usual one there."""
        value = values[self.name]
        if values != {**defaults, self.name: value}:
            return None
        return "" if value == self.usual else f"_{self.name}={value:g}"


def printed_names(measure: "Measure") -> tuple[str, ...]:
    """Every name under which trec_eval prints a measure; the level of relevance is an option there, not in the name."""
    values = {**measure.params, "summary": measure.summary, "unjudged": measure.unjudged}
    defaults = {name: parameter.default for name, parameter in measure.definition.parameters.items()}
    defaults |= {"summary": measure.definition.summary, "unjudged": "nonrelevant"}
    if defaults.get("rel") is not None:
        values["rel"] = defaults["rel"]
    written = ((root, form.write(values, defaults)) for root, form in measure.trec.items())
    return tuple(root + suffix for root, suffix in written if suffix is not None)


def numbers(text: str) -> list[float]:
    """The numbers in comma-separated text.

    >>> numbers(".10,2")
    [0.1, 2.0]
    """
    try:
        values = [float(field) for field in text.split(",")]
    except ValueError:
        values = [math.nan]
    if not all(map(math.isfinite, values)):
        raise MeasureError(f"expected comma-separated numbers; got {text!r}")
    return values


def one_number(text: str) -> float:
    """The only number in the text; an error where there are several."""
    values = numbers(text)
    if len(values) != 1:
        raise MeasureError(f"expected one number; got {text!r}")
    return values[0]
