"""Compare systems from a table of scores or of battles.

`compare_scores` reads a table with a row for each task and a column for each system.
`compare_battles` reads which system won against which. Both return a `SystemComparison`.

Idea: *a battle is a row in which only two systems have a value.* Two systems are compared only on
the rows that both have.
"""

from __future__ import annotations

from contextlib import closing
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from porank.abstention.settled import settle
from porank.clicks.preference_pairs import preference_pairs
from porank.clicks.settled_order import counts_of
from porank.core.arguments import distinct_items, require_level, require_one_of
from porank.core.columns import as_column, open_source
from porank.core.files import Problems
from porank.core.graphs import in_order, sorted_by_label
from porank.core.labels import is_missing, read_finite
from porank.errors import ParseError, PorankError, listed
from porank.significance.paired import Paired, Trial, counted_differences
from porank.significance.system_comparison import SystemComparison
from porank.significance.systems import compared

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from porank.typing import Floats, Seed


_MISSING = ("pairwise", "drop", "at random")
#: Names of columns that are read as names of tasks.
_TASKS = {"task", "prompt", "query", "question", "user", "group", "id", "item", "example", "topic"}
#: Sums of squares of larger scores could overflow.
_LARGEST = 1e150
#: The columns of a table of battles.
_BATTLES = ("model_a", "model_b", "winner")


def compare_scores(
    table: Any,
    *,
    by: Any = None,
    better: str = "higher",
    missing: str = "pairwise",
    unit: Any = None,
    correction: str = "max-t",
    significance: float = 0.05,
    samples: int = 10_000,
    seed: Seed = 0,
) -> SystemComparison:
    """Test which of several systems are significantly better, from a table of their scores.

    The table has a row for each task and a column for each system. Two systems are compared by the
    differences of their scores over the tasks for which both have a score.

    Parameters
    ----------
    table : table or path
        Rows, columns or a data frame, or the path of a CSV or Parquet file. Cells are finite
        numbers, true, false, or blank: an empty string, None or nan.
    by : str, optional
        Column that names the tasks, in which each name occurs once. By default a column with a
        name such as task, prompt, query or user, or else the first column if it contains only
        strings. Without such a column, random signs depend on the sequence of the rows.
    better : {"higher", "lower"}
        Whether higher or lower scores are better.
    missing : {"pairwise", "drop", "at random"}
        How to treat blanks. ``"pairwise"``: compare two systems on the rows that both have.
        ``"drop"``: leave out rows with a blank. ``"at random"``: like ``"pairwise"``, but assume
        that blanks do not depend on the scores, so differences on different rows can be combined to
        an order.
    unit : str, optional
        Column that names the cluster of each task, such as its family. Tasks of the same cluster
        are not independent, so their differences are summed and share a random sign.
    correction, significance, samples, seed
        As in `compare_systems`.

    Returns
    -------
    SystemComparison
        The comparison for a measure called ``"score"``, in which each row is a group. Means are
        over all rows of a system. Systems that share no row are incomparable.

    Raises
    ------
    ParseError
        If a cell is not a number, or if the name of a task occurs twice.
    PorankError
        If there are no systems, if there is no row to compare, or if an argument is invalid.

    See Also
    --------
    compare_battles, compare_systems, SystemComparison, draw_systems

    Examples
    --------
    >>> import porank as po
    >>> table = {
    ...     "task": ["add", "sort", "plan", "code", "read", "draw", "sing"],
    ...     "large": [1, 1, 1, 1, 1, 1, 1],
    ...     "small": [0, 0, 0, 0, 0, 0, None],
    ... }
    >>> found = po.compare_scores(table)
    >>> print(found)
    score: 7 rows; randomization test, max-T, level 0.05
    number  system  score  better than
    ------  ------  -----  -----------
         1  large       1  2
         2  small       0
    score: pairs of systems compared on 6 of 7 rows
    >>> po.compare_scores(table, missing="at random").rank_sets()
    {'large': (1, 1), 'small': (2, 2)}

    Notes
    -----
    For each pair of systems, O(n) for n rows, plus O(samples) for each of at most 256 clusters.
    Memory of 8 bytes per cell, and 16 for each pair and cluster.

    With ``missing="pairwise"`` a pair that does not differ on the tasks that both systems have is a
    true null hypothesis. The probability that any such pair is found to differ is at most
    `significance`, under the conditions stated for `compare_systems`.
    """
    require_one_of(better, ("higher", "lower"), name="better")
    require_one_of(missing, _MISSING, name="missing")
    trial = Trial(correction, significance, samples, seed)
    systems, values, clusters = _read_scores(table, by, unit)
    is_blank = np.isnan(values)
    blanks = zip(systems, is_blank.sum(axis=0).tolist(), strict=True)
    if missing == "drop" or not is_blank.any():
        missing, is_kept = "drop", ~is_blank.any(axis=1)
    else:
        is_kept = ~is_blank.all(axis=1)
    rows = np.flatnonzero(is_kept)
    if not rows.size:
        which = "scores of all systems" if len(values) and missing == "drop" else "scores"
        raise PorankError(f"expected rows with {which}, found none in {len(values):,} rows")
    reasons = {system: {"blank": n} if n else {} for system, n in blanks}
    paired = {"score": Paired(values[rows], len(values) - rows.size, reasons, uneven=0)}
    settings: dict[str, Any] = {"better": {"score": better}, "missing": missing, "unit": "row"}
    settings |= {"clusters": clusters and [clusters[row] for row in rows.tolist()], "cluster": unit}
    return compared(paired, trial, systems=systems, evaluations={}, **settings)


