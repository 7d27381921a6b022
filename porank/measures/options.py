"""The valid values of the options of measures, as far as they do not depend on the orders.

The functions of two orders and `evaluate` share the validator `require_options`. The measures
themselves check what depends on the orders, such as a weight for each item.

Functions: `require_options`; `require_grade` for numbers of items, `require_base`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import holds, require_count, require_one_of, require_share
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Check = Callable[[Any, str], object]

#: The discounts of EDRC as functions of an array of ranks.
DISCOUNTS: dict[str, Callable[[NDArray[np.int64]], NDArray[Any]]] = {
    "linear": lambda ranks: ranks,
    "log": lambda ranks: np.log2(1 + ranks),
    # Floats do not hold larger powers; such pairs add nearly 0.
    "exponential": lambda ranks: 2.0 ** np.minimum(ranks, 1023),
    "shifted": lambda ranks: ranks - 1,
    "constant": np.ones_like,
}
#: Larger gains might have a sum that exceeds the largest float.
LARGEST_GAIN = 2.0**1000
_LARGEST_FLOAT = sys.float_info.max


def require_options(measure: str, **options: Any) -> None:
    """Raise an error if an option of a measure, given by its function's name, is invalid."""
    checks = _CHECKS.get(measure, {})
    for name, value in options.items():
        if name in checks:
            checks[name](value, name)
    if measure in _TOGETHER:
        _TOGETHER[measure](**options)


def _one_of(*choices: str) -> Check:
    return lambda value, name: require_one_of(value, choices, name=name)


def _is_number(value: Any, condition: Callable[[Any], Any]) -> bool:
    """Return whether a value is a number that satisfies a condition."""
    return not isinstance(value, str) and holds(condition, value)


def require_base(base: Any, name: str = "base") -> float:
    """Return the base of a logarithm, or raise an error unless it is finite and above 1."""
    if not _is_number(base, lambda b: 1 < b <= _LARGEST_FLOAT):
        raise PorankError(f"expected a finite number above 1 as {name}, found {base!r}")
    return float(base)


def require_grade(value: Any, name: str) -> None:
    """Raise an error unless a value can be the grade or gain of an item."""
    if not _is_number(value, lambda grade: 0 <= grade <= LARGEST_GAIN):
        raise PorankError(f"expected a number from 0 to 2**1000 as {name}, found {value!r}")


def _require_highest(value: Any, name: str) -> None:
    if value is not None and not _is_number(value, lambda highest: 0 <= highest <= _LARGEST_FLOAT):
        raise PorankError(
            f"expected {name} to be a number not below the highest grade, found {value!r}"
        )


def _count_from(least: int) -> Check:
    return lambda value, name: value is None or require_count(value, name=name, least=least)


def _require_depths(k: Any, name: str) -> None:
    for depth in k if isinstance(k, tuple) and len(k) == 2 else [k] * (k is not None):
        require_count(depth, name=name, least=1)


def _require_persistence(p: Any, name: str) -> None:
    if not _is_number(p, lambda share: 0 < share < 1):
        raise PorankError(f"expected {name} to be above 0 and below 1, found {p!r}")


def _require_discount(discount: Any, name: str) -> None:
    if not callable(discount) and not (isinstance(discount, str) and discount in DISCOUNTS):
        raise PorankError(
            f"expected {name} to be {listed(DISCOUNTS)} or a function of the rank, "
            f"found {discount!r}"
        )


def _require_one_gain(
    gain: str = "grade", relevance: Any = None, lowest: Any = 0, **_: object
) -> None:
    """Raise an error if options contradict each other about the gain of an item."""
    if lowest and (gain not in _BY_LEVEL or relevance is not None):
        raise PorankError(
            f"expected lowest only with gain='level' or 'exponential', found lowest={lowest!r} "
            f"with {'relevance' if relevance is not None else 'gain=' + repr(gain)}"
        )
    if gain == "rank" and relevance is not None:
        raise PorankError(
            "expected relevance without gain='rank', which uses only ranks; omit gain to use "
            "relevance as the gain"
        )


#: The gains that are levels of the target, even if it has scores.
_BY_LEVEL = ("level", "exponential")
_TIES = {"ties": _one_of("average", "optimistic", "pessimistic")}
_CREDIT: dict[str, Check] = {"ties": require_share}
_FIXED = {"fixed": _one_of("one", "local")}
_DEPTH: dict[str, Check] = {"k": _count_from(1)}
_LISTED: dict[str, Check] = {"retrieved": _count_from(0), **_DEPTH}
_HITS: dict[str, Check] = {**_LISTED, **_TIES}
_GAIN: dict[str, Check] = {
    "gain": _one_of("grade", *_BY_LEVEL, "rank"),
    "lowest": require_grade,
    "base": require_base,
    **_DEPTH,
    **_TIES,
}
#: For each function, by name, and each of its options, the check of its values.
_CHECKS: dict[str, dict[str, Check]] = {
    "kendall_tau": {"variant": _one_of("b", "a")},
    **dict.fromkeys(("auc", "c_index", "m_auc", "jonckheere_terpstra"), _CREDIT),
    "partial_kendall_distance": {"p": require_share},
    "position_error": {**_TIES},
    "discounted_error": {"base": require_base},
    **dict.fromkeys(("generalized_kendall", "generalized_footrule"), _FIXED),
    "dcg": _GAIN,
    "ndcg": {**_GAIN, **_LISTED},
    "ndcg_loss": {**_LISTED, **_TIES},
    "reciprocal_rank": {**_DEPTH, **_TIES},
    "average_precision": {**_DEPTH, **_TIES},
    **dict.fromkeys(("precision_at_k", "recall_at_k", "hit_rate"), _HITS),
    "expected_reciprocal_rank": {"highest": _require_highest, **_DEPTH, **_TIES},
    "rank_biased_overlap": {
        "p": _require_persistence,
        "k": _require_depths,
        "ties": _one_of("a", "b", "w"),
    },
    "edrc": {"discount": _require_discount},
    "ap_correlation": {"ties": _one_of("a", "b")},
}
#: Checks of several options of one function together.
_TOGETHER: dict[str, Callable[..., None]] = {
    "dcg": _require_one_gain,
    "ndcg": _require_one_gain,
}
