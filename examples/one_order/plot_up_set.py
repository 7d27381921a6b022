"""
Which numbers does 12 divide?
=============================

The divisors of 360, each above those that divide it, form a lattice. What lies above 12 are its
multiples: its up-set. What lies below are its divisors: its down-set. Everything else can neither
be divided by 12 nor divides it.
"""

import matplotlib.pyplot as plt
import networkx as nx

import porank as po

# %%
# The up-set is highlighted, and the colour tells how many prime factors a number has.

lattice = po.divisor_lattice(360)
above, below = po.up_set(lattice, 12), po.down_set(lattice, 12)


def count_primes(number: int) -> int:
    """Return the number of prime factors."""
    return sum(number % prime**power == 0 for prime in (2, 3, 5) for power in (1, 2, 3))


fig, ax = plt.subplots(figsize=(6, 6), layout="constrained")
primes = {number: count_primes(number) for number in lattice}
nx.set_node_attributes(lattice, primes, "prime factors")
po.draw_hasse(lattice, color="prime factors", highlight=above | {12}, ax=ax)
ax.set_title("The divisors of 360, and the multiples of 12 among them")
ax.set_xlabel("a line leads down to a divisor")

# %%
# There are as many multiples of 12 among the divisors of 360 as there are divisors of 30.

rest = set(lattice) - above - below - {12}
for name, numbers in (("multiples", above), ("divisors", below), ("neither", rest)):
    print(f"{name}: {sorted(numbers)}")
assert above == {number for number in lattice if number % 12 == 0} - {12}
assert not any(
    po.prefers(lattice, 12, number) or po.prefers(lattice, number, 12) for number in rest
)
assert len(above) + 1 == len(po.divisor_lattice(30))
assert below == set(po.divisor_lattice(12)) - {12}
