"""The rows of an evaluation as a Parquet file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.core.arguments import load
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


def write_columns(columns: Mapping[str, NDArray[Any]], by: Sequence[str], path: Any) -> None:
    """Write a row for each group to a Parquet file.

    Parameters
    ----------
    columns : mapping
        Name -> column.
    by : sequence of str
        Which of them tell the groups.
    path : path
        The file.

    Raises
    ------
    PorankError
        If a column of groups has labels of several types, which Parquet cannot hold.
    """
    arrow = load("pyarrow", "scale")
    arrays = {}
    for name, column in columns.items():
        try:
            arrays[name] = arrow.array(column.tolist() if column.dtype == object else column)
        except (arrow.ArrowException, OverflowError) as error:
            if name not in by:
                raise
            raise PorankError(several_types(name, str(error))) from None
    load("pyarrow.parquet", "scale").write_table(arrow.table(arrays), path)


def several_types(name: str, why: str = "") -> str:
    """Return what is said of a column of groups that Parquet cannot hold.

    Examples
    --------
    >>> several_types("user")
    "expected groups of one type for Parquet files, found several as 'user'; convert the column"
    """
    reason = f": {why}" if why else ""
    return (
        f"expected groups of one type for Parquet files, found several as {name!r}{reason}; "
        "convert the column"
    )
