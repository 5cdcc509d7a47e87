"""Contract of every registered measure; a new measure file is tested here without a new test."""

import json
from functools import cache

import numpy as np
import pytest
from tests.sentences import Recorded

from kinseq import measures
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.core.symbols import symbol_set
from kinseq.measures import fitting as gathering
from kinseq.measures.cross import cross
from kinseq.measures.registry import Measure, MeasureInput
from kinseq.measures.requirements import REQUIREMENTS
from kinseq.models.kinds import registry as kinds
from kinseq_documents.data import registry as loaders

OF_WORDS = [name for name in measures.names() if measures.get(name).requires == "tokens"]
OF_SYMBOLS = [name for name in measures.names() if measures.get(name).accepts == ("symbols",)]
NAMES = [name for name in measures.names() if name not in (*OF_WORDS, *OF_SYMBOLS)]
FIT = {"n_states": 3, "covariance": "diag", "n_init": 1, "max_iter": 5}

pytestmark = pytest.mark.filterwarnings("ignore::kinseq.core.errors.KinseqWarning")


def sequences(n=8, seed=0, d=2, short=5):
    random = np.random.default_rng(seed)
    return [random.normal(2.0 * (i % 2), 1.0 + 0.3 * (i % 3), (short + i, d)) for i in range(n)]


def fitted(name):
    return REQUIREMENTS[measures.get(name).requires].models is not None


def of_models(name):
    """Parameters of the models that are fitted for a measure."""
    return kinds.params_of((measures.get(name).model_kinds or ("hmm",))[0]) if fitted(name) else {}


def fit_params(name):
    return {param: value for param, value in FIT.items() if param in of_models(name)}


def gathered(name, given, n_clusters=None, seed=0, **fit):
    """Input of a measure, with its models fitted here."""
    measure = measures.get(name)
    models = gathering.fit(measure, given, n_clusters, seed, **fit)
    return gathering.gather_from_models(measure, given, models, n_clusters, seed)


@cache
def evidence(name, n=8):
    return gathered(name, sequences(n), 2, seed=3, **fit_params(name))


def chosen(given, indices):
    """The same evidence for some of the sequences, in another order."""
    indices = np.asarray(indices)
    return MeasureInput(
        items=given.sequences.subset(indices),
        loglik=None if given.loglik is None else given.loglik[np.ix_(indices, indices)],
        bank=None if given.bank is None else given.bank.subset(indices),
        common=given.common,
        n_clusters=given.n_clusters,
        seed=given.seed,
    )


def assert_contract(measure, distance, n):
    assert isinstance(distance, np.ndarray)
    assert distance.shape == (n, n)
    assert distance.dtype == np.float64
    assert np.isfinite(distance).all()
    np.testing.assert_array_equal(distance, distance.T)
    np.testing.assert_array_equal(np.diag(distance), 0.0)
    if not measure.signed:
        assert (distance >= 0).all()


def assert_close(actual, expected):
    scale = max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-9 * scale)


@pytest.mark.parametrize("name", [*NAMES, *OF_WORDS, *OF_SYMBOLS])
def test_description(name):
    measure = measures.get(name)
    assert isinstance(measure, Measure)
    assert measure.name == name
    assert measure.label
    assert measure.source
    assert measure.requires in REQUIREMENTS
    assert set(measure.model_kinds) <= set(kinds.names())
    assert measure.scope in ("pair", "task")
    taken = {param for kind in kinds.names() for param in kinds.params_of(kind)}
    assert not set(measure.params) & {*taken, "model", "n_clusters", "seed", "measure", "clusterer"}
    json.dumps(dict(measure.params))


@pytest.mark.parametrize("name", NAMES)
def test_matrix_and_findings(name):
    measure = measures.get(name)
    distance, findings = measure.compute(evidence(name))
    assert_contract(measure, distance, 8)
    assert json.loads(json.dumps(findings)) == findings
    assert all(np.isfinite(value) for value in findings.values() if isinstance(value, (int, float)))
    np.testing.assert_array_equal(measure.compute(evidence(name))[0], distance)
    # Defaults passed by name are defaults.
    np.testing.assert_array_equal(measure.compute(evidence(name), **measure.params)[0], distance)
    # Not all distances are equal: something was measured.
    assert np.ptp(distance[np.triu_indices(8, 1)]) > 0


