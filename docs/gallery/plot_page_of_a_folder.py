"""
What does the page on a folder look like?
=========================================

This is the page that ``kinseq cluster`` writes about the pumps of the :doc:`first tutorial </tutorials/first-folder>`. It is
interactive: tap a dot, change the colours, name a cluster, search. `Open it in full size <../live/own/index.html>`__.

.. raw:: html

   <iframe class="live" src="../live/own/index.html" title="The page on a folder of pumps" loading="lazy"></iframe>

:doc:`/explanation/reading-your-page` explains it part by part. The map and the heat map can also be drawn in Python:
"""

import matplotlib.pyplot as plt
import numpy as np

import kinseq

rng = np.random.default_rng(7)
time = np.arange(120)
pumps = {}
for number in range(30):
    pressure = 4 + 0.15 * rng.normal(size=120)
    current = 2 + 0.1 * rng.normal(size=120)
    if number % 3 == 1:
        pressure += np.sin(2 * np.pi * (time / 15 + rng.random()))
    if number % 3 == 2:
        current += time / 120
    pumps[f"pump_{number:02d}"] = np.column_stack([pressure, current])

result = kinseq.cluster(pumps, n_clusters=3)
order = np.argsort(result.labels, kind="stable")
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
left.scatter(*result.embedding_[:, :2].T, c=result.labels, cmap="tab10", vmax=9)
left.set(title="map", xticks=[], yticks=[])
right.imshow(result.distance[np.ix_(order, order)], cmap="magma")
right.set(title="heat map", xticks=[], yticks=[])
plt.show()

# %%
# ``result.report("page")`` writes the whole page, and ``result.plot()`` draws its figures.
