"""Control charts from the file and from the generating process."""

import numpy as np
import pytest

from kinseq.core.errors import DataError, ParameterError
from kinseq.core.seeds import stream
from kinseq_documents.data import control_chart
from tests.sentences import Recorded


def written(folder, rows=600, columns=60):
    charts = np.arange(rows * columns, dtype=float).reshape(rows, columns)
    np.savetxt(folder / "synthetic_control.data", charts)
    return charts


def test_the_first_charts_of_each_class_are_taken(tmp_path):
    charts = written(tmp_path)
    sequences = control_chart.load(tmp_path, per_class=30)
    assert len(sequences) == 180
    assert sequences.labels.tolist() == [name for name in control_chart.CLASSES for _ in range(30)]
    np.testing.assert_array_equal(sequences[31][:, 0], charts[101])
    assert len(control_chart.load(tmp_path, per_class=100)) == 600


def test_damaged_files_are_named(tmp_path, recorded: Recorded):
    with recorded.raises(DataError):
        control_chart.load(tmp_path, per_class=30)
    written(tmp_path, rows=599)
    with pytest.raises(DataError, match="599 rows of 60"):
        control_chart.load(tmp_path, per_class=30)
    (tmp_path / "synthetic_control.data").write_text("1 2 three\n")
    with recorded.raises(DataError):
        control_chart.load(tmp_path, per_class=30)
    with recorded.raises(ParameterError):
        control_chart.load(tmp_path, per_class=101)


def test_each_class_follows_its_formula(recorded: Recorded):
    t = np.arange(60)
    draws = {name: control_chart.draw(name, 400, stream(1, name)) for name in control_chart.CLASSES}
    normal = draws["normal"] - 30
    assert np.abs(normal).max() <= 6
    assert normal.std() == pytest.approx(6 / np.sqrt(3), rel=0.02)
    slopes = np.polyfit(t, draws["increasing"].T, 1)[0]
    assert slopes.mean() == pytest.approx(0.35, abs=0.01)
    assert np.polyfit(t, draws["decreasing"].T, 1)[0].mean() == pytest.approx(-0.35, abs=0.01)
    step = draws["upward"][:, 40:].mean(axis=1) - draws["upward"][:, :20].mean(axis=1)
    assert step.mean() == pytest.approx(13.75, abs=0.5)
    assert (step > 7.5 - 4).all()
    fall = draws["downward"][:, 40:].mean(axis=1) - draws["downward"][:, :20].mean(axis=1)
    assert fall.mean() == pytest.approx(-13.75, abs=0.5)
    # Power of a sine of amplitude U(10, 15) on top of the noise: E[a^2] / 2 + 12.
    assert (draws["cyclic"] - 30).var() == pytest.approx((15**3 - 10**3) / 15 / 2 + 12, rel=0.05)
    with recorded.raises(ParameterError):
        control_chart.draw("flat", 1, stream(1))


def test_replicates_depend_on_the_seed_only_and_grow_by_adding():
    small, [task] = control_chart.generate(7, 3)
    large, _ = control_chart.generate(7, 5)
    other, _ = control_chart.generate(8, 3)
    assert (len(small), task.n_clusters) == (18, 6)
    for label in control_chart.CLASSES:
        np.testing.assert_array_equal(
            small.values.reshape(18, 60)[small.labels == label], large.values.reshape(30, 60)[large.labels == label][:3]
        )
    assert not np.array_equal(small.values, other.values)
