"""
What do these animals and plants have in common?
================================================

A formal context says which object has which attribute. Its concept lattice has a box for each set of
objects that is held together by what they share: the widest on top. An attribute belongs to
all boxes below its name, an object (in capitals) to all boxes above its own.
"""

import porank as po

context = {
    "lily": ["water", "green"],
    "bream": ["water", "moves"],
    "frog": ["water", "moves", "land"],
    "dog": ["moves", "land", "suckles"],
    "whale": ["water", "moves", "suckles"],
    "bean": ["green", "land"],
    "reed": ["green", "land", "water"],
}
lattice = po.concept_lattice(context)
names = {}
for (extent, intent), own in lattice.nodes(data=True):
    texts = [*own["names"], *(name.upper() for name in own["objects"])]
    shared = " and ".join(intent) or "all"
    names[extent, intent] = " ".join(texts) or (shared if extent else "none")

# %%
# What a whale has stands on the way up from it.

whale = next(concept for concept, own in lattice.nodes(data="objects") if "whale" in own)
above = po.up_set(lattice, whale)
po.draw_hasse(lattice, names=names, color="none", highlight={whale, *above})

# %%
# Whatever two objects share is the intent of a concept.

common = {
    frozenset(set(context[one]) & set(context[other])) for one in context for other in context
}
assert common <= {frozenset(intent) for _, intent in lattice}
