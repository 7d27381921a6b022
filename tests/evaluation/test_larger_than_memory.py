"""Dask: the same as in one process, to the last bit, whoever dies on the way."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import porank as po
from porank.core import workers
from porank.evaluation import larger_than_memory
from tests.evaluated import assert_equal
from tests.oracles_evaluation import random_table
from tests.workers import WITHOUT_PAGE

distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")
frames = pytest.importorskip("dask.dataframe")
pandas = pytest.importorskip("pandas")
arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


MEASURES = ["gamma", "completeness", "edrc", "m_auc"]
Columns = dict[str, list[Any]]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, **WITHOUT_PAGE
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let threads of this process do the work, also beside a client."""

    def default_client() -> Any:
        raise ValueError

    monkeypatch.setattr(distributed, "default_client", default_client)


def tables(seed: int = 1) -> tuple[Columns, Columns]:
    rng = random.Random(seed)
    target = random_table("pairs", range(40), rng).columns()
    return target, random_table("score", range(3, 43), rng).columns()


def write(path: Path, table: Columns, rows: int = 30) -> Path:
    parquet.write_table(arrow.table(table), path, row_group_size=rows)
    return path


def write_folder(path: Path, table: Columns, files: int = 11) -> Path:
    """Write the rows into files, whose numbers are not in the sequence of their letters."""
    path.mkdir()
    cuts = np.linspace(0, len(table["user"]), files + 1).astype(int)
    for number, (start, stop) in enumerate(pairwise(cuts)):
        write(path / f"part.{number}.parquet", {k: v[start:stop] for k, v in table.items()})
    (path / "_metadata.parquet").write_bytes(b"")
    return path


def frame(table: Columns, partitions: int = 4) -> Any:
    return frames.from_pandas(pandas.DataFrame(table), npartitions=partitions, sort=False)


def cut_frame(table: Columns, rows: int) -> Any:
    """Return a frame of two partitions, the first of so many rows, missing values as they are."""
    whole = pandas.DataFrame(table, dtype=object)
    parts = [dask.delayed(part) for part in (whole.iloc[:rows], whole.iloc[rows:])]
    return frames.from_delayed(parts, meta=whole.iloc[:0], verify_meta=False)


def with_gap(column: list[Any], row: int) -> list[Any]:
    return [*column[:row], None, *column[row + 1 :]]


@pytest.mark.slow
def test_files_folders_and_frames(client: Any, tmp_path: Path) -> None:
    target, predicted = tables()
    whole = po.evaluate(target, predicted, measures=MEASURES)
    files = write(tmp_path / "a.parquet", target), write(tmp_path / "b.parquet", predicted)
    output = tmp_path / "output"
    found = po.evaluate(*files, measures=MEASURES, engine="dask", scheduler=client, output=output)
    assert_equal(found, whole)
    written = pandas.read_parquet(output)
    assert len(list(output.iterdir())) == 2
    assert sorted(written["user"]) == sorted(whole["user"].tolist())
    rows = whole.to_frame().set_index("user").loc[written["user"]].reset_index()
    pandas.testing.assert_frame_equal(written, rows, check_exact=True)
    address = client.scheduler.address
    folders = [write_folder(tmp_path / n, t) for n, t in (("c", target), ("d", predicted))]
    found = po.evaluate(*folders, measures=MEASURES, engine="dask", scheduler=address)
    assert_equal(found, whole)
    # The client that is there is taken; a file may be compared with a frame.
    found = po.evaluate(frame(target), files[1], measures=MEASURES, engine="dask")
    assert_equal(found, whole)


def far(user: int) -> int:
    return user * 10**15 - 7


def text(user: int) -> str:
    return f"ü{user}" if user % 3 else "-" * user


