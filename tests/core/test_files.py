"""Files: paths, open files, other encodings, what is neither; written whole or not at all."""

import bz2
import gzip
import io
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import porank as po
from porank.core.files import write_whole
from tests.support.preflib_texts import TOI
from tests.support.refusals import refuses

G = nx.DiGraph([("é", "b")])
#: What is read by each reader, what writes it, and what is written.
FORMATS: list[tuple[Any, Any, Any]] = [
    (po.read_pairs, po.write_pairs, G),
    (po.read_ranks, po.write_ranks, {"é": 1, "b": 0}),
    (po.read_preflib, po.write_preflib, po.Profile([{"é": 1, "b": 0}])),
    (po.read_trec_run, po.write_trec_run, {"q1": {"é": 1.5}}),
    (po.read_trec_qrels, po.write_trec_qrels, {"q1": {"é": 1}}),
    (po.read_graphml, po.write_graphml, G),
]
READERS = [read for read, *_ in FORMATS]
WRITERS: list[Callable[[Any], Any]] = [partial(write, value) for _, write, value in FORMATS]
#: A text of three good lines, of which one is bad in Latin-1, and its number.
ENCODED: list[tuple[Any, str, int]] = [
    (po.read_pairs, "a,b\né,c\nb,c\n", 2),
    (po.read_ranks, "item,rank\né,1\nb,2\na,3\n", 2),
    (po.read_trec_run, "q1 Q0 a 1 9 t\nq1 Q0 é 2 8 t\nq1 Q0 b 3 7 t\n", 2),
    (po.read_trec_qrels, "q1 0 a 1\nq1 0 é 1\nq1 0 b 1\n", 2),
    (
        partial(po.read_preflib, names="numbers"),
        "# NUMBER ALTERNATIVES: 2\n1: 1,2\n1: é\n1: 2\n",
        3,
    ),
]


def items_of(read: Any) -> set[Any]:
    """The items of whatever a reader returns."""
    if isinstance(read, po.Profile):
        return set(read.items)
    return set(read) if isinstance(read, nx.DiGraph) else set(read["q1"])


def problems_of(read: Any) -> Any:
    return read.graph["problems"] if isinstance(read, nx.DiGraph) else read.problems


@pytest.mark.parametrize(("read", "text", "number"), ENCODED)
def test_a_line_that_is_no_utf_8_is_named_and_the_others_are_read(
    read: Callable[..., Any], text: str, number: int, tmp_path: Path
) -> None:
    line, path = text.split("\n")[number - 1], tmp_path / "named.txt"
    shown = line.replace("é", "\\xe9")
    message = "expected a text in UTF-8, found the byte 0xe9; open it with open(path, encoding=...)"
    for end in ("\n", "\r\n", "\r"):
        content = text.replace("\n", end).encode("latin-1")
        path.write_bytes(content)
        with pytest.raises(
            po.errors.ParseError, match=rf"named\.txt, line {number}, column"
        ) as caught:
            read(path)
        assert (caught.value.line, caught.value.text) == (number, shown)
        assert caught.value.column == line.index("é") + 1
        assert message in str(caught.value)
        assert "iconv -f cp1252 -t utf-8 FILE" in str(caught.value)
        report = read(io.BytesIO(content), errors="report")
        (problem,) = problems_of(report)
        assert (problem.line, problem.text) == (number, shown)
        assert problem.message.startswith(message)
        assert items_of(report) == items_of(read(io.StringIO(text.replace(f"{line}\n", ""))))


