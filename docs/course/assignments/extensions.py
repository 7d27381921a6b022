# %% [markdown]
# # Assignment 4: Linear extensions and dimension
#
# Fill the cells that say `YOUR CODE HERE`. The cell below each of them tests it; some tests are
# hidden. An order is a set of pairs. Use plain Python in the functions; porank may only be used in
# the tests.
# %%
from fractions import Fraction
from itertools import combinations, permutations

import porank as po

# %% [markdown]
# **1. (2 points)** Write a function that returns the intersection of rankings, as a set of pairs.


# %% solution intersection
def intersection(rankings):
    """Return the pairs on which all rankings agree."""
    ### BEGIN SOLUTION
    return set.intersection(*(set(combinations(ranking, 2)) for ranking in rankings))
    ### END SOLUTION


# %% test intersection 2
assert intersection(["abc", "acb"]) == {("a", "b"), ("a", "c")}
assert intersection(["ab"]) == {("a", "b")}
### BEGIN HIDDEN TESTS
assert intersection(["abc", "cba"]) == set()
assert intersection(["abcd", "bdac"]) == {("a", "c"), ("b", "c"), ("b", "d")}
### END HIDDEN TESTS
# %% [markdown]
# **2. (3 points)** Write a function that returns the probability that u comes before v, if all
# linear extensions are equally likely, as a Fraction. There are at most seven items.


# %% solution mutual
def probability(R, items, u, v):
    """Return the share of linear extensions in which u comes before v."""
    ### BEGIN SOLUTION
    found = [
        ranking
        for ranking in permutations(items)
        if all(ranking.index(a) < ranking.index(b) for a, b in R)
    ]
    return Fraction(sum(r.index(u) < r.index(v) for r in found), len(found))
    ### END SOLUTION


# %% test mutual 3
race = {("A", "C"), ("B", "C"), ("B", "D")}
assert probability(race, "ABCD", "A", "D") == Fraction(4, 5)
assert probability(race, "ABCD", "A", "C") == 1
### BEGIN HIDDEN TESTS
assert probability(set(), "AB", "A", "B") == Fraction(1, 2)
for seed in range(3):
    order = po.random_order(6, edge_probability=0.3, seed=seed)
    expected = po.expected_ranks(order, exact=True)
    for u in order:
        others = [v for v in order if v != u]
        rank = 1 + sum(probability(set(order.edges), list(order), v, u) for v in others)
        assert rank == expected[u]
### END HIDDEN TESTS
# %% [markdown]
# **3. (3 points)** Write a function that returns whether two rankings are a realizer of an order.
# The order is the closure of the relation R, so R need not have all its pairs. Each ranking must
# contain all items.


# %% solution realizer
def is_realizer(R, items, rankings):
    """Return whether the intersection of the rankings is the order."""
    ### BEGIN SOLUTION
    closed = set(R)
    while missing := {(u, w) for u, v in closed for x, w in closed if v == x} - closed:
        closed |= missing
    complete = all(sorted(ranking) == sorted(items) for ranking in rankings)
    return complete and intersection(rankings) == closed
    ### END SOLUTION


# %% test realizer 3
assert is_realizer(race, "ABCD", ["ABCD", "BDAC"])
assert not is_realizer(race, "ABCD", ["ABCD", "BADC"])
assert is_realizer({("a", "b"), ("b", "c")}, "abc", ["abc", "abc"])
### BEGIN HIDDEN TESTS
assert not is_realizer(race, "ABCD", ["ABC", "BAC"])
assert not is_realizer({("a", "b")}, "abc", ["ab", "ab"])
for seed in range(10):
    order = po.random_order(6, edge_probability=0.3, seed=seed)
    found = po.find_realizer(order)
    assert found is None or is_realizer(set(order.edges), list(order), found)
### END HIDDEN TESTS
