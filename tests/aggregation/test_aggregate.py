"""One order out of many by any method, against the functions and by trying all orders."""

import networkx as nx
from hypothesis import given

import porank as po
from porank.aggregation.aggregate import METHODS
from porank.aggregation.voting_rules import best_input, copeland, footrule_optimal
from tests.support.oracles import tied_pairs
from tests.support.oracles_aggregation import (
    ensembles,
)
from tests.support.refusals import refuses

Ensemble = tuple[list[nx.DiGraph], list[int]]
VOTES = [po.from_ranking(vote) for vote in ("abc", "bca", "cab")]


@given(ensembles())
def test_a_method_is_its_function(ensemble: Ensemble) -> None:
    orders, counts = ensemble
    functions = {
        "kemeny": po.kemeny,
        "borda": po.borda,
        "copeland": copeland,
        "footrule": footrule_optimal,
        "best_input": best_input,
        "consensus": po.consensus_order,
    }
    assert functions.keys() == METHODS.keys()
    for method, function in functions.items():
        one = function(orders, counts=counts)
        found = po.aggregate(orders, method=method, counts=counts)
        assert (found.cost, found.gap) == (one.cost, one.gap), method
        assert nx.utils.graphs_equal(found.order(), one.order()), method
        assert tied_pairs(found.order()) == tied_pairs(one.order())


def test_options_go_to_the_method_or_name_those_that_have_them() -> None:
    weights = {"a": 1, "b": 1, "c": 5}
    assert po.aggregate(VOTES, weights=weights).cost == po.kemeny(VOTES, weights=weights).cost
    weak = po.aggregate(VOTES, method="consensus", family="weak")
    assert weak.cost == po.consensus_order(VOTES, family="weak").cost
    for method, options, message in (
        ("kwiksort", {}, "expected method to be one of 'kemeny', .* found 'kwiksort'"),
        ("borda", {"weights": weights}, "'borda' has .* weights=; .* of 'kemeny', 'best_input'$"),
        ("kemeny", {"family": "weak"}, "option family=; it is an option of 'consensus'$"),
        ("copeland", {"seed": 1}, "method 'copeland' has no option seed=$"),
    ):
        refuses(message, po.aggregate, VOTES, method=method, **options)
