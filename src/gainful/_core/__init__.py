"""The one door to the native core."""

from gainful._core.plain import (
    Cancelled,
    Fault,
    Found,
    Index,
    Job,
    Rows,
    columns,
    judge_mapping,
    judge_rows,
)

__all__ = ["Cancelled", "Fault", "Found", "Index", "Job", "Rows", "columns", "judge_mapping", "judge_rows"]