def test_files_in_other_encodings_are_refused_or_read_as_opened(tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    for read, text, _ in ENCODED:
        with pytest.raises(po.errors.ParseError, match="one in UTF-16"):
            read(io.BytesIO(f"\ufeff{text}".encode("utf-16-le")))
        path.write_bytes(text.encode("latin-1"))
        with path.open(encoding="latin-1") as file:
            assert len(problems_of(read(file, errors="report"))) == (isinstance(read, partial))
        with (
            path.open(encoding="ascii") as file,
            pytest.raises(po.errors.ParseError, match="as ascii, with which it was opened: found"),
        ):
            read(file)
    with (
        path.open("w", encoding="ascii") as file,
        pytest.raises(po.PorankError, match=r"the text as ascii, .* found 'é'"),
    ):
        po.write_pairs(G, file)


@pytest.mark.filterwarnings("ignore:.*perhaps because of a stray quote")
def test_what_hangs_on_a_bad_line_is_told_and_not_guessed() -> None:
    reports: list[tuple[Any, str, set[str], list[int]]] = [
        (po.read_preflib, TOI, {"Red", "White", "None: of these"}, [6, 11, 13, 15]),
        (po.read_pairs, 'a,b\n"x\né",c\nb,c\n', {"a", "b", "c"}, [2]),
    ]
    for read, text, items, lines in reports:
        report = read(io.BytesIO(text.encode("latin-1")), errors="report")
        assert items_of(report) == items
        assert [problem.line for problem in problems_of(report)] == lines
    refused: list[tuple[Any, str, str]] = [
        (po.read_graphml, "<a>\n  é</a>", "line 2, column 3"),
        (po.read_ranks, "prix é,rank,item\n1,2,a\n", "line 1, column 6"),
        (po.read_pairs, "ÿþ,b\n", "the byte 0xff"),
    ]
    for read, text, place in refused:
        with pytest.raises(po.errors.ParseError, match="expected a text in UTF-8") as caught:
            read(io.BytesIO(text.encode("latin-1")))
        assert place in str(caught.value)


def test_closed_files_and_folders_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "closed.toc").open("w") as file:
        pass
    for call in (*READERS, *WRITERS, po.preference_pairs, po.compare_scores):
        refuses("open file, found a closed one", call, file)
    for call in (*READERS, *WRITERS):
        with pytest.raises(IsADirectoryError, match=str(tmp_path)):
            call(tmp_path)
        refuses(r"path.* found (7|a value of type int)", call, 7)
        with pytest.raises(FileNotFoundError):
            call(tmp_path / "nothing" / "x.soc")
    for write in WRITERS:
        refuses("expected a path or an open file, found", write, io.StringIO)
    texts: list[tuple[Any, str]] = [
        (b"a,b\n", r"found 4 bytes; use io\.BytesIO\(content\)"),
        ("a" * 5000, r"found the text 'a{40}'\.\.\.; use io\.StringIO\(text\)"),
        ("a\0b", r"the path of a file, found the text 'a\\x00b'"),
    ]
    monkeypatch.setattr("porank.core.files._MOST_SIGNS", 9)
    for read in READERS:
        for text, found in texts:
            refuses(found, read, text)
    for read in READERS[2:]:
        with pytest.raises(po.errors.ParseError, match="at most 9 characters, found a longer one"):
            read(io.StringIO("B" + "\n" * 9))


@pytest.mark.parametrize(("read", "write", "value"), FORMATS)
def test_bytes_are_those_of_the_text_in_utf8(
    read: Any, write: Any, value: Any, tmp_path: Path
) -> None:
    text, content = io.StringIO(newline=""), io.BytesIO()
    for target in (text, content, tmp_path / "file", tmp_path / "file.gz"):
        write(value, target)
    assert "é" in text.getvalue()
    assert content.getvalue() == text.getvalue().encode()
    packed = gzip.decompress((tmp_path / "file.gz").read_bytes()).decode()
    for name, written in (("file", (tmp_path / "file").read_text("utf-8")), ("file.gz", packed)):
        assert written.replace(f" {name}\n", " \n", 1) == text.getvalue(), "save for the name"
    items = items_of(read(tmp_path / "file"))
    assert items_of(read(tmp_path / "file.gz")) == items
    for opened in (gzip.open, bz2.open):
        for mode in "tb":
            with opened(tmp_path / "packed", f"w{mode}") as file:
                write(value, file)
            with opened(tmp_path / "packed", f"r{mode}") as file:
                assert items_of(read(file)) == items


def test_a_file_is_made_or_replaced_whole_and_keeps_what_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, link = tmp_path / "x", tmp_path / "link"
    write_whole(b"old", there)
    there.chmod(0o640)
    link.symlink_to("x")
    for path in (str(there), link):
        write_whole(b"new", path)
        assert (there.read_bytes(), there.stat().st_mode & 0o777) == (b"new", 0o640)
    assert link.is_symlink()

    def fail(*_: object) -> None:
        raise OSError("disk on fire")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match=r"^disk on fire$"):
        write_whole(b"newer", there)
    assert there.read_bytes() == b"new"
    assert sorted(os.listdir(tmp_path)) == ["link", "x"]


def test_errors_name_the_path_as_it_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path was once that of a hidden file beside it, which nobody had asked for."""
    monkeypatch.chdir(tmp_path)
    Path("link.graphml").symlink_to("none/x.graphml")
    for name in ("none/x.graphml", "link.graphml"):
        with pytest.raises(FileNotFoundError) as error:
            po.write_graphml(G, Path(name))
        assert error.value.filename == name
    assert os.listdir(".") == ["link.graphml"]
