"""Similarity by iterative classifications: how often two samples are classified together (report RR-8880)."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import FloatArray, IntArray, as_count, as_flag, as_positive, as_whole_numbers
from ..core.errors import DataError, KinseqWarning, ParameterError, is_one_of, unknown_name
from ..core.jobs import as_threads
from ..core.progress import Progress
from ..core.random_state import RandomState, check_seed
from ..core.sequences import Sequences
from ..core.system import memory as _memory
from ..core.tokens import TokenSet
from . import occurrences as words
from .classifying import Answer, Classifier, ClassifierRecipe, classify
from .diagnostics import ITERATIONS_BETWEEN, EntropyTrace, Running, settled
from .labels import Labels
from .mixture import bernoulli_mixture
from .recipes import as_recipe
from .samples import Samples, as_items, samples_of
from .sampling_design import NumberOfLabels, Plan, n_trained, plan
from .scores import SCORES, binary, divide, independent_rate, matrix_type, pair_counts, rates_of, scored, weights

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Scores = Literal["binary", "weighted", "flipped", "em"]
Reporter = str | Callable[[int, int], None] | None

MANY_SKIPPED = 0.1
"""Share of skipped iterations above which there is a warning."""
MANY_UNSEEN = 0.01
"""Share of pairs never tested together above which there is a warning."""


@dataclass(frozen=True, eq=False)
class Similarity:
    """Similarity of pairs by iterations of classification.

    Attributes
    ----------
    matrix : ndarray, shape (N, N), or scipy.sparse matrix
        Similarities of the items, symmetric: between 0 and 1 for binary scores and those of EM.
    counts : ndarray, shape (N, N), or None
        Number of iterations at which both items were tested; None where only nearest neighbours are kept.
    labels : Labels
        What classifiers answered: all else follows from it. Its rows are samples: items, or their occurrences.
    trace : EntropyTrace
        Mean entropy after every 5 iterations; empty unless the run computed it.
    findings : dict
        ``n_iterations``, ``skipped``, ``unseen_pairs`` (share of pairs that were never tested together), ``n_classes``
        (mean number of classes of the tested samples), ``p_0_independence`` (mean of ``kinseq.sic.scores.independent_rate``),
        and with EM its ``pi_0`` and mean ``p_0`` and ``p_1``.
    """

    matrix: NDArray[np.floating[Any]] | csr_matrix
    counts: NDArray[np.int32] | None
    labels: Labels
    trace: EntropyTrace
    findings: dict[str, float] = field(default_factory=dict)

    @property
    def distance(self) -> FloatArray:
        """One minus the similarity, with a zero diagonal: the input of clusterers."""
        dense = self.matrix.toarray() if hasattr(self.matrix, "toarray") else self.matrix
        dissimilarity = 1.0 - np.asarray(dense, dtype=np.float64)
        np.fill_diagonal(dissimilarity, 0.0)
        return dissimilarity


def require_memory(n: int, name: str, n_matrices: int = 2) -> None:
    """Raise :class:`DataError` if matrices over all pairs of `n` items exceed half of the machine's memory."""
    needed = n_matrices * n * n * np.dtype(matrix_type(n)).itemsize
    if needed > 0.5 * _memory():
        raise DataError(
            f"{name}: matrices over all pairs of {n} items take {needed / 2**30:.1f} GB, more than half of the memory;"
            " keep the nearest ones only, with neighbours=100, or take fewer items"
        )


