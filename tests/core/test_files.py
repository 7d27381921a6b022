"""Files are written whole or not at all, and errors name the path that was given."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import porank as po
from porank.core.files import write_whole


def test_a_file_is_made_or_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    there = tmp_path / "x"
    write_whole(b"old", there)
    there.chmod(0o640)
    write_whole(b"new", str(there))
    assert (there.read_bytes(), there.stat().st_mode & 0o777) == (b"new", 0o640)
    assert list(tmp_path.iterdir()) == [there]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("place")
    write_whole(b"new", link)
    assert link.is_symlink()
    assert (tmp_path / "place").read_bytes() == b"new"


@pytest.mark.parametrize("name", ["none/x.json", "link.json"])
def test_errors_name_the_path_as_it_was_given(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path was once that of a hidden file beside it, which nobody had asked for."""
    monkeypatch.chdir(tmp_path)
    Path("link.json").symlink_to("none/x.json")
    with pytest.raises(FileNotFoundError) as error:
        write_whole(b"", name)
    assert error.value.filename == name
    with pytest.raises(FileNotFoundError) as error:
        po.write_json(po.parse("a > b"), Path(name))
    assert error.value.filename == name
    assert os.listdir(".") == ["link.json"]


def test_what_fails_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "x"
    there.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError("disk on fire")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match=r"^disk on fire$"):
        write_whole(b"new", there)
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("x", b"old")]


def test_an_empty_path_is_none() -> None:
    with pytest.raises(po.PorankError, match="expected the path of a file, found an empty text"):
        po.write_json(po.parse("a > b"), "")
