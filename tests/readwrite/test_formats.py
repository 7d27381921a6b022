"""An order in any format: what is read again, from where, and what the shell says of the same."""

from __future__ import annotations

import gzip
import io
from importlib import import_module
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.core.scores import Ranks
from porank.errors import ParseError
from porank.readwrite.formats import FORMATS, INPUTS, OUTPUTS
from tests.support.cli_runs import Run, run_line, write_files
from tests.support.oracles import closure, tied_pairs
from tests.support.strategies import orders
from tests.support.texts import source

#: Formats that keep all that an order says, if it is of this kind.
KEEP_TIES = {"notation": "txt", "graphml": "graphml"}
KEEP_PAIRS = {"csv": "csv", "tsv": "tsv"}
KEEP_RANKINGS = {"ranks": "csv", "preflib": "toc", "trec-run": "run", "trec-qrels": "qrels"}


def texts(G: nx.DiGraph) -> nx.DiGraph:
    """Return an order with texts as items, which every format keeps."""
    return nx.relabel_nodes(G, {item: f"i{number}" for number, item in enumerate(G)})


def through(order: Any, form: str, **options: Any) -> Any:
    """Return what is read of an order that was written."""
    file = io.BytesIO()
    po.write_order(order, file, format=form)
    return po.read_order(io.BytesIO(file.getvalue()), format=form, **options)


def require_same(found: Any, G: nx.DiGraph) -> None:
    """Require that an order says the same as a graph."""
    if isinstance(found, Ranks):
        found = po.from_ranks(found)
    elif not isinstance(found, nx.DiGraph):
        found = po.from_scores(found)
    assert set(found) == set(G)
    assert closure(found.edges) == closure(G.edges)
    assert tied_pairs(found) == tied_pairs(G)


@given(orders())
def test_partial_orders_there_and_back(drawn: nx.DiGraph) -> None:
    G = texts(drawn)
    for form in (*KEEP_TIES, *KEEP_PAIRS):
        if G or form in KEEP_TIES:  # a table of no pairs has no columns
            require_same(through(G, form), G)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=7))
def test_rankings_with_ties_there_and_back(numbers: list[int]) -> None:
    ranks = Ranks({f"i{item}": rank for item, rank in enumerate(numbers)})
    G = po.from_ranks(ranks)
    for form in (*KEEP_TIES, *KEEP_RANKINGS):
        for order in (G, ranks):
            require_same(through(order, form), G)


