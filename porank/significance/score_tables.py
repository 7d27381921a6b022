"""Compare systems from a table of scores, a row for each task and a column for each system.

`compare_scores` returns a `SystemComparison`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from contextlib import closing
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.convert.pair_tables import matrix_of
from porank.core.arguments import distinct_items, require_one_of
from porank.core.column_names import ROW_LABELS
from porank.core.columns import Block, as_column, is_missing, open_source
from porank.core.csv_cells import plain_name
from porank.core.files import Problems
from porank.core.graphs import sorted_by_label
from porank.core.labels import read_finite, remarks_on
from porank.errors import ParseError, PorankError, listed, plain_text, quoted
from porank.significance.paired_differences import Paired, Trial
from porank.significance.systems import compared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from porank.significance.system_comparison import SystemComparison
    from porank.typing import Floats, Seed


_MISSING = ("pairwise", "drop", "at random")
#: Names of columns that are read as names of tasks, as labels of rows, and not as systems.
_TASKS = {"task", "prompt", "query", "question", "user", "group", "id", "item", "example", "topic"}
_ASIDE = ROW_LABELS | {"year", "seed", "fold", "run", "split", "repeat"}
_ASIDE |= {"wins", "losses", "draws", "games", "battles", "matches", "played"}
#: Names of a row that summarizes the others, and of such a row at the end.
_SUMMARIES = {"mean", "average", "avg", "total", "overall", "median", "std", "sd"}
_TOTALS = _SUMMARIES | {"sum", "all"}
#: Sums of squares of larger scores could overflow.
_LARGEST = 1e150


def compare_scores(
    table: Any,
    *,
    by: Any = None,
    measure: Any = None,
    better: str | Mapping[Any, str] = "higher",
    missing: str = "pairwise",
    unit: Any = None,
    risk: float = 0.05,
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
        strings. Without such a column, random signs depend on the sequence of the rows. Columns
        without a name or called index, rownames, year, seed, fold, run, split or repeat are not
        read as systems, and a row called mean, average, total or overall, or sum at the end, is
        not a task; ``remarks`` of the result says so.
    measure : str, optional
        Column that names the measure of each row, such as quality or cost, if there are several;
        each task then occurs once for each.
    better : {"higher", "lower"}, or mapping
        Whether higher or lower scores are better, for all measures or by measure.
    missing : {"pairwise", "drop", "at random"}
        How to treat blanks. ``"pairwise"``: compare two systems on the rows that both have.
        ``"drop"``: leave out rows with a blank. ``"at random"``: like ``"pairwise"``, but assume
        that blanks do not depend on the scores, so differences on different rows can be combined to
        an order.
    unit : str, optional
        Column that names the cluster of each task, such as its family. Tasks of the same cluster
        are not independent, so their differences are summed and share a random sign.
    risk, samples, seed
        As in `compare_systems`.

    Returns
    -------
    SystemComparison
        The comparison for a measure called ``"score"``, or for each measure, in which each row is a
        group. Means are over all rows of a system. Systems that share no row are incomparable.
        With several measures, ``order(measures="all")`` has the systems that are better by one and
        not worse by any.

    Raises
    ------
    ParseError
        If a cell is not a number, or if the name of a task occurs twice.
    PorankError
        If there are no systems, if there is no row to compare, or if an argument is invalid.

    See Also
    --------
    compare_systems, fit_strengths, SystemComparison, draw_systems

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
    score: 7 rows; randomization test, max-T, risk 0.05
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
    `risk`, under the conditions stated for `compare_systems`.
    """
    require_one_of(missing, _MISSING, name="missing")
    trial = Trial(risk, samples, seed)
    whole = _read_table(table, by=by, unit=unit, measure=measure)
    parts = {"score": whole} if measure is None else _by_measure(whole, measure)
    read = {name: _read_scores(part, by, unit) for name, part in parts.items()}
    first = next(iter(read.values()))
    if measure is not None and not first.labels:
        raise PorankError("expected a column of tasks beside that of measures, found none")
    given = better if isinstance(better, Mapping) else dict.fromkeys(read, better)
    ways = {plain_text(name): way for name, way in given.items()}
    for name, way in ways.items():
        require_one_of(name, tuple(read), name="a measure in better")
        require_one_of(way, ("higher", "lower"), name="better")
    tables = _aligned(list(read.values()))
    if not any(np.isnan(values).any() for values in tables):
        missing = "drop"
    paired = {n: _paired(v, first.systems, missing) for n, v in zip(read, tables, strict=True)}
    settings: dict[str, Any] = {
        "better": {name: ways.get(name, "higher") for name in read},
        "missing": missing,
        "unit": "row",
        "clusters": first.clusters if measure is None else _clusters_of(read.values()),
        "cluster": unit,
        "remarks": tuple(dict.fromkeys(chain.from_iterable(one.remarks for one in read.values()))),
    }
    return compared(paired, trial, systems=first.systems, **settings)


