"""
Where does a new one belong?
============================

Clusters were found yesterday. Today there are three new sequences: which clusters do they belong to, and where are they on the
map?
"""

import matplotlib.pyplot as plt
import numpy as np

import kinseq

rng = np.random.default_rng(8)


def wave(period: float) -> np.ndarray:
    """A noisy wave."""
    return np.sin(2 * np.pi * (np.arange(60)[:, None] / period + rng.random())) + 0.3 * rng.normal(size=(60, 1))


result = kinseq.cluster([wave((6, 12, 24)[number % 3]) for number in range(30)], n_clusters=3)
new = [wave(6), wave(12), wave(24)]
where, groups = result.transform(new), result.predict(new)

figure, axis = plt.subplots(figsize=(6, 4.5), layout="constrained")
axis.scatter(*result.embedding_[:, :2].T, c=result.labels, cmap="tab10", vmax=9, s=25)
axis.scatter(*where[:, :2].T, c=groups, cmap="tab10", vmin=0, vmax=9, marker="*", s=250, edgecolor="black")
axis.set(title="stars: new sequences", xticks=[], yticks=[])
plt.show()

# %%
# ``result.save("waves.kinseq")`` keeps all that is needed for it; ``kinseq.load("waves.kinseq")`` has it back.

print(groups)
