"""Cosines of item contexts in sentences: the surrounding words, or all attributes used by a tagger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.arrays import FloatArray, as_count
from ..core.errors import ParameterError, unknown_name
from ..core.tokens import TokenSet
from ..sic.crf import TokenAttributes
from .registry import Measure, MeasureInput


def _counts(tokens: TokenSet, named: Sequence[Sequence[str]]) -> Any:
    """Return the frequency of each name at the places of each item: a sparse matrix (N, names)."""
    from scipy.sparse import csr_matrix

    number: dict[str, int] = {}
    rows, columns = [], []
    for item, names in zip(tokens.items.tolist(), named, strict=True):
        rows += [item] * len(names)
        columns += [number.setdefault(name, len(number)) for name in names]
    shape = (len(tokens), max(1, len(number)))
    return csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)


def tf_idf(counts: Any) -> Any:
    """Return counts times the logarithm of (1 + number of items) over (1 + number of items with the name), plus one."""
    from scipy.sparse import diags

    having = np.asarray((counts > 0).sum(axis=0)).reshape(-1)
    return counts @ diags(np.log((1.0 + counts.shape[0]) / (1.0 + having)) + 1.0)


def cosine(rows: Any) -> FloatArray:
    """Cosines of the rows of a sparse matrix, shape (N, N); 0 for a row of zeros with any other."""
    from scipy.sparse import diags

    norms = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).reshape(-1))
    unit = diags(1.0 / np.where(norms > 0.0, norms, 1.0)) @ rows
    similarity = np.clip((unit @ unit.T).toarray(), 0.0, 1.0)
    np.fill_diagonal(similarity, 1.0)
    return np.asarray(similarity)


def contexts(tokens: TokenSet, window: int = 5, attribute: str = "word") -> FloatArray:
    """Return the cosine of the words near all places of an item, weighted by tf-idf: (N, N), 0 to 1, ones on the diagonal.

    `window` tokens before and after a place count, of its own sentence; `attribute` is what is counted of them, in
    small letters. Ebadat, Claveau and Sebillot (2012); Ferret (2013); Claveau, Kijak and Ferret (2014). Report RR-8880,
    sections 1.2.3 and 3.2.3, cites them as baselines.
    """
    reach = as_count(window, "window")
    if attribute not in tokens.attributes:
        raise ParameterError(f"{tokens.name}: {unknown_name('attribute', attribute, tokens.attributes)}")
    words = np.char.lower(tokens.vocabularies[attribute])[tokens.codes[attribute]].tolist()
    bounds, at = tokens.sentences, tokens.sentence_of_places()
    near = [
        [*words[max(bounds[s], start - reach) : start], *words[stop : min(bounds[s + 1], stop + reach)]]
        for (start, stop), s in zip(tokens.places.tolist(), at.tolist(), strict=True)
    ]
    return cosine(tf_idf(_counts(tokens, near)))


def attribute_cosine(tokens: TokenSet, window: int = 2) -> FloatArray:
    """Return the cosine of the attributes that a conditional random field uses, of all places of an item: (N, N), 0 to 1.

    `window` is that of :class:`kinseq.sic.CRF`.
    """
    named = TokenAttributes(tokens, tokens.attributes, as_count(window, "window", least=0))
    return cosine(_counts(tokens, [named[start] for start in tokens.places[:, 0].tolist()]))


def _contexts(evidence: MeasureInput, **params: Any) -> FloatArray:
    return np.asarray(1.0 - contexts(evidence.tokens, **params))


def _attributes(evidence: MeasureInput, **params: Any) -> FloatArray:
    return np.asarray(1.0 - attribute_cosine(evidence.tokens, **params))


MEASURES = (
    Measure(
        name="contexts",
        description="which words stand before and after, in text",
        label="contexts",
        source="Ebadat et al. 2012; report RR-8880, sections 1.2.3 and 3.2.3",
        function=_contexts,
        requires="tokens",
        scope="task",
        params={"window": 5, "attribute": "word"},
    ),
    Measure(
        name="attribute_cosine",
        description="which attributes words have, by the angle between them",
        label="cosine",
        source="control of this project",
        function=_attributes,
        requires="tokens",
        params={"window": 2},
    ),
)
