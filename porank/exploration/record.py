"""The results of `explore` as data, from which the report is made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from porank.core.tables import one_line

if TYPE_CHECKING:
    import networkx as nx

    from porank.clicks.holdout import FeedbackValidation
    from porank.clicks.taste_of_log import LogTaste
    from porank.exploration.contents import LogContents
    from porank.significance.judges import JudgeComparison
    from porank.significance.segments import SegmentComparison
    from porank.typing import Item


class OpenPair(NamedTuple):
    """A pair that is not settled, and about how many further units would settle it.

    `lacking` assumes that further units are as those so far.
    """

    preferred: Item
    other: Item
    support: int
    against: int
    lacking: int

    def __repr__(self) -> str:
        return one_line(self)


class Later(NamedTuple):
    """Number of pairs that a later log settles by itself, and how the order decides them."""

    settled: int
    alike: int
    opposite: int


@dataclass(frozen=True, eq=False, repr=False)
class Record:
    """The attributes of an `Exploration`."""

    title: str
    rules: tuple[str, ...]
    unit: str
    by: str | None
    contents: LogContents
    evidence: nx.DiGraph
    taste: LogTaste
    _order: nx.DiGraph
    leaning: nx.DiGraph
    open_pairs: tuple[OpenPair, ...]
    validation: FeedbackValidation | str
    later: Later | None
    segments: tuple[SegmentComparison, ...]
    judges: JudgeComparison | None

    def order(self) -> nx.DiGraph:
        """Return the settled order of all items, as by `settled_order`."""
        return self._order

    @cached_property
    def pictured(self) -> nx.DiGraph:
        """The settled order of the items in pictures."""
        return self.order().subgraph(self.leaning).copy()
