"""
Which life courses are alike?
=============================

Sixty people are at school, in training or at work. Two groups go through the same states in another order, which index plots
show: a row a person, a colour a state.
"""

import numpy as np

import kinseq

rng = np.random.default_rng(4)
usual, late = ("school", "training", "work"), ("work", "school", "training")
careers = []
for person in range(60):
    months = rng.multinomial(48, rng.dirichlet([60.0, 50.0, 55.0]))
    order = late if person % 3 == 0 else usual
    careers.append([state for state, number in zip(order, months, strict=True) for _ in range(number)])

found = kinseq.cluster(careers)
figure = found.plot("index")

# %%
# What sets the groups apart, in words:

print(found)
