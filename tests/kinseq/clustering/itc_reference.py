"""Information-theoretic clustering written from its definition: every cost again from the members of the clusters."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Knn:
    """Cost of a partition by nearest neighbours: the mean over pairs of eq. 4.3."""

    distance: np.ndarray
    exponent: float
    near: int = 1
    own: int | str = "farthest"
    factor: bool = True
    seen: dict = field(default_factory=dict)

    def __post_init__(self):
        positive = self.distance[self.distance > 0]
        floor = 0.1 * positive.min()
        self.distance = np.where(self.distance > 0, self.distance, floor)

    def inner(self, p):
        block = self.distance[np.ix_(p, p)].copy()
        if self.own == "farthest":
            if len(p) > 1:
                np.fill_diagonal(block, 0.0)
            return (len(p) if self.factor else 1) * np.mean(block.max(axis=1) ** -self.exponent) / len(p)
        np.fill_diagonal(block, np.inf)
        return (self.own if self.factor else 1) * np.mean(np.sort(block)[:, self.own - 1] ** -self.exponent) / len(p)

    def across(self, p, q):
        """Mean over the points of p of the density of q."""
        block = np.sort(self.distance[np.ix_(p, q)])[:, self.near - 1]
        return (self.near if self.factor else 1) * np.mean(block**-self.exponent) / len(q)

    def pair(self, p, q):
        key = (tuple(p), tuple(q))
        if key not in self.seen:
            self.seen[key] = 0.5 * (self.across(p, q) + self.across(q, p)) / np.sqrt(self.inner(p) * self.inner(q))
        return self.seen[key]

    def __call__(self, clusters):
        return np.mean([self.pair(p, q) for i, p in enumerate(clusters) for q in clusters[:i]])

    def divergence(self, clusters):
        return np.mean([-np.log(self.pair(p, q)) for i, p in enumerate(clusters) for q in clusters[:i]])


@dataclass
class Kernel:
    """Cost of a partition by kernels: the logarithm of eq. 3.32."""

    distance: np.ndarray
    rate: float

    def __post_init__(self):
        self.kernel = np.exp(-self.rate * self.distance**2)

    def mass(self, p, q):
        return self.kernel[np.ix_(p, q)].sum()

    def __call__(self, clusters):
        cross = sum(self.mass(p, q) for i, p in enumerate(clusters) for q in clusters[:i])
        return np.log(cross) - 0.5 * sum(np.log(self.mass(p, p)) for p in clusters)

    def divergence(self, clusters):
        return np.mean(
            [
                -np.log(self.mass(p, q) / np.sqrt(self.mass(p, p) * self.mass(q, q)))
                for i, p in enumerate(clusters)
                for q in clusters[:i]
            ]
        )


class Tracer:
    """One run on given distances; what it leaves is what the compiled run leaves."""

    def __init__(self, distance, cost, draws, n_init, k_end, from_start=False):
        self.distance, self.cost, self.n = distance, cost, len(distance)
        self.clusters, self.names = [[] for _ in draws], list(range(len(draws)))
        self.steps, self.step = np.full(self.n, -1), 0
        self.labels, self.when, self.costs, self.divergences, self.removed = [], [], [], [], []
        self.seed(draws, n_init, from_start)
        self.keep()
        self.grow()
        while len(self.clusters) > k_end:
            rest = [cost([c for c in self.clusters if c is not gone]) for gone in self.clusters]
            worst = int(np.argmin(rest))
            self.removed.append(self.names.pop(worst))
            self.clusters.pop(worst)
            self.keep()
            self.grow()

    def free(self):
        taken = {i for cluster in self.clusters for i in cluster}
        return [i for i in range(self.n) if i not in taken]

    def take(self, x, m):
        self.clusters[m] = sorted([*self.clusters[m], x])
        self.steps[x], self.step = self.step, self.step + 1

    def seed(self, draws, n_init, from_start):
        for m, draw in enumerate(draws):
            start = x = self.free()[int(draw * len(self.free()))]
            self.take(x, m)
            for _ in range(n_init - 1):
                others, members = self.free(), [start] if from_start else self.clusters[m]
                x = others[int(np.argmin(self.distance[np.ix_(others, members)].min(axis=1)))]
                self.take(x, m)

    def grow(self):
        while others := self.free():
            labelled = [i for i in range(self.n) if i not in others]
            x = others[int(np.argmin(self.distance[np.ix_(others, labelled)].min(axis=1)))]
            costs = []
            for m in range(len(self.clusters)):
                tried = list(self.clusters)
                tried[m] = sorted([*tried[m], x])
                costs.append(self.cost(tried))
            self.take(x, int(np.argmin(costs)))
        self.costs.append(self.cost(self.clusters))
        self.divergences.append(self.cost.divergence(self.clusters))
        self.keep()

    def keep(self):
        labels = np.full(self.n, -1)
        for name, cluster in zip(self.names, self.clusters, strict=True):
            labels[cluster] = name
        self.labels.append(labels)
        self.when.append(self.steps.copy())
