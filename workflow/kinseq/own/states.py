"""How many states models get when nobody says: those of the least BIC."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..models.selection import candidates, drawn, n_parameters, sweep_states
from ..seeds import derive_seed
from ..sequences import SequenceSet
from . import limits

HMM = "hmm"
"""The kind of model whose size is chosen; others keep their defaults."""


def choose_params(
    kind: str, common: bool, sequences: SequenceSet, n_states: int | None, seed: int
) -> tuple[dict[str, Any], str]:
    """Parameters of the models of a kind that differ from its defaults, and why."""
    if kind != HMM:
        return {}, "defaults"
    return (common_states if common else own_states)(sequences, n_states, seed)


def common_states(sequences: SequenceSet, n_states: int | None, seed: int) -> tuple[dict[str, Any], str]:
    """Arguments of the fit of one model of all sequences, and why."""
    if n_states is not None:
        return {"n_states": n_states}, "given"
    part = drawn(sequences, seed, frames=limits.SWEEP_FRAMES)
    tried = candidates(len(part.values), limits.STATES_COMMON)
    sweep = sweep_states(part, tried, seed=derive_seed(seed, "sweep"), n_init=1)
    return {"n_states": sweep.best}, _why(sweep.best, tried, len(part), len(sequences))


def own_states(sequences: SequenceSet, n_states: int | None, seed: int) -> tuple[dict[str, Any], str]:
    """Arguments of the fit of one model a sequence, and why: the least BIC, added up over sequences."""
    from ..models.hmm import fit_bank

    if n_states is not None:
        return {"n_states": n_states}, "given"
    part = drawn(sequences, seed, items=limits.SWEEP_SEQUENCES)
    tried = [k for k in limits.STATES_EACH if k <= int(sequences.lengths.min())]
    d, logs = sequences.n_features, float(np.log(part.lengths).sum())
    found = []
    for covariance in ("diag", "full") if 1 < d <= 30 else ("diag",):
        for k in tried:
            bank = fit_bank(part, k, covariance=covariance, seed=derive_seed(seed, "sweep"), n_init=1)
            assert bank.loglik is not None
            bic = -2.0 * float(bank.loglik.sum()) + n_parameters(k, d, bank.full) * logs
            found.append((bic, k, covariance))
    _, best, covariance = min(found)
    return {"n_states": best, "covariance": covariance}, _why(best, tried, len(part), len(sequences))


def _why(best: int, tried: Sequence[int], looked: int, n: int) -> str:
    text = f"least BIC among {', '.join(map(str, tried))}"
    text += f", on {looked} sequences drawn at random" if looked < n else ""
    return text + ("; the largest tried, BIC was still falling" if best == tried[-1] and len(tried) > 1 else "")
