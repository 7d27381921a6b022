"""The course: its theorems by brute force, its plans, its assignments, and the code on slides."""

from __future__ import annotations

import doctest
import math
import re
import subprocess
import sys
from fractions import Fraction
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import porank as po
from docs.decks.sketch import drawn, names_of_blocks
from docs.draw import examples_of, pictures_on
from docs.interactive_pages import PAGES
from docs.notebooks import COURSE, LECTURES, assignment, assignments
from tests.conftest import IN_CI
from tests.support import oracles

DECKS, ASSIGNMENTS = COURSE.parent / "decks", COURSE / "assignments"
SESSIONS = [path for path in COURSE.glob("*.md") if path.stem not in ("exam", "project")]
PLAN = re.compile(r"^\| ([^|]+) \| (\d+) \|$", re.M)


def test_the_closure_is_the_smallest_transitive_relation() -> None:
    pairs: list[tuple[int, int]] = [(u, v) for u, v in product(range(3), repeat=2)]
    relations = [{p for p, kept in zip(pairs, bits, strict=True) if kept}
                 for bits in product((0, 1), repeat=9)]  # fmt: skip
    transitive = [R for R in relations if {(u, w) for u, v in R for x, w in R if v == x} <= R]
    for R in relations:
        G = po.from_pairs(R) if all(u != v for u, v in R) else None
        smallest = set.intersection(*(T for T in transitive if R <= T))
        assert smallest == oracles.closure(R)
        if G is not None:
            assert set(po.transitive_closure(G).edges) == smallest


def test_a_closure_is_an_order_without_cycles() -> None:
    for G in oracles.digraphs(3):
        is_order = all(u != v for u, v in oracles.closure(G.edges))
        assert is_order == nx.is_directed_acyclic_graph(G) == (po.find_cycle(G) is None)


@pytest.mark.parametrize("page", SESSIONS, ids=lambda page: page.stem)
def test_a_session_has_all_its_parts(page: Path) -> None:
    """Six exercises with answers, a quiz of five, a framed page, and a plan of ninety minutes."""
    text = page.read_text("utf-8")
    plan = PLAN.findall(text)
    assert sum(int(minutes) for _, minutes in plan) == 90
    headings = re.findall(r"^## (.*)", text, re.M)
    parts = [part for part, _ in plan if not part.startswith("Exercises")]
    assert [heading for heading in headings if heading in parts] == parts
    exercises = re.findall(r"^\*\*(\d) \(([EMH])\)\.\*\*", text, re.M)
    assert [number for number, _ in exercises] == list("123456")
    assert [level for _, level in exercises] == sorted((x for _, x in exercises), key="EMH".index)
    quiz = text.partition("\n## Quiz\n")[2].partition("\n## ")[0]
    assert len(re.findall(r"^\d\. ", quiz.partition("<details>")[0], re.M)) == 5
    assert len(re.findall(r"^\d\. ", quiz.partition("<details>")[2], re.M)) == 5
    assert "```{interactive}" in text
    assert "**Theorem" in text
    assert "∎" in text
    assert (ASSIGNMENTS / page.name).exists()
    assert (DECKS / page.name).exists()


def outcomes(notebook: Any) -> list[bool]:
    """Run a notebook as a grader does, and return which of its test cells pass."""
    names: dict[str, Any] = {}
    passed = []
    for cell in notebook.cells:
        if cell["cell_type"] != "code":
            continue
        try:
            exec(cell.source, names)
            is_right = True
        except (AssertionError, NotImplementedError):
            is_right = False
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            passed.append(is_right)
    return passed


