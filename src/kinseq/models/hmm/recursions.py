"""Forward and backward recursions, scaled at every frame (Rabiner's normalisers).

With b_t(j) divided by its maximum over the states and alpha_t divided by its sum c_t, all numbers stay in [0, 1] and
``log f(x) = sum_t (log c_t + max_j log b_t(j))``. What falls below the range of float64 is lost; both recursions report
how much that can matter, and the callers go to log space where it could.
"""

from __future__ import annotations

from ...core.compiled import inner, part
from .simd import accumulate, choose, exp, fma, larger, load, log_product, multiply, repeat, smaller, store, total

SHIFT, SHIFT_ERROR, EXPONENT, MANTISSA, LEAST = range(5)
"""Rows of the running sums of a forward pass: sum of max_j log b_t(j) and its rounding error, the product of the c_t as
mantissa and power of two, and the least positive alpha before scaling."""

MIN_PROBABILITY = 1e-300
"""Probabilities below this become 0: their products would be subnormal, which processors handle a hundred times more slowly."""
SMALLEST_SCALE = 1e-280
SMALLEST_ALPHA = 1e-240
SMALLEST_PRODUCT = -830.0
"""Power of two (1e-250) below which the product of all c_t may have magnified underflow."""
SMALLEST_TRANSITION = 1e-40
"""No product of an alpha above SMALLEST_ALPHA with a probability above this leaves the range of float64."""
LARGEST_BETA = 1e270


@part
def zero_if_negligible(x):  # type: ignore[no-untyped-def]
    """x, or 0 where x < MIN_PROBABILITY."""
    return choose(x, MIN_PROBABILITY, 0.0, x)


@inner
def advance(rows, t, matrix, out, u):  # type: ignore[no-untyped-def]
    """out_u(j) = sum_i rows_t(i) matrix(i, j), four j at a time to keep the arithmetic units busy."""
    k = matrix.shape[0]
    whole = k - k % 4
    for j in range(0, whole, 4):
        s0, s1, s2, s3 = repeat(0.0), repeat(0.0), repeat(0.0), repeat(0.0)
        for i in range(k):
            a = load(rows, t, i)
            s0 = fma(a, load(matrix, i, j), s0)
            s1 = fma(a, load(matrix, i, j + 1), s1)
            s2 = fma(a, load(matrix, i, j + 2), s2)
            s3 = fma(a, load(matrix, i, j + 3), s3)
        store(s0, out, u, j)
        store(s1, out, u, j + 1)
        store(s2, out, u, j + 2)
        store(s3, out, u, j + 3)
    for j in range(whole, k):
        s0 = repeat(0.0)
        for i in range(k):
            s0 = fma(load(rows, t, i), load(matrix, i, j), s0)
        store(s0, out, u, j)


@part
def clear(sums, least):  # type: ignore[no-untyped-def]
    """Initialise the running sums of a forward pass; `least` is 0 for a model that may underflow unseen, else 1."""
    for row in (SHIFT, SHIFT_ERROR, EXPONENT):
        store(repeat(0.0), sums, row)
    store(repeat(1.0), sums, MANTISSA)
    store(repeat(least), sums, LEAST)


@inner
def forward(b, begin, steps, lengths, start, trans, alpha, scale, sums):  # type: ignore[no-untyped-def]
    """alpha_t(j) = b_t(j) / c_t * sum_i alpha_{t-1}(i) a_ij, alpha_0(j) = b_0(j) / c_0 * pi_j, sum_j alpha_t(j) = 1.

    Runs over frames ``begin .. begin + steps - 1``. `b` (steps, K, lanes) holds log-densities and is overwritten with
    densities divided by their maximum; row t + 1 of `alpha` (steps + 1, K, lanes) is frame ``begin + t`` and row 0 the
    frame before; `scale` (steps, lanes) receives 1 / c_t. Past the end of a lane's sequence `sums` does not change.
    """
    k = b.shape[1]
    length = load(lengths)
    shift, error = load(sums, SHIFT), load(sums, SHIFT_ERROR)
    power, product, least = load(sums, EXPONENT), load(sums, MANTISSA), load(sums, LEAST)
    for t in range(steps):
        frame = float(begin + t)
        if begin + t == 0:
            for j in range(k):
                store(load(start, j), alpha, 1, j)
        else:
            advance(alpha, t, trans, alpha, t + 1)
        top = load(b, t, 0)
        for j in range(1, k):
            top = larger(top, load(b, t, j))
        c = repeat(0.0)
        lowest = repeat(1.0)
        for j in range(k):
            density = exp(load(b, t, j) - top)
            store(density, b, t, j)
            reached = load(alpha, t + 1, j)
            weight = reached * density
            c = c + weight
            lowest = smaller(lowest, choose(0.0, reached, weight, 1.0))
            store(zero_if_negligible(weight), alpha, t + 1, j)
        lowest = choose(c, SMALLEST_SCALE, -1.0, lowest)
        c = choose(frame, length, c, 1.0)
        r = 1.0 / c
        for j in range(k):
            store(load(alpha, t + 1, j) * r, alpha, t + 1, j)
        store(r, scale, t)
        top = choose(frame, length, top, 0.0)
        # Knuth's compensated sum: over 1e5 frames the plain sum loses three digits.
        added = shift + top
        part = added - shift
        error = error + ((shift - (added - part)) + (top - part))
        shift = added
        power, product = multiply(power, product, c)
        least = choose(frame, length, smaller(least, lowest), least)
    store(shift, sums, SHIFT)
    store(error, sums, SHIFT_ERROR)
    store(power, sums, EXPONENT)
    store(product, sums, MANTISSA)
    store(least, sums, LEAST)