@pytest.mark.slow
@pytest.mark.parametrize("labels", [(far, far), (text, text), (int, float)])
@pytest.mark.usefixtures("here")
def test_labels_of_all_kinds(labels: tuple[Callable[[int], Any], ...]) -> None:
    both = tables(2)
    for table, label in zip(both, labels, strict=True):
        table["day"] = [user % 3 for user in table["user"]]
        table["user"] = [label(user + 1) for user in table["user"]]
        for name in {"item", "preferred", "other"} & set(table):
            table[name] = [f"i{item}" for item in table[name]]
    for by in (["user"], ["day", "user"]):
        whole = po.evaluate(*both, by=by, measures=MEASURES)
        assert np.isfinite(whole["gamma"]).any()
        found = po.evaluate(*map(frame, both), by=by, measures=MEASURES, engine="dask")
        assert_equal(found, whole)


@pytest.mark.usefixtures("here")
def test_no_rows_at_all(tmp_path: Path) -> None:
    table = arrow.schema({"user": "int64", "item": "int64", "score": "float64"}).empty_table()
    parquet.write_table(table, tmp_path / "none.parquet")
    paths = [tmp_path / "none.parquet"] * 2
    found = po.evaluate(*paths, engine="dask", output=tmp_path / "output")
    assert len(found) == 0
    assert found["gamma"].tolist() == pandas.read_parquet(tmp_path / "output")["gamma"].tolist()
    assert len(po.evaluate(*paths)) == 0


def dying(table: Columns, marker: Path, place: int, partitions: int = 6) -> Any:
    """Return a frame whose partition at a place takes its worker with it when it is first read."""
    whole = pandas.DataFrame(table)
    cuts = np.linspace(0, len(whole), partitions + 1).astype(int).tolist()

    # A function within a function goes to the workers as it is.
    def read(number: int) -> Any:
        import os
        import signal

        if number == place and not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return whole.iloc[cuts[number] : cuts[number + 1]]

    return frames.from_map(read, range(partitions), meta=whole.iloc[:0])


@pytest.mark.slow
def test_a_lost_worker_costs_time_and_no_results(client: Any, tmp_path: Path) -> None:
    del client
    target, predicted = tables(4)
    whole = po.evaluate(target, predicted, measures=MEASURES)
    output = tmp_path / "output"
    killing = dying(predicted, tmp_path / "killed", place=5)
    found = po.evaluate(frame(target), killing, measures=MEASURES, engine="dask", output=output)
    assert (tmp_path / "killed").exists()
    assert_equal(found, whole)
    assert sorted(pandas.read_parquet(output)["user"]) == sorted(whole["user"].tolist())


def clicks(sessions: int = 50) -> Columns:
    """Return the log of sessions whose rows stand anywhere, with numbers for items."""
    rng = random.Random(5)
    rows = [
        (session * 7 % sessions, f"u{session % 5}", item, position, rng.choice(EVENTS))
        for session in range(sessions)
        for position, item in enumerate(rng.sample(range(12), rng.randint(1, 6)), 1)
    ]
    rng.shuffle(rows)
    names = ("session", "user", "item", "position", "event")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


EVENTS = ("view", "view", "click", "purchase")


@pytest.mark.slow
def test_what_is_wrong_is_told_by_the_caller_alone(client: Any, tmp_path: Path) -> None:
    """Workers wrote tracebacks to the standard error."""
    target, predicted = tables()
    twice = {name: [*column, column[-1]] for name, column in predicted.items()}
    missing = {**predicted, "user": with_gap(predicted["user"], 35)}
    truth = write(tmp_path / "truth.parquet", target)
    wrong = write(tmp_path / "twice.parquet", twice), write(tmp_path / "missing.parquet", missing)
    for path, message in zip(
        wrong, ("each item once in a group", "a user, found None"), strict=True
    ):
        with pytest.raises(po.PorankError, match=message):
            po.evaluate(truth, path, engine="dask", scheduler=client)
    said = [text for lines in client.get_worker_logs().values() for _, text in lines]
    assert not [text for text in said if "Compute Failed" in text]


