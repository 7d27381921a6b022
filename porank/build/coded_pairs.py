"""The pairs that rules find in sessions, as numbers of items and of groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porank.build.pair_limits import require_few

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.build.logs.sessions import Sessions
    from porank.build.rules import NamedRule
    from porank.typing import Numbers


def coded_pairs(
    sessions: Sessions, rules: Sequence[NamedRule], names: Sequence[str]
) -> dict[str, Numbers]:
    """Return the pairs that some sessions say, once for each session, as numbers.

    Parameters
    ----------
    sessions : Sessions
        Whole sessions.
    rules : sequence of NamedRule
        What says pairs.
    names : sequence of str
        The columns that are wanted beside ``preferred`` and ``other``.
    """
    preferred, other = _said_by_any(sessions, rules)
    columns = {"preferred": sessions.item.take(preferred), "other": sessions.item.take(other)}
    for name in names:
        if name == "position":
            columns[name] = sessions.position[preferred].astype(np.int64)
        elif name not in columns:
            columns[name] = sessions.first_of_entries(name).take(preferred)
    return columns


def _said_by_any(sessions: Sessions, rules: Sequence[NamedRule]) -> tuple[Numbers, Numbers]:
    """Return the pairs of entries of all rules, each once."""
    if not len(sessions):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    found = [rule.pairs(sessions) for rule in rules]
    if len(found) == 1 and rules[0].is_ours:
        return found[0]
    keys = np.concatenate([preferred * len(sessions) + other for preferred, other in found])
    preferred, other = np.divmod(np.unique(keys), len(sessions))
    require_few(sessions, preferred, np.ones_like(preferred))
    return preferred, other
