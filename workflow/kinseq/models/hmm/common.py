"""Many sequences under one common model: the E-step behind global fits, posteriors and transition counts."""

from __future__ import annotations

import numpy as np

from .densities import log_densities
from .expectation import expect, in_log_space
from .jit import kernel
from .lanes import LANES
from .logspace import take_logarithms
from .maximisation import add_moments
from .packing import pack

SCALED, LOGARITHMS, MOMENTS = range(3)
"""What :func:`common_group` does: the E-step; the same in log space, all results being logarithms; E-step and moments."""


@kernel
def common_group(values, offsets, members, steps, is_packed, task, full, model, work, counts, sums):  # type: ignore[no-untyped-def]
    """E-step of one group of sequences under one model for all lanes.

    Adds transition counts to `counts` (K, K, lanes), which keeps the lanes apart, and with ``task == MOMENTS`` the moments
    of the frames to `sums`. Returns the number of lanes that needed log space.
    """
    if is_packed:
        for lane in range(LANES):
            s = members[lane]
            work.lengths[lane] = offsets[s + 1] - offsets[s] if s >= 0 else 0
    else:
        pack(values, offsets, members, np.int64(0), steps, work.x, work.lengths)
    if task == LOGARITHMS:
        log_densities(work.x, steps, model.means, model.white, model.constants, full, work.gap, work.b)
        take_logarithms(model.start, model.trans, work.chain)
        in_log_space(work, steps, counts)
        return 0
    rescued = expect(model, full, work, steps, counts)
    if task == MOMENTS:
        add_moments(
            work.x, steps, work.gamma, work.gap, model.means, full, sums.starts, sums.visits, sums.first, sums.second
        )
    return rescued