def similarity(
    items: TokenSet | Sequences | ArrayLike,
    classifier: str | ClassifierRecipe | Classifier = "forest",
    n_iterations: int = 200,
    train: float = 0.25,
    labels: NumberOfLabels = "auto",
    min_per_label: int | None = None,
    scores: Scores = "binary",
    occurrences: ArrayLike | None = None,
    random_state: RandomState = 0,
    *,
    test: int | None = None,
    train_tested: bool = False,
    same_label: bool = True,
    stop: float | None = None,
    trace: bool = False,
    neighbours: int | None = None,
    p0: str | ArrayLike = "independence",
    flips: float | ArrayLike | None = None,
    sigma: float = 1.0,
    n_jobs: int | None = None,
    progress: Reporter = None,
) -> Similarity:
    """Return similarity of items from a classifier: how often it puts two of them into one class.

    At each iteration a share of the samples gets random labels, a classifier is trained on them, and all others are
    classified. What the classifier cannot tell apart is put together again and again.

    Parameters
    ----------
    items : SequenceSet, TokenSet, list of array_like of shape (T, d), or array_like of shape (N, d)
        Sequences, items in sentences, or vectors. The samples of a TokenSet are its places.
    classifier : str or object
        ``"forest"``, ``"hmm"`` (word models, for speech), ``"crf"`` (for sentences), a :class:`ClassifierRecipe`, any classifier of
        scikit-learn, or anything with ``fit(items, labels)`` and ``predict(items)``.
    n_iterations : int
    train : float
        Share of the samples that is trained on; equal sequences, and the items of one sentence, go together.
    labels : "auto", "classes", int or (int, int)
        Number of random labels, or the least and greatest number, of which one is drawn at each iteration. ``"auto"``
        takes as many as leave `min_per_label` training samples to each, and down to half of that. ``"classes"`` takes the
        true classes of the items instead of random labels: what the classifier could do at best, as a control.
    min_per_label : int, optional
        Labels with fewer training samples are dropped, and their samples tested; the classifier's own default if not
        given, or a quarter of the training samples where that is less. An iteration with fewer than two labels left is skipped.
    scores : {"binary", "weighted", "flipped", "em"}
        Share of the iterations at which two items are put together (definition 1); rewards and penalties by how likely
        that is (definition 3); the same with penalties turned into rewards at random (equation 9); the probability that
        they are of one class (definition 2).
    occurrences : array_like, shape (N,), optional
        Item that each sample is an occurrence of, from 0; similarities are then between these items (equation 10). A
        TokenSet whose items occur several times says it itself.
    random_state : int, RandomState, Generator or None
    test : int, optional
        Number of samples that are tested at an iteration; all that were not trained on if not given.
    train_tested : bool
        Whether the samples trained on are tested too.
    same_label : bool
        Whether places that hold the same words get the same random label (section 3.1.1).
    stop : float, optional
        The run ends when the mean entropy has moved by less than this in two steps of 5 iterations in a row.
    trace : bool
        Whether the mean entropy is followed where nothing stops by it.
    neighbours : int, optional
        Only so many largest similarities of each item are kept, in a sparse matrix, symmetrised by the larger of two:
        for sets whose matrix does not fit into memory. For binary scores and occurrences.
    p0 : {"independence", "pooled"} or array_like, shape (I,)
        How likely two samples of different classes are put together, for weighted and flipped scores.
    flips : float or array_like, shape (I,), optional
        Probabilities q_i of the flipped scores; estimated by EM if not given.
    sigma : float
        Standard deviation of the scores of pairs of different classes.
    n_jobs : int or None
        Iterations that run at a time; no number depends on it.
    progress : str or callable, optional
        A label for progress lines on standard error, or ``progress(done, total)``.

    Returns
    -------
    Similarity

    Raises
    ------
    DataError
        If the items are not usable, a classifier fails, every iteration is skipped, or a matrix over all pairs would not
        fit into memory.
    ParameterError
        If an argument is out of range or contradicts another one.

    Warns
    -----
    KinseqWarning
        If more than 10 % of the iterations are skipped, or 1 % of the pairs are never tested together.

    References
    ----------
    Report RR-8880.
    """
    total, root, threads = as_count(n_iterations, "n_iterations"), check_seed(random_state), as_threads(n_jobs)
    if not is_one_of(scores, SCORES):
        raise ParameterError(unknown_name("scores", scores, SCORES))
    data, recipe = as_items(items), as_recipe(classifier)
    samples = samples_of(data, as_flag(same_label, "same_label"))
    owners = samples.owners if occurrences is None else _owners(len(samples), occurrences, samples.name)
    follow = stop is not None or as_flag(trace, "trace")
    _require_fit(len(samples), samples.name, owners, scores, neighbours, follow)
    tested_too = as_flag(train_tested, "train_tested")
    how = plan(samples, train, labels, min_per_label, test, tested_too, root, recipe.min_per_label)
    classifications, course, running = run(
        samples,
        recipe.prepare(data),
        how,
        total,
        stop=None if stop is None else as_positive(stop, "stop"),
        trace=follow,
        threads=threads,
        progress=progress,
        name=_name_of(classifier),
    )
    _report_skipped(classifications, samples.name, how)
    result = score(
        classifications, scores, owners, neighbours=neighbours, p0=p0, flips=flips, sigma=sigma, random_state=root, n_jobs=threads,
        running=running, name=samples.name,
    )  # fmt: skip
    return replace(result, trace=course)


