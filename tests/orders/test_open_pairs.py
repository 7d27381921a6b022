"""Why pairs of settled orders are open, against the definitions."""

import copy
import io
import math
import pickle
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx as nx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import porank as po
from porank.core.graphs import cyclic_components
from porank.orders.open_pairs import (
    Reason,
    agreed_order,
    has_reasons,
    recorded_pairs,
    settled_cycles,
)
from porank.orders.why import support_of_ranks
from tests.support import oracles_settled
from tests.support.refusals import refuses

SIDES = st.tuples(st.integers(0, 14), st.integers(0, 14))
PAIRS = [(u, v) for u in "abcde" for v in "abcde" if u < v]
COUNTS = st.dictionaries(st.sampled_from(PAIRS), SIDES, min_size=1).filter(
    lambda pairs: any(map(any, pairs.values()))
)


def graph_of(pairs: dict[tuple[Any, Any], tuple[int, int]]) -> nx.DiGraph:
    """Return the counts as a graph on all items."""
    G = nx.DiGraph()
    G.add_nodes_from("abcde")
    for (u, v), (one, other) in pairs.items():
        if one:
            G.add_edge(u, v, support=one)
        if other:
            G.add_edge(v, u, support=other)
    return G


@given(COUNTS)
@example({("a", "b"): (14, 0), ("b", "c"): (14, 0), ("a", "c"): (0, 14), ("d", "e"): (1, 1)})
def test_states_of_counts_by_definition(pairs: dict[tuple[Any, Any], tuple[int, int]]) -> None:
    order = po.settled_order(graph_of(pairs), risk=0.3)
    limit, cycles = order.graph["limit"], settled_cycles(order)
    significant = [
        pair if pairs[pair][0] > pairs[pair][1] else pair[::-1]
        for pair in oracles_settled.tarone_holm(pairs, Fraction("0.3"))
    ]
    assert set(map(frozenset, cycles)) == {
        frozenset(part) for part in cyclic_components(nx.DiGraph(significant))
    }
    found = {frozenset(row[:2]): row for row in po.open_pairs(order)}
    assert len(found) == 10 - order.number_of_edges()
    for u, v in PAIRS:
        one, other = pairs.get((u, v), (0, 0))
        if order.has_edge(u, v) or order.has_edge(v, u):
            assert frozenset((u, v)) not in found
            continue
        first, second, state, reason, support, against, lacking = found[frozenset((u, v))]
        assert (support, against) == (max(one, other), min(one, other))
        assert one == other or (first == u) is (one > other)
        if any({u, v} <= {*members} for members in cycles):
            expected = "conflicting", "in a cycle of settled preferences"
        elif one + other == 0:
            expected = "not enough", "never compared"
        elif oracles_settled.sign_p_value(one + other, 0) > limit:
            expected = "not enough", "compared too rarely to be settled even if unanimous"
        elif one == other:
            expected = "not enough", "both are preferred equally often"
        else:
            expected = "not enough", "the difference may be chance"
        assert (state, reason) == expected
        assert math.isnan(lacking) is (reason == "never compared" or state == "conflicting")
        asked = po.why(order, u, v).open
        assert asked is not None
        assert asked[:6] == (first, second, state, reason, support, against)
        assert asked.lacking == pytest.approx(lacking, nan_ok=True)


@given(SIDES.filter(any), st.floats(0.001, 0.3))
def test_lacking_units_bring_a_pair_to_the_limit(sides: tuple[int, int], risk: float) -> None:
    from scipy import special

    order = po.settled_order(graph_of({("a", "b"): sides}), risk=risk)
    if order.number_of_edges():
        return
    (*_, lacking), n, lead = next(iter(recorded_pairs(order))), sum(sides), max(sides)
    if sides[0] == sides[1]:
        assert lacking == math.inf
        return
    # The counts grow in proportion, so they need not be whole numbers.
    p_values = [
        2 * special.betainc(k, n + more - k + 1, 0.5)
        for more in (lacking, lacking - 1)
        for k in [lead * (1 + more / n)]
    ]
    assert p_values[0] <= risk * (1 + 1e-9)
    assert lacking == 1 or p_values[1] >= risk * (1 - 1e-9)


@given(st.integers(1, 20), st.integers(2, 20), st.integers(2, 4))
def test_a_clearer_pair_never_lacks_more(behind: int, ahead: int, times: int) -> None:
    """Neither one with a larger share of equally many units, nor one with more in proportion."""
    lead = behind + ahead

    def lacking(lead: int, behind: int) -> float:
        order = po.settled_order({("a", "b"): lead, ("b", "a"): behind}, risk=1e-9)
        return next(iter(recorded_pairs(order)))[-1] if not order.edges else 0

    assert lacking(lead + 1, behind - 1) <= lacking(lead, behind)
    expected = lacking(lead, behind) - (times - 1) * (lead + behind)
    assert lacking(times * lead, times * behind) == max(expected, 1) or expected <= 1


