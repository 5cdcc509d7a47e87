"""
Is there any structure?
=======================

Any data can be cut into clusters. On the left are sequences of three kinds, on the right noise of a single kind. Both maps show
dots, but only one of them shows groups.
"""

import matplotlib.pyplot as plt
import numpy as np

import kinseq

rng = np.random.default_rng(1)


def noisy_wave(period: float) -> np.ndarray:
    """A wave that starts anywhere."""
    return np.sin(2 * np.pi * (np.arange(60)[:, None] / period + rng.random())) + 0.3 * rng.normal(size=(60, 1))


sets = {
    "waves of three periods": [noisy_wave((5, 10, 20)[number % 3]) for number in range(30)],
    "noise": [rng.normal(size=(60, 1)) for _ in range(30)],
}
results = {name: kinseq.cluster(sequences) for name, sequences in sets.items()}

figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for axis, (name, result) in zip(axes, results.items(), strict=True):
    axis.scatter(*result.embedding_[:, :2].T, c=result.labels, cmap="tab10", vmax=9)
    axis.set(title=f"{name}\n{result.n_clusters} group(s)", xticks=[], yticks=[])
plt.show()

# %%
# The first sentence about each. For the noise, simulated sequences without groups, but otherwise similar, show as much structure:
# no groups are found.

for name, result in results.items():
    print(f"{name}: {result.verdict}")