def answers(
    items: TokenSet | Sequences | ArrayLike,
    classifier: str | ClassifierRecipe | Classifier,
    iterations: Iterable[int],
    train: float = 0.25,
    labels: NumberOfLabels = "auto",
    min_per_label: int | None = None,
    random_state: RandomState = 0,
    *,
    test: int | None = None,
    train_tested: bool = False,
    same_label: bool = True,
    n_jobs: int | None = None,
) -> Labels:
    """Return some iterations of :func:`similarity`, for runs split into jobs or continued.

    Batches are put together by :meth:`Labels.join`, and :func:`score` makes of them what one run would have given.

    Parameters
    ----------
    iterations : iterable of int
        Numbers of the iterations, from 0.
    items, classifier, train, labels, min_per_label, random_state, test, train_tested, same_label, n_jobs
        As for :func:`similarity`.

    Returns
    -------
    Labels
        Iterations that were skipped are among them, without an answer.
    """
    seed, threads = check_seed(random_state), as_threads(n_jobs)
    data, recipe = as_items(items), as_recipe(classifier)
    numbers = [as_count(i, "an iteration", least=0) for i in iterations]
    samples = samples_of(data, as_flag(same_label, "same_label"))
    tested_too = as_flag(train_tested, "train_tested")
    how = plan(samples, train, labels, min_per_label, test, tested_too, seed, recipe.min_per_label)
    return classify(samples, recipe.prepare(data), how, numbers, threads, _name_of(classifier))


def _name_of(classifier: Any) -> str:
    return classifier if isinstance(classifier, str) else type(classifier).__name__


def score(
    labels: Labels,
    scores: Scores = "binary",
    occurrences: ArrayLike | None = None,
    *,
    neighbours: int | None = None,
    p0: str | ArrayLike = "independence",
    flips: float | ArrayLike | None = None,
    sigma: float = 1.0,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    running: Running | None = None,
    name: str = "labels",
) -> Similarity:
    """Return the similarity from the answers of classifiers.

    Parameters
    ----------
    labels : Labels
    running : Running, optional
        Counts of the pairs of `labels`, if they are at hand.
    name : str
        Of the items, in messages.
    scores, occurrences, neighbours, p0, flips, sigma, random_state, n_jobs
        As for :func:`similarity`.

    Returns
    -------
    Similarity
        Without a trace.

    Raises
    ------
    DataError
        If every iteration was skipped, or a matrix over all pairs would not fit into memory.
    ParameterError
        If an argument is out of range or contradicts another one.
    """
    seed, threads = check_seed(random_state), as_threads(n_jobs)
    if not is_one_of(scores, SCORES):
        raise ParameterError(unknown_name("scores", scores, SCORES))
    if labels.skipped.all():
        raise DataError(f"{name}: every iteration was skipped, so that nothing was tested; train on a larger share")
    owners = None if occurrences is None else _owners(len(labels), occurrences, name)
    _require_fit(len(labels), name, owners, scores, neighbours, False)
    counts: NDArray[Any] | None
    if owners is not None:
        matrix, counts, findings = words.by_occurrences(labels, owners, neighbours)
    elif neighbours is not None:
        matrix, counts, findings = words.nearest(labels, as_count(neighbours, "neighbours"), threads), None, {}
    else:
        counts = pair_counts(labels, threads) if running is None else running.counts
        matrix, findings = _matrix(labels, scores, counts, running, p0, flips, sigma, seed, threads)
    nothing = EntropyTrace(np.zeros(0, dtype=np.int64), np.zeros(0))
    return Similarity(matrix, counts, labels, nothing, {**_findings(labels, counts, name), **findings})


def run(
    samples: Samples,
    answer: Answer,
    how: Plan,
    n_iterations: int,
    stop: float | None = None,
    trace: bool = False,
    threads: int = 1,
    progress: Reporter = None,
    name: str = "classifier",
) -> tuple[Labels, EntropyTrace, Running | None]:
    """Return iterations in batches until all are done or the entropy has converged.

    Returns labels, the course of the entropy, and the counts of pairs, if they were followed.
    """
    running = Running(len(samples), threads) if trace else None
    batches: list[Labels] = []
    at: list[int] = []
    entropy: list[float] = []
    step = ITERATIONS_BETWEEN if running is not None else max(ITERATIONS_BETWEEN, threads)
    line = _announced(progress, samples, how, n_iterations, name) if isinstance(progress, str) else None
    # Run the first iteration alone to estimate the cost of all.
    ends = sorted({1, n_iterations, *range(step, n_iterations, step)})
    for start, end in pairwise([0, *ends]):
        batch = classify(samples, answer, how, range(start, end), threads, name)
        batches.append(batch)
        if line is not None:
            line.step(end - start)
        elif callable(progress):
            progress(end, n_iterations)
        if running is not None:
            running.add(batch)
            if end % ITERATIONS_BETWEEN == 0:
                at.append(end)
                entropy.append(running.entropy())
                if stop is not None and settled(entropy, stop):
                    break
    return Labels.join(batches), EntropyTrace(np.array(at, dtype=np.int64), np.array(entropy)), running