@given(COUNTS)
def test_what_an_edge_rests_on(pairs: dict[tuple[Any, Any], tuple[int, int]]) -> None:
    """Without fewer supporters the edge stays; by brute force over how many go."""
    order = po.settled_order(graph_of(pairs), risk=0.3)
    for u, v, data in order.edges(data=True):
        assert ("rests_on" in data) is not data["added"]
        if data["added"]:
            continue
        rests_on = data["rests_on"]
        for gone in range(data["support"] + 1):
            sides = data["support"] - gone, data["against"]
            left = {**pairs, (min(u, v), max(u, v)): sides if u < v else sides[::-1]}
            if (min(u, v), max(u, v)) not in oracles_settled.tarone_holm(left, Fraction("0.3")):
                break
        assert 1 <= rests_on <= gone


@given(SIDES, st.floats(0.01, 3), st.floats(0.01, 0.9))
@example((1, 1), 3.0, 0.9)
def test_equal_enough_is_two_one_sided_tests(
    sides: tuple[int, int], margin: float, risk: float
) -> None:
    from scipy import stats

    order = po.settled_order({("a", "b"): sides[0], ("b", "a"): sides[1]}, risk=risk, margin=margin)
    n, chance = sum(sides), 1 / (1 + math.exp(-margin))
    high = stats.binom.cdf(sides[0], n, chance)
    low = stats.binom.sf(sides[0] - 1, n, 1 - chance)
    if order.number_of_edges() or not math.isfinite(n) or abs(max(high, low) - risk / 2) < 1e-9:
        return
    is_equal = po.open_pairs(order)["state"].tolist() == ["equal enough"]
    assert is_equal is (n > 0 and bool(max(high, low) <= risk / 2))


def test_a_copy_has_the_reasons_and_a_relabelled_order_refuses() -> None:
    order = po.settled_order({("a", "b"): 9, ("b", "c"): 12})
    assert len(po.open_pairs(po.transitive_reduction(order))) == 0
    order = po.settled_order({("a", "b"): 3, ("b", "c"): 12})
    copied = pickle.loads(pickle.dumps(order))
    assert copied.graph["open"] == order.graph["open"]
    assert [*po.open_pairs(copied.subgraph("ab"))["u"]] == ["a"]
    with pytest.raises(po.PorankError, match="items that the evidence is about, found 'x'"):
        po.open_pairs(nx.relabel_nodes(order, {"a": "x"}))
    refuses("order from evidence", po.open_pairs, po.parse("a > b; c"))


@given(st.dictionaries(st.sampled_from(PAIRS), st.integers(1, 9), max_size=6))
def test_ranks_rest_on_their_weakest_pair(stated: dict[tuple[Any, Any], int]) -> None:
    """By brute force: the lightest stated edges without which a pair of the item is lost."""
    order = po.transitive_closure(po.from_pairs(stated, items="abcde"))
    for u, v, data in order.edges(data=True):
        data["added"] = (u, v) not in stated
        if (u, v) in stated:
            data["rests_on"] = stated[u, v]
    least: dict[Any, int | None] = dict.fromkeys(order)
    for size in range(len(stated) + 1):
        for gone in combinations(stated, size):
            left = po.transitive_closure(po.from_pairs({*stated} - {*gone}, items="abcde"))
            weight = sum(map(stated.__getitem__, gone))
            for item in {item for pair in {*order.edges} - {*left.edges} for item in pair}:
                known = least[item]
                least[item] = weight if known is None else min(known, weight)
    assert support_of_ranks(order) == (least if stated else None)


ORDER = {("a", "b"): 12, ("b", "a"): 2, ("b", "c"): 9, ("c", "d"): 3}


@pytest.mark.parametrize(
    "change",
    [
        lambda G: nx.relabel_nodes(G, {"a": "x"}),
        lambda G: nx.relabel_nodes(G, {"a": "b", "b": "a"}),
        lambda G: nx.relabel_nodes(G, {"c": "d", "d": "c"}).subgraph("bcd"),
        lambda G: nx.relabel_nodes(G, {"d": "x"}).reverse(),
        lambda G: nx.compose(po.settled_order({("y", "z"): 9, ("z", "d"): 9}), G),
    ],
)
def test_relabelled_and_joined_orders_do_not_lie(
    change: Callable[[nx.DiGraph], nx.DiGraph],
) -> None:
    G = change(po.settled_order(ORDER))
    assert not has_reasons(G)
    assert settled_cycles(G) == []
    refuses("an order that was relabelled or joined", po.open_pairs, G)
    # Pages and files do without the reasons.
    po.write_page(G, page := io.StringIO())
    assert "Not enough" not in page.getvalue()
    po.write_graphml(G, file := io.StringIO())
    assert "_number" not in file.getvalue()


