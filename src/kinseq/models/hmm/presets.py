"""The training recipes, and how explicit arguments override them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from ...core.arrays import as_count, keep_checked
from ...core.errors import ParameterError, is_one_of, unknown_name

Covariance = Literal["full", "diag", "auto"]

AUTO_DIAGONAL_ABOVE = 30
"""Number of features above which ``covariance="auto"`` means diagonal."""


class FramePrior(NamedTuple):
    """Priors of the models of a bank, each in frames; all 0 means maximum likelihood."""

    frames: float = 0.0
    """Prior frames added to those of every state"""
    share: float = 0.0
    """Their covariance, in units of the pooled variances"""
    seen: float = 0.0
    """Prior count of each first state and each transition"""


NO_PRIOR = FramePrior()


@dataclass(frozen=True)
class TrainingRecipe:
    """How HMMs are trained.

    Attributes
    ----------
    covariance : {"full", "diag", "auto"}
        ``"auto"`` is full up to 30 features and diagonal above.
    n_init : int
        Number of starts; the one with the largest likelihood wins, the first of equals.
    max_iter : int
        Greatest number of EM iterations.
    tol : float
        EM stops when the gain is below ``tol * max(1, |L|)``; ``-inf`` runs all iterations.
    floor : float
        What keeps covariances regular, see `rule`.
    rule : {"clip", "add"}
        ``"clip"``: the eigenvalues of ``D^-1/2 Sigma D^-1/2`` (D = diagonal of pooled variances) are clipped at
        `floor`, which is the maximum of the EM objective under that constraint, so the likelihood never falls.
        ``"add"``: `floor` is added to the diagonal after each M-step, which is no maximum: the likelihood may fall.
    scaled : bool
        Whether k-means sees columns divided by their pooled standard deviations.
    start : {"converged", "toolbox"}
        How a random start is drawn. ``"converged"``: k-means++, Lloyd's iterations until no frame moves (50 at most),
        rows of probabilities from the flat Dirichlet distribution; with the rule ``"add"`` the floor is added to the
        first covariances too. ``"toolbox"``: five of Lloyd's iterations from frames at random, uniform numbers over
        their sum; 1 is added to the diagonal of a first covariance of less than full rank, and to first variances of 0,
        and the floor is not.
    stop : {"gain", "change"}
        ``"gain"``: EM stops when the gain is below ``tol * max(1, |L|)``, hence at any fall. ``"change"``: when gain or
        fall is below `tol` times the mean of both ``|L|``.
    prior : FramePrior
        Priors of models of numbers; none by default. With them the likelihood may fall.
    """

    covariance: Covariance
    n_init: int
    max_iter: int
    tol: float
    floor: float
    rule: Literal["clip", "add"]
    scaled: bool
    start: Literal["converged", "toolbox"] = "converged"
    stop: Literal["gain", "change"] = "gain"
    prior: FramePrior = NO_PRIOR


PRESETS = {
    "default": TrainingRecipe("auto", n_init=3, max_iter=100, tol=1e-4, floor=1e-3, rule="clip", scaled=True),
    # Believed to be close to a MATLAB toolbox of that time; not confirmed.
    "classic": TrainingRecipe("full", n_init=1, max_iter=10, tol=-float("inf"), floor=0.01, rule="add", scaled=False),
    # Trained as public MATLAB toolboxes of those years do (Murphy's for HMMs, with Netlab's starts), from descriptions
    # and not from their code: covariance Y Y' / w - mu mu' + 0.01 I, at most 10 iterations, relative change of 1e-4.
    # The documents name neither toolbox, floor, iterations nor starts; docs/reports/reading.md lists what agrees.
    "toolbox": TrainingRecipe(
        "full", n_init=3, max_iter=10, tol=1e-4, floor=0.01, rule="add", scaled=False, start="toolbox", stop="change"
    ),
}


def resolve(preset: str, **explicit: Any) -> TrainingRecipe:
    """Return the recipe `preset` with all arguments that are not None, checked."""
    if not is_one_of(preset, PRESETS):
        raise ParameterError(unknown_name("preset", preset, PRESETS))
    recipe = replace(PRESETS[preset], **{name: value for name, value in explicit.items() if value is not None})
    if not is_one_of(recipe.covariance, ("full", "diag", "auto")):
        raise ParameterError(unknown_name("covariance", recipe.covariance, ("full", "diag", "auto")))
    keep_checked(recipe, as_count, "n_init")
    keep_checked(recipe, as_count, "max_iter", least=0)
    for name in ("tol", "floor"):
        number = getattr(recipe, name)
        if isinstance(number, bool) or not isinstance(number, (int, float)) or number != number:
            raise ParameterError(f"{name} is {number!r}, expected a number")
    if not 0.0 <= recipe.floor < float("inf"):
        raise ParameterError(f"floor is {recipe.floor!r}, expected a number of at least 0")
    return recipe


def is_full(recipe: TrainingRecipe, n_features: int) -> bool:
    """Return whether the recipe uses full covariances for this number of features."""
    if recipe.covariance == "auto":
        return n_features <= AUTO_DIAGONAL_ABOVE
    return recipe.covariance == "full"
