"""How stable preferences are: sessions, or users, drawn with replacement.

Idea: *what people say is a sample of what they would say*. Had others come, some pairs would stand
the other way round; how often they do so in samples drawn from the log tells which.

`bootstrap_feedback`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.degrees import require_room, sealed
from porank.abstention.preference_relation import PreferenceRelation
from porank.clicks.evidence import reading_of
from porank.clicks.rules import MAX_PAIRS
from porank.clicks.units import read_units
from porank.core.arguments import generator_of, require_samples
from porank.core.progress import require_progress, track

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from porank.typing import Seed


def bootstrap_feedback(
    log: Any,
    *,
    rule: Any = "levels",
    unit: str = "session",
    samples: int = 200,
    seed: Seed = 0,
    columns: Mapping[str, Any] | None = None,
    events: Sequence[Any] = ("purchase", "click", "view"),
    gap: Any = None,
    errors: str = "raise",
    chunk_rows: int = 4_000_000,
    max_pairs: int = MAX_PAIRS,
    progress: bool | None = None,
) -> PreferenceRelation:
    """Return how often each item is preferred to each other one in bootstrap samples of a log.

    A sample has as many sessions, or users with all their sessions, as the log, each drawn with
    replacement from those of the log. P(u, v) is the share of the samples in which u is net
    preferred to v: in which more sessions prefer u to v than v to u.

    Parameters
    ----------
    log, rule
        As for `preference_pairs`.
    unit : {"session", "user"}
        What is drawn. The sessions of one user are not independent of each other: where the log
        tells users, drawing these is the honest choice.
    samples : int
        How many samples are drawn.
    seed : int or Generator, optional
        The same seed gives the same samples, in whichever sequence the sessions stand.
    columns, events, gap, errors, chunk_rows, max_pairs
        As for `preference_pairs`; `columns` may also name ``shown``, ``clicked`` and ``marks``.
    progress : bool, optional
        A bar: by default, after two seconds and where somebody sees it.

    Returns
    -------
    PreferenceRelation
        The samples are its members, on all items of the log; ``evidence`` tells the sessions of the
        log. A sample in which as many sessions say one thing as the other prefers neither, so that
        the ``floor`` is 1/2. Other than rankings, samples may contradict themselves, and even the
        pairs of degree 1 may have a cycle: `predict_order` with ``impossible="drop"`` goes on.

    Raises
    ------
    PorankError
        As by `preference_pairs`, or if a number or a unit is none.
    OSError, ParseError
        As by `preference_pairs`.

    See Also
    --------
    validate_feedback, compare_segments, feedback_relation, preference_relation

    Examples
    --------
    Nine sessions prefer a to b, and three the opposite; two prefer b to c, and one the opposite.

    >>> import porank as po
    >>> said = ["ab"] * 9 + ["ba"] * 3 + ["bc"] * 2 + ["cb"]
    >>> log = [{"session": number, "item": item, "event": event}
    ...        for number, pair in enumerate(said)
    ...        for item, event in zip(pair, ("click", "view"))]
    >>> P = po.bootstrap_feedback(log)
    >>> float(P.degree("a", "b")), float(P.degree("b", "c")), float(P.degree("a", "c"))
    (0.975, 0.63, 0.0)

    Notes
    -----
    Time that of `preference_pairs`, then O(p) for each sample and p pairs of all units, some 5 ns
    each: the log is read once. Memory O(p + n**2).

    References
    ----------
    .. [1] B. Efron, R. J. Tibshirani, "An Introduction to the Bootstrap", Chapman & Hall, 1993.
    """
    require_progress(progress)
    samples, rng = require_samples(samples), generator_of(seed)
    reading = {"progress": progress, **reading_of(locals())}
    units = read_units(log, rules=rule, unit=unit, **reading)
    counts, n = units.unit_counts(units.first_rule), len(units.items)
    require_room(n, bytes_each=np.min_scalar_type(samples).itemsize)
    ahead = np.zeros(counts.starts.size, dtype=np.int64)
    for _ in track(range(samples), progress=progress, label="samples"):
        totals = counts.totals(units.weights(rng))
        ahead += 2 * totals > counts.of_compared(totals)
    wins = np.zeros((n, n), dtype=np.min_scalar_type(samples))
    wins[counts.preferred, counts.other] = ahead
    support = np.zeros((n, n), dtype=np.min_scalar_type(counts.totals().max(initial=0)))
    support[counts.preferred, counts.other] = counts.totals()
    return PreferenceRelation(
        tuple(units.items),
        sealed(wins),
        samples,
        samples,
        wins,
        support=sealed(support),
        floor=Fraction(1, 2),
    )
