"""Tables of the page on divergences, of the published runs of the experiments that check the estimators."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from markdown_tables import markdown

SIZE = 200
"""Vectors of each distribution in the tables of estimators."""
INTERVALS = {
    "`nn_j`": "interval_holds",
    "`wang_j`": "interval_wang_j",
    "`nn_bound_j`": "interval_bound_j",
    "`mmd2`": "interval_mmd2",
}
SAMPLES = {
    "samples_d1": ("1", "4.00"),
    "samples_d2": ("2", "2.00"),
    "samples_d5": ("5", "1.25"),
    "samples_d8": ("8", "1.28"),
}
"""Number of features and true Jeffreys divergence of the samples whose intervals are counted."""
ESTIMATORS = {
    "`nn_kl`": "nn_kl",
    "`wang_kl`, k = 1": "wang_kl",
    "k = 3": "wang_kl_k3",
    "k = 10": "wang_kl_k10",
    "bound": "bound_kl",
    "`gaussian_kl`": "gaussian_kl",
}
GUIDE = {
    "kl_d1_mid": "Gaussians, 1 feature, KL 0.5",
    "kl_d5_mid": "Gaussians, 5 features, KL 0.5",
    "kl_d5_far": "Gaussians, 5 features, KL 2",
    "kl_d10_mid": "Gaussians, 10 features, KL 0.5",
    "kl_d10_far": "Gaussians, 10 features, KL 2",
    "kl_d30_far": "Gaussians, 30 features, KL 2",
    "kl_d100_far": "Gaussians, 100 features, KL 2",
    "kl_d10_near": "Gaussians, 10 features, KL 0.1",
    "kl_mixtures_d10": "mixtures, 10 features, KL 1.02",
    "kl_heavy": "Student's t, 2 features, KL 0.63",
    "kl_manifold": "two of 50 dimensions, KL 1",
}
"""Settings of which the page shows the errors."""
CHECK = {
    "check_gaussians_d20": ("Gaussians, 20 features, KL 0.9", "3", "yes"),
    "check_gaussians_d60": ("Gaussians, 60 features, KL 1.2", "3", "yes; with 50 vectors no"),
    "check_mixtures": ("mixtures, 4 features, KL 1.96", "3, one feature short", "yes"),
    "check_gaussians_d3": ("Gaussians, 3 features, KL 0.96", "3 or 4", "a tie, at the border of both rules"),
    "check_heavy": ("Student's t, 5 degrees, 3 features, KL 0.54", "4", "yes"),
    "check_manifold": ("three of 30 dimensions, KL 0.74", "2", "yes"),
}
FRESH = {
    "fresh_near": ("Gaussians, 3 features, KL 0.1", "1", "yes: all miss by more than a third"),
    "fresh_manifold": ("five of 100 dimensions, KL 0.9", "2", "yes"),
    "fresh_gaussians_d8": ("Gaussians, 8 features, KL 1.44", "3", "yes"),
    "fresh_mixtures": ("mixtures, 12 features, KL 1.55", "3", "yes"),
    "fresh_heavy_d6": ("Student's t, 4 degrees, 6 features, KL 1.02", "3", "yes"),
    "fresh_gaussians_d7": ("Gaussians, 7 features, KL 0.5", "4", "yes"),
    "fresh_heavy_d2": ("Student's t, 6 degrees, 2 features, KL 0.43", "4", "yes"),
}
"""Settings that check the rules: what they are, the rule that is meant, and whether it held."""
CHECKED = ("nn_kl", "wang_kl", "wang_kl_k3")
CHANCES = (0.05, 0.25, 0.5, 0.75)


def table_of(root: Path, item: str) -> pd.DataFrame:
    """Means of an item as it is published, a row a data set and size, a column a measure."""
    (file,) = (root / "docs" / "results" / "documents").glob(f"*/{item}.csv")
    return pd.read_csv(file).pivot_table(index=["dataset", "x"], columns="measure", values="mean")


def short(value: float) -> str:
    """A normalised mean squared error with as many digits as tell."""
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def checked(errors: pd.DataFrame, settings: dict[str, tuple[str, str, str]]) -> str:
    """Settings, the rule that is meant for each, and the errors that decide whether it held."""
    heads: Sequence[str] = ("setting", "rule", "`nn_kl`", "`wang_kl`, k = 1", "k = 3", "did the rule hold?")
    rows = [
        [words, rule, *(short(errors.loc[(name, SIZE), one]) for one in CHECKED), held]
        for name, (words, rule, held) in settings.items()
    ]
    return markdown(heads, rows)


def divergences(root: Path) -> dict[str, str]:
    """The tables of the page, by what they show."""
    held = table_of(root, "compare_intervals")
    shares = [
        [
            *SAMPLES[name],
            str(size),
            *("none" if pd.isna(row[one]) else f"{100 * row[one]:.0f} %" for one in INTERVALS.values()),
        ]
        for (name, size), row in held.iterrows()
    ]
    chances = table_of(root, "compare_p_values").iloc[0]
    below = [
        [measure, *(f"{chances[f'{key}_below_{100 * chance:.0f}']:.3f}" for chance in CHANCES)]
        for measure, key in (("`nn_risk`", "nn_risk"), ("`mmd2`", "p"))
    ]
    guide, check = table_of(root, "kl_guide"), table_of(root, "kl_check")
    errors = [
        [words, *(f"{100 * guide.loc[(name, SIZE), one] ** 0.5:.0f}" for one in ESTIMATORS.values())]
        for name, words in GUIDE.items()
    ]
    return {
        "intervals": markdown(["features", "Jeffreys", "vectors each", *INTERVALS], shares, right=0),
        "least": f"{100 * held.min().min():.0f}",
        "most": f"{100 * held.max().max():.0f} %",
        "p_values": markdown(["", *(f"p <= {chance:g}" for chance in CHANCES)], below),
        "guide": markdown(["setting", *ESTIMATORS], errors),
        "check": checked(check, CHECK),
        "fresh": checked(check, FRESH),
    }
