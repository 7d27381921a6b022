"""Files: paths, open files, other encodings, what is neither; written whole or not at all."""

from __future__ import annotations

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
from porank.errors import ParseError, PorankError
from tests.preflib_texts import TOI

READERS: list[Any] = [
    po.read_pairs,
    po.read_ranks,
    po.read_preflib,
    po.read_trec_run,
    po.read_trec_qrels,
    po.read_trec_prefs,
    po.read_json,
    po.read_graphml,
]
WRITERS: dict[Any, Any] = {
    po.write_pairs: nx.DiGraph([("é", "b")]),
    po.write_ranks: {"é": 1, "b": 0},
    po.write_preflib: po.Profile([{"é": 1, "b": 0}]),
    po.write_trec_run: {"q1": {"é": 1.5}},
    po.write_trec_qrels: {"q1": {"é": 1}},
    po.write_trec_prefs: {"q1": {"é": 1, "b": 0}},
    po.write_json: nx.DiGraph([("é", "b")]),
    po.write_graphml: nx.DiGraph([("é", "b")]),
}
#: A text of three good lines, of which one is bad in Latin-1, and its number.
ENCODED: dict[Any, tuple[str, int]] = {
    po.read_pairs: ("a,b\né,c\nb,c\n", 2),
    po.read_ranks: ("item,rank\né,1\nb,2\na,3\n", 2),
    po.read_trec_run: ("q1 Q0 a 1 9 t\nq1 Q0 é 2 8 t\nq1 Q0 b 3 7 t\n", 2),
    po.read_trec_qrels: ("q1 0 a 1\nq1 0 é 1\nq1 0 b 1\n", 2),
    po.read_trec_prefs: ("q1 1 1 a 2\nq1 1 1 é 2\nq1 1 1 b 1\n", 2),
    po.read_preflib: ("# NUMBER ALTERNATIVES: 2\n1: 1,2\n1: é\n1: 2\n", 3),
}


def items_of(read: Any) -> set[Any]:
    """The items of whatever a reader returns."""
    if isinstance(read, po.Profile):
        return set(read.items)
    return set(read) if isinstance(read, nx.DiGraph) else set(read["q1"])


def problems_of(read: Any) -> Any:
    return read.graph["problems"] if isinstance(read, nx.DiGraph) else read.problems


def test_a_closed_file_is_named_as_such(tmp_path: Path) -> None:
    for mode in ("w", "wb"):
        with (tmp_path / "closed.toc").open(mode) as file:
            pass
        writers = [partial(write, value) for write, value in WRITERS.items()]
        for call in (*READERS, *writers, po.preference_pairs, po.compare_scores):
            with pytest.raises(PorankError, match="open file, found one that has been closed"):
                call(file)


@pytest.mark.parametrize("write", [po.write_pairs, po.write_json, po.write_graphml])
def test_the_file_of_a_path_that_ends_in_gz_is_compressed(write: Any, tmp_path: Path) -> None:
    path = tmp_path / "order.gz"
    write(WRITERS[write], path)
    assert gzip.decompress(path.read_bytes()).startswith((b"preferred", b"{", b"<"))
    read: Any = getattr(po, write.__name__.replace("write", "read"))
    assert list(read(path).edges) == [("é", "b")]


def test_a_mark_of_utf_16_in_a_cell_is_not_utf_16() -> None:
    with pytest.raises(ParseError, match="expected a text in UTF-8, found the byte 0xff"):
        po.read_pairs(io.BytesIO("ÿþ,b\n".encode("latin-1")))