@pytest.mark.parametrize("name", NAMES)
def test_evidence_is_left_alone(name):
    given = evidence(name)
    values = given.sequences.values.copy()
    loglik = None if given.loglik is None else given.loglik.copy()
    measures.get(name).compute(given)
    np.testing.assert_array_equal(given.sequences.values, values)
    if loglik is not None:
        np.testing.assert_array_equal(given.loglik, loglik)


@pytest.mark.parametrize("name", NAMES)
def test_order_of_sequences_permutes_the_matrix(name):
    measure, order = measures.get(name), np.random.default_rng(0).permutation(8)
    distance, _ = measure.compute(evidence(name))
    permuted, _ = measure.compute(chosen(evidence(name), order))
    assert_close(permuted, distance[np.ix_(order, order)])


@pytest.mark.parametrize("name", [name for name in NAMES if measures.get(name).scope == "pair"])
def test_matrix_of_a_task_is_a_slice(name):
    measure, some = measures.get(name), np.array([6, 1, 4])
    distance, _ = measure.compute(evidence(name))
    part, _ = measure.compute(chosen(evidence(name), some))
    assert_close(part, distance[np.ix_(some, some)])


@pytest.mark.parametrize("name", NAMES)
def test_copies_are_as_far_from_all_others(name):
    measure = measures.get(name)
    given = [*sequences(6), sequences(6)[1]]
    clusters = 2 if measure.requires_n_clusters else None
    distance = measures.compute(name, given, n_clusters=clusters, random_state=1, **fit_params(name))
    others = [0, 2, 3, 4, 5]
    assert_close(distance[6, others], distance[1, others])


@pytest.mark.parametrize("name", NAMES)
def test_compute_from_sequences(name):
    measure = measures.get(name)
    clusters = 2 if measure.requires_n_clusters else None
    given = sequences(6)
    distance = measures.compute(name, given, n_clusters=clusters, random_state=5, **fit_params(name))
    assert_contract(measure, distance, 6)
    as_set = measures.compute(
        name, SequenceSet.from_arrays(given), n_clusters=clusters, random_state=5, **fit_params(name)
    )
    np.testing.assert_array_equal(as_set, distance)
    _, findings = measures.compute_with_findings(name, given, clusters, random_state=5, **fit_params(name))
    assert isinstance(findings, dict)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [1, 2])
def test_one_or_two_sequences(name, n):
    distance = measures.compute(name, sequences(n), n_clusters=1, random_state=0, **fit_params(name))
    assert_contract(measures.get(name), distance, n)


@pytest.mark.parametrize("name", NAMES)
def test_sequences_of_one_frame(name):
    measure = measures.get(name)
    given = [*sequences(5), np.array([[0.3, -0.2]])]
    single = {} if measure.requires == "common" else {"n_states": 1, "n_components": 1}
    params = {**fit_params(name), **{param: value for param, value in single.items() if param in of_models(name)}}
    if measure.one_frame:
        assert_contract(measure, measures.compute(name, given, n_clusters=2, **params), 6)
    else:
        with pytest.raises(DataError, match="single frame"):
            measures.compute(name, given, n_clusters=2, **params)


def crossed(name, old, new):
    measure, clusters = measures.get(name), 2

    def fit(given):
        return gathering.fit(measure, given, random_state=4, **fit_params(name))

    return cross(measure, old, new, fit(old), fit, n_clusters=clusters, seed=4)


def has_answer_for_new(name):
    measure = measures.get(name)
    return measure.cross is not None or measure.scope == "pair"


@pytest.mark.parametrize("name", [name for name in NAMES if has_answer_for_new(name)])
def test_new_sequences(name):
    old, new = (SequenceSet.from_arrays(sequences(n, seed)) for n, seed in ((6, 0), (3, 7)))
    # Old sequences passed again have the old dissimilarities.
    expected, _ = measures.get(name).compute(gathered(name, old, 2, seed=4, **fit_params(name)))
    some = np.array([4, 0, 5])
    again = crossed(name, old, old.subset(some))
    if measures.get(name).signed:
        # The diagonal of a matrix is zero by definition, where a printed formula need not be.
        again[np.arange(3), some] = 0.0
    if measures.get(name).reproduces:
        np.testing.assert_allclose(again, expected[some], rtol=1e-6, atol=1e-6)
    # The result for one does not depend on the other new ones.
    together = crossed(name, old, new)
    assert together.shape == (3, 6)
    for i in range(3):
        assert_close(crossed(name, old, new.subset([i]))[0], together[i])


