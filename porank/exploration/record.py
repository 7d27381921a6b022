"""What is found in a log by `explore`, as data: what the report is made from."""

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
    """How many statements prefer the item that stood higher, and how many pairs never turn.

    In `higher` of the `statements` on items at known positions the item preferred stood above the
    other. Of the `pairs` that they compare, in `fixed` ones the same item stood higher in every
    statement; `apart` ones stood both ways, but never at the same two positions.
    """

    statements: int
    higher: int
    pairs: int
    fixed: int
    apart: int


class OpenPair(NamedTuple):
    """A pair that is not settled, and how many units more would settle it.

    `lacking` holds if the further units divide as those so far did.
    """

    preferred: Item
    other: Item
    support: int
    against: int
    lacking: int


class Later(NamedTuple):
    """How many pairs a later log settles by itself, and what the order says of them."""

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
        """What the log settles about the items that are shown."""
        return self.order.subgraph(self.leaning).copy()
