"""An order in any format: what is read again, from where, and what the shell says of the same."""

import gzip
import io
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import porank as po
from porank.convert.profiles import Profile
from porank.core.scores import Ranks
from porank.errors import ParseError, PorankError
from porank.readwrite.formats import FORMATS, INPUTS, OUTPUTS
from tests.support.cli_runs import Run, run_line, write_files
from tests.support.oracles import closure, tied_pairs
from tests.support.preflib_texts import TOI, names
from tests.support.refusals import refuses
from tests.support.strategies import orders
from tests.support.texts import source, written

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
        "names.csv --from pairs",
        "header.csv --from pairs",
        "semicolon.csv --from pairs",
        "unknown.dat --from notation",
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
    ("groups.csv", {}, r"groups\.csv: .* 'q1', 'q2'; group= selects one, and by=\(\) merges"),
    ("two.run", {"group": "q7"}, r"two\.run: .* one query or group 'q7', found 'q1', 'q2'"),
    ("chain.txt", {"group": "q1"}, r"chain\.txt: expected queries or groups, found none$"),
    ("empty.run", {}, r"empty\.run: expected data, found an empty file"),
    ("ballots.toi", {}, r"ballots\.toi: .* one order, found 2 orders; aggregate combines"),
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
    refuses(r"found the text .*; use io\.StringIO\(text\)", po.read_order, "a > b\nb > c")
    with pytest.raises(ParseError, match="line 1, column 5: expected an item"):
        po.read_order(source("a > > b"))
    for order, path, message in (
        (po.parse("a > b"), "x.zip", r"found 'x\.zip'; format= names the format: notation"),
        (po.parse("a > b; a > c"), "x.toc", "expected a ranking with known ties"),
        (po.Profile([[1], [2]]), "x.csv", "expected one order, found 2 orders"),
        (po.parse("a > b"), "x.parquet", r"found 'x\.parquet'; format= names the format"),
        (nx.DiGraph([(" a", "a")]), "x.csv", "found ' a', whose text has blanks around it"),
    ):
        refuses(message, po.write_order, order, path)
        assert not Path(path).exists()


@given(st.dictionaries(st.tuples(*[st.sampled_from("abc")] * 2), st.integers(1, 9), min_size=1))
def test_a_matrix_of_counts_is_what_pandas_has(numbers: dict[tuple[str, str], int]) -> None:
    pandas = import_module("pandas")
    numbers = {(u, v): number for (u, v), number in numbers.items() if u != v}
    cells = {v: [numbers.get((u, v), 0) for u in "abc"] for v in "abc"}
    text = pandas.DataFrame(cells, index=[*"abc"]).to_csv()
    found: Any = po.read_order(io.StringIO(text), format="csv", counts=True)
    assert {(u, v): n for u, v, n in found.edges(data="support") if n} == numbers


csv, parquet = import_module("pyarrow.csv"), import_module("pyarrow.parquet")
PAIRS = po.read_pairs, "a,b,1\nc,d,\n"
RANKS = po.read_ranks, "A,1\nB,2\n"
RUN = po.read_trec_run, "q1 Q0 d1 1 9.5 t\nq2 Q0 d1 1 1e-3 t\n"
QRELS = po.read_trec_qrels, "q1 0 d1 2\n\nq1 0 d2 -1\n"
ORDERS = po.read_preflib, f"{names(3)}2: 1\n5: 3\n"
UNKNOWN = "the number of one of the 3 alternatives, found {!r}".format
COUNT = "a whole number above 0 as count, found {!r}".format

#: A file and a bad line below it; the column, or 0; what is said.
BAD_LINES: list[tuple[tuple[Callable[..., Any], str], str, int, str]] = [
    (PAIRS, "C", 0, "3 cells, found 1"),
    (PAIRS, ",B,", 0, "a preferred item, found an empty cell"),
    (PAIRS, "A,,3", 0, "no weight in a line without another item"),
    (PAIRS, "A,B,x", 0, "a finite number >= 0 as weight, found 'x'"),
    (PAIRS, "c,d,1", 0, "found no weight in line 2 and 1 in line 3"),
    (RANKS, ",3", 0, "an item, found an empty cell"),
    (RANKS, "D,first", 0, "a finite number as rank, found 'first'"),
    (RANKS, "A,1", 0, "one rank for each item, found 'A' again"),
    (RUN, "q1 Q0 d3 1 2", 0, "6 cells, 'query Q0 item rank score tag', found 5"),
    (RUN, "q1 Q0 d3 1 1e999 t", 0, "a finite number as score, found '1e999'"),
    (RUN, "q1 Q0 d1 1 9.5 t", 0, "once for query 'q1', found 'd1' again"),
    (QRELS, "q1 0 d3 1.0", 0, "a whole number as grade, found '1.0'"),
    (ORDERS, "1: 3,{1,2", 6, "'}' to close this '{'"),
    (ORDERS, "1: 3,1}", 6, UNKNOWN("1}")),
    (ORDERS, "1: {1,2}3", 7, UNKNOWN("2}3")),
    (ORDERS, "1: 1,3,1", 8, "each alternative once, found 1 ('A') again"),
    (ORDERS, "1: 2,{1, 2}", 10, "each alternative once, found 2 ('B') again"),
    (ORDERS, "0: 1", 1, COUNT("0")),
    (ORDERS, "7", 0, "':' after the count, found none"),
    (ORDERS, "2:", 0, "at least one alternative, found none"),
]


