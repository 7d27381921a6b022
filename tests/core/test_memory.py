"""What does not fit into memory is refused before it is asked for, with a way out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import porank as po
from porank.core import memory

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a hundred bytes of memory, and look for the smallest amounts."""
    monkeypatch.setattr(memory, "_memory_left", lambda: 100.0)
    monkeypatch.setattr(memory, "_SMALL", 0)


SPARSE = po.from_pairs([(i, j) for i in range(50) for j in (i + 2, i + 3)], items=range(60))
VOTES = [[3, 2, 1] * 20, [1, 2, 3] * 20]
TABLE = {item: {"x": item, "y": item * 7 % 60} for item in range(60)}


@pytest.mark.parametrize(
    ("call", "found", "way_out"),
    [
        (po.transitive_closure, "the closure of 60 items", "restrict"),
        (lambda G: po.gamma(G, np.arange(60)), "the closure of 60 items", "restrict"),
        (lambda _: po.preference_relation(VOTES), "all pairs of 60 items", "fewer items"),
        (lambda _: po.random_order(60, dimension=2), "a matrix of 60 items", "smaller n"),
        (lambda _: po.random_order(60, edge_probability=1), "random edges of 60", "smaller n"),
        (lambda _: po.mallows(range(60), 9, dispersion=1), "9 rankings of 60 items", "fewer"),
        (lambda _: po.plackett_luce({"a": 1}, 9), "9 rankings of 1 items", "fewer"),
        (lambda _: po.from_table(TABLE, maximize=["x", "y"]), "a matrix of 60 items", "fewer"),
        (po.find_realizer, "matrices of 60 items", "restrict"),
        (po.find_forced_contradiction, "matrices of 60 items", "restrict"),
        (
            lambda _: po.generalized_kendall(
                *map(np.array, VOTES), dissimilarity=lambda u, v: u != v
            ),
            "a number for each two of 60 items",
            "restrict",
        ),
        (
            lambda _: po.terms("kendall_tau", *map(np.array, VOTES), variant="a"),
            "a term for each two of 60 items",
            "restrict",
        ),
        (lambda _: po.chain(60), "59 edges to write", "smaller n"),
    ],
)
@pytest.mark.usefixtures("few")
def test_what_does_not_fit_is_refused_with_a_way_out(
    call: Callable[[Any], Any], found: str, way_out: str
) -> None:
    with pytest.raises(
        po.PorankError, match=rf"GB of memory for {found}.*, found .* GB; .*{way_out}"
    ):
        call(SPARSE.copy())


def test_what_fits_and_what_is_small_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    memory.require_memory(10**8 + 1, what="-", instead="-")
    monkeypatch.setattr(memory, "_memory_left", lambda: 0.0)
    memory.require_memory(10**8, what="-", instead="-")
    with pytest.raises(
        po.PorankError, match=r"expected 0.2 GB of memory for all, found 0.0 GB; go"
    ):
        memory.require_memory(2 * 10**8, what="all", instead="go")


def test_what_is_left_is_what_the_system_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = tmp_path / "meminfo"
    told.write_text("MemTotal:  9000 kB\nMemAvailable:  2000 kB\n\n")
    monkeypatch.setattr(memory, "_MACHINE", told)
    assert memory._left_on_the_machine() == 2000 * 1024
    monkeypatch.setattr(memory, "_MACHINE", tmp_path / "none")
    assert memory._left_on_the_machine() == memory._UNTOLD


def test_a_group_of_processes_may_have_less(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("1300\n")
    (tmp_path / "memory.stat").write_text("anon 1000\nactive_file 100\ninactive_file 200\n")
    assert memory._left_within_limits() > 1e6
    (tmp_path / "memory.max").write_text("1500\n")
    assert memory._left_within_limits() == 500
    (tmp_path / "memory.max").write_text("900\n")
    assert memory._left_within_limits() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much is used")
def test_a_limit_of_the_process_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    used = memory._kilobytes(memory._PROCESS, "VmSize:") * 1024
    limit = 2 * used + 10**9, 2 * used + 10**9
    monkeypatch.setattr(resource, "getrlimit", lambda _: limit)
    assert 10**9 / 2 < memory._left_within_limits() <= used + 10**9


@pytest.mark.usefixtures("few")
def test_scores_need_no_closure() -> None:
    assert po.gamma(np.arange(60), np.arange(60)) == 1