class _Table(NamedTuple):
    """A table as it was read: the names of its columns, and its rows in blocks."""

    names: Sequence[Any]
    blocks: list[Block]
    problems: Problems


class _Scores(NamedTuple):
    """The scores in a table, tasks x systems, nan for blanks."""

    systems: tuple[Any, ...]
    values: Floats
    labels: list[Any]
    clusters: list[Any]
    remarks: tuple[str, ...]


def _read_table(table: Any, **roles: Any) -> _Table:
    """Return the columns of a table of scores, after a look whether they can have their roles."""
    if isinstance(table, np.ndarray) and table.ndim == 2 and table.size:
        table = dict(enumerate(table.T))  # Reading columns is faster than reading rows.
    with closing(open_source(table, what="table")) as source:
        names = distinct_items(source.names, name="the columns")
        for role, column in roles.items():
            if column is not None and column not in names:
                raise PorankError(
                    f"expected one of the columns {listed(names)} as {role}, found {quoted(column)}"
                )
        problems = Problems("raise", source=source.name)
        blocks = list(source.blocks(names, problems)) if names else []
    if matrix_of(names, blocks) is not None:
        found = "a square with a row for each column, as a matrix of wins"
        hint = "fit_strengths takes a matrix; a column 'task' names the rows of scores"
        raise PorankError(f"expected scores, found {found}", hint=hint)
    return _Table(names, blocks, problems)


def _by_measure(table: _Table, measure: Any) -> dict[Any, _Table]:
    """Return the rows of a table of scores for each measure, without the column of measures."""
    names = [name for name in table.names if name != measure]
    parts: dict[str, list[Block]] = {}
    for block in table.blocks:
        rows: dict[str, list[int]] = {}
        for row, cell in enumerate(block.columns[measure].tolist()):
            if is_missing(cell):
                fault = ParseError(f"expected a measure in each row, found {quoted(cell)}")
                table.problems.meet(fault, line=int(block.lines[row]), text="")
            rows.setdefault(plain_text(cell), []).append(row)
        for name, some in rows.items():
            columns = {column: block.columns[column][some] for column in names}
            parts.setdefault(name, []).append(Block(columns, block.lines[some]))
    if not parts:
        raise PorankError("expected rows with scores, found none")
    return {name: _Table(names, blocks, table.problems) for name, blocks in parts.items()}


def _aligned(parts: list[_Scores]) -> list[Floats]:
    """Return the scores of each measure, with the same tasks in the same rows."""
    if len(parts) == 1:
        return [parts[0].values]
    for part in parts:
        if again := [label for label, many in Counter(part.labels).items() if many > 1]:
            found = f"expected each task once for each measure, found {quoted(again[0])} again"
            raise PorankError(found)
    number = {label: k for k, label in enumerate(dict.fromkeys(chain(*(p.labels for p in parts))))}
    tables = [np.full((len(number), len(part.systems)), np.nan) for part in parts]
    for table, part in zip(tables, parts, strict=True):
        table[[number[label] for label in part.labels]] = part.values
    return tables


def _clusters_of(parts: Iterable[_Scores]) -> list[Any]:
    """Return the cluster of each task, the same for all measures."""
    clusters: dict[Any, Any] = {}
    for label, cluster in chain(*(zip(p.labels, p.clusters, strict=False) for p in parts)):
        if clusters.setdefault(label, cluster) != cluster:
            both = f"{quoted(clusters[label])} and {quoted(cluster)}"
            raise PorankError(f"expected one cluster of the task {quoted(label)}, found {both}")
    return [*clusters.values()]


def _paired(values: Floats, systems: Sequence[Any], missing: str) -> Paired:
    """Return the scores of one measure to compare, without the rows that are left out."""
    is_blank = np.isnan(values)
    blanks = zip(systems, is_blank.sum(axis=0).tolist(), strict=True)
    is_out: NDArray[np.bool_] = (np.any if missing == "drop" else np.all)(is_blank, axis=1)
    if is_out.all():
        which = "scores of all systems" if len(values) and missing == "drop" else "scores"
        raise PorankError(f"expected rows with {which}, found none in {len(values):,} rows")
    reasons = {system: {"blank": n} if n else {} for system, n in blanks}
    values[is_out] = np.nan
    return Paired(values, int(np.count_nonzero(is_out)), reasons, uneven=0)