@pytest.mark.slow
def test_pairs_of_a_log_by_workers(client: Any, tmp_path: Path) -> None:
    path = write(tmp_path / "log.parquet", clicks(20), rows=25)
    wanted = po.preference_pairs(path, by=("user",))
    assert po.preference_pairs(path, by=("user",), engine="dask", scheduler=client) == wanted


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("by", [("session",), ("user",), ("session", "user"), ()])
def test_pairs_of_a_log(tmp_path: Path, by: tuple[str, ...]) -> None:
    log = clicks()
    if len(by) == 1:
        log["item"] = [f"i{item}" for item in log["item"]]
    path = write(tmp_path / "log.parquet", log, rows=25)
    for options in (
        {"rule": ["levels", "click_over_skip_above"]},
        {"propensity": [1, 0.5, 0.3, 0.2, 0.1, 0.1]},
        {"columns": {"session": ["user", "session"]}},
    ):
        wanted = po.preference_pairs(path, by=by, **options)
        found = po.preference_pairs(path, by=by, engine="dask", **options)
        assert found == wanted
        assert [column.dtype for column in found.columns.values()] == [
            column.dtype for column in wanted.columns.values()
        ]
    assert po.preference_pairs(frame(log), by=by, engine="dask", **options) == wanted


@pytest.mark.usefixtures("here")
def test_problems_of_a_log(tmp_path: Path) -> None:
    log = clicks()
    log["event"][70] = "like"
    log["item"][3] = log["session"][90] = log["session"][40] = None
    path = write(tmp_path / "log.parquet", log, rows=25)
    wanted = po.preference_pairs(path, errors="report")
    assert len(wanted.problems) == 4
    assert po.preference_pairs(path, errors="report", engine="dask") == wanted
    with pytest.raises(po.ParseError, match=r"log.parquet, line 4: expected an item, found None"):
        po.preference_pairs(path, engine="dask")
    log["item"][3] = 1
    write(path, log, rows=25)
    with pytest.raises(po.ParseError, match=r"log.parquet, line 41: .* session") as error:
        po.preference_pairs(path, engine="dask")
    assert error.value.line == 41
    in_parts = cut_frame(log, 30)
    message = "expected a session, found None, in row 11 of partition 1"
    with pytest.raises(po.ParseError, match=message) as error:
        po.preference_pairs(in_parts, engine="dask")
    assert error.value.line == 0
    told = po.preference_pairs(in_parts, engine="dask", errors="report").problems
    assert [(each.line, each.message.rpartition(", ")[2]) for each in told] == [
        (11, "in partition 1"),
        (41, "in partition 1"),
        (61, "in partition 1"),
    ]


@pytest.mark.usefixtures("here")
def test_what_the_files_lack_is_told(tmp_path: Path) -> None:
    target, predicted = tables()
    good = write(tmp_path / "good.parquet", target)
    bad = write_folder(tmp_path / "bad", predicted)
    without = {name: column[:3] for name, column in predicted.items() if name != "item"}
    output = tmp_path / "output"

    def evaluate(one: Any, other: Any, **options: Any) -> None:
        po.evaluate(one, other, engine="dask", output=output, **options)

    write(bad / "part.7.parquet", without)
    with pytest.raises(po.PorankError, match=r"column 'item' in '.*part.7.*', found 'user', 'sco"):
        evaluate(good, bad)
    write(bad / "part.0.parquet", without)
    with pytest.raises(po.PorankError, match=r"a column for item, found .*predicted \('.*part.0"):
        evaluate(good, bad)
    with pytest.raises(po.PorankError, match=r"a column for item, found .*, in '.*part.0.parquet'"):
        po.preference_pairs(bad, columns={"session": "user", "event": "score"}, engine="dask")
    (tmp_path / "empty").mkdir()
    with pytest.raises(po.PorankError, match="expected Parquet files in the folder"):
        evaluate(good, tmp_path / "empty")
    with pytest.raises(FileNotFoundError):
        evaluate(good, tmp_path / "none.parquet")
    assert not [file for file in tmp_path.iterdir() if "output" in file.name]


