"""Measure how far the judges of battles can be trusted: `compare_judges`.

Idea: *a verdict is about the two systems only if it stays the same when they swap positions.* So we
compare the verdicts of a judge before and after a swap, and then with those of other judges.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import special

from porank.clicks.click_log import ClickLog
from porank.clicks.evidence import count_rows
from porank.clicks.sessions import take_rows
from porank.clicks.statements import VERDICT, read_statements, stood
from porank.core.arguments import require_risk
from porank.core.arrays import group_numbers, grouped, labels_as_array, pair_codes, shares_of
from porank.core.graphs import require_memory, sorted_by_label
from porank.core.tables import Columns, Table
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.typing import Floats, Numbers


class _Verdicts(NamedTuple):
    """Battles as numbers: the judge, the question, the pair of systems, the positions, the winner.

    `first` is 1 if the system with the lower number was shown first, and otherwise -1. `won` is 1
    if this system won, -1 if the other one won, and 0 if neither did.
    """

    judge: Numbers
    question: Numbers
    pair: Numbers
    first: Numbers
    won: Numbers

    def take(self, rows: Any) -> _Verdicts:
        """Return some of the battles."""
        return _Verdicts(*(column[rows] for column in self))


@dataclass(frozen=True, eq=False, repr=False)
class JudgeComparison(Columns):
    """The result of `compare_judges`: how far each judge of battles can be trusted.

    Attributes
    ----------
    columns : dict of arrays
        With a row for each judge (undefined shares are nan):

        * ``judge``: name of the judge;
        * ``battles``, ``ties``: number of battles, and share of these without a winner;
        * ``first``, ``low``, ``high``: share of decided battles that the system shown first won, as
          if each pair had been shown in both sequences equally often, and its interval;
        * ``swapped``, ``flipped``: number of pairs with a winner in both sequences, and share of
          these in which the winner changed with the sequence;
        * ``compared``, ``agree``: number of pairs for which other judges have a winner, too, and
          share of these in which the judge agrees with their majority.
    risk : float
        1 minus the simultaneous confidence level of all intervals.
    verdicts : tuple of arrays
        Judge, pair and winner, as numbers, for each pair in which a judge has a winner.
    has_prompts : bool
        Whether a column names the prompts. Otherwise the intervals treat only pairs of systems as
        independent, because a repeated verdict cannot be told from a new one.

    See Also
    --------
    compare_judges

    Examples
    --------
    >>> import porank as po
    >>> battles = {"model_a": ["x"] * 4, "model_b": ["y"] * 4, "winner": ["x", "x", "y", "tie"]}
    >>> po.compare_judges(battles)["ties"].tolist()
    [0.25]
    """

    columns: dict[str, NDArray[Any]]
    risk: float
    verdicts: tuple[Numbers, Numbers, Numbers]
    has_prompts: bool

    def agreement(self) -> Table:
        """Return for each two judges how many pairs both decide, and the share that agrees."""
        judge, pair, winner = self.verdicts
        n, pairs = len(self), int(pair.max(initial=-1)) + 1
        what = f"the verdicts of {n:,} judges"
        require_memory(
            8 * n * pairs, what=what, instead="the column 'agree' compares with all other judges"
        )
        matrix = np.zeros((n, pairs))
        matrix[judge, pair] = winner
        # Pairs that both decide, and those with the same winner minus those with another one.
        compared, net = abs(matrix) @ abs(matrix).T, matrix @ matrix.T
        names = self["judge"].tolist()
        rows = [
            (names[i], names[j], int(both), (1 + net[i, j].item() / both) / 2)
            for i, j in combinations(range(n), 2)
            if (both := compared[i, j].item())
        ]
        return Table(("judge", "other", "compared", "agree"), rows)

    def notes(self) -> list[str]:
        """Return notes on judges who favour a position, or for whom this is unknown."""
        return [*self._notes()]

    def _notes(self) -> Iterator[str]:
        """Yield the notes."""
        judge, (first, low, high) = self["judge"], (self[name] for name in ("first", "low", "high"))
        for place, favour in (("first", low > 0.5), ("second", high < 0.5)):
            if favour.any():
                yield f"the system shown {place} is favoured by {listed(judge[favour].tolist())}"
        if not self.has_prompts:
            yield (
                "no column names the prompt, so a repeated verdict cannot be told from a new one; "
                "only pairs of systems count as independent"
            )
        if (unknown := np.isnan(first)).any():
            yield (
                "no pair was decided in both sequences, so position bias is unknown for "
                f"{listed(judge[unknown].tolist())}"
            )


def compare_judges(battles: Any, *, risk: float = 0.05) -> JudgeComparison:
    """Measure how far each judge of battles can be trusted.

    Judges can be people or models. The result answers these questions. Does the system that is
    shown first win more often? Does the winner change if the two systems swap positions? How often
    is there no winner? Does the judge agree with the others?

    Parameters
    ----------
    battles : ClickLog, table or path
        Table with the columns ``model_a`` (shown first), ``model_b`` and ``winner``, or with their
        scores or wins instead of the winner, as for `fit_strengths`. A column such as ``judge``,
        ``annotator``, ``rater`` or ``user`` names the judge; without it there is one judge. Rows
        without a name are left out. A column such as ``prompt``, ``question`` or ``query`` names
        the question; without it there is one question. For other names, pass ``ClickLog(battles,
        columns={"user": ..., "query": ...})``.
    risk : float
        1 minus the simultaneous confidence level of all intervals.

    Returns
    -------
    JudgeComparison
        A row for each judge, sorted by name; prints as a table with notes.

    Raises
    ------
    PorankError
        If a column is missing, if there are no battles, or if `risk` is not between 0 and 1.
    ParseError
        If a winner is unknown, or a row has no question.

    See Also
    --------
    fit_strengths, settled_order, explore

    Examples
    --------
    Two judges see each pair of three systems in both sequences, for each of four prompts. One of
    them mostly prefers the system that is shown first.

    >>> import porank as po
    >>> battles = [{"judge": judge, "prompt": prompt, "model_a": a, "model_b": b,
    ...             "winner": a if judge == "lazy" and prompt else min(a, b)}
    ...            for judge in ("lazy", "strict") for prompt in range(4)
    ...            for a in "xyz" for b in "xyz" if a != b]
    >>> found = po.compare_judges(battles)
    >>> print(found)
    judge   battles  ties  first     low    high  swapped  flipped  compared  agree
    ------  -------  ----  -----  ------  ------  -------  -------  --------  -----
    lazy         24     0  0.875  0.5965       1       12     0.75         3      1
    strict       24     0    0.5  0.4583  0.5417       12        0         3      1
    the system shown first is favoured by 'lazy'
    >>> print(found.agreement())
    judge  other   compared  agree
    -----  ------  --------  -----
    lazy   strict         3      1

    Notes
    -----
    The share ``first`` is (1 + d) / 2. Here d is the difference between the probabilities that a
    system wins if it is shown first and if it is shown second, averaged over pairs as by Mantel and
    Haenszel. A pair that a judge saw in only one sequence does not count, so a strong system that
    is always shown first does not look like a bias. The variance is the larger of Sato's and that
    without bias, with continuity correction. Without a column of prompts, the same verdict may have
    been repeated, so the variance is at least that between pairs, with Student's t; a single pair
    then gives no interval. The intervals have a Bonferroni correction: if battles
    are independent and no judge is biased, the probability that any interval misses 1/2 is at most
    about `risk`.

    Pairs are counted within each question. A judge who repeats the verdict on a question, pair and
    sequence counts once. If a pair is judged several times, the system that won
    more often is the winner. O(n log n) for n battles.

    References
    ----------
    .. [1] L. Zheng et al., "Judging LLM-as-a-judge with MT-Bench and Chatbot Arena", NeurIPS 2023.
       https://arxiv.org/abs/2306.05685
    .. [2] T. Sato, "On the variance estimator for the Mantel-Haenszel risk difference", Biometrics
       45(4), 1989, pp. 1323-1324.
    """
    require_risk(risk)
    log = ClickLog.of(battles)
    names, verdicts = _read_verdicts(log)
    has_prompts = log.read().has("query")
    m, won = len(names), verdicts.won != 0
    total = np.bincount(verdicts.judge, minlength=m)
    decided = verdicts.take(won)
    share, low, high = _shares_of_first(decided, m, risk, has_prompts=has_prompts)
    swapped, flipped = _flips(decided, m)
    key, winner = _winners(decided)
    judge, pair = key["judge"], group_numbers(key["question"], key["pair"])
    compared, agreed = _with_the_rest(judge, pair, winner, m)
    columns = {
        "judge": labels_as_array(names),
        "battles": total,
        "ties": shares_of(total - np.bincount(decided.judge, minlength=m), total),
        "first": share,
        "low": low,
        "high": high,
        "swapped": swapped,
        "flipped": shares_of(flipped, swapped),
        "compared": compared,
        "agree": shares_of(agreed, compared),
    }
    return JudgeComparison(columns, float(risk), (judge, pair, winner), has_prompts)


def _read_verdicts(log: ClickLog) -> tuple[list[Any], _Verdicts]:
    """Return the judges of battles, sorted, and the battles."""
    statements = read_statements(log)
    read, rows = statements.log, statements.rows
    if read.reader.name != "battles":
        raise PorankError(
            "expected battles, with the columns 'model_a', 'model_b' and 'winner', found "
            f"{read.format()}"
        )
    for role in ("user", "query"):
        if role in read.reader.roles:
            # Battles without a judge or a question are left out.
            rows = take_rows(rows, read.of_sessions(role)[rows["session"]] >= 0)
    if not rows["session"].size:
        raise PorankError("expected at least one battle, found none")
    one, two = rows["preferred"], rows["other"]
    judges, judge = ["all"], np.zeros(one.size, dtype=np.int64)
    if "user" in read.reader.roles:
        called = read.labels["user"].values()
        order = sorted_by_label(called)
        judges, place = [called[k] for k in order], np.argsort(order)
        number = place[read.of_sessions("user")[rows["session"]]]
        kept, judge = np.unique(number, return_inverse=True)
        judges = [judges[k] for k in kept.tolist()]
    question = np.zeros(one.size, dtype=np.int64)
    if "query" in read.reader.roles:
        question = read.of_sessions("query")[rows["session"]]
    is_low = one < two
    pair = pair_codes(one, two, len(statements.items))
    first = np.where((stood(rows) > 0) == is_low, 1, -1)
    won = np.where(rows[VERDICT] > 0, 0, np.where(is_low, 1, -1))
    verdicts = _Verdicts(judge, question, pair, first, won)
    if "query" in read.reader.roles:
        # A judge who repeats the verdict on a question, pair and sequence counts once.
        names = ("judge", "question", "pair", "first")
        repeated, net = count_rows({name: getattr(verdicts, name) for name in names}, won)
        verdicts = _Verdicts(**repeated, won=np.sign(net))
    return judges, verdicts


def _shares_of_first(
    decided: _Verdicts, m: int, risk: float, *, has_prompts: bool
) -> tuple[Floats, Floats, Floats]:
    """Return for each judge the share that the first system won, and the ends of its interval."""
    cell = 2 * (decided.first < 0) + (decided.won < 0)
    stratum = group_numbers(decided.judge, decided.pair)
    size = int(stratum.max(initial=-1)) + 1
    judge = np.zeros(size, dtype=np.int64)
    judge[stratum] = decided.judge
    counts = np.bincount(4 * stratum + cell, minlength=4 * size).reshape(-1, 4).astype(float)
    both = (counts[:, 0] + counts[:, 1] > 0) & (counts[:, 2] + counts[:, 3] > 0)
    # For pairs shown in both sequences: wins a and losses b of the lower item shown first, and wins
    # c and losses d of it shown second.
    (a, b, c, d), judge = counts[both].T, judge[both]
    n1, n2, n = a + b, c + d, a + b + c + d
    # Difference D = sum of (a n2 - c n1) / n, over W = sum of n1 n2 / n (Mantel and Haenszel); its
    # variance is (D sum of P + sum of Q) / W^2 (Sato), or without bias sum of V / W^2, with
    # P = (n1^2 c - n2^2 a + n1 n2 (n2 - n1) / 2) / n^2, Q = (a d + c b) / (2 n), and
    # V = (a + c) (b + d) n1 n2 / (n^2 (n - 1)).
    p = (n1**2 * c - n2**2 * a + n1 * n2 * (n2 - n1) / 2) / n**2
    q = (a * d + c * b) / (2 * n)
    by_chance = (a + c) * (b + d) * n1 * n2 / (n**2 * (n - 1))
    parts = (n1 * n2 / n, a * n2 / n - c * n1 / n, p, q, by_chance)
    weight, gain, p, q, by_chance = (np.bincount(judge, part, m) for part in parts)
    difference = shares_of(gain, weight)
    scatter = np.fmax(np.fmax(difference * p + q, 0), by_chance)
    tail = 1 - risk / (2 * max(1, int(np.count_nonzero(weight))))
    margin = special.ndtri(tail) * np.sqrt(scatter)
    if not has_prompts:
        # Between k pairs: t^2 W^2 variance = t^2 k / (k - 1) sum of (gain - D weight)^2.
        pairs = np.bincount(judge, minlength=m)
        between = np.bincount(judge, (parts[1] - difference[judge] * parts[0]) ** 2, m)
        freedom = np.maximum(pairs - 1, 1)
        t = np.where(pairs > 1, special.stdtrit(freedom, tail), np.inf)
        margin = np.maximum(margin, t * np.sqrt(between * pairs / freedom + (pairs < 2)))
    # The ends are (1 + D +- (z (variance W^2)^(1/2) + 1/2) / W) / 2.
    margin = shares_of(margin + 0.5, weight)
    low, high = (np.clip((1 + difference + way * margin) / 2, 0, 1) for way in (-1, 1))
    return (1 + difference) / 2, low, high


def _winners(verdicts: _Verdicts, *more: str) -> tuple[dict[str, Numbers], Numbers]:
    """Return each judge, question and pair (and more columns) with a winner, and the winner."""
    names = ("judge", "question", "pair", *more)
    rows, net = count_rows({name: getattr(verdicts, name) for name in names}, verdicts.won)
    is_won = net != 0
    return {name: column[is_won] for name, column in rows.items()}, np.sign(net[is_won])


def _flips(decided: _Verdicts, m: int) -> tuple[Numbers, Numbers]:
    """Return for each judge how many pairs have winners in both sequences, and how many differ."""
    key, winner = _winners(decided, "first")
    order, starts = grouped(key["judge"], key["question"], key["pair"])
    sizes = np.diff(starts, append=order.size)
    pairs = starts[sizes == 2]
    judge, one, two = key["judge"][order[pairs]], winner[order[pairs]], winner[order[pairs + 1]]
    return np.bincount(judge, minlength=m), np.bincount(judge[one != two], minlength=m)


def _with_the_rest(
    judge: Numbers, pair: Numbers, winner: Numbers, m: int
) -> tuple[Numbers, Numbers]:
    """Return for how many pairs the other judges have a winner, too, and how often the same."""
    # The votes of all judges for the winner of a pair minus those against it, without one's own.
    others = np.bincount(pair, winner)[pair] - winner
    is_compared, is_same = others != 0, others * winner > 0
    return np.bincount(judge[is_compared], minlength=m), np.bincount(judge[is_same], minlength=m)
