"""The results of `explore` as data, from which the report is made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from porank.orders.open_pairs import recorded_pairs

if TYPE_CHECKING:
    import networkx as nx

    from porank.clicks.holdout import FeedbackValidation
    from porank.clicks.taste_of_log import LogTaste
    from porank.exploration.contents import LogContents
    from porank.orders.open_pairs import OpenPairs
    from porank.significance.judges import JudgeComparison
    from porank.significance.segments import SegmentComparison


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
    validation: FeedbackValidation | str
    is_later: bool
    segments: tuple[SegmentComparison, ...]
    judges: JudgeComparison | None

    def order(self) -> nx.DiGraph:
        """Return the settled order of all items, as by `settled_order`."""
        return self._order

    @cached_property
    def recorded(self) -> OpenPairs:
        """The open pairs that the settled order recorded, those nearest to being settled first."""
        return recorded_pairs(self.order())

    @cached_property
    def pictured(self) -> nx.DiGraph:
        """The settled order of the items in pictures."""
        return self.order().subgraph(self.leaning).copy()