@pytest.mark.slow
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("engine", ["columns", "dask"])
def test_what_is_wrong_in_the_rows_is_told(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, predicted = tables()
    good, output = write(tmp_path / "good.parquet", target), tmp_path / "output"
    options: dict[str, Any] = {"engine": "dask", "output": output} if engine == "dask" else {}
    monkeypatch.setattr(larger_than_memory, "_MANY_BYTES", 100)
    monkeypatch.setattr(workers, "_MOST_PARTS", 3)
    group = predicted["user"][35]

    def refuse(message: str, line: int = 0, of: Any = tmp_path / "bad.parquet", **how: Any) -> None:
        with pytest.raises(po.PorankError, match=message) as error:
            po.evaluate(good, of, **options, **how)
        assert getattr(error.value, "line", line) == line

    missing = {**predicted, "user": with_gap(predicted["user"], 35)}
    write(tmp_path / "bad.parquet", missing)
    # Row 36 is in the second group of rows, in a part of its own or in the same, and in the
    # fourth block of ten rows.
    for part, rows in ((1 << 26, 1 << 20), (1 << 26, 10), (1, 1 << 20)):
        monkeypatch.setattr(workers, "_BLOCK_ROWS", rows)
        monkeypatch.setattr(workers, "_PART_BYTES", (part, part))
        refuse("bad.parquet, line 36: expected a user, found None in predicted", 36)
    lacking = {**predicted, "item": with_gap(predicted["item"], 35)}
    write(tmp_path / "bad.parquet", lacking)
    refuse(f"expected an item, found None of group {group} in predicted")
    scores = [*predicted["score"][:35], float("nan"), *predicted["score"][36:]]
    write(tmp_path / "bad.parquet", {**predicted, "score": scores})
    refuse(f"found nan for .* of group {group} in predicted")
    texts = {**predicted, "user": [f"u{user}" for user in predicted["user"]]}
    write(tmp_path / "bad.parquet", texts)
    refuse(r"groups of one type .* found \d+ in target and 'u\d+'")
    write(tmp_path / "bad.parquet", predicted)
    with pytest.raises(po.PorankError, match="found 3 only in target") as wanted:
        po.evaluate(target, predicted, groups="error")
    refuse(re.escape(str(wanted.value)), groups="error")
    refuse("of group", undefined="raise")
    if engine == "dask":
        message = "expected a user, found None in predicted, in row 6 of partition 1"
        refuse(message, of=cut_frame(missing, 30))
        message = r"expected an item, found None of group '?\d+'? in predicted"
        refuse(message, of=cut_frame(lacking, 30))
    assert not [file for file in tmp_path.iterdir() if "output" in file.name]
    monkeypatch.setattr(larger_than_memory, "_MANY_BYTES", 10**6)
    if engine == "columns":
        write(tmp_path / "bad.parquet", missing)
        refuse("expected a user, found None in row 36 of predicted", 36)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "spark"}, "engine to be one of 'columns', 'dask', found 'spark'"),
        ({"scheduler": "tcp://127.0.0.1:9"}, "expected scheduler with engine='dask' only"),
        ({"output": "folder"}, "expected output with engine='dask' only, found 'folder'"),
        ({"engine": "dask"}, "expected a Dask DataFrame or the path .* as target .* found dict"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, Any], message: str) -> None:
    with pytest.raises(po.PorankError, match=message):
        po.evaluate({"user": [1]}, {"user": [1]}, **options)
    if "output" not in options:
        with pytest.raises(po.PorankError, match=message.replace("target", "log")):
            po.preference_pairs({"session": [1], "item": [1], "event": ["view"]}, **options)


def test_outputs_that_cannot_be(tmp_path: Path) -> None:
    paths = [write(tmp_path / "a.parquet", tables()[1])] * 2
    for output, message in (
        (tmp_path, "a folder that is not there yet"),
        (tmp_path / "a" / "b", "found no '.*/a'"),
        (7, "the path of a folder as output, found 7"),
    ):
        with pytest.raises(po.PorankError, match=message):
            po.evaluate(*paths, engine="dask", output=output)
    with pytest.raises(po.PorankError, match=r"found '.*csv'; engine='columns' takes"):
        po.evaluate(tmp_path / "a.csv", paths[1], engine="dask")