@given(orders(max_items=5), st.data())
def test_numbers_of_pairs_there_and_back(drawn: nx.DiGraph, data: st.DataObject) -> None:
    G = texts(drawn)
    for name, numbers in (
        ("weight", st.integers(0, 9) | st.floats(0, 9)),
        ("support", st.integers(1, 9)),
    ):
        for edge in G.edges:
            G.edges[edge].clear()
            G.edges[edge][name] = data.draw(numbers)
        for form in (*KEEP_PAIRS, "graphml") if G.edges else ():
            found = through(G, form)
            assert {*found.edges(data=name)} == {*G.edges(data=name)}, form


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand among the small files."""
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)


def test_the_bytes_are_those_of_the_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    formats = {
        name: form.suffixes[0] for name, form in FORMATS.items() if form.write and form.suffixes
    }
    assert {*formats, "ranks"} == {*OUTPUTS}
    G = po.read_order("levels.graphml")
    for suffix in (*formats.values(), ".toi", ".csv.gz", ".toc.gz"):
        if suffix == ".soc":
            continue  # it holds no ties
        assert run_line(f"porank convert levels.graphml shell{suffix}", monkeypatch) == 0
        po.write_order(G, Path(f"python{suffix}"))
        one, other = (Path(f"{name}{suffix}").read_bytes() for name in ("shell", "python"))
        if suffix.endswith(".gz"):
            one, other = map(gzip.decompress, (one, other))
        assert one.replace(b"shell.", b"python.") == other, suffix
    packed = Path("python.csv.gz").read_bytes()
    assert gzip.decompress(packed) == Path("python.csv").read_bytes()


def test_the_bytes_are_those_of_the_function_for_one_format() -> None:
    G: Any = po.read_order("levels.graphml")
    writers: dict[str, Any] = {
        "csv": po.write_pairs,
        "tsv": po.write_pairs,
        "graphml": po.write_graphml,
        "toc": lambda order, path: po.write_preflib(po.Profile([order]), path),
        "toi": lambda order, path: po.write_preflib(po.Profile([order]), path),
    }
    for suffix, write in writers.items():
        write(G, f"x.{suffix}")
        expected = Path(f"x.{suffix}").read_bytes()
        po.write_order(G, f"x.{suffix}")
        assert Path(f"x.{suffix}").read_bytes() == expected, suffix
    po.write_order(G, "x.dot")
    assert Path("x.dot").read_text() == po.to_dot(G)
    po.write_order(G, "x.tex")
    assert Path("x.tex").read_text() == po.to_tikz(G) + "\n"


def test_what_the_shell_reads_is_read(run: Run) -> None:
    for line in (
        "chain.txt",
        "pairs.csv",
        "pairs.csv.gz --from pairs",
        "pairs.tsv --from pairs",
        "tabs.dat --from pairs --delimiter \t",
        "names.csv --from ranks",
        "ranks.csv",
        "better.csv",
        "won.csv",
        "levels.graphml",
        "two.run --group q2",
        "groups.csv --group q2",
        "clash.csv --by none",
        "clash.csv --by query --group q1",
    ):
        path, *words = line.split(" ")
        given_options = dict(zip(words[::2], words[1::2], strict=True))
        options: dict[str, Any] = {"format": given_options.pop("--from", None)}
        options |= {name.removeprefix("--"): value for name, value in given_options.items()}
        if options.get("by") == "none":
            options["by"] = ()
        found = po.read_order(path, **options)
        shell = run(f"porank convert {line.replace(chr(9), chr(92) * 2 + 't')} - --to graphml")
        file = io.StringIO()
        po.write_order(found, file, format="graphml")
        assert file.getvalue() == shell, line


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    def answer(line: str) -> str:
        assert run_line(line, monkeypatch) == 0
        return capfd.readouterr().out

    return answer


def test_paths_and_open_files() -> None:
    G = po.parse("a > b ~ c")
    for name, mode in (("t.txt", "w"), ("b.graphml", "wb"), ("n", "w")):
        with open(name, mode) as file:
            po.write_order(G, file)
        with open(name, mode.replace("w", "r")) as file:
            found: Any = po.read_order(file)
        assert closure(found.edges) == closure(G.edges), name
    po.write_order(G, Path("packed.txt.gz"))
    with gzip.open("packed.txt.gz", "rt") as file:
        assert file.read() == "a > b ~ c\n"
    assert po.format_order(po.read_order("packed.txt.gz")) == "a > b ~ c"
    po.write_order(po.Profile([G, po.parse("c > b > a")]), "many.toi")
    assert len(po.read_preflib("many.toi").orders) == 2
    po.write_order({"q1": {"d": 1}, "q2": {"e": 2}}, "many.run")
    assert [*po.read_trec_run("many.run")] == ["q1", "q2"]


#: Files that are no single order, how they are read, and what the error says.
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    (
        "groups.csv",
        {},
        r"groups\.csv: .* 'q1', 'q2'; group= selects one, and by=\(\) merges",
    ),
    (
        "two.run",
        {"group": "q7"},
        r"two\.run: .* one query or group 'q7', found 'q1', 'q2'",
    ),
    ("chain.txt", {"group": "q1"}, r"chain\.txt: expected queries or groups, found none$"),
    ("empty.run", {}, r"empty\.run: expected data, found an empty file"),
    (
        "ballots.toi",
        {},
        r"ballots\.toi: .* one order, found 2 orders; aggregate combines",
    ),
    ("other.xyz", {}, r"found 'other\.xyz'; format= names the format: notation, csv"),
    ("header.csv", {}, r'format="pairs" and format="ranks" read a table without a header'),
    ("scores.csv", {}, "found 'item', 'score'; evaluate takes such tables"),
    ("log.csv", {}, "found 'session', 'item', 'event'; explore takes logs"),
    ("log.jsonl", {}, "found 'session', 'item', 'event'; explore takes logs"),
    ("chain.txt", {"format": "xml"}, f"expected format to be one of '{INPUTS[0]}', .* 'xml'"),
    ("cut.csv.gz", {"format": "pairs"}, r"cut\.csv\.gz: cannot decompress the file"),
    ("ranks.csv", {}, r"found 'u', 'v'; group= selects one"),
    ("binary.txt", {}, "line 1, column 2: expected a text, found the character NUL"),
    ("binary.csv", {}, "line 2, column 2: expected a text, found the character NUL"),
    ("groups.csv", {"by": "day"}, "expected the column day for groups, found 'query'"),
]


def test_errors_name_arguments_not_options() -> None:
    Path("other.xyz").write_text("a > b")
    Path("binary.txt").write_text("a\0b")
    Path("binary.csv").write_text("item,rank\na\0b,1\n")
    Path("ranks.csv").write_text("user,item,rank\nu,a,1\nu,b,2\nv,b,1\nv,a,2\n")
    assert dict(po.read_order("ranks.csv", group="v")) == {"b": 1, "a": 2}
    Path("log.csv").write_text("session,item,event\n1,a,click\n")
    for path, options, message in REFUSED:
        with pytest.raises(po.PorankError, match=message) as caught:
            po.read_order(path, **options)
        assert "--" not in str(caught.value)


def test_what_is_no_file_or_no_order_of_a_format() -> None:
    with pytest.raises(FileNotFoundError):
        po.read_order("missing.csv")
    with pytest.raises(po.PorankError, match=r"found the text .*; use io\.StringIO\(text\)"):
        po.read_order("a > b\nb > c")
    with pytest.raises(ParseError, match="line 1, column 5: expected an item"):
        po.read_order(source("a > > b"))
    for order, path, message in (
        (po.parse("a > b"), "x.zip", r"found 'x\.zip'; format= names the format: notation"),
        (po.parse("a > b; a > c"), "x.toc", "expected a ranking with known ties"),
        (po.Profile([[1], [2]]), "x.csv", "expected one order, found 2 orders"),
        (po.parse("a > b"), "x.parquet", r"found 'x\.parquet'; format= names the format"),
        (nx.DiGraph([(" a", "a")]), "x.csv", "found ' a', whose text has blanks around it"),
    ):
        with pytest.raises(po.PorankError, match=message):
            po.write_order(order, path)
        assert not Path(path).exists()


@settings(max_examples=20)
@given(st.dictionaries(st.tuples(*[st.sampled_from("abc")] * 2), st.integers(1, 9), min_size=1))
def test_a_matrix_of_counts_is_what_pandas_has(numbers: dict[tuple[str, str], int]) -> None:
    pandas = import_module("pandas")
    numbers = {(u, v): number for (u, v), number in numbers.items() if u != v}
    cells = {v: [numbers.get((u, v), 0) for u in "abc"] for v in "abc"}
    text = pandas.DataFrame(cells, index=[*"abc"]).to_csv()
    found: Any = po.read_order(io.StringIO(text), format="csv", counts=True)
    assert {(u, v): n for u, v, n in found.edges(data="support") if n} == numbers
