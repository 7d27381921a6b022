"""Files larger than the memory: dealt out into parts of whole groups, evaluated part by part.

Idea: *what belongs together must only meet.* Each file is read once, block by block, and its rows
are dealt out to as many temporary files as it takes, those of a group to the same one on both
sides; rows of a group may stand anywhere.
"""

from __future__ import annotations

import os
import pickle
from contextlib import ExitStack, closing
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.labels import Labels
from porank.core.progress import track
from porank.core.workers import as_array, as_read
from porank.errors import ParseError
from porank.evaluation.columns import SIDES, Table, open_source, place_columns, read_blocks
from porank.evaluation.common_types import met_in, require_common_types
from porank.evaluation.joining import join_evaluations
from porank.evaluation.sides import encode_sides

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from porank.evaluation.columns import Places
    from porank.evaluation.evaluation import Evaluation
    from porank.evaluation.sides import Sides
    from porank.typing import Numbers

#: So many bytes of both files make a part.
_PART_BYTES = 1 << 25
#: No more parts than this, and than half of the files that may be open.
_MOST_PARTS = 500
#: So many files may be open at least where that is not told.
_OPEN_FILES = 400


def count_parts(target: Any, predicted: Any) -> int:
    """Return in how many parts two sides are evaluated: 1 unless both are large files.

    Examples
    --------
    >>> count_parts({}, {})
    1
    """
    paths = [Path(side) for side in (target, predicted) if isinstance(side, (str, os.PathLike))]
    if len(paths) < 2 or not all(path.is_file() for path in paths):
        return 1
    size = sum(path.stat().st_size for path in paths)
    return max(1, min(_most_parts(), -(-size // _PART_BYTES)))


def _most_parts() -> int:
    """Return how many files of parts may be open at once."""
    try:
        resource = import_module("resource")
    except ImportError:  # on Windows
        return min(_MOST_PARTS, _OPEN_FILES // 2)
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return _MOST_PARTS if allowed == resource.RLIM_INFINITY else min(_MOST_PARTS, allowed // 2)


def evaluate_parts(
    target: Any,
    predicted: Any,
    by: tuple[str, ...],
    parts: int,
    evaluated: Callable[[Sides], Evaluation],
    *,
    progress: bool = False,
) -> Evaluation:
    """Return the evaluation of two files, made of those of their parts.

    Parameters
    ----------
    target, predicted : path
        Two tables.
    by : tuple of str
        The columns of groups.
    parts : int
        How many.
    evaluated : callable
        Evaluates the groups of one part.
    progress : bool
        Show a bar.

    Notes
    -----
    Memory of one part, of the labels of the groups, and of the results; the temporary files take
    about as much room as the two files would uncompressed.
    """
    labels = Labels("group" if len(by) > 1 else by[0])
    with TemporaryDirectory() as folder:
        places = [
            _deal(side, name, by, Path(folder), parts, labels, progress=progress)
            for side, name in zip((target, predicted), SIDES, strict=True)
        ]
        found, met = [], []
        for number in track(range(parts), progress=progress, label="parts"):
            sides = encode_sides(*_gathered(Path(folder), number, places), by)
            part = evaluated(sides)
            met.append(met_in(sides, part))
            # What it was worked out from would be all that the files hold.
            found.append(replace(part, groups=None))
    require_common_types(met)
    numbers = [_group_numbers([part[name] for name in by], labels, "parts") for part in found]
    return join_evaluations(found, numbers)


def _deal(
    side: Any,
    name: str,
    by: tuple[str, ...],
    folder: Path,
    parts: int,
    labels: Labels,
    *,
    progress: bool,
) -> Places:
    """Write the rows of a file to the files of its parts."""
    with ExitStack() as stack:
        source = stack.enter_context(closing(open_source(side, name)))
        places = place_columns(source, by, name)
        files = [
            stack.enter_context((folder / f"{name}{number}").open("wb")) for number in range(parts)
        ]
        blocks, done = read_blocks(source, places.names), 0
        for block in track(blocks, progress=progress, label=name):
            number = _group_numbers(block[: len(by)], labels, name, done) % parts
            done += number.size
            order = np.argsort(number, kind="stable")
            bounds = np.searchsorted(number[order], np.arange(parts + 1)).tolist()
            dealt = [as_array(column)[order] for column in block]
            for file, begin, end in zip(files, bounds[:-1], bounds[1:], strict=True):
                if end > begin:
                    pickle.dump([column[begin:end] for column in dealt], file, protocol=5)
    return places


def _group_numbers(columns: Sequence[Any], labels: Labels, name: str, done: int = 0) -> Numbers:
    """Return the numbers of the groups, as they first appear in either file."""
    values = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
    numbers, faults = labels.encode(values)
    if faults:
        row, message = faults[0]
        raise ParseError(f"{message} in row {done + row + 1} of {name}", line=done + row + 1)
    return numbers


def _gathered(folder: Path, number: int, places: Sequence[Places]) -> tuple[Table, Table]:
    """Return one part of both sides."""
    target, predicted = (
        place.table(list(_blocks(folder / f"{name}{number}")), is_whole=False)
        for name, place in zip(SIDES, places, strict=True)
    )
    return target, predicted


def _blocks(path: Path) -> Iterator[list[Any]]:
    with path.open("rb") as file:
        while file.peek(1):
            # Written by this process into a folder of its own.
            block = pickle.load(file)
            yield list(map(as_read, block))
