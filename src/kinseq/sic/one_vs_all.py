"""One item against all others at a time: similarities by row, for items that occur many times."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import FloatArray, IntArray, as_count, as_flag, as_positive, as_real, as_whole_numbers
from ..core.errors import DataError, KinseqError, KinseqWarning, ParameterError, is_one_of, unknown_name
from ..core.progress import Progress
from ..core.random_state import RandomState, check_seed
from ..core.seeds import stream
from ..core.sequences import as_positions
from ..core.tokens import TokenSet
from .classifying import Answer, Classifier, ClassifierRecipe
from .recipes import as_recipe
from .samples import Samples, as_items, samples_of

Counting = Literal["presence", "share"]
Sets = tuple[IntArray, IntArray]
"""Numbers of samples that an iteration trains on, and tests."""
REFERENCE, OTHER = 1, 0
MANY_EMPTY = 0.5
"""Share of iterations without items of their target above which there is a warning."""


@dataclass(frozen=True, eq=False)
class OneVersusAll:
    """Similarities of some items with all.

    Attributes
    ----------
    targets : ndarray, shape (M,), int64
        Items that were learnt against the others.
    directed : ndarray, shape (M, W)
        Row by row the similarity of a target with every item, at least 0; not symmetric.
    counts : ndarray, shape (M, W), int64
        Number of iterations at which an occurrence of the item was tested.
    both : mapping of bool to ndarray, shape (M, W)
        `directed` with the normalisation of equation 11 and without, of the same iterations.
    findings : dict
        ``found``: mean number of occurrences that an iteration takes for the target; ``empty``: share of the iterations
        that take none.
    """

    targets: IntArray
    directed: FloatArray
    counts: IntArray
    both: Mapping[bool, FloatArray]
    findings: dict[str, float]

    @property
    def matrix(self) -> FloatArray:
        """Similarities between the targets, symmetrised by the mean of both directions, shape (M, M)."""
        return self.symmetric(self.directed)

    def symmetric(self, directed: FloatArray) -> FloatArray:
        """Return the mean of both directions between the targets of an array like `directed`, shape (M, M)."""
        own = directed[:, self.targets]
        return np.asarray(0.5 * (own + own.T))


def _positives(places: IntArray, share: float, rng: np.random.Generator) -> IntArray:
    """Training occurrences of a target: a share, at least one, and not all of several."""
    n = min(max(1, round(share * places.size)), max(1, places.size - 1))
    return np.asarray(rng.permutation(places)[:n])


def _as_sets(
    sets: Sequence[Sequence[tuple[ArrayLike, ArrayLike]]], targets: IntArray, owners: IntArray
) -> list[list[Sets]]:
    """Return given sets, checked, in the order of the samples."""
    if isinstance(sets, (str, Mapping)) or not hasattr(sets, "__len__") or len(sets) != targets.size:
        raise ParameterError(f"sets must be a list with an entry for each of the {targets.size} targets")
    sets_of_targets = []
    for target, iterations in zip(targets.tolist(), sets, strict=True):
        where, some = f"sets of item {target}", []
        if isinstance(iterations, (str, Mapping)) or not hasattr(iterations, "__len__") or len(iterations) == 0:
            raise ParameterError(
                f"{where}: must be a list with a pair (train, tested) for each iteration, at least one"
            )
        for pair in iterations:
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise ParameterError(f"{where}: an iteration must be a pair (train, tested)")
            train, tested = (np.sort(as_positions(part, owners.size, where, "occurrence")) for part in pair)
            of_target = owners[train] == target
            if of_target.all() or not of_target.any():
                raise DataError(f"{where}: an iteration must train on occurrences of the item and of others")
            if np.intersect1d(train, tested).size:
                raise DataError(f"{where}: an iteration tests what it trains on; leave it out of one of them")
            some.append((train, tested))
        sets_of_targets.append(some)
    return sets_of_targets


def one_versus_all(
    items: TokenSet,
    classifier: str | ClassifierRecipe | Classifier = "crf",
    targets: ArrayLike | None = None,
    n_iterations: int = 100,
    train: float = 0.25,
    negatives: float = 5.0,
    normalised: bool = True,
    counting: Counting = "presence",
    test: int | None = None,
    random_state: RandomState = 0,
    progress: str | None = None,
    sets: Sequence[Sequence[tuple[ArrayLike, ArrayLike]]] | None = None,
) -> OneVersusAll:
    """Learn each target against the other items repeatedly; items classified as the target are similar to it.

    At each iteration a classifier of two classes is trained: some occurrences of the target, and some of other items. A
    field (``"crf"``) has the label of all other tokens as a third one. The other occurrences are then classified.

    Parameters
    ----------
    items : TokenSet
        Items with their occurrences.
    classifier : str or object
        As for :func:`kinseq.sic.similarity`.
    targets : array_like of int, shape (M,), optional
        Items that are learnt; all if not given. One that occurs once is learnt from that, and not looked for itself.
    n_iterations : int
        For each target.
    train : float
        Share of the occurrences of a target that is trained on.
    negatives : float
        Occurrences of other items in the training set, for each of the target. Few make the classifier take everything for
        the target, many nothing.
    normalised : bool
        Whether an iteration counts one over the number of occurrences that it takes for the target (equation 11), or one.
    counting : {"presence", "share"}
        Whether an item is similar if one of its occurrences is taken for the target, as the notation of the report has it,
        or as far as they are.
    test : int, optional
        Number of occurrences that are tested at an iteration, drawn at random; all that were not trained on, in the
        sentences of those that were not, if not given.
    random_state : int, RandomState, Generator or None
    progress : str, optional
        A label for progress lines on standard error.
    sets : sequence of sequences of (array_like of int, array_like of int), optional
        For each target, in the order of `targets`, the occurrences that each of its iterations trains on and those that it
        tests, in place of drawn ones: positions in ``items.places``. An iteration trains on occurrences of the target and
        of others, and tests none of them. `n_iterations`, `train`, `negatives` and `test` are then ignored; the seed
        is that of the classifier alone.

    Returns
    -------
    OneVersusAll

    Raises
    ------
    DataError
        If a classifier fails, the items are no items in sentences, or sets are given that cannot be learnt from.
    ParameterError
        If a number is out of range.

    Warns
    -----
    KinseqWarning
        If most iterations take nothing for their target.

    References
    ----------
    Report RR-8880, section 3.2.2 and equation 11.
    """
    data, rounds, root = as_items(items), as_count(n_iterations, "n_iterations"), check_seed(random_state)
    if not isinstance(data, TokenSet):
        raise DataError(f"{data.name}: holds sequences without occurrences; one against all is for items in sentences")
    if not is_one_of(counting, ("presence", "share")):
        raise ParameterError(unknown_name("counting", counting, ("presence", "share")))
    share = as_real(train, "train")
    if not 0.0 < share < 1.0:
        raise ParameterError(f"train is {train!r}, expected a share above 0 and below 1")
    positions = np.arange(len(data)) if targets is None else as_whole_numbers(targets, "targets")
    if positions.ndim != 1 or positions.size == 0 or positions.min() < 0 or positions.max() >= len(data):
        raise DataError(f"targets must be positions of items from 0 to {len(data) - 1}, at least one")
    is_normalised = as_flag(normalised, "normalised")
    sets_of_targets = None if sets is None else _as_sets(sets, positions, data.items)
    run = _Run(
        samples_of(data),
        data.items,
        as_recipe(classifier).prepare(data),
        share,
        as_positive(negatives, "negatives"),
        counting,
        None if test is None else as_count(test, "test"),
        root,
    )
    line = Progress(progress, positions.size, unit="item") if progress else None
    rows, counts, totals = [], [], np.zeros(2)
    lengths = [rounds] * positions.size if sets_of_targets is None else [len(some) for some in sets_of_targets]
    for at, target in enumerate(positions.tolist()):
        row, tested, tally = run.row(target, lengths[at], None if sets_of_targets is None else sets_of_targets[at])
        rows.append(row)
        counts.append(tested)
        totals += tally
        if line is not None:
            line.step()
    n = float(sum(lengths))
    findings = {"found": float(totals[0] / n), "empty": float(totals[1] / n)}
    if findings["empty"] > MANY_EMPTY:
        warnings.warn(
            f"{data.name}: {100 * findings['empty']:.0f} % of the iterations take nothing for their target and say nothing;"
            " lower negatives, or train on a larger share",
            KinseqWarning,
            stacklevel=3,
        )
    both = {way: np.array([row[at] for row in rows]) for at, way in enumerate((False, True))}
    return OneVersusAll(positions, both[is_normalised], np.array(counts), both, findings)


@dataclass(frozen=True, eq=False)
class _Run:
    """State shared by the rows of all targets."""

    samples: Samples
    owners: IntArray
    answer: Answer
    train: float
    negatives: float
    counting: Counting
    test: int | None
    seed: int

    def row(
        self, target: int, n_iterations: int, sets: Sequence[Sets] | None
    ) -> tuple[FloatArray, IntArray, FloatArray]:
        """Return the similarities of all items with a target, without and with normalisation.

        Also returns how often each was tested, and what iterations found; their sets are drawn or given.
        """
        n_items = int(self.owners.max()) + 1
        total, counts, tally = np.zeros((2, n_items)), np.zeros(n_items, dtype=np.int64), np.zeros(2)
        for i in range(n_iterations):
            rng = stream(self.seed, "sic", "one versus all", target, i)
            train, tested = self.draw_sets(target, rng) if sets is None else sets[i]
            is_target = self.predicts_target(target, i, train, tested, rng)
            present = np.bincount(self.owners[tested], minlength=n_items)
            hits = np.bincount(self.owners[tested[is_target]], minlength=n_items)
            counts += present > 0
            tally += (is_target.sum(), not is_target.any())
            if is_target.any():
                score = (hits > 0) * 1.0 if self.counting == "presence" else hits / np.maximum(present, 1)
                total += np.stack([score, score / is_target.sum()])
        return total / np.maximum(counts, 1), counts, tally

    def draw_sets(self, target: int, rng: np.random.Generator) -> Sets:
        """Return the training and test samples of one iteration."""
        own, together = self.owners == target, self.samples.together
        positive = _positives(np.flatnonzero(own), self.train, rng)
        others = rng.permutation(np.flatnonzero(~own))
        negative = others[: max(1, round(self.negatives * positive.size))]
        train = np.sort(np.concatenate([positive, negative]))
        # Do not test sentences used in training, unless none of the target would remain.
        trained = np.zeros(int(together.max()) + 1, dtype=bool)
        trained[together[train]] = True
        tested = np.flatnonzero(~trained[together])
        if not own[tested].any() and positive.size < own.sum():
            left = np.setdiff1d(np.flatnonzero(own), positive)
            tested = np.sort(np.concatenate([tested, left]))
        if self.test is not None and self.test < tested.size:
            tested = np.sort(rng.permutation(tested)[: self.test])
        return train, tested

    def predicts_target(
        self, target: int, number: int, train: IntArray, tested: IntArray, rng: np.random.Generator
    ) -> NDArray[np.bool_]:
        """Return which of the tested samples are classified as the target."""
        labels = np.where(self.owners[train] == target, REFERENCE, OTHER)
        try:
            classes = np.asarray(self.answer(train, labels, tested, rng))
        except KinseqError:
            raise
        except Exception as error:
            text = " ".join(str(error).split())
            raise DataError(
                f"{self.samples.name}: the classifier of item {target} at iteration {number} (seed {self.seed}) fails with"
                f" {type(error).__name__}: {text}; change its settings"
            ) from error
        return np.asarray(classes == REFERENCE)
