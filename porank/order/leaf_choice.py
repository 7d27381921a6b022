"""How the positions in each part of an order are found: which method, within which limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from porank.core.arguments import generator_of, require_count, require_flag, require_one_of
from porank.errors import PorankError
from porank.order.decomposition import decompose
from porank.order.estimated_leaves import ApproximateLeaf, DrawnLeaf
from porank.order.ideals import ideals_if_few, ideals_of
from porank.order.leaf_positions import CountedLeaf, FreeLeaf
from porank.order.parts import Part
from porank.order.perfect_sampling import count_exchanges
from porank.orders.ranks import sorted_by_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from porank.core.compiled_order import Order
    from porank.order.ideals import Ideals
    from porank.order.leaf_positions import Leaf
    from porank.typing import Seed

_METHODS = ("auto", "exact", "sample", "approximate")
#: A table of n**2 numbers is written for so many items; a weak order needs none.
MOST_ITEMS = 5000
#: Parts are not drawn by coins unless it is asked for if it takes more: about half a minute.
MOST_EXCHANGES = 3_000_000_000


@dataclass(frozen=True)
class Choice:
    """What the caller wants.

    Attributes
    ----------
    method : {"auto", "exact", "sample", "approximate"}
        How the parts that need it are solved.
    max_ideals : int
        How many ideals a part may have to be counted.
    samples : int
        How many linear extensions are drawn of a part.
    rng : Generator
        Where the randomness comes from.
    exact : bool
        Whether fractions are wanted.
    progress : bool
        Whether to show bars.
    """

    method: str
    max_ideals: int
    samples: int
    rng: np.random.Generator
    exact: bool
    progress: bool

    def solve(self, order: Order) -> tuple[list[Part], dict[int, Leaf]]:
        """Return the parts of an order, and for the number of each leaf where its items stand.

        The approximation takes an order as a whole, as it was published.
        """
        if self.method == "approximate" and not order.is_weak:
            named, numbers = sorted_by_name(order)
            relation = named.related(progress=self.progress)
            items = numbers[relation.order].tolist()
            whole = Part("prime", len(items), [], items, relation.covers)
            return [whole], {0: _approximated(whole)}
        # The names decide the sequence in which numbers are drawn and rounded; levels need neither.
        parts = decompose(order, by_name=not order.is_weak, progress=self.progress)
        leaves = {number: part for number, part in enumerate(parts) if not part.parts}
        return parts, {number: self._solve_leaf(part) for number, part in leaves.items()}

    def _solve_leaf(self, part: Part) -> Leaf:
        if part.kind == "free":
            return FreeLeaf(part.items[::-1], exact=self.exact)
        ideals = self._ideals_of(part)
        if ideals is not None and self.method != "sample":
            return CountedLeaf(part, ideals, exact=self.exact)
        is_long = count_exchanges(part.size) * self.samples > MOST_EXCHANGES
        if self.method == "auto" and is_long:
            return _approximated(part)
        _require_few(part, "draw")
        return DrawnLeaf(part, ideals, samples=self.samples, rng=self.rng, progress=self.progress)

    def _ideals_of(self, part: Part) -> Ideals | None:
        """Return the ideals of a part if they are not too many, or else must be counted."""
        if self.method != "exact":
            return ideals_if_few(part, max_ideals=self.max_ideals, progress=self.progress)
        way_out = "method='auto' estimates what cannot be counted"
        if self.exact:
            way_out += ", in floats: leave out exact=True"
        return ideals_of(part, max_ideals=self.max_ideals, progress=self.progress, way_out=way_out)


def choose(
    method: str, max_ideals: Any, samples: Any, seed: Seed, *, exact: bool, progress: bool
) -> Choice:
    """Return the options of a caller, checked.

    Examples
    --------
    >>> choose("auto", 1000, 100, 0, exact=True, progress=False).method
    'exact'
    """
    require_one_of(method, _METHODS, name="method")
    require_flag(exact, name="exact")
    require_flag(progress, name="progress")
    if exact and method not in ("auto", "exact"):
        raise PorankError(
            f"expected method='auto' or 'exact' with exact=True, found {method!r}, which estimates"
        )
    return Choice(
        "exact" if exact else method,
        max_ideals=require_count(max_ideals, name="max_ideals", least=1),
        samples=require_count(samples, name="samples", least=1),
        rng=generator_of(seed),
        exact=exact,
        progress=progress,
    )


def _approximated(part: Part) -> ApproximateLeaf:
    _require_few(part, "approximate")
    return ApproximateLeaf(part)


def _require_few(part: Part, purpose: str) -> None:
    """Raise an error if the tables that an estimate takes would be too large."""
    if part.size > MOST_ITEMS:
        raise PorankError(
            f"expected at most {MOST_ITEMS:,} items to {purpose}, found {part.size:,} in a part "
            "that cannot be divided; rank_intervals takes any number, restrict(G, items) leaves "
            "fewer"
        )


def method_of(leaves: Mapping[int, Leaf]) -> str:
    """Return the least exact method that was used.

    Examples
    --------
    >>> method_of({1: FreeLeaf([0], exact=False)})
    'exact'
    """
    used = {leaf.method for leaf in leaves.values()}
    return next((method for method in ("approximate", "sample") if method in used), "exact")