@pytest.mark.parametrize("source", assignments(), ids=lambda path: path.stem)
def test_an_assignment_grades_solutions_and_refuses_empty_cells(source: Path) -> None:
    solved, to_fill = (assignment(source, solutions=each) for each in (True, False))
    assert set(outcomes(solved)) == {True}
    assert set(outcomes(to_fill)) == {False}
    assert not re.search("SOLUTION|HIDDEN", str(to_fill))
    graded = [cell.metadata.nbgrader for cell in solved.cells if "nbgrader" in cell.metadata]
    assert len({each["grade_id"] for each in graded}) == len(graded)
    points = sum(each.get("points", 0) for each in graded)
    cards = (COURSE.parent / "teach.md").read_text("utf-8")
    assert f"[Assignment](course/assignments/{source.stem}.ipynb), {points} points" in cards


#: Mistakes that students make, by assignment and task.
WRONG = {
    ("chains", "increasing"): """
import bisect
def longest_increasing(numbers):
    ends = []
    for number in numbers:
        place = bisect.bisect(ends, number)
        ends[place:place + 1] = [number]
    return ends""",
    ("chains", "proof"): """
def is_proof(R, items, antichain, chains):
    free = not any((u, v) in R for u in antichain for v in antichain)
    covered = {item for chain in chains for item in chain}
    return free and covered == set(items) and len(chains) == len(antichain)""",
    ("extensions", "realizer"): """
def is_realizer(R, items, rankings):
    return intersection(rankings) == set(po.transitive_closure(po.from_pairs(R)).edges)""",
    ("relations", "closure"): """
def closure(R):
    return R | {(u, w) for u, v in R for x, w in R if v == x}""",
    ("diagrams", "sort"): """
def topological_sort(R, items):
    return sorted(items, key=lambda item: sum(item == v for u, v in R))""",
    ("lattices", "implies"): """
def implies(context, attributes, other):
    return any(other in context[each] for each in having(context, attributes))""",
}


@pytest.mark.parametrize(("name", "task"), WRONG, ids=lambda word: word)
def test_an_assignment_refuses_a_wrong_solution(name: str, task: str) -> None:
    notebook = assignment(ASSIGNMENTS / f"{name}.md", solutions=True)
    ids = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells]
    notebook.cells[ids.index(f"solution-{task}")].source = WRONG[name, task]
    tests = [each for each in ids if str(each).startswith("test-")]
    passed = dict(zip(tests, outcomes(notebook), strict=True))
    assert not passed[f"test-{task}"]


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("deck", sorted(DECKS.glob("*.md")), ids=lambda path: path.stem)
def test_a_deck_shows_code_and_pictures_of_its_page(deck: Path) -> None:
    """What is on a slide is on the page, where it runs; framed pages are there."""
    (page,) = (folder / deck.name for folder in (COURSE, LECTURES) if (folder / deck.name).exists())
    text = deck.read_text("utf-8")
    known = {(flat(each.source), flat(each.want)) for each in examples_of(page)}
    shown = doctest.DocTestParser().get_examples(
        "\n".join(re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S))
    )
    assert {(flat(each.source), flat(each.want)) for each in shown} - known == set()
    assert set(re.findall(r"!\[[^]]*\]\(([^)]*)\)", text)) <= set(pictures_on(page))
    assert set(re.findall(r"^```\{interactive\} (\w+)$", text, re.M)) <= set(PAGES)
    assert text.count("<details>") == text.count("</details>") == text.count("<summary>Answer")
    headings = [slide.lstrip().partition("\n")[0] for slide in text.split("\n---\n")]
    assert all(heading.startswith(("# ", "## ")) for heading in headings)
    assert len(headings) >= 15


def slides_of(deck: Path) -> list[str]:
    return deck.read_text("utf-8").split("\n---\n")


def test_slides_have_pictures_from_the_beginning() -> None:
    """At least six in ten of each deck, and an order by the third."""
    for deck in DECKS.glob("*.md"):
        texts = slides_of(deck)
        shown = sum(
            bool(re.search(r"^```\{(draw|interactive)\}|^!\[", text, re.M)) for text in texts
        )
        assert shown >= 0.6 * len(texts), deck.stem
        assert re.search(r"^(hasse|row|lines)\(", "\n".join(texts[:3]), re.M), deck.stem