def _read_scores(table: Any, by: Any, unit: Any) -> tuple[tuple[Any, ...], Floats, list[Any]]:
    """Return the systems, scores (nan for blanks) and clusters of a table."""
    if isinstance(table, np.ndarray) and table.ndim == 2 and table.size:
        table = dict(enumerate(table.T))  # Reading columns is faster than reading rows.
    with closing(open_source(table, what="table")) as source:
        names = distinct_items(source.names, name="the columns")
        for column, role in ((by, "by"), (unit, "unit")):
            if column is not None and column not in names:
                raise PorankError(
                    f"expected one of the columns {listed(names)} as {role}, found {column!r}"
                )
        problems = Problems("raise", source=source.name)
        blocks = list(source.blocks(names, problems)) if names else []
        tasks = (
            by
            if by is not None
            else _column_of_tasks([name for name in names if name != unit], blocks)
        )
        systems = tuple(name for name in names if name not in {tasks, unit} - {None})
        if not systems:
            raise PorankError("expected a column for each system, found none")
        if tasks is not None:
            _require_distinct(tasks, blocks, problems)
        parts = [_scores_of(block, systems, problems) for block in blocks]
        values = np.concatenate([np.zeros((0, len(systems))), *parts])
        clusters = [] if unit is None else _clusters_of(unit, blocks, problems)
        if tasks is not None and not clusters:
            values = values[sorted_by_label([k for block in blocks for k in block.columns[tasks]])]
        return systems, values, clusters


def _column_of_tasks(names: Sequence[Any], blocks: Iterable[Any]) -> Any:
    """Return the column that names the tasks, or None if there is none."""
    named = [name for name in names if str(name).strip().lower() in _TASKS]
    if named or not names:
        return next(iter(named), None)
    cells = [cell for block in blocks for cell in block.columns[names[0]]]
    if not all(isinstance(cell, str) or is_missing(cell) for cell in cells):
        return None
    texts = [cell for cell in cells if not is_missing(cell)]
    return names[0] if texts and len(read_finite(texts, "a score")[1]) == len(texts) else None


def _require_distinct(tasks: Any, blocks: Iterable[Any], problems: Problems) -> None:
    """Raise an error if a task has several rows."""
    seen = set()
    for block in blocks:
        for cell, line in zip(block.columns[tasks], block.lines.tolist(), strict=True):
            if cell in seen:
                message = (
                    f"expected each name in {tasks!r} once, found {cell!r} again; combine the rows "
                    "of a task, for example to their mean"
                )
                problems.meet(ParseError(message), line=line, text="")
            seen.add(cell)


def _clusters_of(unit: Any, blocks: Iterable[Any], problems: Problems) -> list[Any]:
    """Return the name of the cluster of each row."""
    found = []
    for block in blocks:
        for cell, line in zip(block.columns[unit], block.lines.tolist(), strict=True):
            if is_missing(cell):
                error = ParseError(f"expected a name in column {unit!r}, found {cell!r}")
                problems.meet(error, line=line, text="")
            found.append(cell)
    return found


def _scores_of(block: Any, systems: Sequence[Any], problems: Problems) -> Floats:
    """Return the scores in a block of rows, with a column for each system."""
    values = np.empty((len(block.lines), len(systems)))
    for place, system in enumerate(systems):
        cells = block.columns[system]
        if isinstance(cells, np.ndarray) and cells.dtype.kind == "O":
            cells = as_column([float(c) if isinstance(c, (bool, np.bool_)) else c for c in cells])
        values[:, place], faults = read_finite(cells, "a score")
        large = np.flatnonzero(np.abs(values[:, place]) > _LARGEST)[: not faults].tolist()
        faults += [
            (row, f"expected a score from -1e150 to 1e150, found {cells[row]}") for row in large
        ]
        for row, fault in faults[:1]:
            error = ParseError(f"{fault} in column {system!r}")
            problems.meet(error, line=int(block.lines[row]), text="")
    return values


