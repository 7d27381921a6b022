"""``porank predict LOG --holdout``: how right the order of some sessions is on others.

`HOLDOUT` are the options, `show_holdout` prints the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import porank as po
from porank.cli.command import argument, fraction, show
from porank.cli.mine import (
    EVIDENCE,
    LOG_READING,
    open_log,
    reading_options,
    tell_problems,
    tell_shape,
)
from porank.cli.reading import calling_as_shown
from porank.clicks.units import UNITS
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    import argparse


_BESIDE = "--holdout"
HOLDOUT = (
    argument(
        "--holdout",
        action="store_true",
        help="hold back sessions of a log, and print how right the order of the others is on them",
    ),
    argument(
        "--test-share",
        type=fraction,
        beside=_BESIDE,
        help="the share of sessions, or users, that is held back (default: 0.3)",
    ),
    argument(
        "--split-at", metavar="TIME", beside=_BESIDE, help="hold back what begins then or later"
    ),
    argument(
        "--unit",
        choices=UNITS,
        beside=_BESIDE,
        help="what is held back as a whole (default: session)",
    ),
    *(
        each._replace(beside=_BESIDE, options=each.options | {"default": None})
        for each in LOG_READING
    ),
)
#: What says nothing of a curve on sessions held back.
_OTHERS = (
    *("alpha", "abstention_cost", "pairs", "curve", "target", "counts"),
    *("output", "by", "query"),
)


def show_holdout(given: argparse.Namespace) -> int:
    """Print, for `porank predict --holdout`, correctness against completeness on held sessions."""
    others = [name for name in _OTHERS if getattr(given, name)]
    if len(given.rankings) > 1 or others:
        options = [f"--{name.replace('_', '-')}" for name in others]
        given_too = listed(options) or f"{len(given.rankings)} files"
        raise PorankError(f"expected one log and nothing else beside --holdout, found {given_too}")
    how, evidence = (
        {name: getattr(given, name) for name in named if getattr(given, name) is not None}
        for named in (("test_share", "split_at", "unit"), EVIDENCE)
    )
    log, reading = open_log(given.rankings[0], given.form), reading_options(given)
    with calling_as_shown(log):
        found = po.validate_feedback(
            log, degree={evidence.get("degree", "share"): evidence}, **how, **reading
        )
    tell_shape(found.shape)
    tell_problems(found.problems)
    (curve,) = found.values()
    show(given, found.to_table(), data=[vars(point) for point in curve])
    return 0
