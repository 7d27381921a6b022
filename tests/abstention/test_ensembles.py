"""Tables of orders: asked whether they are ranks or scores if they may be both, otherwise read."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import porank as po
from porank.abstention.ensembles import _rank_themselves
from porank.aggregation.aggregate import METHODS as AGGREGATES
from porank.errors import ItemMismatchError
from tests.support.refusals import refuses

pa = import_module("pyarrow")

RANKS = pd.DataFrame([[1, 2, 3, 4], [2, 1, 3, 4], [1, 2, 4, 3]], columns=list("abcd"))
METHODS = [po.preference_relation, *AGGREGATES.values()]


def forms_of(frame: pd.DataFrame) -> list[Any]:
    """Return a table of orders in each form that methods take."""
    return [frame, import_module("polars").DataFrame(frame), pa.table(frame), frame.to_numpy()]


@pytest.mark.parametrize("method", METHODS)
def test_ranks_or_scores(method: Any) -> None:
    ranked = [dict(zip("abcd", (-rank for rank in row), strict=True)) for row in RANKS.to_numpy()]
    for table in forms_of(RANKS):
        refuses(r"ranks or scores\?.*'ranks'.*'scores'.*'items'", method, table)
        if isinstance(table, np.ndarray):
            continue
        for cells, orders in (("ranks", ranked), ("scores", RANKS.to_dict("records"))):
            found = method(po.Profile.from_table(table, cells=cells))
            assert repr(found) == repr(method(orders))


def test_the_rows_of_every_frame_are_scores_of_its_columns() -> None:
    for table in forms_of(RANKS * 10)[:3]:
        assert repr(po.borda(table).order()) == "d > c > b > a"
    assert repr(po.borda((RANKS * 10).to_numpy()).order()) == "3 > 2 > 1 > 0"


def test_ties_are_ranked_in_each_way() -> None:
    from scipy.stats import rankdata

    rng = np.random.default_rng(0)
    for way in ("min", "max", "average"):
        for stars in (2, 5, 9):
            cells = 1.0 * rankdata(rng.integers(1, stars + 1, (4, 8)), way, axis=1)
            assert _rank_themselves(cells.tolist())
            cells[1, 2] = 5.25
            assert not _rank_themselves(cells.tolist())
    dense = [[1, 2, 2, 3, 4], [4, 3, 2, 1, 5]]
    assert _rank_themselves(dense)
    assert not _rank_themselves([[1, 2, 2, 1, 3], [3, 2, 2, 1, 1]])


@pytest.mark.parametrize(
    "rows",
    [
        [[1, 2, 3]],
        [[1, 2], [2, 1]],
        [[0, 1, 2], [1, 0, 2]],
        [[1, 1, 1], [1, 1, 1]],
        [[10, 20, 30], [20, 10, 30]],
        [["1", "2", "3"], ["2", "1", "3"]],
        [[1, 2, 3], [2, 1, 3], [1, 2]],
    ],
)
def test_these_are_not_ranks(rows: list[Any]) -> None:
    assert not _rank_themselves(rows)


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "stars"), [((5, 6), 5), ((4, 10), 5), ((3, 8), 7), ((9, 4), 4)])
def test_stars_are_hardly_ever_taken_for_ranks(shape: tuple[int, int], stars: int) -> None:
    rng = np.random.default_rng(1)
    tables = rng.integers(1, stars + 1, (2000, *shape)).tolist()
    assert sum(map(_rank_themselves, tables)) <= 2


def test_tables_of_items_and_empty_cells_have_a_way_out() -> None:
    ballots = pd.DataFrame([["tea", "milk"], ["milk", None]], columns=["first", "second"])
    refuses(r"found 'tea'.*cells='items'", po.borda, ballots)
    assert repr(po.borda(po.Profile.from_table(ballots, cells="items")).order()) == "tea > milk"
    scores = pd.DataFrame({"a": [5, 9], "b": [np.nan, 7]})
    refuses("only in member 2: 'b'", po.borda, scores, error=ItemMismatchError)
    assert repr(po.borda(po.Profile.from_table(scores, cells="scores")).order()) == "a > b"


@pytest.mark.parametrize("path", ["ballots.csv", Path("ballots.csv")])
def test_of_a_path_the_error_names_the_reader(path: Any) -> None:
    refuses(r"Profile\.from_table\(path, cells='ranks'\) .* file", po.aggregate, path)
