"""Tables in parts: Dask DataFrames whose parts are worked on like frames in memory.

Idea: *all rows of a group come to one part, and what is found in a part is a frame again.* Dask
shuffles the rows, decides which threads, processes or machines do the work, and does again what a
worker that has died had begun.

`is_dask` tells such a table; `map_groups` does the work on each part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.core.arguments import load
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def is_dask(table: Any) -> bool:
    """Return whether a table is a DataFrame of Dask."""
    kind = type(table)
    return kind.__module__.startswith("dask") and hasattr(kind, "map_partitions")


def map_groups(
    frames: Sequence[Any],
    by: Sequence[Any],
    work: Callable[..., Any],
    kinds: Mapping[str, Any],
) -> Any:
    """Return the Dask DataFrame of what `work` finds in each part of some Dask DataFrames.

    The rows of a group, whose columns are `by`, are all in one part, and those of all frames in the
    same. `work` takes frames of pandas, and returns what has ``to_frame``; `kinds` are the types of
    the columns of the result.
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
    """Raise an error if a Dask DataFrame has numbers where the first one has texts as labels."""
    is_number = load("pandas.api.types", "scale").is_numeric_dtype
    for name, kind in labels.items():
        other = frame.dtypes[name]
        if is_number(kind) != is_number(other):
            raise PorankError(
                f"expected groups of one type on both sides, found {kind} and {other} as "
                f"{name!r}; astype converts one of the columns"
            )


def _worked(*parts: Any, work: Callable[..., Any], kinds: Mapping[str, Any]) -> Any:
    """Return what is found in a part of Dask DataFrames, in columns of the types expected."""
    return work(*parts).to_frame().astype(kinds)
