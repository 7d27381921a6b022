# %% [markdown]
# # Assignment 2: Drawing an order, and sorting it
#
# Fill the cells that say `YOUR CODE HERE`. The cell below each of them tests it; some tests are
# hidden. A relation is a set of pairs. Use plain Python in the functions; porank may only be used
# in the tests.
# %%
import porank as po

# %% [markdown]
# **1. (2 points)** Write a function that returns the covers of a closed order: the pairs (u, v)
# with u > v and no item between.


# %% solution covers
def covers(R):
    """Return the covers of an order that is a closed set of pairs."""
    ### BEGIN SOLUTION
    items = {item for pair in R for item in pair}
    return {(u, v) for u, v in R if not any((u, w) in R and (w, v) in R for w in items)}
    ### END SOLUTION


# %% test covers 2
assert covers({("a", "b"), ("b", "c"), ("a", "c")}) == {("a", "b"), ("b", "c")}
assert covers({("a", "b"), ("c", "b")}) == {("a", "b"), ("c", "b")}
### BEGIN HIDDEN TESTS
assert covers(set()) == set()
for seed in range(20):
    order = po.random_order(8, edge_probability=0.3, seed=seed)
    closed = set(po.transitive_closure(order).edges)
    assert covers(closed) == set(po.transitive_reduction(order).edges)
### END HIDDEN TESTS
# %% [markdown]
# **2. (3 points)** Write a function that returns a topological sorting of a relation as a list, or
# None if there is no such sorting.


# %% solution sort
def topological_sort(R, items):
    """Return a list of the items in which u comes before v for each pair (u, v)."""
    ### BEGIN SOLUTION
    left, ranking = set(items), []
    while left:
        free = left - {v for u, v in R if u in left and v in left}
        if not free:
            return None
        ranking.append(free.pop())
        left.remove(ranking[-1])
    return ranking
    ### END SOLUTION


# %% test sort 3
assert topological_sort({("a", "b"), ("b", "c")}, "cba") == ["a", "b", "c"]
assert topological_sort({("a", "b"), ("b", "a")}, "ab") is None
assert topological_sort(set(), "a") == ["a"]
### BEGIN HIDDEN TESTS
assert topological_sort(set(), "") == []
assert topological_sort({("a", "b"), ("b", "c"), ("c", "b")}, "abc") is None
for seed in range(20):
    order = po.random_order(8, edge_probability=0.3, seed=seed)
    ranking = topological_sort(set(order.edges), list(order))
    assert sorted(ranking) == sorted(order)
    assert all(ranking.index(u) < ranking.index(v) for u, v in order.edges)
### END HIDDEN TESTS
# %% [markdown]
# **3. (3 points)** Write a function that returns the number of topological sortings of a relation
# without cycles. It should need less than a second for 14 items, so do not list all sortings.
# Hint: remember the answer for each set of items that is left.


# %% solution count
def count_sortings(R, items):
    """Return the number of topological sortings."""
    ### BEGIN SOLUTION
    known = {frozenset(): 1}

    def count(left):
        if left not in known:
            tops = left - {v for u, v in R if u in left and v in left}
            known[left] = sum(count(left - {top}) for top in tops)
        return known[left]

    return count(frozenset(items))
    ### END SOLUTION


# %% test count 3
assert count_sortings({("a", "b"), ("c", "b")}, "abc") == 2
assert count_sortings(set(), "abcd") == 24
### BEGIN HIDDEN TESTS
assert count_sortings(set(), "") == 1
for seed in range(10):
    order = po.random_order(9, edge_probability=0.3, seed=seed)
    assert count_sortings(set(order.edges), list(order)) == po.count_linear_extensions(order)
assert count_sortings({(k, k + 2) for k in range(12)}, range(14)) == 3432
assert count_sortings(set(), range(14)) == 87_178_291_200
### END HIDDEN TESTS