def plain(found: Any) -> Any:
    """Return what was read as something that can be compared."""
    if isinstance(found, nx.DiGraph):
        return list(found.nodes), list(found.edges(data=True))
    if isinstance(found, Profile):
        return found.items, found.voters, list(map(plain, found.orders))
    return {key: plain(found[key]) for key in found} if isinstance(found, dict) else found


def test_a_bad_line_has_a_place_and_a_report_has_all_others() -> None:
    for (read, good), bad, column, message in BAD_LINES:
        line = good.count("\n") + 1
        with pytest.raises(ParseError) as caught:
            read(source(f"{good}{bad}\n"))
        assert (caught.value.line, caught.value.column, caught.value.text) == (line, column, bad)
        assert message in str(caught.value)
        report = read(source(f"{good}{bad}\n"), errors="report")
        problems = report.graph["problems"] if isinstance(report, nx.DiGraph) else report.problems
        assert [(problem.line, problem.text) for problem in problems] == [(line, bad)]
        assert message in problems[0].message
        assert plain(report) == plain(read(source(good)))


KEYLESS = '<graphml><graph><node id="a"><data key="w">1</data></node></graph></graphml>'

FILES: list[tuple[Callable[..., Any], str, dict[str, Any], str]] = [
    (po.read_pairs, "A B\n", {}, "line 1: expected 2 or 3 cells, found 1; delimiter= names"),
    (po.read_pairs, "other,weight\nA,B\n", {}, "one column 'preferred' in the header, found 0"),
    (po.read_pairs, "preferred,other,other\nA,B,C\n", {}, "one column 'other' in the header"),
    (po.read_pairs, '"A"x,B\n', {}, "line 1: cannot read the row as CSV"),
    (po.read_pairs, "A,B\n", {"columns": (0, 2)}, "expected 3 cells, found 2"),
    (po.read_graphml, KEYLESS, {}, "as GraphML: Bad GraphML data: no key w"),
    (po.read_pairs, "A,B\n", {"columns": ("a", "a")}, "two or three different names"),
    (po.read_pairs, "A,B\n", {"errors": "skip"}, "errors to be one of 'raise', 'report'"),
    (po.read_preflib, "", {"names": "both"}, "expected names to be one of"),
    (po.read_preflib, "", {"unranked": None}, "expected unranked to be one of"),
]


def test_what_is_no_such_file_or_option() -> None:
    for read, text, options, message in FILES:
        refuses(re.escape(message), read, source(text), **options)


def edge(u: Any = "a", v: Any = "b", **data: Any) -> nx.DiGraph:
    """Return a graph of one edge."""
    G = nx.DiGraph()
    G.add_edge(u, v, **data)
    return G


ITEM_NOTE = nx.DiGraph()
ITEM_NOTE.add_node("a", note=None)

