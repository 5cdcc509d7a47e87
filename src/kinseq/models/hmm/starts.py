"""Distributions of a fitted model that are replaced: of the first state, and of unseen symbols."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from ...core.arrays import IntArray
from ...core.errors import ParameterError, is_one_of, unknown_name
from ..markov import stationary
from .bank import HMMBank

Start = Literal["learnt", "stationary", "flat"]

PSEUDO_FRAMES = 1.0
"""Pseudo-count of frames of each state of a model of symbols, spread evenly over all symbols."""

STARTS = ("learnt", "stationary", "flat")


def with_start(bank: HMMBank, startprob: Start) -> HMMBank:
    """Return the models with another distribution of the first state.

    Parameters
    ----------
    bank : HMMBank
    startprob : {"learnt", "stationary", "flat"}
        ``"learnt"`` leaves it as EM found it. Of a model of one sequence that is zeros and ones: the state in which that
        sequence happened to begin, so that others of the same process that begin elsewhere are hardly possible.
        ``"flat"`` has all states alike, which is the likelihood without its first term, but for a constant. ``"stationary"`` is the
        stationary distribution of the transitions; a state that is left for good has none of it, and what begins there is
        impossible.

    Returns
    -------
    HMMBank
        Trace and counts are those of the fit.

    Raises
    ------
    ParameterError
        If the name is unknown.
    """
    if not is_one_of(startprob, STARTS):
        raise ParameterError(unknown_name("startprob", startprob, STARTS))
    if startprob == "learnt":
        return bank
    if startprob == "stationary":
        return replace(bank, startprob=stationary(bank.transmat))
    return replace(bank, startprob=np.full_like(bank.startprob, 1.0 / bank.n_states))


def smoothed(bank: HMMBank, n_frames: IntArray) -> HMMBank:
    """Return models of symbols with all symbols possible; models of numbers are unchanged.

    A model that was fitted to `n_frames` (N,) frames has K times `PSEUDO_FRAMES` more in its emissions, spread over all
    symbols: as fitted, it would refuse any sequence with a symbol that its own one lacks.
    """
    if not bank.categorical:
        return bank
    added = PSEUDO_FRAMES * bank.n_states
    share = (added / (np.asarray(n_frames, dtype=np.float64) + added))[:, None, None]
    return replace(bank, means=(1.0 - share) * bank.means + share / bank.means.shape[2])
