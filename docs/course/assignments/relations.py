# %% [markdown]
# # Assignment 1: Preferences, and what follows from them
#
# Fill the cells that say `YOUR CODE HERE`. The cell below each of them tests it; some tests are
# hidden. A relation is a set of pairs. Use plain Python in the functions; porank may only be used
# in the tests.
# %%
import porank as po

# %% [markdown]
# **1. (2 points)** Write a function that returns the properties of a relation: a set with those of
# the words "irreflexive", "asymmetric" and "transitive" that apply to it.


# %% solution properties
def properties(R):
    """Return which of three properties a relation has."""
    ### BEGIN SOLUTION
    found = set()
    if all(u != v for u, v in R):
        found.add("irreflexive")
    if all((v, u) not in R for u, v in R):
        found.add("asymmetric")
    if all((u, w) in R for u, v in R for x, w in R if v == x):
        found.add("transitive")
    return found
    ### END SOLUTION


# %% test properties 2
assert properties({("a", "b"), ("b", "c")}) == {"irreflexive", "asymmetric"}
assert properties({("a", "b"), ("b", "c"), ("a", "c")}) == {
    "irreflexive",
    "asymmetric",
    "transitive",
}
assert properties({("a", "a")}) == {"transitive"}
### BEGIN HIDDEN TESTS
assert properties(set()) == {"irreflexive", "asymmetric", "transitive"}
assert properties({("a", "b"), ("b", "a")}) == {"irreflexive"}
### END HIDDEN TESTS
# %% [markdown]
# **2. (3 points)** Write a function that returns the transitive closure of a relation. Do not
# change the relation that is given.


# %% solution closure
def closure(R):
    """Return the smallest transitive relation that contains R."""
    ### BEGIN SOLUTION
    R = set(R)
    while missing := {(u, w) for u, v in R for x, w in R if v == x} - R:
        R |= missing
    return R
    ### END SOLUTION


# %% test closure 3
stated = {("a", "b"), ("b", "c"), ("c", "d")}
assert closure(stated) == stated | {("a", "c"), ("b", "d"), ("a", "d")}
assert stated == {("a", "b"), ("b", "c"), ("c", "d")}
### BEGIN HIDDEN TESTS
assert closure(set()) == set()
assert closure({(1, 2), (2, 1)}) == {(1, 2), (2, 1), (1, 1), (2, 2)}
for seed in range(20):
    order = po.random_order(8, edge_probability=0.3, seed=seed)
    assert closure(set(order.edges)) == set(po.transitive_closure(order).edges)
### END HIDDEN TESTS
# %% [markdown]
# **3. (2 points)** Write a function that says what we know about two different items: one of the
# words "better", "worse", "incomparable" and "contradiction", for the first item compared with the
# second.


# %% solution known
def known(R, u, v):
    """Return what a relation says about u compared with v."""
    ### BEGIN SOLUTION
    closed = closure(R)
    if (u, v) in closed and (v, u) in closed:
        return "contradiction"
    if (u, v) in closed:
        return "better"
    return "worse" if (v, u) in closed else "incomparable"
    ### END SOLUTION


# %% test known 2
assert known({("a", "b"), ("b", "c")}, "a", "c") == "better"
assert known({("a", "b"), ("b", "c")}, "c", "a") == "worse"
assert known({("a", "b"), ("c", "b")}, "a", "c") == "incomparable"
### BEGIN HIDDEN TESTS
assert known({("a", "b"), ("b", "c"), ("c", "a")}, "a", "b") == "contradiction"
assert known({("a", "b"), ("b", "a"), ("b", "c")}, "a", "c") == "better"
### END HIDDEN TESTS
