# %% [markdown]
# # Assignment 3: Chains and antichains
#
# Fill the cells that say `YOUR CODE HERE`. The cell below each of them tests it; some tests are
# hidden. An order is a closed set of pairs. Use plain Python in the functions; porank may only be
# used in the tests.
# %%
import porank as po

# %% [markdown]
# **1. (3 points)** Write a function that returns the levels of an order as a list of sets: first
# the items with nothing above them, then those whose longest chain from the top has two items, and
# so on.


# %% solution levels
def levels(R, items):
    """Return the levels of an order, from the top down."""
    ### BEGIN SOLUTION
    left, found = set(items), []
    while left:
        found.append(left - {v for u, v in R if u in left})
        left -= found[-1]
    return found
    ### END SOLUTION


# %% test levels 3
assert levels({("a", "b"), ("a", "c")}, "abc") == [{"a"}, {"b", "c"}]
assert levels({("a", "b"), ("b", "c"), ("a", "c")}, "abcd") == [{"a", "d"}, {"b"}, {"c"}]
### BEGIN HIDDEN TESTS
assert levels(set(), "") == []
for seed in range(20):
    order = po.transitive_closure(po.random_order(8, edge_probability=0.3, seed=seed))
    assert levels(set(order.edges), list(order)) == [set(level) for level in po.levels(order)]
### END HIDDEN TESTS
# %% [markdown]
# **2. (2 points)** Write a function that checks a proof: it gets an order, an antichain and a list
# of chains. It returns True if the first set is an antichain of items of the order, the others are
# chains that together contain all items and nothing else, and there are as many chains as items in
# the antichain. Otherwise it returns False.


# %% solution proof
def is_proof(R, items, antichain, chains):
    """Return whether an antichain and chains prove each other optimal."""
    ### BEGIN SOLUTION
    covered = {item for chain in chains for item in chain}
    return (
        set(antichain) <= set(items)
        and not any((u, v) in R for u in antichain for v in antichain)
        and all((u, v) in R or (v, u) in R or u == v for c in chains for u in c for v in c)
        and covered == set(items)
        and len(chains) == len(set(antichain))
    )
    ### END SOLUTION


# %% test proof 2
two = {("a", "b"), ("c", "d")}
assert is_proof(two, "abcd", {"a", "c"}, [["a", "b"], ["c", "d"]])
assert not is_proof(two, "abcd", {"a", "b"}, [["a", "b"], ["c", "d"]])
assert not is_proof(two, "abcd", {"a", "c"}, [["a", "b"], ["c"]])
### BEGIN HIDDEN TESTS
assert not is_proof(two, "abcd", {"a", "z"}, [["a", "b"], ["c", "d"]])
assert not is_proof(two, "abcd", {"a"}, [["a", "b"], ["c", "d"]])
assert not is_proof(two, "abcd", {"a", "c"}, [["a", "c"], ["b", "d"]])
for seed in range(20):
    order = po.transitive_closure(po.random_order(8, edge_probability=0.3, seed=seed))
    chains, antichain = po.minimum_chain_cover(order), po.maximum_antichain(order)
    assert is_proof(set(order.edges), list(order), antichain, chains)
### END HIDDEN TESTS
# %% [markdown]
# **3. (3 points)** Write a function that returns a longest increasing subsequence of a list of
# different numbers. Hint: which order has these as its chains?


# %% solution increasing
def longest_increasing(numbers):
    """Return a longest increasing subsequence."""
    ### BEGIN SOLUTION
    best = []
    for number in numbers:
        before = [chain for chain in best if chain[-1] < number]
        best.append([*max(before, key=len, default=[]), number])
    return max(best, key=len, default=[])
    ### END SOLUTION


# %% test increasing 3
assert longest_increasing([3, 1, 2]) == [1, 2]
assert longest_increasing([1, 2, 3]) == [1, 2, 3]
### BEGIN HIDDEN TESTS
assert longest_increasing([]) == []
assert len(longest_increasing([3, 2, 1, 6, 5, 4, 9, 8, 7])) == 3
for seed in range(20):
    numbers = po.random_ranking(12, seed=seed)
    found = longest_increasing(list(numbers))
    assert found == sorted(found)
    assert found == [number for number in numbers if number in found]
    order = po.intersection(po.from_ranking(list(numbers)), po.from_ranking(sorted(numbers)))
    assert len(found) == po.height(order)
### END HIDDEN TESTS
