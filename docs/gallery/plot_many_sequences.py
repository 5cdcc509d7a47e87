"""
What if there are thousands?
============================

If there are more than 3000 sequences, a sample is clustered and the others are assigned to its clusters. This example uses
600 sequences and a sample of 150, so that it takes only seconds.
"""

import matplotlib.pyplot as plt
import numpy as np

import kinseq

rng = np.random.default_rng(12)
truth = rng.integers(4, size=600)
time = np.arange(40)[:, None]
sequences = [
    np.sin(2 * np.pi * time / (6, 9, 14, 28)[kind] + rng.random()) + 0.4 * rng.normal(size=(40, 1)) for kind in truth
]

result = kinseq.cluster(sequences, n_clusters=4, sample=150)
share = kinseq.metrics.confusion(truth, result.labels)

figure, axis = plt.subplots(figsize=(4.5, 4), layout="constrained")
axis.imshow(share, cmap="Blues")
for (row, column), count in np.ndenumerate(np.asarray(share)):
    axis.text(column, row, int(count), ha="center", va="center", color="black" if count < 100 else "white")
axis.set(xticks=range(4), yticks=range(4), xlabel="cluster", ylabel="kind", title="600 sequences, 150 of them compared")
plt.show()

# %%
# Agreement with the true kinds (1 is perfect):

print(round(kinseq.metrics.ari(truth, result.labels), 2))
