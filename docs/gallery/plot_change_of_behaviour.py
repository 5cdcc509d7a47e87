"""
When does behaviour change?
===========================

In one long recording somebody rests, walks, rests and runs. Where are the borders, and which parts are of the same kind?
"""

import matplotlib.pyplot as plt
import numpy as np

import kinseq

rng = np.random.default_rng(5)
parts = [(0.2, 30), (1.0, 15), (0.2, 30), (2.0, 6)]
pieces = [
    size * np.sin(2 * np.pi * np.arange(300)[:, None] / period) + 0.2 * rng.normal(size=(300, 1))
    for size, period in parts
]
recording = np.concatenate(pieces)
found = kinseq.segment_sequence(recording, window=30, n_segments=4, n_sources=3, n_states=2)

figure, axis = plt.subplots(figsize=(9, 3), layout="constrained")
axis.plot(recording, color="0.4", linewidth=0.6)
for border in found.boundaries:
    axis.axvline(border, color="C3")
axis.set(xlabel="sample", title="borders that were found")
plt.show()

# %%
# The true borders are at 300, 600 and 900. They are found up to the length of a window.

print(np.asarray(found.boundaries).tolist())