@pytest.mark.parametrize(
    "change",
    [
        nx.DiGraph.copy,
        nx.DiGraph.reverse,
        copy.deepcopy,
        lambda G: pickle.loads(pickle.dumps(G)),
        lambda G: nx.relabel_nodes(G, {"z": "a"}),
        po.transitive_closure,
        po.transitive_reduction,
        lambda G: nx.subgraph_view(G).copy(),
        lambda G: nx.compose(po.parse("a > b; e"), G).subgraph("abcd"),
    ],
)
def test_copies_keep_the_reasons(change: Callable[[nx.DiGraph], nx.DiGraph]) -> None:
    order = po.settled_order(ORDER)
    G = change(order)
    known = {frozenset(pair[:2]): tuple(pair) for pair in po.open_pairs(order)}
    for pair in po.open_pairs(G):
        if frozenset(pair[:2]) in known:
            assert str(known[frozenset(pair[:2])]) == str(tuple(pair))
    assert len(po.open_pairs(G)) >= len(known)


def test_orders_of_few_items() -> None:
    for counts in ({("a", "b"): 0}, {("a", "b"): 1}):
        assert len(po.open_pairs(po.settled_order(counts))) == 1
    G = nx.DiGraph()
    G.add_node("a")
    assert len(po.open_pairs(po.settled_order(G))) == 0
    assert len(po.open_pairs(po.settled_order(nx.DiGraph()))) == 0
    mixed = po.settled_order({(1, "1"): 5, ("1", (2,)): 6, (frozenset("a"), 1.5): 7})
    assert len(po.open_pairs(mixed)) == 10 - mixed.number_of_edges()


def test_results_are_not_orders_but_have_one() -> None:
    found = po.fit_strengths({("a", "b"): 9, ("b", "a"): 3})
    for function in (po.open_pairs, lambda given: po.why(given, "a", "b")):
        refuses(r"found a Strengths; its order\(\) is one", function, found)


@given(COUNTS, COUNTS)
def test_what_two_orders_agree_on(one: Any, other: Any) -> None:
    """Pairs are settled in both, traded, or open for the reason of the one that knows less."""
    orders = [po.settled_order(graph_of(each), risk=0.3) for each in (one, other)]
    both = agreed_order({"one": orders[0], "the other": orders[1]})
    rows = {frozenset(row[:2]): row for row in po.open_pairs(both)}
    rank = [reason.value for reason in Reason]
    assert rank == sorted(rank)
    for u, v in combinations("abcde", 2):
        ways = [order.has_edge(u, v) - order.has_edge(v, u) for order in orders]
        if ways[0] == ways[1] != 0:
            assert both.has_edge(u, v) is (ways[0] > 0)
        elif 0 not in ways:
            first, _, state, reason, *_ = rows[frozenset((u, v))]
            is_first = (ways[0] > 0) == (first == u)
            better, worse = ("one", "the other") if is_first else ("the other", "one")
            assert (state, reason) == ("traded", f"better in {better}, worse in {worse}")
        else:
            reasons = [
                po.why(order, u, v).open for order, way in zip(orders, ways, strict=True) if not way
            ]
            assert rows[frozenset((u, v))][3] in {each.reason for each in reasons if each}


def test_with_a_margin_the_units_needed_may_show_that_items_are_equal_enough() -> None:
    def state(many: float) -> tuple[str, float]:
        lead = round(many / 2) + 1
        counts = {("a", "b"): lead, ("b", "a"): round(many) - lead}
        pair = po.why(po.settled_order(counts, margin=0.5), "a", "b").open
        assert pair is not None
        return pair.state, pair.lacking

    found, lacking = state(50)
    assert (found, lacking > 1) == ("not enough", True)
    assert state(50 + 1.2 * lacking + 4)[0] == "equal enough"
    assert state(50 + 0.5 * lacking)[0] == "not enough"


def test_items_that_no_chain_of_comparisons_joins_were_never_compared() -> None:
    lists = [("ab", "a"), ("ba", "a"), ("cd", "c"), ("dc", "d")] * 30
    log = [
        {"session": k, "item": item, "position": place, "clicked": int(item == chosen)}
        for k, (shown, chosen) in enumerate(lists)
        for place, item in enumerate(shown, 1)
    ]
    order = po.settled_order(log, margin=9)
    states = {frozenset(row[:2]): row[3] for row in po.open_pairs(order)}
    assert [*order.edges] == [("a", "b")]
    assert states.pop(frozenset("cd")) == "the difference is within the margin"
    assert set(states.values()) == {"never compared"}


def test_places_are_no_reason_where_the_evidence_has_none() -> None:
    spread = [(k % 3) / 10 for k in range(10)]
    rows = [
        {"judge": f"j{k}", "item": item, "rating": value + spread[k]}
        for k in range(10)
        for item, value in (("a", 3), ("b", 2), ("c", 1))
    ]
    reasons = po.open_pairs(po.settled_order(rows))["reason"].tolist()
    assert reasons
    assert not any("place" in reason for reason in reasons)
