"""The results of `explore` as data, from which the report is made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import networkx as nx

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.clicks.holdout import FeedbackValidation
    from porank.clicks.report import FeedbackReport
    from porank.significance.judges import JudgeComparison
    from porank.significance.segments import SegmentComparison
    from porank.typing import Item


class Places(NamedTuple):
    """How the statements of a log depend on position.

    Among `statements` on two items at known positions, `higher` prefer the item that stood above
    the other. They compare `pairs` pairs. In `fixed` of these the same item stood higher in every
    statement; `apart` of them stood both ways, but never at the same two positions.
    """

    statements: int
    higher: int
    pairs: int
    fixed: int
    apart: int


class OpenPair(NamedTuple):
    """A pair that is not settled, and the number of further units that would settle it.

    `lacking` assumes that further units split as those so far.
    """

    preferred: Item
    other: Item
    support: int
    against: int
    lacking: int


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
    report: FeedbackReport
    evidence: nx.DiGraph
    order: nx.DiGraph
    leaning: nx.DiGraph
    relation: PreferenceRelation
    open_pairs: tuple[OpenPair, ...]
    validation: FeedbackValidation | str
    later: Later | None
    segments: tuple[SegmentComparison, ...]
    places: Places | None
    balanced: nx.DiGraph | None
    judges: JudgeComparison | None

    @cached_property
    def shown(self) -> nx.DiGraph:
        """The settled order of the items that are shown."""
        return self.order.subgraph(self.leaning).copy()
