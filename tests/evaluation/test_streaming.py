"""Files in parts: the same as all at once, wherever the rows of a group stand."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import porank as po
from porank.core import workers
from porank.evaluation import larger_than_memory
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
    monkeypatch.setattr(larger_than_memory, "_MANY_BYTES", 100)
    for rows, size in ((10, 300), (1 << 20, 10**4)):
        monkeypatch.setattr(workers, "_BLOCK_ROWS", rows)
        monkeypatch.setattr(workers, "_PART_BYTES", (size, size))
        found = po.evaluate(*paths, measures=NAMES, progress=True)
        assert found.groups is None
        assert_equal(found, whole)
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
    monkeypatch.setattr(larger_than_memory, "_MANY_BYTES", 100)
    assert_equal(po.evaluate(*both, by=["day", "user"], measures=NAMES), whole)


def test_errors_name_the_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, predicted = (table.columns() for table in tables())
    predicted["score"][5] = float("nan")
    monkeypatch.setattr(larger_than_memory, "_MANY_BYTES", 100)
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
    monkeypatch.setattr(workers, "_BLOCK_ROWS", 4)
    predicted["user"][5] = None
    write_parquet(paths[1], predicted)
    message = r"1.parquet, line 6: expected a user, found None in predicted"
    with pytest.raises(po.ParseError, match=message) as error:
        po.evaluate(*paths)
    assert error.value.line == 6
    monkeypatch.setattr(larger_than_memory, "_MANY_BYTES", 10**6)
    message = "expected a user, found None in row 6 of predicted"
    with pytest.raises(po.ParseError, match=message) as error:
        po.evaluate(*paths)
    assert error.value.line == 6
    with pytest.raises(po.PorankError, match="expected a column for query, found"):
        po.evaluate(*paths, by="query")


def test_only_large_files_are_taken_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_csv(tmp_path / "small.csv", {"user": [1], "item": ["a"], "score": [1]})
    for size, is_large in ((1, True), (1 << 20, False)):
        monkeypatch.setattr(larger_than_memory, "_MANY_BYTES", size)
        assert larger_than_memory.are_large_files(path, path) is is_large
        assert not larger_than_memory.are_large_files({}, path)
        assert not larger_than_memory.are_large_files(tmp_path / "none", tmp_path / "none")


def test_large_files_need_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_csv(tmp_path / "small.csv", {"user": [1], "item": ["a"], "score": [1]})
    assert len(po.evaluate(path, path)) == 1
    monkeypatch.setattr(larger_than_memory, "_MANY_BYTES", 1)
    monkeypatch.setitem(sys.modules, "dask", None)
    with pytest.raises(po.MissingExtraError, match=r"dask to be installed; .*porank\[scale\]"):
        po.evaluate(path, path)


def test_types_and_groups_are_told_of_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(larger_than_memory, "_MANY_BYTES", 100)
    target: dict[str, list[Any]] = {"user": [1, 2, 3, 4, 5], "item": ["a"] * 5, "score": [1.0] * 5}
    paths = [write_parquet(tmp_path / f"{number}.parquet", target) for number in range(2)]
    write_parquet(tmp_path / "1.parquet", {**target, "user": [1, 6, 7, 8, 9]})
    with pytest.raises(po.PorankError, match="found 4 only in target, group 2 the first"):
        po.evaluate(*paths, groups="error")
    write_parquet(tmp_path / "1.parquet", {**target, "user": list("12345")})
    with pytest.raises(po.PorankError, match=r"found \d in target and '\d' in predicted"):
        po.evaluate(*paths)