def test_what_a_slide_defines_or_proves_has_a_picture() -> None:
    for deck in DECKS.glob("*.md"):
        for number, text in enumerate(slides_of(deck), start=1):
            if re.search(r"^> |∎|^## (Proof|Theorem)", text, re.M):
                assert re.search(r"^```\{draw\}|^!\[", text, re.M), (deck.stem, number)


#: What slides name before they say what it is: in a title, or to say that it comes next.
NAMED_BEFORE = {"antichains", "dimension", "abstention", "Z", "rank"}


def test_slides_define_a_notion_before_they_use_it() -> None:
    for deck in DECKS.glob("*.md"):
        before, known = "", set[str]()
        for text in slides_of(deck):
            prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
            defined = set(re.findall(r"\*\*(.+?)\*\*", "".join(re.findall("^>.*\n", prose, re.M))))
            for notion in defined - known - NAMED_BEFORE:
                assert not re.search(rf"\b{re.escape(notion)}\b", before), (deck.stem, notion)
            before, known = before + prose, known | defined | {each + "s" for each in defined}
    for name in ("rankers_that_abstain", "preferences_from_clicks"):
        text = (DECKS / f"{name}.md").read_text("utf-8")
        for notion in ("degree", "cut", "minimal threshold", "EDRC", "Z"):
            assert re.search(rf"^> .*\*\*{notion}\*\*", text, re.M), (name, notion)


def test_exercises_on_slides_are_numbered() -> None:
    for deck in DECKS.glob("*.md"):
        (last,) = [text for text in slides_of(deck) if text.lstrip().startswith("## Exercises")]
        numbers = re.findall(r"^(?:\*\*)?(\d)\.", last, re.M)
        assert numbers == [str(number) for number in range(1, len(numbers) + 1)] != []


def test_numbers_on_slides_about_thresholds_are_right() -> None:
    """The examples that slides have and pages have not."""
    copies = [po.from_ranking(ranking) for ranking in ("abc", "bca", "cab")]
    assert po.minimal_threshold(po.preference_relation(copies)) == 1
    truth, predicted = po.from_ranking("abcd"), po.parse("b > a > d; c > d")
    assert po.correctness(truth, predicted) == 1 / 2
    assert po.completeness(truth, predicted) == 4 / 6
    eva = po.parse("A > B > C; A > D")
    above = {v: sum(u != v and not po.prefers(eva, v, u) for u in eva) for v in "BCD"}
    assert above == {"B": 2, "C": 3, "D": 3}
    assert sum(above[v] / po.set_ranks(eva)[v] for v in "BCD") == 7 / 2
    support = {("atlas", "crime"): 2, ("crime", "atlas"): 1, ("crime", "poems"): 2}
    support |= {("poems", "atlas"): 2, ("atlas", "guide"): 1, ("poems", "guide"): 1}
    books = {book for pair in support for book in pair}
    degrees = {
        (u, v): Fraction(support.get((u, v), 0) + 1, counted + 2)
        for u, v in permutations(books, 2)
        if (counted := support.get((u, v), 0) + support.get((v, u), 0))
    }
    cuts = {
        alpha: po.from_pairs([pair for pair, degree in degrees.items() if degree >= alpha], books)
        for alpha in (Fraction(3, 4), Fraction(2, 3), Fraction(3, 5))
    }
    drawn_at = ("crime > poems > atlas; guide", "crime > poems > atlas > guide")
    for cut, text in zip(cuts.values(), drawn_at, strict=False):
        assert set(po.transitive_closure(cut).edges) == set(
            po.transitive_closure(po.parse(text)).edges
        )
    assert po.find_cycle(cuts[Fraction(3, 5)])


