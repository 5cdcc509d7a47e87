"""
Are these two samples different?
================================

Three columns were measured before and after a repair. Do both samples come from the same distribution, and if not, what differs?
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import kinseq

rng = np.random.default_rng(2)
columns = ["torque", "play", "heat"]
before = pd.DataFrame(
    np.column_stack([rng.normal(5, 1, 300), rng.normal(0, 1.0, 300), rng.normal(2, 1, 300)]), columns=columns
)
after = pd.DataFrame(
    np.column_stack([rng.normal(5, 1, 300), rng.normal(0, 1.6, 300), rng.normal(2, 1, 300)]), columns=columns
)

figure, axes = plt.subplots(1, 3, figsize=(9, 3), sharey=True, layout="constrained")
for axis, name in zip(axes, columns, strict=True):
    axis.hist([before[name], after[name]], bins=24, histtype="step", label=["before", "after"])
    axis.set_title(name)
axes[0].legend()
plt.show()

# %%
# The summary says first whether the samples differ, then how far apart they are, then which columns differ significantly.

print(kinseq.compare(before, after))
