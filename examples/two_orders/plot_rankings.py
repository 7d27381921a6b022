"""
Do larger planets have more moons?
==================================

Eight planets can be ranked by their diameter, their mass, the number of their moons, and their
density. How far do these rankings agree? Side by side, a line for each planet, every crossing of two
lines is a pair on which two rankings disagree.
"""

import matplotlib.pyplot as plt

import porank as po

# %%
# Diameter in kilometres, mass in 10**24 kilograms, density in kilograms per cubic metre. Moons are
# still being found, but hardly ever enough of them to change a rank. Mercury and Venus, which have
# none, are tied.

columns = ("diameter", "mass", "moons", "density")
planets = {
    "Mercury": (4879, 0.330, 0, 5429),
    "Venus": (12_104, 4.87, 0, 5243),
    "Earth": (12_756, 5.97, 1, 5514),
    "Mars": (6792, 0.642, 2, 3934),
    "Jupiter": (142_984, 1898, 95, 1326),
    "Saturn": (120_536, 568, 146, 687),
    "Uranus": (51_118, 86.8, 28, 1270),
    "Neptune": (49_528, 102, 16, 1638),
}
rankings = [
    {planet: figures[place] for planet, figures in planets.items()} for place in range(len(columns))
]

# %%
# Diameter and mass differ in one pair only, and moons follow them closely. Density turns nearly
# everything round: the large planets are made of gas.

fig, ax = plt.subplots(figsize=(7, 4), layout="constrained")
po.draw_rankings(rankings, names=columns, ax=ax)
ax.set(title="The planets, ranked by four figures")

# %%
# Kendall's tau says the same in numbers.

taus = [round(po.kendall_tau(rankings[0], other), 2) for other in rankings[1:]]
assert taus == [0.93, 0.76, -0.57]
