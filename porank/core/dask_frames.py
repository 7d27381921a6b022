"""Apply functions to Dask DataFrames, group by group.

Idea: *all rows of a group go to one partition, and each partition is treated as a DataFrame in
memory.* Dask shuffles the rows, distributes the work over threads, processes or machines, and
repeats the work of a worker that died.

`is_dask` recognizes such a table, and `map_groups` applies a function to each partition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.core.arguments import load
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def is_dask(table: Any) -> bool:
    """Return whether a table is a Dask DataFrame."""
    kind = type(table)
    return kind.__module__.startswith("dask") and hasattr(kind, "map_partitions")


def map_groups(
    frames: Sequence[Any],
    by: Sequence[Any],
    work: Callable[..., Any],
    kinds: Mapping[str, Any],
) -> Any:
    """Apply `work` to the partitions of Dask DataFrames; return the results as a Dask DataFrame.

    All rows of a group, defined by the columns `by`, are in one partition, the same one for all
    frames. `work` takes pandas DataFrames and returns an object with ``to_frame``; `kinds` are the
    types of the columns of the result.
    """
    labels = {name: frames[0].dtypes[name] for name in by}
    for frame in frames[1:]:
        _require_like_labels(labels, frame)
    parts = max(frame.npartitions for frame in frames)
    moved = [frame.astype(labels).shuffle(list(by), npartitions=parts) for frame in frames]
    empty = load("pandas", "scale").DataFrame({name: [] for name in kinds}).astype(dict(kinds))
    dask = load("dask.dataframe", "scale")
    return dask.map_partitions(
        _worked, *moved, work=work, kinds=dict(kinds), meta=empty, align_dataframes=False
    )


def _require_like_labels(labels: Mapping[Any, Any], frame: Any) -> None:
    """Raise an error if the labels of one Dask DataFrame are numbers and those of another texts."""
    is_number = load("pandas.api.types", "scale").is_numeric_dtype
    for name, kind in labels.items():
        other = frame.dtypes[name]
        if is_number(kind) != is_number(other):
            raise PorankError(
                f"expected groups of one type on both sides, found {kind} and {other} as "
                f"{name!r}; convert one of the columns with astype"
            )


def _worked(*parts: Any, work: Callable[..., Any], kinds: Mapping[str, Any]) -> Any:
    """Return the results for a partition of Dask DataFrames, with the expected column types."""
    return work(*parts).to_frame().astype(kinds)
