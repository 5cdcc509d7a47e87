"""
Which column tells them apart?
==============================

The logs of 24 machines have six columns. Two groups are found. In which column do they differ, and when?
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import kinseq

rng = np.random.default_rng(4)
columns = ["load", "speed", "oil", "noise", "current", "heat"]
hour = np.arange(96) / 4
tables = []
for number in range(24):
    values = rng.normal(size=(96, 6))
    values[:, 2] += 2.5 * np.exp(-(((hour - (7 if number % 2 else 16)) / 2) ** 2))
    tables.append(pd.DataFrame(values, columns=columns))

result = kinseq.cluster(tables, n_clusters=2)
said = result.explain()

# %%
# The effect of the strongest statement about each column: the probability that a member of a group exceeds the others. 0.5 is
# chance.

strength = (said["effect"] - 0.5).abs()
best = said.assign(strength=strength).groupby("column")["strength"].max().reindex(columns).fillna(0)
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
left.barh(columns, 0.5 + best)
left.set(xlim=(0.5, 1), xlabel="effect, where it is sure", title="what is sure to differ")
for group in range(2):
    members = [tables[number]["oil"] for number in np.flatnonzero(result.labels == group)]
    right.plot(hour, np.mean(members, axis=0), label=f"group {group + 1}")
right.set(xlabel="hour", ylabel="oil", title="mean course of oil")
right.legend()
plt.show()

# %%
# The same in words. The p-values come from permutations and are corrected for all properties, columns and groups.

for group, rows in said.groupby("cluster"):
    for sentence, p in zip(rows["sentence"].head(2), rows["p"], strict=False):
        print(f"group {group}: {sentence} (p = {p:.3f})")
