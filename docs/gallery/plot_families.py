"""
What does a measure look at?
============================

This example draws one picture for each family of measures. :doc:`/explanation/families` explains them.
"""

import matplotlib.pyplot as plt
import numpy as np

import kinseq

rng = np.random.default_rng(0)
time = np.linspace(0, 1, 60)

# %%
# *Alignments* match points of two curves; time may be stretched.

one, other = np.sin(2 * np.pi * time**1.5), np.sin(2 * np.pi * time**0.8)
cost = (one[:, None] - other) ** 2
total = np.full((61, 61), np.inf)
total[0, 0] = 0
for i in range(60):
    for j in range(60):
        total[i + 1, j + 1] = cost[i, j] + min(total[i, j], total[i, j + 1], total[i + 1, j])
path, at = [], (60, 60)
while at != (0, 0):
    path.append((at[0] - 1, at[1] - 1))
    at = min([(at[0] - 1, at[1] - 1), (at[0] - 1, at[1]), (at[0], at[1] - 1)], key=lambda place: total[place])
figure, axis = plt.subplots(figsize=(8, 3), layout="constrained")
for i, j in path[::2]:
    axis.plot([time[i], time[j]], [one[i] + 1.5, other[j] - 1.5], color="0.8", linewidth=0.8)
axis.plot(time, one + 1.5, time, other - 1.5, linewidth=2)
axis.set(yticks=[], xlabel="time", title="alignment: which points belong together")
plt.show()

# %%
# *Likelihoods of models*: how well the model of each sequence explains every other sequence.

waves = [
    np.sin(2 * np.pi * (np.arange(60)[:, None] / (5 if i < 8 else 15) + rng.random())) + 0.3 * rng.normal(size=(60, 1))
    for i in range(16)
]
bank = kinseq.hmm.fit_each(waves, n_components=3)
figure, axis = plt.subplots(figsize=(5, 4), layout="constrained")
image = axis.imshow(kinseq.hmm.score_matrix(bank, waves), cmap="viridis")
axis.set(xlabel="sequence", ylabel="model of sequence", title="log-likelihoods")
figure.colorbar(image)
plt.show()

# %%
# *Transitions of a common model*: which state follows which.

model = kinseq.models.hmm.fit_common(waves, 4, random_state=0)
transitions = kinseq.models.hmm.induced_transitions(model, waves)
figure, axes = plt.subplots(1, 2, figsize=(7, 3), layout="constrained")
for axis, number in zip(axes, (0, 12), strict=True):
    axis.imshow(transitions[number], cmap="Blues", vmin=0, vmax=1)
    axis.set(xlabel="to state", ylabel="from state", title=f"sequence {number}", xticks=range(4), yticks=range(4))
plt.show()

# %%
# *Sets of vectors*: how far two clouds of points overlap.

clouds = rng.normal(size=(150, 2)), rng.normal(size=(150, 2)) * (1.5, 0.5) + (1.5, 0.5)
figure, axis = plt.subplots(figsize=(5, 4), layout="constrained")
for cloud in clouds:
    axis.scatter(*cloud.T, s=10)
axis.set(title=f"squared MMD {kinseq.divergences.mmd2(*clouds):.2f}", xticks=[], yticks=[])
plt.show()

# %%
# *Iterative classifications*: how often two items got the same prediction.

items = np.concatenate([rng.normal(size=(20, 2)), rng.normal(size=(20, 2)) + 4])
similarity = kinseq.sic.similarity(items, n_iterations=60, random_state=0)
figure, axis = plt.subplots(figsize=(5, 4), layout="constrained")
image = axis.imshow(similarity.matrix, cmap="viridis")
axis.set(xlabel="item", ylabel="item", title="similarity by answers")
figure.colorbar(image)
plt.show()

# %%
# *Plain properties* have everyday names; here it is the period.

crossings = [np.diff(np.sign(wave[:, 0] - wave.mean())).astype(bool).sum() for wave in waves]
figure, axis = plt.subplots(figsize=(6, 2.5), layout="constrained")
axis.scatter(crossings, rng.random(16), c=np.arange(16) < 8, cmap="coolwarm")
axis.set(xlabel="crossings of the mean", yticks=[], title="one property, two groups")
plt.show()
