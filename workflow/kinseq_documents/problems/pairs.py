"""Pairs of samples whose Kullback-Leibler divergence is known (thesis 2011, section 5.5.7, and harder ones).

Every problem draws n vectors from P and n from Q, and its truth is KL(P, Q) in nats.
"""

from __future__ import annotations

import math

import numpy as np

from kinseq.core.arrays import FloatArray, as_count
from kinseq.core.errors import ParameterError
from kinseq.core.seeds import stream
from kinseq.divergences.checks import as_real

from .registry import Problem

Pair = tuple[FloatArray, FloatArray]


def _generators(seed: int) -> tuple[np.random.Generator, np.random.Generator]:
    return stream(seed, "first"), stream(seed, "second")


def _check(d: int, shift: float = 0.0, **positive: float) -> None:
    """Refuse parameters without meaning; `positive` have to be above 0."""
    as_count(d, "d")
    as_real(shift, "shift", -np.inf, np.inf)
    for name, value in positive.items():
        as_real(value, name, 0.0, np.inf)


def _gaussians(n: int, seed: int, d: int, shift: float) -> Pair:
    _check(d, shift)
    p, q = _generators(seed)
    return p.normal(size=(n, d)), q.normal(shift, size=(n, d))


def _gaussians_truth(d: int, shift: float) -> dict[str, float]:
    _check(d, shift)
    return {"kl": 0.5 * d * shift**2}


def _uniform(n: int, seed: int, d: int, reach: float, truncated: bool) -> Pair:
    _check(d, reach=reach)
    p, q = _generators(seed)
    if truncated:
        from scipy.special import ndtr, ndtri

        low, high = ndtr([-reach, reach])
        x = np.clip(ndtri(low + (high - low) * p.uniform(size=(n, d))), -reach, reach)
    else:
        x = p.normal(size=(n, d))
    return x, q.uniform(-reach, reach, size=(n, d))


def _uniform_truth(d: int, reach: float, truncated: bool) -> dict[str, float]:
    """Return the log-density of the uniform inside the cube; P has mass outside unless it is truncated."""
    _check(d, reach=reach)
    entropy = 0.5 * math.log(2.0 * math.pi * math.e)
    if truncated:
        inside = math.erf(reach / math.sqrt(2.0))
        entropy += math.log(inside) - reach * math.exp(-0.5 * reach**2) / math.sqrt(2.0 * math.pi) / inside
    return {"kl": d * (math.log(2.0 * reach) - entropy)}


def _mixtures(n: int, seed: int, d: int, shift: float, gap: float) -> Pair:
    """Return two components at plus and minus the gap along the first axis; Q is moved along the same axis."""
    _check(d, shift, gap=gap)
    samples = []
    for generator, centre in zip(_generators(seed), (0.0, shift), strict=True):
        vectors = generator.normal(size=(n, d))
        vectors[:, 0] += centre + gap * np.where(generator.uniform(size=n) < 0.5, -1.0, 1.0)
        samples.append(vectors)
    return samples[0], samples[1]


def _mixtures_truth(d: int, shift: float, gap: float) -> dict[str, float]:
    """Return the truth of the first axis: the others have the same distribution under both and add nothing."""
    from scipy import integrate

    _check(d, shift, gap=gap)

    def log_density(x: FloatArray, centre: float) -> FloatArray:
        left, right = (-0.5 * (x - at) ** 2 for at in (centre - gap, centre + gap))
        return np.asarray(np.logaddexp(left, right) - 0.5 * np.log(8.0 * np.pi))

    at = np.linspace(-gap - 12.0, gap + 12.0, 20001)
    first = log_density(at, 0.0)
    return {"kl": float(integrate.simpson(np.exp(first) * (first - log_density(at, shift)), x=at))}


def _heavy(n: int, seed: int, d: int, shift: float, degrees: float) -> Pair:
    _check(d, shift, degrees=degrees)
    p, q = _generators(seed)
    return p.standard_t(degrees, size=(n, d)), q.standard_t(degrees, size=(n, d)) + shift


def _heavy_truth(d: int, shift: float, degrees: float) -> dict[str, float]:
    from scipy import integrate

    _check(d, shift, degrees=degrees)
    power = 0.5 * (degrees + 1.0)
    scale = math.exp(math.lgamma(power) - math.lgamma(0.5 * degrees)) / math.sqrt(degrees * math.pi)

    def integrand(x: float) -> float:
        # Kernels of the densities, whose constant is the same.
        first, second = math.log1p(x * x / degrees), math.log1p((x - shift) ** 2 / degrees)
        return scale * math.exp(-power * first) * power * (second - first)

    parts = ((-np.inf, -10.0), (-10.0, 10.0), (10.0, np.inf))
    return {"kl": d * sum(integrate.quad(integrand, *part, limit=200)[0] for part in parts)}


def _check_manifold(d: int, inner: int, shift: float, noise: float) -> None:
    _check(d, shift, noise=noise)
    if as_count(inner, "inner") > d:
        raise ParameterError(f"inner is {inner}, more than the {d} dimensions; give at most {d}")


def _manifold(n: int, seed: int, d: int, inner: int, shift: float, noise: float) -> Pair:
    """Gaussians in a few directions, and in all others the same small noise."""
    _check_manifold(d, inner, shift, noise)
    samples = []
    for generator, centre in zip(_generators(seed), (0.0, shift), strict=True):
        vectors = generator.normal(scale=noise, size=(n, d))
        vectors[:, :inner] = generator.normal(centre, size=(n, inner))
        samples.append(vectors)
    return samples[0], samples[1]


def _manifold_truth(d: int, inner: int, shift: float, noise: float) -> dict[str, float]:
    _check_manifold(d, inner, shift, noise)
    return {"kl": 0.5 * inner * shift**2}


PROBLEMS = (
    Problem(
        name="gaussians",
        label="Gaussians",
        source="thesis 2011, figures 5.3 and 5.4",
        draw=_gaussians,
        truth=_gaussians_truth,
        quantities=("kl",),
        params={"d": 1, "shift": 0.5},
    ),
    Problem(
        name="gaussian_uniform",
        label="Gaussian against uniform",
        source="thesis 2011, figure 5.5",
        draw=_uniform,
        truth=_uniform_truth,
        quantities=("kl",),
        params={"d": 3, "reach": 3.0, "truncated": False},
    ),
    Problem(
        name="gaussian_mixtures",
        label="mixtures of two Gaussians",
        source="not in the documents",
        draw=_mixtures,
        truth=_mixtures_truth,
        quantities=("kl",),
        params={"d": 2, "shift": 1.5, "gap": 3.0},
    ),
    Problem(
        name="heavy_tails",
        label="Student's t",
        source="not in the documents",
        draw=_heavy,
        truth=_heavy_truth,
        quantities=("kl",),
        params={"d": 2, "shift": 1.0, "degrees": 3.0},
    ),
    Problem(
        name="manifold",
        label="Gaussians near a plane",
        source="not in the documents",
        draw=_manifold,
        truth=_manifold_truth,
        quantities=("kl",),
        params={"d": 50, "inner": 2, "shift": 1.0, "noise": 0.01},
    ),
)
