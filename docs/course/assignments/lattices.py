# %% [markdown]
# # Assignment 5: Lattices and concept lattices
#
# Fill the cells that say `YOUR CODE HERE`. The cell below each of them tests it; some tests are
# hidden. A context is a dictionary that maps each object to the set of its attributes. Use plain
# Python in the functions; porank may only be used in the tests.
# %%
import random

import porank as po

drinks = {
    "espresso": {"hot", "coffee"},
    "latte": {"hot", "coffee", "milk"},
    "cocoa": {"hot", "milk"},
    "lemonade": {"cold"},
}
# %% [markdown]
# **1. (2 points)** Write two functions: `shared` returns the attributes that all objects of a set
# have, and `having` the objects that have all attributes of a set. For the empty set of objects,
# `shared` returns all attributes of the context.


# %% solution derivation
def shared(context, objects):
    """Return the attributes that all of the objects have."""
    ### BEGIN SOLUTION
    every = set().union(*context.values())
    return every.intersection(*(context[each] for each in objects))
    ### END SOLUTION


def having(context, attributes):
    """Return the objects that have all of the attributes."""
    ### BEGIN SOLUTION
    return {each for each, row in context.items() if set(attributes) <= row}
    ### END SOLUTION


# %% test derivation 2
assert shared(drinks, {"latte", "cocoa"}) == {"hot", "milk"}
assert having(drinks, {"coffee"}) == {"espresso", "latte"}
### BEGIN HIDDEN TESTS
assert shared(drinks, set()) == {"hot", "coffee", "milk", "cold"}
assert having(drinks, set()) == set(drinks)
assert having(drinks, {"hot", "cold"}) == set()
### END HIDDEN TESTS
# %% [markdown]
# **2. (3 points)** Write a function that returns all extents of a context, as a set of frozensets.
# Hint: each extent is an intersection of extents of single attributes, or the set of all objects.


# %% solution extents
def extents(context):
    """Return the extents of all concepts."""
    ### BEGIN SOLUTION
    found = {frozenset(context)}
    for attribute in set().union(*context.values()):
        found |= {each & frozenset(having(context, {attribute})) for each in found}
    return found
    ### END SOLUTION


# %% test extents 3
assert len(extents(drinks)) == 7
assert frozenset({"latte", "cocoa"}) in extents(drinks)
### BEGIN HIDDEN TESTS
assert frozenset() in extents(drinks)
chance = random.Random(0)
for _ in range(20):
    table = {g: {m for m in "abcde" if chance.random() < 0.6} | {"a"} for g in range(6)}
    table[6] = set("abcde")
    lattice = po.concept_lattice({g: sorted(row) for g, row in table.items()})
    assert extents(table) == {frozenset(extent) for extent, _ in lattice}
### END HIDDEN TESTS
# %% [markdown]
# **3. (2 points)** Write a function that returns whether some attributes imply another one in a
# context.


# %% solution implies
def implies(context, attributes, other):
    """Return whether each object with all of the attributes has the other one."""
    ### BEGIN SOLUTION
    return all(other in context[each] for each in having(context, attributes))
    ### END SOLUTION


# %% test implies 2
assert implies(drinks, {"coffee"}, "hot")
assert not implies(drinks, {"hot"}, "coffee")
### BEGIN HIDDEN TESTS
assert implies(drinks, {"hot", "cold"}, "milk")
assert not implies(drinks, set(), "hot")
### END HIDDEN TESTS
