"""Files in parts: the same as all at once, wherever the rows of a group stand."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import porank as po
from porank.evaluation import input_tables as columns
from porank.evaluation import larger_than_memory as streaming
from tests.evaluated import assert_equal
from tests.oracles_evaluation import Table, random_table

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ["gamma", "completeness", "edrc", "m_auc"]


def write_csv(path: Path, table: dict[str, list[Any]]) -> Path:
    rows = [[*table], *zip(*table.values(), strict=True)]
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows), "utf-8")
    return path


def write_parquet(path: Path, table: dict[str, list[Any]]) -> Path:
    pytest.importorskip("pyarrow")
    pytest.importorskip("pandas").DataFrame(table).to_parquet(path)
    return path


def tables() -> tuple[Table, Table]:
    rng = random.Random(1)
    return random_table("pairs", range(40), rng), random_table("score", range(3, 43), rng)


@pytest.mark.parametrize("write", [write_csv, write_parquet])
def test_parts_are_the_whole(write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [
        write(tmp_path / f"{number}.{write.__name__[6:]}", table.columns())
        for number, table in enumerate(tables())
    ]
    whole = po.evaluate(*paths, measures=NAMES)
    assert whole.groups is not None
    monkeypatch.setattr(columns, "_BLOCK_ROWS", 10)
    for size in (300, 10**4):
        monkeypatch.setattr(streaming, "_PART_BYTES", size)
        parts = streaming.count_parts(*paths)
        assert parts > 1 or size == 10**4
        found = po.evaluate(*paths, measures=NAMES, progress=True)
        assert_equal(found, whole)
    monkeypatch.setattr(streaming, "_PART_BYTES", 100)
    found = po.evaluate(*map(str, paths), measures=NAMES)
    assert_equal(found, whole)
    assert found.worst("gamma", 2).columns == ("user", "gamma", "items")
    with pytest.raises(po.NotApplicableError, match=r"one of files or of .* not kept them"):
        found.orders(found["user"][np.flatnonzero(found["status"] == "defined")[0]])


def test_several_columns_of_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both = [
        write_parquet(
            tmp_path / f"{number}.parquet",
            {**table.columns(), "day": [row[0] % 3 for row in table.rows]},
        )
        for number, table in enumerate(tables())
    ]
    whole = po.evaluate(*both, by=["day", "user"], measures=NAMES)
    monkeypatch.setattr(streaming, "_PART_BYTES", 1000)
    assert_equal(po.evaluate(*both, by=["day", "user"], measures=NAMES), whole)


def test_errors_name_the_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, predicted = (table.columns() for table in tables())
    predicted["score"][5] = float("nan")
    monkeypatch.setattr(streaming, "_PART_BYTES", 500)
    paths = [
        write_parquet(tmp_path / f"{number}.parquet", table)
        for number, table in enumerate((target, predicted))
    ]
    group = predicted["user"][5]
    with pytest.raises(po.PorankError, match=rf"found None for .* of group {group} in predicted"):
        po.evaluate(*paths)
    predicted["score"][5] = 0.0
    predicted["item"][5] = None
    write_parquet(paths[1], predicted)
    message = f"expected an item, found None of group {group} in predicted"
    with pytest.raises(po.ParseError, match=message) as error:
        po.evaluate(*paths)
    assert error.value.line == 0
    monkeypatch.setattr(columns, "_BLOCK_ROWS", 4)
    predicted["user"][5] = None
    write_parquet(paths[1], predicted)
    message = "expected a user, found None in row 6 of predicted"
    with pytest.raises(po.ParseError, match=message) as error:
        po.evaluate(*paths)
    assert error.value.line == 6
    monkeypatch.setattr(streaming, "_PART_BYTES", 10**6)
    with pytest.raises(po.ParseError, match=message) as error:
        po.evaluate(*paths)
    assert error.value.line == 6
    with pytest.raises(po.PorankError, match="expected a column for query, found"):
        po.evaluate(*paths, by="query")


def test_only_large_files_are_taken_in_parts(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "small.csv", {"user": [1], "item": ["a"], "score": [1]})
    assert streaming.count_parts(path, path) == 1
    assert streaming.count_parts({}, path) == 1
    assert streaming.count_parts(tmp_path / "none", tmp_path / "none") == 1


def test_parts_are_fewer_than_files_that_may_be_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    path = write_csv(tmp_path / "small.csv", {"user": [1], "item": ["a"], "score": [1]})
    monkeypatch.setattr(streaming, "_PART_BYTES", 0.01)
    for limits, parts in (
        ((256, 4096), 128),
        ((2000, 4096), 500),
        ((resource.RLIM_INFINITY,), 500),
    ):
        monkeypatch.setattr(resource, "getrlimit", lambda _, limits=limits: limits)
        assert streaming.count_parts(path, path) == parts
    monkeypatch.setitem(sys.modules, "resource", None)
    assert streaming.count_parts(path, path) == 200


def test_types_and_groups_are_told_of_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "_PART_BYTES", 100)
    target: dict[str, list[Any]] = {"user": [1, 2, 3, 4, 5], "item": ["a"] * 5, "score": [1.0] * 5}
    paths = [write_parquet(tmp_path / f"{number}.parquet", target) for number in range(2)]
    write_parquet(tmp_path / "1.parquet", {**target, "user": [1, 6, 7, 8, 9]})
    with pytest.raises(po.PorankError, match="found 4 only in target, group 2 the first"):
        po.evaluate(*paths, groups="error")
    write_parquet(tmp_path / "1.parquet", {**target, "user": list("12345")})
    with pytest.raises(po.PorankError, match="found 1 in target and '1' in predicted"):
        po.evaluate(*paths)
