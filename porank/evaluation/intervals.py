"""How sure a mean over groups is: the bootstrap, groups drawn with replacement.

Idea: *a group that is drawn with replacement comes up a number of times that is all but Poisson
distributed with mean 1*, for each group by itself. Of many groups, bundles of groups are drawn,
which for a mean is as good.

Bundles of groups: which one a group is in, by its label alone, the same on every machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from porank.core.arguments import generator_of, require_count
from porank.core.arrays import integer_words, joined_words, label_words
from porank.core.graphs import item_key
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.typing import Numbers, Seed


#: More groups than this are drawn in as many bundles.
_BUNDLES = 10_000
#: So many numbers of draws are in hand at once.
_DRAWS = 1 << 22


def bootstrap_intervals(
    columns: Sequence[NDArray[np.float64]],
    *,
    samples: Any = 1000,
    level: Any = 0.95,
    seed: Seed = 0,
) -> list[tuple[float, float]]:
    """Return for each column an interval for the mean of what is not nan."""
    samples = require_count(samples, name="samples", least=1)
    rng, margin = generator_of(seed), require_level(level)
    if not columns:
        return []
    size = columns[0].size
    bundles = min(size, _BUNDLES)
    bundle = np.arange(size) if size == bundles else rng.permutation(size) % bundles
    counts = np.stack(
        [sums_of_bundles(bundle, ~np.isnan(column), bundles) for column in columns], 1
    )
    sums = np.stack(
        [sums_of_bundles(bundle, np.nan_to_num(column), bundles) for column in columns], 1
    )
    return [percentiles(column, margin) for column in poisson_means(sums, counts, samples, rng).T]


def poisson_means(
    sums: NDArray[np.float64],
    counts: NDArray[np.float64],
    samples: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return the means of bootstrap samples of bundles, a row for each sample."""
    step = max(1, _DRAWS // max(len(sums), 1))
    means = []
    for first in range(0, samples, step):
        draws = rng.poisson(1.0, (min(step, samples - first), len(sums))).astype(np.float64)
        total, drawn = draws @ sums, draws @ counts
        means.append(np.divide(total, drawn, out=np.full(total.shape, np.nan), where=drawn > 0))
    return np.concatenate(means)


def sums_of_bundles(
    bundle: NDArray[Any], values: NDArray[Any], bundles: int
) -> NDArray[np.float64]:
    """Return the sum of the values in each bundle."""
    summed = np.bincount(bundle, weights=values, minlength=bundles)
    return summed.astype(np.float64, copy=False)


def percentiles(means: NDArray[np.float64], margin: float) -> tuple[float, float]:
    """Return the bounds beyond which such a share of the means lies on each side."""
    known = means[~np.isnan(means)]
    if not known.size:
        return float("nan"), float("nan")
    low, high = np.quantile(known, [margin, 1 - margin]).tolist()
    return low, high


def require_level(level: Any, *, name: str = "level") -> float:
    """Return how much is cut off on each side of what lies within, or raise an error."""
    try:
        is_inside = not isinstance(level, str) and bool(0 < level < 1)
    except (TypeError, ValueError):
        is_inside = False
    if not is_inside:
        raise PorankError(
            f"expected {name} to lie between 0 and 1, without these, found {level!r:.100}"
        )
    return (1 - float(level)) / 2


def bundle_numbers(columns: Sequence[NDArray[Any]], bundles: int) -> Numbers:
    """Return the number of the bundle that each group is in."""
    words = joined_words([_words(column) for column in columns])
    return (words % np.uint64(bundles)).astype(np.int64)


def _words(column: NDArray[Any]) -> NDArray[np.uint64]:
    if column.dtype.kind in "iu":
        return integer_words(column)
    # All labels of one unusual type in one bundle would tell nothing of how means vary.
    return label_words(column.tolist(), other=_word_of_text)


def _word_of_text(label: Any) -> int:
    return crc32("\0".join(item_key(label)).encode("utf-8", "surrogatepass"))
