"""A folder of results that many workers write: there as a whole, or not at all."""

from __future__ import annotations

import os
import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from porank.errors import PorankError
from porank.evaluation.parquet import several_types

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from porank.evaluation.evaluation import Evaluation


class Folder:
    """A folder of Parquet files, one for each part.

    They are written into a folder beside it, which takes its name when all are there.

    Parameters
    ----------
    path : path
        What is not there yet, in a folder that all workers share.

    Examples
    --------
    >>> Folder(".")
    Traceback (most recent call last):
    porank.errors.PorankError: expected a folder that is not there yet as output, found '.'
    """

    def __init__(self, path: Any) -> None:
        if not isinstance(path, (str, os.PathLike)):
            raise PorankError(f"expected the path of a folder as output, found {path!r}")
        if os.path.lexists(path):
            raise PorankError(
                f"expected a folder that is not there yet as output, found {os.fspath(path)!r}"
            )
        self._path = Path(path).absolute()
        if not self._path.parent.is_dir():
            raise PorankError(
                f"expected a folder to put output {os.fspath(path)!r} into, found no "
                f"{os.fspath(self._path.parent)!r}"
            )
        # Workers that are not done with what has failed write where nothing is any more.
        self._making = self._path.with_name(f".{self._path.name}.{uuid4().hex}")

    def __enter__(self) -> None:
        self._making.mkdir()

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._making, ignore_errors=True)

    def part(self, number: int) -> Callable[[Evaluation], str]:
        """Return what writes the results of a part, and returns why it cannot."""
        return partial(_write, self._making / _name(number))

    def finish(self, sizes: Sequence[int]) -> None:
        """Give the folder its name, and leave out parts without groups, and what was begun twice.

        Parameters
        ----------
        sizes : sequence of int
            How many groups each part has.
        """
        kept = {_name(number) for number, size in enumerate(sizes) if size} or {_name(0)}
        for file in self._making.iterdir():
            if file.name not in kept:
                file.unlink()
        missing = sorted(kept - {file.name for file in self._making.iterdir()})
        if missing:
            raise PorankError(
                f"expected {len(kept)} files of the workers in {os.fspath(self._path.parent)!r}, "
                f"found no {missing[0]!r}; output needs a folder that all workers share"
            )
        self._making.rename(self._path)


def _name(number: int) -> str:
    return f"part.{number:05}.parquet"


def _write(path: Path, found: Evaluation) -> str:
    """Write the file of a part, whole or not at all, and return why it cannot be written.

    Another worker may have begun it and died.
    """
    unfinished = path.with_suffix(f".{uuid4().hex}")
    try:
        found.to_parquet(unfinished)
    except PorankError as error:
        unfinished.unlink(missing_ok=True)
        return str(error)
    unfinished.replace(path)
    return ""


def require_one_type(found: Sequence[Evaluation], faults: Sequence[str]) -> None:
    """Raise an error if groups are of several types, which a column of Parquet cannot hold.

    Parameters
    ----------
    found : sequence of Evaluation
        The parts.
    faults : sequence of str
        Why each could not be written, empty if it was.

    Examples
    --------
    >>> from porank.evaluation.batch import evaluate
    >>> parts = [evaluate({user: [1, 2]}, {user: [1, 2]}, measures="gamma") for user in ("x", 7)]
    >>> require_one_type(parts, ["", ""])
    Traceback (most recent call last):
    porank.errors.PorankError: expected groups of one type for Parquet files, found several as
    'user'; convert the column, or do without output
    """
    filled = [part for part in found if len(part)]
    mixed = [name for name in found[0].by if len({part[name].dtype.kind for part in filled}) > 1]
    told = [*filter(None, faults), *map(several_types, mixed)]
    if told:
        raise PorankError(f"{told[0]}, or do without output")