WRITTEN: list[tuple[Callable[..., None], Any, dict[str, Any], str]] = [
    (po.write_pairs, edge("a "), {}, "found 'a ', whose text has blanks around it"),
    (po.write_pairs, edge("a\t"), {}, "whose text has blanks around it"),
    (po.write_pairs, edge("e\u0301"), {}, "whose text is not composed (NFC)"),
    (po.write_pairs, edge(1, "1"), {}, "items with different texts, found 1 and '1'"),
    (po.write_pairs, edge(""), {}, "items with a text, found '', whose text is empty"),
    (po.write_pairs, edge(weight=-1), {}, "finite number >= 0 as weight of 'a' > 'b', found -1"),
    (po.write_pairs, edge(note="x"), {"columns": ("u", "v", "note")}, ">= 0 as note of 'a' > 'b'"),
    (po.write_ranks, nx.DiGraph(["ab", "ac"]), {}, "'b' and 'c' incomparable"),
    (po.write_graphml, edge(("a", 1)), {}, "a text or a number as item, found ('a', 1)"),
    (po.write_graphml, edge(note=None), {}, "found 'note': None of ('a', 'b')"),
    (po.write_graphml, ITEM_NOTE, {}, "found 'note': None of 'a'"),
    (po.write_graphml, edge("a\x00"), {}, r"that XML allows, found '\x00' in 'a\x00'"),
    (po.write_graphml, edge(**{"note\x00": 1}), {}, r"found '\x00' in 'note"),
    (po.write_trec_run, {"q 1": {"d": 1}}, {}, "a text without blanks as query, found 'q 1'"),
    (po.write_trec_run, {"q": {"d": float("inf")}}, {}, "a finite score of 'd', found inf"),
    (po.write_trec_run, {"q": {"d": 10**400}}, {}, "a finite score of 'd', found 1000"),
    (po.write_trec_run, [{"d": 1}], {}, "a mapping with a value for each query, found a list"),
    (po.write_trec_run, {"q": "d"}, {}, "found the text 'd'"),
    (po.write_trec_run, {}, {"tag": "a b"}, "a text without blanks as tag, found 'a b'"),
    (po.write_trec_qrels, {"q": {"d": True}}, {}, "a whole number as grade of 'd', found True"),
    (po.write_preflib, [{"A": 1}], {}, "a Profile, found a list; use Profile"),
    (po.write_preflib, Profile([{" A": 1}]), {}, "blanks at its ends as ALTERNATIVE NAME 1"),
    (po.write_preflib, Profile([], metadata={"title": "a\nb"}), {}, "the metadata field 'title'"),
    (po.write_preflib, Profile([], metadata={"data_type": "s"}), {}, "found 'data_type'"),
    (po.write_preflib, Profile([], metadata={"Title": "x"}), {}, "lower-case keys"),
]


def test_what_cannot_be_written() -> None:
    for write, value, options, message in WRITTEN:
        refuses(re.escape(message), written, write, value, **options)


LOG = "session,time,position,item,event\n1,1.5,1,a,show\n1,2,2,b,click\n2,3,1,a,click\n"
SCORES = "user,item,score\nu1,a,1\nu1,b,2\nu2,a,2\nu2,b,1\n"
GRAPHML = '<graphml><graph edgedefault="directed"><node id="a"/><node id="b"/></graph></graphml>'

READERS: list[tuple[Callable[[Path], Any], str, str]] = [
    (po.read_preflib, ".toi", TOI),
    (po.read_trec_run, "", "q1 Q0 d1 1 9.5 m\nq1 Q0 d2 2 7.0 m\n"),
    (po.read_trec_qrels, "", "q1 0 d1 2\nq1 0 d2 0\n"),
    (po.read_graphml, ".graphml", GRAPHML),
    (po.read_pairs, ".csv", 'preferred,other,weight\nA,B,2\n"x, y",A,3\n'),
    (po.read_ranks, ".csv", "item,rank\nA,1\nB,2\n"),
    (lambda path: po.preference_pairs(po.ClickLog(path)), ".parquet", LOG),
    (lambda path: po.evaluate(path, path, by="user", measures="gamma"), ".parquet", SCORES),
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


@pytest.mark.filterwarnings("ignore:labels that differ only", "ignore:.*a stray quote")
@pytest.mark.parametrize(("read", "suffix", "text"), READERS)
@given(changes=CHANGES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_a_mutated_file_is_read_or_ends_in_one_worded_error(
    read: Callable[[Path], Any], suffix: str, text: str, changes: Any, tmp_path: Path
) -> None:
    content = text.encode()
    if suffix == ".parquet":
        table = io.BytesIO()
        parquet.write_table(csv.read_csv(io.BytesIO(content)), table)
        content = table.getvalue()
    for share, length, new in changes:
        start = int(share * len(content))
        content = content[:start] + new + content[start + length :]
    path = tmp_path / f"mutated{suffix}"
    path.write_bytes(content)
    said = ""
    try:
        read(path)
    except (PorankError, OSError) as error:
        said = str(error)
    assert len(said) <= 2000


@pytest.mark.parametrize("suffix", ["txt", "csv", "tsv", "dot", "graphml", "soc", "tex"])
def test_an_int_that_python_does_not_write_is_refused(suffix: str, tmp_path: Path) -> None:
    with pytest.raises(PorankError, match="cannot write"):
        po.write_order(po.from_ranking([10**4300, 1]), path := tmp_path / f"order.{suffix}")
    assert not path.exists()