@pytest.mark.usefixtures("here")
def test_groups_of_several_types_are_no_files(tmp_path: Path) -> None:
    target: Columns = {"user": [1, 2, 3, 4], "item": ["a"] * 4, "score": [1.0] * 4}
    path = tmp_path / "folder"
    path.mkdir()
    write(path / "0.parquet", target)
    write(path / "1.parquet", {**target, "user": list("abcd")})
    found = po.evaluate(path, path, measures="zero_one_loss", engine="dask")
    assert found["user"].tolist() == [1, 2, 3, 4, "a", "b", "c", "d"]
    with pytest.raises(po.PorankError, match=r"found several as 'user'.*or do without output"):
        po.evaluate(path, path, engine="dask", output=tmp_path / "output")
    assert [file.name for file in tmp_path.iterdir()] == ["folder"]


def write_csv(path: Path, table: Columns) -> Path:
    rows = [[*table], *zip(*table.values(), strict=True)]
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows), "utf-8")
    return path


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("suffix", "writer"), [("csv", write_csv), ("parquet", write)])
def test_large_files_are_evaluated_part_by_part(
    suffix: str, writer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [writer(tmp_path / f"{n}.{suffix}", table) for n, table in enumerate(tables())]
    whole = po.evaluate(*paths, measures=MEASURES)
    assert whole.groups is not None
    monkeypatch.setattr(larger_than_memory, "_MANY_BYTES", 100)
    for rows, size in ((1 << 20, 10**4), (10, 300)):
        monkeypatch.setattr(workers, "_BLOCK_ROWS", rows)
        monkeypatch.setattr(workers, "_PART_BYTES", (size, size))
        found = po.evaluate(*paths, measures=MEASURES)
        assert found.groups is None
        assert_equal(found, whole)
    if suffix == "parquet":
        monkeypatch.setattr(workers, "_MOST_PARTS", 3)
        assert_equal(po.evaluate(*map(str, paths), measures=MEASURES, engine="dask"), whole)
    assert found.worst("gamma", 2).columns == ("user", "gamma", "items")
    with pytest.raises(po.NotApplicableError, match=r"one of files or of .* not kept them"):
        found.orders(found["user"][np.flatnonzero(found["status"] == "defined")[0]])


def test_only_large_files_are_taken_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_csv(tmp_path / "small.csv", {"user": [1], "item": ["a"], "score": [1]})
    monkeypatch.setitem(sys.modules, "dask", None)
    assert len(po.evaluate(path, path)) == 1
    monkeypatch.setattr(larger_than_memory, "_MANY_BYTES", 1)
    assert not larger_than_memory.are_large_files({}, path)
    assert not larger_than_memory.are_large_files(tmp_path / "none", tmp_path / "none")
    with pytest.raises(po.MissingExtraError, match=r"dask to be installed; .*porank\[scale\]"):
        po.evaluate(path, path)


def found_for(*users: Any) -> po.Evaluation:
    orders = {user: [1, 2] for user in users}
    return po.evaluate(orders, orders, measures="gamma")


def test_what_was_begun_twice_is_left_out(tmp_path: Path) -> None:
    folder = larger_than_memory.Folder(tmp_path / "output")
    with folder:
        folder.write(found_for(1, 2))
        files = [folder.write(part) for part in (found_for(1, 2), found_for(), found_for(3))]
        assert files[1] == ""
        folder.finish(files, found_for(1, 2, 3))
    assert [path.name for path in tmp_path.iterdir()] == ["output"]
    names = sorted(path.name for path in (tmp_path / "output").iterdir())
    assert names == ["part.00000.parquet", "part.00001.parquet"]
    assert sorted(pandas.read_parquet(tmp_path / "output")["user"]) == [1, 2, 3]


def test_a_folder_that_workers_do_not_share_is_told(tmp_path: Path) -> None:
    folder = larger_than_memory.Folder(tmp_path / "output")
    message = r"expected 2 files .* found no 'part.00001.parquet'; output needs a"
    with folder, pytest.raises(po.PorankError, match=message):
        folder.finish([folder.write(found_for(1)), "written elsewhere"], found_for(1, 2))
    assert not list(tmp_path.iterdir())
