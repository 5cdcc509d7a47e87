"""
Do these machines behave alike?
===============================

Thirty pumps were recorded for two hours each. The number of kinds of behaviour is not known.
"""

import matplotlib.pyplot as plt
import numpy as np

import kinseq

rng = np.random.default_rng(7)
time = np.arange(120)


def pump(kind: int) -> np.ndarray:
    """Pressure and current of a pump that is well, has a valve that sticks, or a bearing that wears."""
    pressure = 4 + 0.15 * rng.normal(size=120) + (kind == 1) * np.sin(2 * np.pi * (time / 15 + rng.random()))
    current = 2 + 0.1 * rng.normal(size=120) + (kind == 2) * time / 120
    return np.column_stack([pressure, current])


pumps = [pump(number % 3) for number in range(30)]

# %%
# One call compares all pairs, chooses the number of groups, and summarises the result in a sentence.

result = kinseq.cluster(pumps)
print(result.verdict)

# %%
# The curves of each group: pressure above, current below.

figure, axes = plt.subplots(2, result.n_clusters, figsize=(9, 4), sharex=True, sharey="row", layout="constrained")
for group, column in enumerate(axes.T):
    for number in np.flatnonzero(result.labels == group):
        column[0].plot(pumps[number][:, 0], color=f"C{group}", linewidth=0.7)
        column[1].plot(pumps[number][:, 1], color=f"C{group}", linewidth=0.7)
    column[0].set_title(f"group {group + 1}: {np.sum(result.labels == group)} pumps")
axes[0, 0].set_ylabel("pressure")
axes[1, 0].set_ylabel("current")
figure.supxlabel("minute")
plt.show()

# %%
# How the groups differ, in words:

for group, sentences in result.explain().groupby("cluster")["sentence"]:
    print(f"group {group}: {sentences.iloc[0]}")
