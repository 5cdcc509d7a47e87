"""What the columns of a set are called in words."""

from __future__ import annotations

from typing import Any

from ..core.sequences import COLUMN_NUMBERS, SequenceSet, numbered_columns

LOUDNESS = " (loudness)"
"""What columns of recordings are called that are the level of the sound."""


def column_labels(sequences: SequenceSet) -> list[str]:
    """What columns are called: by their names, of cepstra what they are, else by number from 1, as in the file."""
    if sequences.provenance.get("columns"):
        return numbered_columns(sequences)
    return of_recording(sequences) or [f"column {number}" for number in numbered_columns(sequences)]


def of_recording(sequences: SequenceSet) -> list[str]:
    """What cepstra of recordings are called, as ``"coefficient 13"``; empty for anything else."""
    recipe = recipe_of(sequences)
    if recipe is None or sequences.provenance.get("columns"):
        return []
    first = 0 if not recipe.get("drop_c0") else 1
    static = [f"coefficient {k}" if k else f"coefficient 0{LOUDNESS}" for k in range(first, int(recipe["n_mfcc"]))]
    # The normalised form is that below the loudest frame of the recording.
    static += {"log": [f"energy{LOUDNESS}"], "normalised": ["energy"]}.get(str(recipe.get("energy")), [])
    if COLUMN_NUMBERS not in sequences.provenance and sequences.n_features % len(static):
        return []
    before = ["", "change of ", "second change of "]
    places = [int(number) - 1 for number in numbered_columns(sequences)]
    return [f"{before[min(k // len(static), 2)]}{static[k % len(static)]}" for k in places]


def recipe_of(sequences: SequenceSet) -> dict[str, Any] | None:
    """How cepstra of recordings were made; None of anything else."""
    if sequences.provenance.get("kind") != "audio":
        return None
    features = sequences.provenance.get("features")
    recipe = features.get("recipe") if isinstance(features, dict) else None
    return recipe if isinstance(recipe, dict) and "n_mfcc" in recipe else None
