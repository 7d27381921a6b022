"""What became of a group, and of one measure in a group."""

from __future__ import annotations

#: A value; 0/0; a measure that does not take such orders.
DEFINED, UNDEFINED, INAPPLICABLE = range(3)
#: What keeps a whole group from being evaluated.
EMPTY, CYCLIC_TARGET, CYCLIC_PREDICTED, ONLY_TARGET, ONLY_PREDICTED = range(3, 8)
#: A kernel leaves the group to the function of two orders.
ALONE = 255
#: The statuses as texts, by their numbers.
STATUSES = (
    "defined",
    "undefined",
    "inapplicable",
    "empty",
    "cyclic target",
    "cyclic predicted",
    "only in target",
    "only in predicted",
)
