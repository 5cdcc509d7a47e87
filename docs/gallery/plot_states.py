"""
Which state is it in?
=====================

A machine idles, works and overheats, observed by a noisy sensor. A hidden Markov model with the interface of hmmlearn estimates
which state the machine was in.
"""

import matplotlib.pyplot as plt
import numpy as np

import kinseq

rng = np.random.default_rng(11)
stay = np.array([[0.96, 0.04, 0.0], [0.02, 0.95, 0.03], [0.1, 0.0, 0.9]])
truth = [0]
for _ in range(399):
    truth.append(rng.choice(3, p=stay[truth[-1]]))
sensor = np.array([0.0, 2.0, 5.0])[truth][:, None] + rng.normal(scale=0.8, size=(400, 1))

model = kinseq.hmm.GaussianHMM(n_components=3, random_state=0).fit(sensor)
states = model.predict(sensor)
rank = np.argsort(np.argsort(model.means_[:, 0]))

figure, (above, below) = plt.subplots(2, 1, figsize=(9, 4), sharex=True, layout="constrained")
above.scatter(np.arange(400), sensor[:, 0], c=rank[states], s=8, cmap="viridis")
above.set_ylabel("sensor")
below.step(np.arange(400), truth, color="0.6", label="true state")
below.step(np.arange(400), rank[states] + 0.08, label="found")
below.set(yticks=[0, 1, 2], yticklabels=["idle", "work", "hot"], xlabel="minute")
below.legend(loc="upper right")
plt.show()

# %%
# The share of minutes in which the estimated state is right:

print(f"{np.mean(rank[states] == truth):.2f}")