def _read_scores(table: _Table, by: Any, unit: Any) -> _Scores:
    """Return the scores in a table, sorted by task."""
    names, blocks, problems = table
    tasks = by if by is not None else _column_of_tasks([n for n in names if n != unit], blocks)
    aside = [name for name in names if plain_name(name) in _ASIDE and name not in (tasks, unit)]
    systems = tuple(name for name in names if name not in {tasks, unit, *aside} - {None})
    if [*map(plain_name, systems)] in ([], ["rank"]):
        raise PorankError(f"expected a column for each system, found {listed(systems) or 'none'}")
    labels, clusters = ([] if n is None else _cells(n, blocks) for n in (tasks, unit))
    named = labels if plain_name(tasks) not in ROW_LABELS else []
    _require_labels(
        named, clusters, blocks, problems, partial(_way_to_combine, tasks, names, blocks)
    )
    parts = [_scores_of(block, systems, problems) for block in blocks]
    values = np.concatenate([np.zeros((0, len(systems))), *parts])
    remarks = [f"not read as systems, because of their names: {listed(aside)}"]
    remarks *= not ROW_LABELS.issuperset(map(plain_name, aside))
    remarks += remarks_on(systems) + remarks_on(labels)
    kept = _tasks_among(labels)
    if left := listed(labels[k] for k in sorted({*range(len(labels))} - {*kept})):
        remarks.append(f"rows left out, because of their names: {left}")
        labels, values = [labels[k] for k in kept], values[kept]
        clusters = clusters and [clusters[k] for k in kept]
    # Of whole numbers beside fractions, those of 0 and 1 are usual.
    is_whole = ((values == np.round(values)) | np.isnan(values)).all(axis=0)
    is_odd = is_whole & ~is_whole.all() & (values > 1).any(axis=0)
    if odd := [system for system, is_label in zip(systems, is_odd, strict=True) if is_label]:
        remarks.append(f"whole numbers beside fractions may be labels: {listed(odd)}")
    if labels and not clusters:
        by_label = sorted_by_label(labels)
        labels, values = [labels[k] for k in by_label], values[by_label]
    return _Scores(systems, values, labels, clusters, tuple(remarks))


def _tasks_among(labels: Sequence[Any]) -> list[int]:
    """Return the positions of the labels that do not say that a row summarizes the others."""
    names = list(map(plain_name, labels))
    while names and names[-1] in _TOTALS:
        names.pop()
    return [k for k, name in enumerate(names) if name not in _SUMMARIES]


def _cells(name: Any, blocks: Iterable[Any]) -> list[Any]:
    """Return the cells of a column as plain values."""
    return [cell for block in blocks for cell in block.columns[name].tolist()]


def _column_of_tasks(names: Sequence[Any], blocks: Sequence[Any]) -> Any:
    """Return the column that names the tasks, or None if there is none."""
    labels = [name for name in names if plain_name(name) in ROW_LABELS]
    first = [name for name in names if plain_name(name) not in _ASIDE][:1]
    named = [name for name in names if plain_name(name) in _TASKS]
    named = named or [name for name in (*labels, *first) if _are_texts(_cells(name, blocks))]
    return next(iter(named or labels), None)


def _are_texts(cells: Sequence[Any]) -> bool:
    """Return whether all cells are blank or texts that are not numbers."""
    if not all(isinstance(cell, str) or is_missing(cell) for cell in cells):
        return False
    texts = [cell for cell in cells if not is_missing(cell)]
    return bool(texts) and len(read_finite(texts, "a score")[1]) == len(texts)


def _way_to_combine(tasks: Any, names: Sequence[Any], blocks: Sequence[Any]) -> str:
    """Return what to do about several rows for a task: a long table has a column of systems."""
    others = [name for name in names if name != tasks]
    texts = [name for name in others if _are_texts(_cells(name, blocks))]
    index, columns, values = "...", "...", "..."
    if len(texts) == 1 and len(others) == 2:
        index, columns, (values,) = tasks, texts[0], (repr(n) for n in others if n not in texts)
        index, columns = repr(index), repr(columns)
    return (
        "a long table is to be pivoted, so that each system has a column: "
        f"table.pivot(index={index}, columns={columns}, values={values}); fit_strengths takes "
        "battles, counts of wins and ratings (user, item, rating); else combine the rows of a task"
    )


def _require_labels(
    tasks: Any, clusters: Any, blocks: Iterable[Any], problems: Problems, way_out: Callable[[], str]
) -> None:
    """Raise an error if a task has several rows, or a row has no cluster."""
    lines = [line for block in blocks for line in block.lines.tolist()]
    seen = set()
    for name, line in zip(tasks, lines, strict=False):
        cell = "" if is_missing(name) else name
        if not isinstance(cell, Hashable):
            problems.meet(ParseError(f"expected a task, found {quoted(cell)}"), line=line, text="")
        if cell in seen:
            fault = ParseError(f"expected each task once, found {quoted(cell)} again; {way_out()}")
            problems.meet(fault, line=line, text="")
        seen.add(cell)
    for cell, line in zip(clusters, lines, strict=False):
        if is_missing(cell):
            fault = ParseError(f"expected a name of a cluster, found {quoted(cell)}")
            problems.meet(fault, line=line, text="")


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
            error = ParseError(f"{fault} in column {quoted(system)}")
            problems.meet(error, line=int(block.lines[row]), text="")
    return values
