"""How the positions in each part of an order are found: which method, within which limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.arguments import require_count
from porank.errors import PorankError, TooManyIdealsError, listed
from porank.order.decomposition import Part, decompose
from porank.order.estimated_leaves import ApproximateLeaf, DrawnLeaf
from porank.order.ideal_layers import WORD
from porank.order.leaf_positions import CountedLeaf, FreeLeaf

if TYPE_CHECKING:
    from porank.compiled import Order
    from porank.order.leaf_positions import Leaf
    from porank.typing import Seed

_METHODS = ("auto", "exact", "sample", "approximate")
#: A table of n**2 numbers is written for so many items; a weak order needs none.
MOST_ITEMS = 5000
#: Larger parts are not drawn unless it is asked for: a thousand extensions take n**3 log n each.
DRAWN_UNTIL = 100


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
            relation = order.related(progress=self.progress)
            items = relation.order.tolist()
            whole = Part("prime", len(items), [], items, relation.covers)
            return [whole], {0: _approximated(whole)}
        parts = decompose(order, progress=self.progress)
        leaves = {number: part for number, part in enumerate(parts) if not part.parts}
        return parts, {number: self._solve_leaf(part) for number, part in leaves.items()}

    def _solve_leaf(self, part: Part) -> Leaf:
        if part.kind == "free":
            return FreeLeaf(part.items[::-1], exact=self.exact)
        if self.method == "exact":
            return self._counted(part)
        if self.method == "auto":
            try:
                return self._counted(part)
            except TooManyIdealsError:
                pass
        if self.method == "auto" and part.size > DRAWN_UNTIL:
            return _approximated(part)
        return DrawnLeaf(part, samples=self.samples, rng=self.rng, progress=self.progress)

    def _counted(self, part: Part) -> CountedLeaf:
        """Count a part, unless it is plain that there are too many ideals: 2**w, at w items."""
        if widest_level(part) > self.max_ideals.bit_length() and part.size > WORD:
            raise TooManyIdealsError.found(
                max_ideals=self.max_ideals, reached=1, placed=0, items=part.size
            )
        return CountedLeaf(
            part, max_ideals=self.max_ideals, exact=self.exact, progress=self.progress
        )


def choose(
    method: str, max_ideals: Any, samples: Any, seed: Seed, *, exact: bool, progress: bool
) -> Choice:
    """Return the options of a caller, checked.

    Examples
    --------
    >>> choose("auto", 1000, 100, 0, exact=True, progress=False).method
    'exact'
    """
    if method not in _METHODS:
        raise PorankError(f"expected method to be one of {listed(_METHODS)}, found {method!r}")
    if exact and method not in ("auto", "exact"):
        raise PorankError(
            f"expected method='auto' or 'exact' with exact=True, found {method!r}, which estimates"
        )
    return Choice(
        "exact" if exact else method,
        max_ideals=require_count(max_ideals, name="max_ideals", least=1),
        samples=require_count(samples, name="samples", least=1),
        rng=np.random.default_rng(seed),
        exact=exact,
        progress=progress,
    )


def _approximated(part: Part) -> ApproximateLeaf:
    if part.size > MOST_ITEMS:
        raise PorankError(
            f"expected at most {MOST_ITEMS:,} items to approximate, found {part.size:,}; "
            "method='sample' draws, rank_intervals takes any number"
        )
    return ApproximateLeaf(part)


def widest_level(part: Part) -> int:
    """Return how many items of a leaf have equally long chains below them.

    None of them is above another, so that any of them may be in an ideal without the others: of w
    items there are at least 2**w ideals.

    Examples
    --------
    >>> widest_level(Part("prime", 4, [], [3, 2, 1, 0], [[], [], [0, 1], [0]]))
    2
    """
    sizes: dict[int, int] = {}
    height: list[int] = []
    for covered in part.covers:
        height.append(1 + max((height[q] for q in covered), default=-1))
        sizes[height[-1]] = sizes.get(height[-1], 0) + 1
    return max(sizes.values(), default=0)