class TestEncodings:
    """Bytes that are no UTF-8."""

    @pytest.mark.parametrize("read", ENCODED)
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_the_line_is_named_and_the_others_are_read(
        self, read: Callable[..., Any], end: str
    ) -> None:
        text, number = ENCODED[read]
        options = {"names": "numbers"} if read is po.read_preflib else {}
        content = text.replace("\n", end).encode("latin-1")
        line = text.split("\n")[number - 1]
        shown = line.replace("é", "\\xe9")
        message = (
            "expected a text in UTF-8, found the byte 0xe9; open(path, encoding=...) reads other "
            "encodings"
        )
        with pytest.raises(ParseError) as caught:
            read(io.BytesIO(content), **options)
        assert (caught.value.line, caught.value.text) == (number, shown)
        assert caught.value.column == line.index("é") + 1
        assert message in str(caught.value)
        report = read(io.BytesIO(content), errors="report", **options)
        assert [(p.line, p.text, p.message) for p in problems_of(report)] == [
            (number, shown, message)
        ]
        assert items_of(report) == items_of(
            read(io.StringIO(text.replace(f"{line}\n", "")), **options)
        )

    @pytest.mark.parametrize("read", ENCODED)
    def test_the_file_is_named(self, read: Callable[..., Any], tmp_path: Path) -> None:
        text, number = ENCODED[read]
        path = tmp_path / "named.txt"
        path.write_bytes(text.encode("latin-1"))
        with pytest.raises(ParseError, match=rf"named\.txt, line {number}, column"):
            read(path)

    @pytest.mark.parametrize("read", ENCODED)
    def test_utf_16_is_called_by_its_name(self, read: Callable[..., Any]) -> None:
        for encoding in ("utf-16-le", "utf-16-be"):
            content = f"\ufeff{ENCODED[read][0]}".encode(encoding)
            with pytest.raises(ParseError, match="one in UTF-16"):
                read(io.BytesIO(content))

    @pytest.mark.parametrize("read", ENCODED)
    def test_a_file_opened_in_its_encoding_is_read(
        self, read: Callable[..., Any], tmp_path: Path
    ) -> None:
        if read is po.read_preflib:
            text = "# NUMBER ALTERNATIVES: 1\n# ALTERNATIVE NAME 1: é\n1: 1\n"
        else:
            text = ENCODED[read][0]
        path = tmp_path / "latin.txt"
        path.write_bytes(text.encode("latin-1"))
        with path.open(encoding="latin-1") as file:
            assert "é" in items_of(read(file))
        with (
            path.open(encoding="ascii") as file,
            pytest.raises(ParseError, match="a text in ascii, as which the file was opened, found"),
        ):
            read(file)

    def test_names_of_alternatives(self) -> None:
        content = TOI.encode("latin-1")
        report = po.read_preflib(io.BytesIO(content), errors="report")
        assert report.items == ("Red", "White", "None: of these")
        assert report.counts == (3,), "the orders that hold the alternative are told, not guessed"
        assert [problem.line for problem in report.problems] == [6, 11, 13, 15]
        old = "2\n1,A\n2,é\n3,2,2\n2,1\n1,2,1\n".encode("latin-1")
        report = po.read_preflib(io.BytesIO(old), errors="report")
        assert (report.items, report.counts) == (("A",), (2,))
        assert [problem.line for problem in report.problems] == [1, 3, 4, 6]

    def test_matching_data(self) -> None:
        text = "# DATA TYPE: wmd\n# NUMBER ALTERNATIVES: 2\n1,2,1\n2,1,é\n"
        options = {"names": "numbers", "errors": "report"}
        report = po.read_preflib(io.BytesIO(text.encode("latin-1")), **options)
        assert list(report.orders[0].edges) == [(1, 2)]
        assert [problem.line for problem in report.problems] == [4]

    def test_a_header_must_be_read(self) -> None:
        content = "prix é,rank,item\n1,2,a\n".encode("latin-1")
        with pytest.raises(ParseError, match="line 1, column 6: expected a text in UTF-8"):
            po.read_ranks(io.BytesIO(content), errors="report")

    def test_a_cell_of_several_lines(self) -> None:
        content = 'a,b\n"x\né",c\nb,c\n'.encode("latin-1")
        G = po.read_pairs(io.BytesIO(content), errors="report")
        assert list(G.edges) == [("a", "b"), ("b", "c")]
        assert [(p.line, p.text) for p in G.graph["problems"]] == [(2, "x\n\\xe9,c")]

    @pytest.mark.parametrize(
        ("read", "text"), [(po.read_json, "{\n  é}"), (po.read_graphml, "<a>\n  é</a>")]
    )
    def test_what_is_one_piece_cannot_be_read_in_part(self, read: Any, text: str) -> None:
        with pytest.raises(ParseError, match="line 2, column 3: expected a text in UTF-8"):
            read(io.BytesIO(text.encode("latin-1")))


