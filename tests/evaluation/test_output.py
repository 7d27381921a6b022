"""A folder of results: there as a whole, or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import porank as po
from porank.evaluation.larger_than_memory import Folder, require_one_type

if TYPE_CHECKING:
    from pathlib import Path

pandas = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")


def found(*users: Any) -> po.Evaluation:
    orders = {user: [1, 2] for user in users}
    return po.evaluate(orders, orders, measures="gamma")


def test_what_was_begun_twice_is_left_out(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "output")
    with folder:
        parts = [found(1, 2), found(), found(3)]
        assert [folder.part(number)(part) for number, part in enumerate(parts)] == [""] * 3
        (making,) = tmp_path.iterdir()
        (making / "part.00002.3f2a").write_bytes(b"of a worker that died")
        folder.finish([len(part) for part in parts])
    assert [path.name for path in tmp_path.iterdir()] == ["output"]
    names = sorted(path.name for path in (tmp_path / "output").iterdir())
    assert names == ["part.00000.parquet", "part.00002.parquet"]
    assert sorted(pandas.read_parquet(tmp_path / "output")["user"]) == [1, 2, 3]


def test_a_folder_that_workers_do_not_share_is_told(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "output")
    with folder:
        folder.part(0)(found(1))
        with pytest.raises(po.PorankError, match=r"found no 'part.00001.parquet'; output needs a"):
            folder.finish([1, 1])
    assert not list(tmp_path.iterdir())


def test_groups_of_several_types(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "output")
    message = "found several as 'user'.*; convert the column, or do without output"
    with folder:
        assert folder.part(0)(found(1, 2)) == ""
        fault = folder.part(1)(found(1, "a"))
    with pytest.raises(po.PorankError, match=message):
        require_one_type([found(1), found(1, "a")], ["", fault])
    with pytest.raises(po.PorankError, match=message):
        require_one_type([found(1), found("a")], ["", ""])
    require_one_type([found(1), found(), found(2)], [""] * 3)
