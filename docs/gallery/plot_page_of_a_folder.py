"""
What does the page on a folder look like?
=========================================

This is the page that ``kinseq cluster`` writes, on the pumps of the :doc:`first tutorial </tutorials/first-folder>`.
It is live: tap a dot, change the colours, name a cluster, search. `Open it by itself <../live/own/index.html>`__.

.. raw:: html

   <iframe class="live" src="../live/own/index.html" title="The page on a folder of pumps" loading="lazy"></iframe>

:doc:`/explanation/reading-your-page` goes through it part by part. Its figures in one, from Python:
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
result.plot()
plt.show()

# %%
# ``result.report("page")`` writes it from Python.
