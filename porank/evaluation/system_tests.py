"""The tests of one comparison of systems: by name, in both directions, and adjusted together."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from porank.core.graphs import item_key
from porank.evaluation.corrections import adjust_p_values
from porank.evaluation.paired_tests import oriented, paired_differences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from porank.evaluation.effects import PairedDifference
    from porank.evaluation.paired_groups import Paired
    from porank.evaluation.paired_tests import Trial

#: Which tests are adjusted together.
FAMILIES = ("measure", "all")
#: So many samples, and as many times those that a single finding among all tests needs.
_SAMPLES, _TIMES = 10_000, 10


def samples_for(tests: int, significance: float) -> int:
    """Return how many samples so many tests need that are adjusted together.

    Examples
    --------
    >>> samples_for(3, 0.05), samples_for(780, 0.05)
    (10000, 156000)
    """
    return max(_SAMPLES, math.ceil(_TIMES * tests / significance))


def named_differences(
    systems: Sequence[Any], paired: Paired, *, better: str, trial: Trial
) -> list[PairedDifference]:
    """Return how any two systems differ in one measure, by name, the better first.

    Parameters
    ----------
    systems : sequence
        The names of the columns of values.
    paired : Paired
        The values.
    better : {"higher", "lower"}
        Which values are better.
    trial : Trial
        How they are tested.

    Examples
    --------
    >>> import numpy as np
    >>> from porank.evaluation.paired_groups import Paired
    >>> from porank.evaluation.paired_tests import Trial
    >>> paired = Paired(np.array([[1.0, 3.0], [2.0, 3.0]]), 0, {}, 0)
    >>> trial = Trial("sign", 9, 0.025, np.random.default_rng(0))
    >>> (found,) = named_differences("AB", paired, better="lower", trial=trial)
    >>> found.first, found.difference, found.wins
    ('A', -1.5, 2)
    """
    keys = [(item_key(system), place) for place, system in enumerate(systems)]
    sign = 1.0 if better == "higher" else -1.0
    found = []
    for each in paired_differences(sign * paired.values, trial):
        turned = oriented(each, test=trial.test, keys=keys)
        shown = turned if better == "higher" else turned.negated()
        found.append(replace(shown, first=systems[shown.first], second=systems[shown.second]))
    return found


def means_of(systems: Sequence[Any], paired: Paired) -> dict[Any, float]:
    """Return the mean of each system, nan without any group.

    Examples
    --------
    >>> import numpy as np
    >>> from porank.evaluation.paired_groups import Paired
    >>> means_of("AB", Paired(np.array([[1.0, 3.0], [2.0, 3.0]]), 0, {}, 0))
    {'A': 1.5, 'B': 3.0}
    """
    if not len(paired.values):
        return dict.fromkeys(systems, math.nan)
    return dict(zip(systems, paired.values.mean(axis=0).tolist(), strict=True))


def adjusted(
    found: Mapping[str, Sequence[PairedDifference]], *, correction: str, family: str
) -> dict[str, tuple[PairedDifference, ...]]:
    """Return the differences with their p-values adjusted, family by family.

    Examples
    --------
    >>> from porank.evaluation.effects import PairedDifference
    >>> each = PairedDifference("A", "B", 0.25, 0.125, 0.5, 0.03, 0.03, 1.5, 0.75, 3, 1, 0)
    >>> found = {"gamma": [each], "auc": [each]}
    >>> for family in FAMILIES:
    ...     print(adjusted(found, correction="holm", family=family)["auc"][0].adjusted)
    0.03
    0.06
    """
    families = [[name] for name in found] if family == "measure" else [list(found)]
    whole: dict[str, tuple[PairedDifference, ...]] = {}
    for names in families:
        p_values = [each.p_value for name in names for each in found[name]]
        fitted = iter(adjust_p_values(p_values, correction=correction))
        for name in names:
            several = zip(found[name], islice(fitted, len(found[name])), strict=True)
            whole[name] = tuple(replace(each, adjusted=p) for each, p in several)
    return whole
