"""Recipes of classifiers: by name, or from an object with fit and predict."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import IntArray
from ..core.errors import DataError, ParameterError, unknown_name
from ..core.tokens import Items, TokenSet
from .classifying import Answer, Classifier, ClassifierRecipe, vectors_of

RECIPES = ("crf", "forest", "hmm")


def _kind(name: str) -> type[Any]:
    """Return the class of a recipe, importing only its own file."""
    if name == "crf":
        from .crf import CRF

        return CRF
    if name == "forest":
        from .forests import Forest

        return Forest
    if name == "hmm":
        from .words import WordHMMs

        return WordHMMs
    raise ParameterError(unknown_name("classifier", name, RECIPES))


def named(name: str, **settings: Any) -> Any:
    """The named recipe, with some settings replaced; a ParameterError that lists the valid names otherwise."""
    kind = _kind(name)
    for setting in settings:
        if setting not in kind.__dataclass_fields__:
            raise ParameterError(f"classifier {name!r}: {unknown_name('setting', setting, kind.__dataclass_fields__)}")
    return kind(**settings)


class _Estimator:
    """An object with fit and predict as a recipe; a classifier of scikit-learn gets vectors and a random state."""

    min_per_label = 2

    def __init__(self, classifier: Any) -> None:
        self.classifier = classifier

    def prepare(self, items: Items) -> Answer:
        learns_vectors = hasattr(self.classifier, "get_params")
        data: Any = vectors_of(items) if learns_vectors else items
        if isinstance(items, TokenSet) and not np.array_equal(items.items, np.arange(len(items.items))):
            raise DataError(f"{items.name}: items occur several times; give a recipe that classifies places")

        def rows_of(positions: IntArray) -> Any:
            return data[positions] if learns_vectors else data.subset(positions)

        def answer(train: IntArray, labels: IntArray, tested: IntArray, generator: np.random.Generator) -> NDArray[Any]:
            classifier = copy.deepcopy(self.classifier)
            if learns_vectors:
                drawing = [name for name in classifier.get_params() if name.split("__")[-1] == "random_state"]
                classifier.set_params(**{name: int(generator.integers(2**31)) for name in sorted(drawing)})
            classifier.fit(rows_of(train), labels)
            return np.asarray(classifier.predict(rows_of(tested)))

        return answer


def as_recipe(classifier: Any) -> ClassifierRecipe:
    """Return a recipe from a name, an object with fit and predict, or a recipe; otherwise a ParameterError.

    Names are ``"forest"``, ``"hmm"`` and ``"crf"``; objects are classifiers of scikit-learn, or anything with
    ``fit(items, labels)`` and ``predict(items)``.
    """
    if isinstance(classifier, str):
        return named(classifier)
    if isinstance(classifier, type):
        raise ParameterError(
            f"classifier is the class {classifier.__name__}; give an object, as of {classifier.__name__}()"
        )
    if isinstance(classifier, ClassifierRecipe):
        return classifier
    if isinstance(classifier, Classifier):
        return _Estimator(classifier)
    raise ParameterError(
        f"classifier is {type(classifier).__name__}, expected a name, or an object with fit(items, labels) and"
        " predict(items)"
    )