def compare_battles(
    battles: Any,
    *,
    significance: float = 0.05,
) -> SystemComparison:
    """Test which of several systems are significantly better, from battles of two systems each.

    Each pair of systems is tested by a sign test, which compares their wins with tosses of a fair
    coin. `settled_order` combines the significant pairs. Ties are counted separately. Battles in
    which both systems were bad are left out; the notes give their number.

    Parameters
    ----------
    battles : ClickLog, table or path, DiGraph, mapping or matrix
        A table with the columns ``model_a``, ``model_b`` and ``winner``, which is ``model_a``,
        ``model_b``, the name of one of the two systems, ``tie`` or ``both_bad``; or a table with
        the columns ``chosen`` and ``rejected``. Or the number of wins of u over v: as the attribute
        ``support`` or ``weight`` of the edge from u to v of a graph, as a mapping from pairs (u, v)
        to numbers, or in row u and column v of a square array or data frame.
    significance : float
        Maximum probability that at least one settled pair is contrary to the majority of all
        battles that could be held.

    Returns
    -------
    SystemComparison
        `order` is the settled order. The measure ``"share won"`` is the share of a system's battles
        that it won, without ties; it depends on the opponents. The notes report cycles, pairs that
        never met, and parts that are not connected by battles.

    Raises
    ------
    ParseError
        If a winner is unknown.
    PorankError
        If a column is missing, if a system meets itself, or if a number of wins is invalid.

    See Also
    --------
    settled_order, compare_scores, SystemComparison, from_matrix

    Examples
    --------
    >>> import porank as po
    >>> found = po.compare_battles({("a", "b"): 9, ("b", "c"): 8, ("c", "d"): 1, ("d", "c"): 1})
    >>> print(found)
    settled: a > b > c; d (share won: 19 battles; sign test, Tarone-Holm, level 0.05)
    number  system  share won  better than
    ------  ------  ---------  -----------
         1  a               1  2,3
         2  b          0.4706  3
         3  c             0.1
         4  d             0.5
    share won: pairs of systems compared on 2 to 9 of 19 battles
    share won: compared only through other systems: a and c; a and d; b and d
    share won: not significant, but follows: a > c

    Notes
    -----
    Battles are treated as independent, although those with the same judge are not. A pair that only
    follows from others assumes that preferences of the majority are transitive wherever no cycle is
    found. O(n) for n battles, plus about 0.1 ms for each pair of systems.
    """
    require_level(significance, name="significance")
    items, won, ties, both_bad = read_battles(battles)
    systems = tuple(in_order(items))
    if not systems:
        raise PorankError("expected at least one battle to compare, found none")
    number = {system: place for place, system in enumerate(systems)}
    wins, drawn, bad = np.zeros((3, len(systems), len(systems)), dtype=np.int64)
    for matrix, found in ((wins, won), (drawn, ties), (bad, both_bad)):
        for u, v, times in found:
            matrix[number[u], number[v]] += times
    met = combinations(range(len(systems)), 2)
    both = {(systems[i], systems[j]): (wins[i, j], wins[j, i]) for i, j in met}
    both = {pair: won for pair, won in both.items() if any(won)}
    risk = float(significance)
    settled = settle(systems, both, risk=risk, error="family")
    pairs = counted_differences(systems, wins, drawn + drawn.T, risk, settled.graph["limit"])
    total = wins.sum(axis=1) + wins.sum(axis=0)
    shares = np.divide(wins.sum(axis=1), total, out=np.full(len(systems), np.nan), where=total > 0)
    bad_of = zip(systems, (bad.sum(axis=0) + bad.sum(axis=1)).tolist(), strict=True)
    name = "share won"
    return SystemComparison(
        systems=systems,
        measures=(name,),
        better={name: "higher"},
        means={name: dict(zip(systems, shares.tolist(), strict=True))},
        pairs={name: pairs},
        groups={name: int(wins.sum() + drawn.sum())},
        left_out={name: int(bad.sum())},
        reasons={name: {system: {"both bad": n} if n else {} for system, n in bad_of}},
        uneven={name: 0},
        test="sign",
        correction="tarone-holm",
        samples=0,
        significance=risk,
        evaluations={},
        missing="pairwise",
        unit="battle",
        settled=settled,
    )


_Counts: TypeAlias = "Iterable[tuple[Any, ...]]"


def read_battles(
    battles: Any, *, by: tuple[str, ...] = ()
) -> tuple[Iterable[Any], _Counts, _Counts, _Counts]:
    """Return the systems, and for pairs of them the numbers of wins, of ties, and of both bad.

    If battles are counted by columns, the rows start with the labels in these columns.
    """
    found = counts_of(battles)
    if found is not None:
        if by:
            raise PorankError(f"expected a table with the column {by[0]!r}, found counts")
        both = found[1].items()
        won = chain.from_iterable([(u, v, wins), (v, u, losses)] for (u, v), (wins, losses) in both)
        return found[0], won, (), ()
    pairs: Any = preference_pairs(battles, by=by)
    if pairs.shape.name not in ("battles", "choices"):
        raise PorankError(f"expected the columns {listed(_BATTLES)}, found {pairs.shape}")
    if not pairs.ties:
        return pairs.items, pairs, (), ()
    *pair, tied, bad = (column.tolist() for column in pairs.ties.values())
    ties, both_bad = (zip(*pair, counts, strict=True) for counts in (tied, bad))
    return pairs.items, pairs, ties, both_bad


def are_battles(names: Sequence[Any]) -> bool:
    """Return whether these are the columns of a table of battles."""
    return set(_BATTLES) <= set(names)