@pytest.mark.parametrize("name", [name for name in NAMES if not has_answer_for_new(name)])
def test_no_answer_for_new_sequences(name):
    old = SequenceSet.from_arrays(sequences(6))
    with pytest.raises(ParameterError, match="whole set"):
        crossed(name, old, old)


@pytest.mark.parametrize("name", [name for name in NAMES if measures.get(name).scope == "pair"])
def test_between_two_sets_pairs_are_those_of_one_set(name):
    given, params = sequences(6), fit_params(name)
    between = measures.compute(name, given[:2], given[2:], random_state=3, **params)
    assert between.shape == (2, 4)
    whole = measures.compute(name, given, random_state=3, **params)
    np.testing.assert_allclose(between, whole[:2, 2:], rtol=1e-9, atol=1e-12)


def test_between_two_sets_new_sequences_do_not_see_each_other():
    old, new = sequences(8), sequences(11)[8:]
    together = measures.compute("kl_ll", new, old, random_state=1, n_states=2)
    alone = [measures.compute("kl_ll", [x], old, random_state=1, n_states=2)[0] for x in new]
    np.testing.assert_allclose(together, alone, rtol=1e-9)
    assert together.shape == (3, 8)


def test_between_two_sets_what_has_no_answer_is_refused():
    with pytest.raises(DataError, match="features"):
        measures.compute("dtw", [np.zeros((4, 3))], sequences(4))
    whole = next(name for name in NAMES if measures.get(name).scope == "task" and measures.get(name).cross is None)
    with pytest.raises(ParameterError, match="whole set"):
        measures.compute(whole, sequences(2), sequences(4), n_clusters=2, **fit_params(whole))


