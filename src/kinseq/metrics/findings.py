"""Numbers that measures report of themselves and that tables, figures or verdicts show.

Every finding ends up in the scores under its own name; only one that is shown needs an entry here.
"""

from __future__ import annotations

from .registry import Metric

METRICS = (
    Metric(
        name="models_kept",
        label="Models kept",
        unit="percent",
        direction="none",
        judges="finding",
        least=0.0,
        most=100.0,
    ),
    Metric(
        name="merged_radius",
        label="Radius of the sphere around two spheres",
        unit="number",
        direction="lower",
        judges="finding",
        reproduced_within=0.01,
        close_within=0.03,
        largest_se=0.02,
        least=0.0,
    ),
    Metric(
        name="exact_radius",
        label="Radius of the sphere around the vectors of both",
        unit="number",
        direction="lower",
        judges="finding",
        reproduced_within=0.01,
        close_within=0.03,
        largest_se=0.02,
        least=0.0,
    ),
    Metric(
        name="settled_pearson",
        label="Correlation of pairs with the end of the run",
        unit="number",
        direction="higher",
        judges="finding",
        reproduced_within=0.01,
        close_within=0.03,
        largest_se=0.02,
        least=-1.0,
        most=1.0,
    ),
    Metric(
        name="settled_spearman",
        label="Correlation of their ranks",
        unit="number",
        direction="higher",
        judges="finding",
        reproduced_within=0.01,
        close_within=0.03,
        largest_se=0.02,
        least=-1.0,
        most=1.0,
    ),
    Metric(
        name="p_0_independence",
        label="The same if classes were drawn independently",
        unit="fraction",
        direction="none",
        judges="finding",
        reproduced_within=0.002,
        close_within=0.01,
        largest_se=0.005,
        least=0.0,
        most=1.0,
    ),
    Metric(
        name="n_iterations",
        label="Iterations",
        unit="count",
        direction="lower",
        judges="finding",
        reproduced_within=0.0,
        close_within=10.0,
        largest_se=10.0,
        least=0.0,
    ),
    Metric(
        name="loglik_per_frame",
        label="Log-likelihood per frame",
        unit="nats",
        direction="higher",
        judges="finding",
    ),
)