def test_the_table_of_the_footrule_on_a_slide_is_right() -> None:
    profile = {"abcd": 4, "bcad": 3, "cabd": 2}
    costs = {
        item: [
            sum(n * abs(vote.index(item) - place) for vote, n in profile.items())
            for place in range(4)
        ]
        for item in "abcd"
    }
    sums = {
        ranking: sum(costs[item][place] for place, item in enumerate(ranking))
        for ranking in permutations("abcd")
    }
    best, least = min(sums.items(), key=lambda pair: pair[1])
    assert ("".join(best), least, [*sums.values()].count(least)) == ("abcd", 20, 1)
    text = (DECKS / "one_order_out_of_many.md").read_text("utf-8").replace("**", "")
    for item, row in costs.items():
        assert f"| {item} | {' | '.join(map(str, row))} |" in text


def test_answers_are_not_drawn_before_they_are_asked_for() -> None:
    """What follows a tie, and the cycle of the judges, come after the answer."""
    for name, drawing in {
        "relations": 'adds="salad>pasta fish>ice salad>ice"',
        "partial_orders": 'hasse("C; E; D", adds="C>E E>D D>C")',
        "lattices": 'hasse(square, mark="hot+coffee hot+milk hot")',
    }.items():
        (slide,) = [text for text in slides_of(DECKS / f"{name}.md") if drawing in text]
        question, _, answer = slide.partition("</details>")
        assert (drawing in question, drawing in answer) == (False, True)


def test_each_theorem_and_each_step_of_a_proof_has_a_picture() -> None:
    """In the sessions, a slide that proves draws once for each pause at least, up to one."""
    for page in SESSIONS:
        for text in slides_of(DECKS / page.name):
            if re.match(r"\s*## (Proof|Theorem|Never stuck)", text):
                draws = len(re.findall(r"^```\{draw\}", text, re.M))
                assert draws >= max(1, text.count("\n. . .\n") - 1), text


def test_the_pictures_of_proofs_are_of_such_orders() -> None:
    """What slides on Dilworth's theorem and on realizers say of the orders that they draw."""
    below, above = (po.parse(f"b > x1 > p; b > x2 > q; {last}") for last in ("a > p", "a > x1"))
    for G in (below, above):
        rest = po.restrict(G, set(G) - {"a"})
        assert po.width(rest) == 2
        largest = [each for each in oracles.antichains(rest) if len(each) == 2]
        assert {x for each in largest for x in each} == {"x1", "x2", "p", "q"}
    assert frozenset({"a", "x1", "x2"}) in oracles.antichains(below)
    assert po.width(po.restrict(above, ["b", "x2", "q"])) == 1
    race = po.parse("Ann > Cem; Ben > Cem; Ben > Dora")
    rankings = ("Ann Ben Cem Dora", "Ben Dora Ann Cem")
    pairs = [set(combinations(each.split(), 2)) for each in rankings]
    assert set.intersection(*pairs) == oracles.closure(race.edges)


@pytest.mark.slow
@pytest.mark.parametrize("deck", sorted(DECKS.glob("*.md")), ids=lambda path: path.stem)
def test_what_a_slide_draws_is_drawn(deck: Path) -> None:
    names = names_of_blocks()
    blocks = re.findall(r"^```\{draw\} [^\n]+\n(.*?)^```$", deck.read_text("utf-8"), re.M | re.S)
    for code in blocks:
        assert drawn(code, names).count("<path") > 2, code


def test_covers_are_the_smallest_relation() -> None:
    for G in oracles.strict_orders(4 if IN_CI else 3):
        closed = set(G.edges)
        sizes = range(len(closed) + 1)
        graphs = [set(some) for size in sizes for some in combinations(closed, size)]
        smallest = set.intersection(*(some for some in graphs if oracles.closure(some) == closed))
        assert smallest == set(po.transitive_reduction(G).edges)
        assert oracles.closure(smallest) == closed
        assert not any(nx.triangles(nx.Graph(list(smallest))).values())


def test_a_sorting_exists_without_cycles() -> None:
    for G in oracles.digraphs(3):
        sortings = [
            ranking
            for ranking in permutations(G)
            if all(ranking.index(u) < ranking.index(v) for u, v in G.edges)
        ]
        assert bool(sortings) == nx.is_directed_acyclic_graph(G)


