"""How many states models get when nobody says.

A common model gets those of the least BIC. Models of one sequence each are chosen by how well they predict *other*
sequences. The BIC is no guide there: the frames of a sequence depend on each other, so that a sequence is worth far fewer
observations than it has frames, and full covariances win by describing the path of one recording.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray
from ..core.seeds import derive_seed
from ..core.sequences import SequenceSet
from ..models.selection import candidates, random_subset, sweep_states
from . import limits

if TYPE_CHECKING:
    from ..models.hmm.starts import Start

HMM = "hmm"
"""The kind of model whose size is chosen; others keep their defaults."""
STARTPROB_EACH: Start = "flat"
"""What models of one sequence say of its first state: nothing. Fitted, it is the state in which that sequence begins, and
sequences that begin elsewhere in the same cycle would be far from it."""


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
    part = random_subset(sequences, seed, frames=limits.SWEEP_FRAMES)
    tried = candidates(len(part.values), limits.STATES_COMMON)
    sweep = sweep_states(part, tried, random_state=derive_seed(seed, "sweep"), n_init=1)
    return {"n_states": sweep.best}, _why("least BIC", sweep.best, tried, len(part), len(sequences))


def own_states(sequences: SequenceSet, n_states: int | None, seed: int) -> tuple[dict[str, Any], str]:
    """Arguments of the fit of one model a sequence, and why: the largest likelihood of sequences that were left out."""
    from ..models.hmm import fit_bank, log_likelihood, with_start

    if n_states is not None:
        return {"n_states": n_states, "startprob": STARTPROB_EACH}, "given"
    part = random_subset(sequences, seed, items=limits.SWEEP_SEQUENCES)
    keys = np.array([key.hex() for key in part.content_keys])
    others = keys[:, None] != keys
    tried = [k for k in limits.STATES_EACH if k <= int(sequences.lengths.min())]
    if not others.any():
        return {"n_states": tried[0], "covariance": "diag", "startprob": STARTPROB_EACH}, "no two sequences differ"
    scores = []
    for covariance in ("diag", "full") if 1 < sequences.n_features <= limits.FULL else ("diag",):
        for k in tried:
            bank = fit_bank(part, k, covariance=covariance, random_state=derive_seed(seed, "sweep"), n_init=1)
            bank = with_start(bank, STARTPROB_EACH)
            scores.append((-left_out_likelihood(log_likelihood(bank, part), others), k, covariance))
    _, best, covariance = min(scores)
    why = _why("largest likelihood of sequences left out", best, tried, len(part), len(sequences))
    return {"n_states": best, "covariance": covariance, "startprob": STARTPROB_EACH}, why


def left_out_likelihood(loglik: FloatArray, others: NDArray[np.bool_]) -> float:
    """How well models of one sequence each predict sequences that they were not fitted to; the sum in nats.

    `loglik`, shape (N, N), has a row a model; `others` says which models may speak for a sequence: not its own, and not
    those of equal sequences. Each sequence is under the equal mixture of these models, and left out where there is
    none. Habbema, Hermans and van den Broek (1974) and Duin (1976) choose the width of a kernel density in this way;
    here a kernel is the model of a sequence.
    """
    from scipy.special import logsumexp

    count = others.sum(axis=0)
    able = count > 0
    mixed = logsumexp(loglik[:, able], b=others[:, able], axis=0)
    return float((mixed - np.log(count[able])).sum())


def _why(rule: str, best: int, tried: Sequence[int], looked: int, n: int) -> str:
    text = f"{rule} among {', '.join(map(str, tried))}"
    text += f", on {looked} sequences drawn at random" if looked < n else ""
    return text + ("; the largest number tried, more may be better" if best == tried[-1] and len(tried) > 1 else "")