def _announced(label: str, samples: Samples, how: Plan, n_iterations: int, name: str) -> Progress:
    """Announce the run; the line of the first iteration estimates its duration."""
    low, high = how.labels
    trained = len(samples) * n_trained(samples, how.train) // (int(samples.together.max()) + 1)
    numbers = f"{low}" if low == high else f"{low} to {high}"
    kind = "random labels" if how.classes is None else "true classes"
    print(
        f"{label}: {n_iterations} iterations, each trains {name} on {trained} of {len(samples)} samples with {numbers}"
        f" {kind} and classifies the others",
        file=sys.stderr,
    )
    return Progress(label, n_iterations, unit="iteration")


def _owners(n_samples: int, occurrences: ArrayLike, name: str) -> IntArray:
    owners = as_whole_numbers(occurrences, "occurrences")
    if owners.shape != (n_samples,):
        raise DataError(f"occurrences have shape {owners.shape} but {name} holds {n_samples} samples; give one each")
    if owners.min() != 0 or np.unique(owners).size != int(owners.max()) + 1:
        raise DataError("occurrences must be numbers of items from 0 without a gap; use those of np.unique")
    return owners


def _require_fit(
    n_samples: int, name: str, owners: IntArray | None, scores: str, neighbours: int | None, follow: bool
) -> None:
    """Refuse impossible requests before computing."""
    if neighbours is not None:
        as_count(neighbours, "neighbours")
        if scores != "binary":
            raise ParameterError(
                f"neighbours is {neighbours}, which is for binary scores; leave it out with {scores!r}"
            )
    if owners is not None:
        if scores != "binary":
            raise ParameterError(
                f"scores is {scores!r}, but similarities over occurrences are binary ones; leave it out"
            )
        if follow:
            raise ParameterError(
                "stop and trace look at pairs of samples, not at those of items that occur often; leave them out"
            )
        if neighbours is None:
            require_memory(int(owners.max()) + 1, name)
    elif neighbours is None or follow:
        require_memory(n_samples, name)


def _report_skipped(labels: Labels, name: str, how: Plan) -> None:
    skipped = int(labels.skipped.sum())
    if skipped == labels.n_iterations:
        raise DataError(
            f"{name}: every iteration was skipped, as no two of {how.labels[0]} to {how.labels[1]} labels had"
            f" {how.min_per_label} training samples; train on a larger share, or ask for fewer labels"
        )
    if skipped > MANY_SKIPPED * labels.n_iterations:
        warnings.warn(
            f"{name}: {skipped} of {labels.n_iterations} iterations were skipped, as fewer than two labels had"
            f" {how.min_per_label} training samples; train on a larger share, or ask for fewer labels",
            KinseqWarning,
            stacklevel=4,
        )


def _findings(labels: Labels, counts: NDArray[Any] | None, name: str) -> dict[str, float]:
    used = labels.used()
    findings = {
        "n_iterations": float(labels.n_iterations),
        "skipped": float(labels.skipped.sum()),
        "n_classes": float(used.n_classes.mean()),
        "p_0_independence": float(independent_rate(used).mean()),
    }
    if counts is not None and len(counts) > 1:
        n = len(counts)
        unseen = (counts == 0).sum() - (np.diag(counts) == 0).sum()
        findings["unseen_pairs"] = float(unseen / (n * (n - 1)))
        if findings["unseen_pairs"] > MANY_UNSEEN:
            warnings.warn(
                f"{name}: {100 * findings['unseen_pairs']:.0f} % of the pairs are never tested together and get similarity 0;"
                " run more iterations or test more",
                KinseqWarning,
                stacklevel=4,
            )
    return findings


def _matrix(
    labels: Labels,
    scores: str,
    counts: NDArray[Any],
    running: Running | None,
    p0: str | ArrayLike,
    flips: float | ArrayLike | None,
    sigma: float,
    seed: int,
    threads: int,
) -> tuple[NDArray[Any], dict[str, float]]:
    """Return the matrix of one kind of scores, and the findings of EM if it was used."""
    if scores == "binary":
        if running is None:
            return binary(labels, counts, threads), {}
        matrix = divide(running.together, counts)
        np.fill_diagonal(matrix, 1.0)
        return matrix, {}
    chances: ArrayLike = 0.0
    findings: dict[str, float] = {}
    if scores == "em" or (scores == "flipped" and flips is None):
        mixture = bernoulli_mixture(labels, n_jobs=threads)
        on = ~labels.skipped
        findings = {
            "pi_0": mixture.pi0,
            "p_0": float(mixture.p0[on].mean()),
            "p_1": float(mixture.p1[on].mean()),
        }
        if scores == "em":
            return mixture.responsibilities, findings
        chances = mixture.chances
    elif scores == "flipped":
        from .scores import as_rates

        chances = as_rates(flips, labels.n_iterations, "flips")  # type: ignore[arg-type]
    iteration_weights = weights(rates_of(labels, p0), np.asarray(chances), sigma=sigma)
    return scored(labels, iteration_weights, counts, seed, threads), findings