STRESS = {
    "scale 1e-6": lambda x: 1e-6 * x,
    "scale 1e6": lambda x: 1e6 * x,
    "offset 1e6": lambda x: x + 1e6,
    "constant feature": lambda x: np.column_stack([x, np.ones(len(x))]),
    "one value throughout": np.zeros_like,
    "outlier": lambda x: np.vstack([x, np.full((1, x.shape[1]), 1e4)]),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("stress", sorted(STRESS))
def test_stress(name, stress):
    given = [STRESS[stress](x) for x in sequences(5)]
    distance = measures.compute(name, given, n_clusters=2, random_state=0, **fit_params(name))
    assert_contract(measures.get(name), distance, 5)


@pytest.mark.parametrize("name", NAMES)
def test_unknown_parameter_is_refused_with_the_valid_ones(name):
    measure = measures.get(name)
    with pytest.raises(ParameterError) as error:
        measure.compute(evidence(name), no_such_parameter=1)
    assert all(param in str(error.value) for param in measure.params)
    with pytest.raises(ParameterError, match="such_parameter") as error:
        measures.compute(name, sequences(4), n_clusters=2, no_such_parameter=1)
    assert all(param in str(error.value) for param in gathering.valid_params(measure))


@pytest.mark.parametrize("name", [name for name in NAMES if measures.get(name).requires_n_clusters])
def test_number_of_clusters_is_asked_for(name):
    with pytest.raises(ParameterError, match="n_clusters"):
        measures.compute(name, sequences(4))


@pytest.mark.parametrize("name", [name for name in NAMES if fitted(name)])
def test_missing_evidence_is_named(name):
    given = evidence(name)
    bare = MeasureInput(given.sequences, n_clusters=2)
    with pytest.raises(DataError, match=f"'{measures.get(name).requires}'"):
        measures.get(name).compute(bare)


def words(n=24, **params):
    return loaders.make("words", "sentences", {"items": n, "classes": 2, "words": 4, **params}, None, 1)[0]


SHORT = {"sic_ova": {"n_iterations": 3, "negatives": 1.0}}
"""Parameters of measures that take long with their defaults."""


@pytest.mark.parametrize("name", OF_WORDS)
@pytest.mark.parametrize("repeated", [False, True])
def test_measures_of_words(name, repeated):
    measure, given, short = measures.get(name), words(repeated=repeated), SHORT.get(name, {})
    measure_of = gathering.gather_from_models(measure, given, None, 2, 3)
    distance, findings = measure.compute(measure_of, **short)
    assert_contract(measure, distance, len(given))
    assert json.loads(json.dumps(findings)) == findings
    np.testing.assert_array_equal(measure.compute(measure_of, **{**measure.params, **short})[0], distance)
    assert np.ptp(distance[np.triu_indices(len(given), 1)]) > 0
    assert_contract(measure, measures.compute(name, given, random_state=1, **short), len(given))


@pytest.mark.parametrize("name", OF_WORDS)
def test_measures_of_words_refuse_numbers(name):
    with pytest.raises(DataError, match="words"):
        measures.compute(name, sequences(4))


def test_measures_of_numbers_refuse_words(recorded: Recorded):
    for name in ("dtw", "kl_ll", "ssd"):
        with recorded.raises(DataError):
            measures.compute(name, words())


@pytest.mark.parametrize("name", OF_SYMBOLS)
def test_measures_of_symbols(name):
    measure, order = measures.get(name), np.random.default_rng(1).permutation(8)
    rows = [np.array(list("abc"))[np.random.default_rng(i).integers(0, 3, 9)] for i in range(8)]
    examined = MeasureInput(items=symbol_set(rows))
    distance, findings = measure.compute(examined)
    assert_contract(measure, distance, 8)
    assert json.loads(json.dumps(findings)) == findings
    np.testing.assert_array_equal(measure.compute(examined, **measure.params)[0], distance)
    assert np.ptp(distance[np.triu_indices(8, 1)]) > 0
    permuted, _ = measure.compute(chosen(examined, order))
    assert_close(permuted, distance[np.ix_(order, order)])
    assert_contract(measure, measures.compute(name, rows), 8)
    with pytest.raises(DataError, match="holds numbers"):
        measures.compute(name, sequences(4))


def test_unknown_measure_is_refused_with_the_valid_ones(recorded: Recorded):
    with pytest.raises(ParameterError) as error:
        measures.compute("kl_kl", sequences(4))
    assert all(name in str(error.value) for name in NAMES)
    recorded.within(str(error.value))


def test_more_clusters_than_sequences_are_refused():
    with pytest.raises(ParameterError, match="only 4 items"):
        measures.compute("dtw", sequences(4), n_clusters=5)


def test_all_measures_see_the_same_models():
    given = sequences(6)
    first = gathered("yy", given, 2, seed=9, **FIT).loglik
    second = gathered("kl_ll_ms", given, 3, seed=9, **FIT).loglik
    np.testing.assert_array_equal(first, second)
    assert (gathered("yy", given, 2, seed=10, **FIT).loglik != first).any()


def test_default_numbers_of_states():
    given = sequences(12, short=10)
    assert gathered("ppk", given, 3, covariance="diag").bank.startprob.shape == (12, 2)
    common = next(name for name in NAMES if measures.get(name).requires == "common")
    assert gathered(common, given, 3, covariance="diag").common.startprob.shape == (1, 6)
    assert gathered(common, given, covariance="diag").common.startprob.shape == (1, 8)


def test_measures_are_found_without_being_imported(fresh_python):
    loaded = fresh_python(
        "import kinseq\nnames = kinseq.measures.names()\nprint(*[m for m in sys.modules if m.startswith('kinseq.measures.')])"
    ).split()
    assert loaded == ["kinseq.measures.requirements", "kinseq.measures.registry"]


def test_measures_load_without_heavy_packages(fresh_python):
    heavy = ("sklearn", "pandas", "matplotlib", "librosa", "aeon")
    loaded = fresh_python(
        "import kinseq\n"
        "for name in kinseq.measures.names(): kinseq.measures.get(name)\n"
        f"print(*[p for p in {heavy!r} if p in sys.modules])"
    )
    assert loaded.split() == []


def test_the_table_tells_what_every_measure_sees_needs_and_costs(recorded: Recorded):
    table = measures.table()
    assert table.index.tolist() == measures.names()
    assert not table["description"].eq("").any()
    assert table["description"].is_unique
    for name, row in table.iterrows():
        entry = measures.get(name)
        assert row["parameters"] == dict(entry.params)
        assert (row["fits"] != "") == (entry.requires in ("bank", "loglik", "common")), name
    assert table.loc["dtw", "cost"] == "cheap"
    recorded(table.loc["ssd", "fits"])
    assert table.loc["sic", "cost"] == "matrix"
    assert table.loc["contexts", "of"] == "words"
