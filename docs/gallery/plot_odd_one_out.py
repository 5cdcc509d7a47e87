"""
Which is the odd one out?
=========================

There are twenty heartbeats in two groups, and two more that belong to neither.
"""

import matplotlib.pyplot as plt
import numpy as np

import kinseq

rng = np.random.default_rng(6)
time = np.linspace(0, 1, 80)


def beat(centre: float, width: float, height: float = 1.0) -> np.ndarray:
    """A pulse with a little noise."""
    return (height * np.exp(-(((time - centre) / width) ** 2)) + 0.05 * rng.normal(size=80))[:, None]


beats = [beat(0.3 if number % 2 else 0.6, 0.05) for number in range(20)]
beats += [beat(0.45, 0.3, 2), -beat(0.5, 0.1)]
result = kinseq.cluster(beats, n_clusters=2)

figure, axis = plt.subplots(figsize=(8, 3.5), layout="constrained")
odd = np.argsort(result.membership_)[:2]
for number, values in enumerate(beats):
    colour, width = ("black", 2) if number in odd else (f"C{result.labels[number]}", 0.7)
    axis.plot(time, values, color=colour, linewidth=width)
axis.set(xlabel="second", title="black: the two with the weakest membership")
plt.show()

# %%
# The membership says how clearly each sequence belongs to its cluster. The page names sequences that belong to none, and lists
# outliers if there is only one group.

print("weakest:", sorted(odd.tolist()), "with membership", np.round(np.sort(result.membership_)[:2], 2))