def test_mirsky_and_dilworth() -> None:
    for G in oracles.strict_orders(4):
        antichains = oracles.antichains(G)
        assert oracles.longest_chain(G) == fewest(antichains, G) == po.height(G)
        chains = [
            frozenset(some)
            for size in range(5)
            for some in combinations(G, size)
            if all((u, v) in G.edges or (v, u) in G.edges for u, v in combinations(some, 2))
        ]
        assert max(map(len, antichains)) == fewest(chains, G) == po.width(G)


def fewest(families: list[frozenset[Any]], G: nx.DiGraph) -> int:
    """Return the smallest number of the sets that together contain all items."""
    return next(
        size
        for size in range(len(G) + 1)
        if any(set().union(*some) == set(G) for some in combinations(families, size))
    )


def test_an_order_is_the_intersection_of_its_linear_extensions() -> None:
    for G in oracles.strict_orders(4):
        rankings = [set(combinations(ranking, 2)) for ranking in po.linear_extensions(G)]
        assert set.intersection(*rankings) == set(G.edges)


def test_an_item_can_have_any_place_between_its_bounds() -> None:
    for G in oracles.strict_orders(4):
        rankings = list(po.linear_extensions(G))
        for item in G:
            first, last = 1 + G.in_degree(item), len(G) - G.out_degree(item)
            places = {1 + list(ranking).index(item) for ranking in rankings}
            assert places == set(range(first, last + 1))


def test_a_forest_has_as_many_linear_extensions_as_its_formula_says() -> None:
    for G in oracles.strict_orders(4):
        covers = po.transitive_reduction(G)
        if all(covers.in_degree(item) <= 1 for item in G):
            product_of_sizes = math.prod(1 + G.out_degree(item) for item in G)
            assert po.count_linear_extensions(G) * product_of_sizes == math.factorial(len(G))


def test_an_order_is_in_its_completion() -> None:
    for G in oracles.strict_orders(4):
        concepts = set(po.concept_lattice({u: [u, *G.predecessors(u)] for u in G}))
        found = {(frozenset(extent), frozenset(intent)) for extent, intent in concepts}
        assert all((frozenset({v, *G[v]}), frozenset({v, *G.predecessors(v)})) in found for v in G)


def test_the_dimension_is_at_most_the_width() -> None:
    for G in oracles.strict_orders(4):
        rankings = [set(combinations(ranking, 2)) for ranking in po.linear_extensions(G)]
        families = combinations(rankings, min(po.width(G), len(rankings)))
        assert any(set.intersection(*some) == set(G.edges) for some in families)


def test_concepts_form_a_lattice() -> None:
    for bits in product((0, 1), repeat=9):
        table = {g: [m for m in range(3) if bits[3 * g + m]] for g in range(3)}
        concepts = list(po.concept_lattice(table))
        extents = {frozenset(extent) for extent, _ in concepts}
        intents = {frozenset(intent) for _, intent in concepts}
        assert all(one & other in extents for one, other in combinations(extents, 2))
        assert all(one & other in intents for one, other in combinations(intents, 2))


#: What Pyodide does not have, and what its users have not installed.
NOT_IN_A_BROWSER = ("pyarrow", "pandas", "polars", "dask", "sklearn")


@pytest.mark.slow
def test_sessions_run_with_what_a_browser_has() -> None:
    """Without pyarrow and the extras, porank can be imported, and all code of the sessions runs."""
    code = f"import sys; sys.modules.update(dict.fromkeys({NOT_IN_A_BROWSER}))\n"
    code += "import doctest, matplotlib; matplotlib.use('Agg')\n"
    code += "flags = doctest.NORMALIZE_WHITESPACE\n"
    for page in SESSIONS:
        code += f"doctest.testfile({str(page)!r}, False, optionflags=flags, raise_on_error=True)\n"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=COURSE.parents[1])
