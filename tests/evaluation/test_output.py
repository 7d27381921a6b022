"""A folder of results: there as a whole, or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import porank as po
from porank.evaluation.larger_than_memory import Folder

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
        folder.write(found(1, 2))
        files = [folder.write(part) for part in (found(1, 2), found(), found(3))]
        assert files[1] == ""
        folder.finish(files, found(1, 2, 3))
    assert [path.name for path in tmp_path.iterdir()] == ["output"]
    names = sorted(path.name for path in (tmp_path / "output").iterdir())
    assert names == ["part.00000.parquet", "part.00001.parquet"]
    assert sorted(pandas.read_parquet(tmp_path / "output")["user"]) == [1, 2, 3]


def test_a_folder_that_workers_do_not_share_is_told(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "output")
    message = r"expected 2 files .* found no 'part.00001.parquet'; output needs a"
    with folder, pytest.raises(po.PorankError, match=message):
        folder.finish([folder.write(found(1)), "written elsewhere"], found(1, 2))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("parts", [[found(1, 2), found(1, "a")], [found(1), found("a")]])
def test_groups_of_several_types(tmp_path: Path, parts: list[po.Evaluation]) -> None:
    folder = Folder(tmp_path / "output")
    message = "found several as 'user'.*; convert the column, or do without output"
    with folder, pytest.raises(po.PorankError, match=message):
        folder.finish(list(map(folder.write, parts)), found(1, "a"))
    assert not list(tmp_path.iterdir())
