"""Files that were changed at random: each is read, or ends in one worded error."""

from __future__ import annotations

import io
import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import porank as po
from tests.preflib_texts import OLD, TOI

LOG = "session,time,position,item,event\n1,1.5,1,a,show\n1,2,2,b,click\n2,3,1,a,click\n"
SCORES = "user,item,score\nu1,a,1\nu1,b,2\nu2,a,2\nu2,b,1\n"
JSON = '{"nodes": [{"id": "a", "tie": 1}, {"id": "b", "tie": 1}], "edges": []}'
GRAPHML = '<graphml><graph edgedefault="directed"><node id="a"/><node id="b"/></graph></graphml>'


def open_log(path: Path) -> Any:
    return po.preference_pairs(po.ClickLog(path))


def evaluate(path: Path) -> Any:
    return po.evaluate(path, path, by="user", measures="gamma")


READERS: list[tuple[Callable[[Path], Any], str, str]] = [
    (po.read_preflib, ".toi", TOI),
    (po.read_preflib, "", OLD),
    (po.read_trec_run, "", "q1 Q0 d1 1 9.5 m\nq1 Q0 d2 2 7.0 m\n"),
    (po.read_trec_qrels, "", "q1 0 d1 2\nq1 0 d2 0\n"),
    (po.read_trec_prefs, "", "q1 1 1 d1 2\nq1 1 1 d2 1\nq1 1 2 d2 5\nq1 1 2 d3 1\n"),
    (po.read_cxt, ".cxt", "B\n\n2\n2\n\nfrog\nbream\nswims\nwalks\nXX\nX.\n"),
    (po.read_json, ".json", JSON),
    (po.read_graphml, ".graphml", GRAPHML),
    (po.read_pairs, ".csv", 'preferred,other,weight\nA,B,2\n"x, y",A,3\n'),
    (po.read_ranks, ".csv", "item,rank\nA,1\nB,2\n"),
    (open_log, ".csv", LOG),
    (open_log, ".parquet", LOG),
    (evaluate, ".csv", SCORES),
    (evaluate, ".parquet", SCORES),
]
#: What is put in the place of some bytes, and how many these are.
CHANGES = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.integers(0, 9),
        st.binary(max_size=3)
        | st.sampled_from([b"9" * 5000, b"x" * 5000, b"nan", b"1e999", b"\xed\xa0\x80", b"&#0;"]),
    ),
    min_size=1,
    max_size=4,
)


def message_of(read: Callable[[Path], Any], path: Path) -> str:
    """Return the message of the error in which the reading of a file ends, empty if it is read."""
    try:
        read(path)
    except (po.PorankError, OSError) as error:
        return str(error)
    return ""


def contents(suffix: str, text: str) -> bytes:
    """Return the bytes of a file, of Parquet if it is to be one."""
    if suffix != ".parquet":
        return text.encode()
    csv, parquet = (pytest.importorskip(f"pyarrow.{kind}") for kind in ("csv", "parquet"))
    target = io.BytesIO()
    parquet.write_table(csv.read_csv(io.BytesIO(text.encode())), target)
    return target.getvalue()


@pytest.mark.parametrize(("read", "suffix", "text"), READERS)
@given(changes=CHANGES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_a_mutated_file_is_read_or_ends_in_one_worded_error(
    read: Callable[[Path], Any], suffix: str, text: str, changes: Any, tmp_path: Path
) -> None:
    content = contents(suffix, text)
    for share, length, new in changes:
        start = int(share * len(content))
        content = content[:start] + new + content[start + length :]
    path = tmp_path / f"mutated{suffix}"
    path.write_bytes(content)
    assert len(message_of(read, path)) <= 2000


def test_odd_columns_of_parquet_end_in_one_worded_error(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = {"user": ["u1", "u1", "u2", "u2"], "item": list("abab"), "score": [1.0, 2, 2, 1]}
    path = tmp_path / "odd.parquet"
    odd: list[list[Any]] = [[each] * 4 for each in (math.nan, None, {"a": 1}, b"\xff", "x" * 5000)]
    odd += [[[1], [2], [3], [4]], [2**63 - 1, -1, 0, 1], [True, False, True, True]]
    for name, column in itertools.product(table, odd):
        parquet.write_table(arrow.table(table | {name: column}), path)
        assert len(message_of(evaluate, path)) <= 2000