@part
def log_likelihood_of(sums, out):  # type: ignore[no-untyped-def]
    """Store log f(x) = sum of the shifts + log of the product of the c_t."""
    scaled = log_product(load(sums, EXPONENT), load(sums, MANTISSA))
    store(load(sums, SHIFT) + (scaled + load(sums, SHIFT_ERROR)), out)


@part
def forward_doubtful(sums, doubtful):  # type: ignore[no-untyped-def]
    """Set `doubtful` (lanes,) to 1 where underflow may have cost digits of the likelihood, else 0; return whether any is 1.

    Each frame loses at most 1e-300 per state, and what is lost at t could have grown by at most the product of the
    later 1 / c_t. So there is no doubt if that product is moderate, or if no alpha ever came near the end of the range.
    """
    small = choose(load(sums, LEAST), SMALLEST_ALPHA, 1.0, 0.0)
    doubt = choose(load(sums, EXPONENT), SMALLEST_PRODUCT, small, 0.0)
    doubt = choose(load(sums, LEAST), 0.0, 1.0, doubt)
    store(doubt, doubtful)
    return total(doubt) > 0.0


@part
def backward(b, steps, lengths, back, alpha, scale, gamma, sums, doubtful):  # type: ignore[no-untyped-def]
    """beta_t(i) = sum_j a_ij w_{t+1}(j), w_t(j) = b_t(j) beta_t(j) / c_t, beta_{T-1} = 1; gamma_t = alpha_t beta_t.

    Overwrites `b`, as :func:`forward` left it, with w, and fills `gamma` (T, K, lanes) with the posteriors; both are 0
    past the end of a sequence. `back` is the transposed transition matrix. `doubtful` (lanes,) is set to 1 where some
    beta_t / c_t is so large that an alpha lost to underflow could have mattered: the lost mass is at most 1e-300 of it.
    Returns whether there is any.
    """
    k = b.shape[1]
    length = load(lengths)
    peak = repeat(0.0)
    for t in range(steps - 1, -1, -1):
        inside, inner = float(t), float(t + 1)
        if t < steps - 1:
            advance(b, t + 1, back, gamma, t)
        r = choose(inside, length, load(scale, t), 0.0)
        for j in range(k):
            beta = choose(inner, length, load(gamma, t, j), 1.0)
            rescaled = beta * r
            peak = larger(peak, rescaled)
            store(zero_if_negligible(choose(inside, length, beta * load(alpha, t + 1, j), 0.0)), gamma, t, j)
            store(zero_if_negligible(choose(inside, length, rescaled * load(b, t, j), 0.0)), b, t, j)
    lost = choose(peak, LARGEST_BETA, 0.0, 1.0)
    lost = choose(load(sums, LEAST), 0.0, 1.0, lost)
    store(lost, doubtful)
    return total(lost) > 0.0


@part
def count_transitions(alpha, w, steps, trans, counts):  # type: ignore[no-untyped-def]
    """Add xi(i, j) = a_ij sum_{t < T-1} alpha_t(i) w_{t+1}(j) to `counts` (K, K), four j at a time."""
    k = trans.shape[0]
    whole = k - k % 4
    for i in range(k):
        for j in range(0, whole, 4):
            s0, s1, s2, s3 = repeat(0.0), repeat(0.0), repeat(0.0), repeat(0.0)
            for t in range(1, steps):
                a = load(alpha, t, i)
                s0 = fma(a, load(w, t, j), s0)
                s1 = fma(a, load(w, t, j + 1), s1)
                s2 = fma(a, load(w, t, j + 2), s2)
                s3 = fma(a, load(w, t, j + 3), s3)
            accumulate(s0 * load(trans, i, j), counts, i, j)
            accumulate(s1 * load(trans, i, j + 1), counts, i, j + 1)
            accumulate(s2 * load(trans, i, j + 2), counts, i, j + 2)
            accumulate(s3 * load(trans, i, j + 3), counts, i, j + 3)
        for j in range(whole, k):
            s0 = repeat(0.0)
            for t in range(1, steps):
                s0 = fma(load(alpha, t, i), load(w, t, j), s0)
            accumulate(s0 * load(trans, i, j), counts, i, j)
