"""
Does the measure matter?
========================

Twenty sequences come from two processes. Both have the same distribution of values, but different memory. Five measures are
compared.
"""

import matplotlib.pyplot as plt
import numpy as np

import kinseq

rng = np.random.default_rng(9)


def process(memory: float) -> np.ndarray:
    """Noise that remembers its last value in part, with variance 1."""
    values = [rng.normal()]
    for _ in range(149):
        values.append(memory * values[-1] + np.sqrt(1 - memory**2) * rng.normal())
    return np.array(values)[:, None]


truth = np.arange(20) % 2
sequences = [process(0.3 if kind else 0.8) for kind in truth]
names = ["elastic", "dtw", "msm", "kl_ll", "mmd"]

figure, axes = plt.subplots(1, len(names), figsize=(10, 2.6), layout="constrained")
order = np.argsort(truth, kind="stable")
for axis, name in zip(axes, names, strict=True):
    matrix = kinseq.measures.compute(name, sequences)
    labels = kinseq.clustering.spectral(matrix, n_clusters=2)
    wrong = kinseq.metrics.clustering_error(truth, labels)
    axis.imshow(matrix[np.ix_(order, order)], cmap="viridis")
    axis.set(title=f"{name}\n{wrong:.0f} % wrong", xticks=[], yticks=[])
plt.show()

# %%
# Dark blocks on the diagonal mean that the members of a group are similar. ``mmd`` ignores the order of the values, but only the
# order differs here. :doc:`/explanation/choosing-a-measure` says which measure suits which data.
