"""Hidden Markov models with Gaussian emissions, fitted and scored many at a time.

``presets`` says what the defaults are, ``initialisation`` where EM starts, ``training`` is EM, ``scoring`` is the
likelihood of every sequence under every model, and ``bank`` holds the fitted models.
"""

from ...lazy import attach

__all__ = ["HMMBank", "expected_transitions", "fit_bank", "fit_global", "induced_transitions"]

__getattr__, __dir__ = attach(
    __name__,
    {
        "HMMBank": ".bank",
        "fit_bank": ".training",
        "fit_global": ".training",
        "expected_transitions": ".scoring",
        "induced_transitions": ".scoring",
    },
)
