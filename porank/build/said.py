"""What is asked of a click log, and what it says: pairs as numbers, and all that goes with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.build.logs.reading import Log
from porank.build.pair_limits import MAX_PAIRS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from porank.build.logs.counts import LogCounts
    from porank.build.rules import NamedRule
    from porank.build.tally import Tally
    from porank.core.files import Problem
    from porank.core.labels import Labels
    from porank.typing import Numbers

_NOTHING = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Wanted:
    """What is asked of a log.

    Attributes
    ----------
    reading : mapping
        The options of `Log`.
    rules : sequence of NamedRule
        What says pairs.
    names : sequence of str
        The columns of the pairs.
    is_merged : bool
        Whether pairs of several sessions are counted together.
    max_pairs : int
        How many pairs may be held at a time.
    """

    reading: Mapping[str, Any]
    rules: Sequence[NamedRule]
    names: Sequence[str]
    is_merged: bool
    max_pairs: int = MAX_PAIRS

    def log(self, source: Any, *, errors: Any, labels: Mapping[str, Labels] | None = None) -> Log:
        """Return a log with these options."""
        return Log(source, **{**self.reading, "errors": errors}, labels=labels)

    @property
    def labelled(self) -> list[str]:
        """The columns whose labels are numbered over all pieces."""
        by = (name for name in self.reading["by"] if name != "session")
        return list(dict.fromkeys(["item", *by]))


class Said(NamedTuple):
    """What a log says, or a part of it.

    Attributes
    ----------
    tally : Tally
        The pairs as numbers.
    labels : dict of arrays
        What the numbers of items, groups and sessions stand for.
    items : list
        All items: numbers for a part, labels for a whole log.
    counts : LogCounts
        What is odd.
    problems : list of Problem
        What is wrong.
    first : array of int
        Where each session begins, by its number; of a part alone.
    """

    tally: Tally
    labels: dict[str, NDArray[Any]]
    items: list[Any]
    counts: LogCounts
    problems: list[Problem]
    first: Numbers = _NOTHING