class TestReading:
    """Paths and open files, and what is neither."""

    @pytest.mark.parametrize("read", READERS)
    @pytest.mark.parametrize(
        ("source", "message"),
        [
            (None, "expected a path or an open file, found None"),
            (7, "expected a path or an open file, found a value of type int"),
            ([["a", "b"]], "expected a path or an open file, found a value of type list"),
            (b"a,b\n", r"found 4 bytes; io\.BytesIO\(content\) makes a file of them"),
            ("a,b\nb,c", r"path of a file, found the text 'a,b\\nb,c'; io\.StringIO\(text\) makes"),
            ("a" * 5000, r"found the text 'a{40}'\.\.\.; io\.StringIO\(text\)"),
            ("a\0b", r"the path of a file, found the text 'a\\x00b'"),
        ],
    )
    def test_what_is_no_file(self, read: Callable[[Any], Any], source: Any, message: str) -> None:
        with pytest.raises(PorankError, match=message):
            read(source)

    @pytest.mark.parametrize("read", READERS)
    def test_folders_and_missing_files(self, read: Callable[[Any], Any], tmp_path: Path) -> None:
        for folder in (tmp_path, str(tmp_path)):
            with pytest.raises(IsADirectoryError, match=str(tmp_path)):
                read(folder)
        with pytest.raises(FileNotFoundError):
            read(tmp_path / "nothing.csv")

    @pytest.mark.parametrize("opened", [gzip.open, bz2.open])
    @pytest.mark.parametrize("mode", ["t", "b"])
    def test_whatever_can_be_opened_can_be_read_and_written(
        self, tmp_path: Path, opened: Callable[..., Any], mode: str
    ) -> None:
        path = tmp_path / "pairs.packed"
        with opened(path, f"w{mode}") as file:
            po.write_pairs(nx.DiGraph([("a", "b")]), file)
        with opened(path, f"r{mode}") as file:
            assert list(po.read_pairs(file).edges) == [("a", "b")]


class TestWriting:
    """Targets."""

    @pytest.mark.parametrize("write", WRITERS)
    def test_bytes_are_those_of_the_text_in_utf8(
        self, write: Callable[[Any, Any], None], tmp_path: Path
    ) -> None:
        text, content = io.StringIO(newline=""), io.BytesIO()
        write(WRITERS[write], text)
        write(WRITERS[write], content)
        write(WRITERS[write], tmp_path / "file")
        assert "é" in text.getvalue()
        written = (tmp_path / "file").read_text("utf-8")
        assert content.getvalue().decode("utf-8") == text.getvalue()
        assert written.replace(" file\n", " \n", 1) == text.getvalue(), "save for the name"

    @pytest.mark.parametrize("write", WRITERS)
    @pytest.mark.parametrize(
        ("target", "found"),
        [(None, "None"), (7, "a value"), (["x"], "a value"), (io.StringIO, "a value of type type")],
    )
    def test_what_is_no_target(
        self, write: Callable[[Any, Any], None], target: Any, found: str
    ) -> None:
        with pytest.raises(PorankError, match=f"expected a path or an open file, found {found}"):
            write(WRITERS[write], target)

    @pytest.mark.parametrize("write", WRITERS)
    def test_folders(self, write: Callable[[Any, Any], None], tmp_path: Path) -> None:
        with pytest.raises(IsADirectoryError, match=str(tmp_path)):
            write(WRITERS[write], tmp_path)

    def test_an_encoding_that_cannot_say_it(self, tmp_path: Path) -> None:
        with (
            (tmp_path / "pairs.csv").open("w", encoding="ascii") as file,
            pytest.raises(PorankError, match=r"texts that ascii can hold, .* found 'é'"),
        ):
            po.write_pairs(nx.DiGraph([("é", "b")]), file)


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


@pytest.mark.parametrize("read", [*READERS[2:], po.read_cxt])
def test_what_is_read_whole_is_not_endless(read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porank.core.files._MOST_SIGNS", 9)
    with pytest.raises(ParseError, match="a file of at most 9 signs, found a longer one"):
        read(io.StringIO("B" + "\n" * 9))
