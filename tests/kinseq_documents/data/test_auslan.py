"""Australian Sign Language on made-up files, packed and unpacked."""

import tarfile

import numpy as np
import pytest

from kinseq.core.errors import DataError, ParameterError
from kinseq_documents.data import auslan
from kinseq_documents.data.registry import checksum
from tests.sentences import Recorded


@pytest.fixture
def unpacked(tmp_path):
    rng = np.random.default_rng(1)
    for session in range(1, 4):
        folder = tmp_path / "tctodd" / f"tctodd{session}"
        folder.mkdir(parents=True)
        for sign in ("hot", "cold", "yes"):
            for number in (1, 2):
                np.savetxt(folder / f"{sign}-{number}.tsd", rng.normal(size=(5 + number, 22)), delimiter="\t")
    return tmp_path


def test_signs_come_in_the_order_asked_for_with_their_sessions(unpacked):
    sequences = auslan.load(unpacked, ["hot", "cold"])
    assert len(sequences) == 12
    assert sequences.labels.tolist() == ["hot"] * 6 + ["cold"] * 6
    assert sequences.groups[:4].tolist() == ["session1", "session1", "session2", "session2"]
    assert sequences.ids[:2].tolist() == ["hot-1-1", "hot-1-2"]
    assert sequences.lengths[:2].tolist() == [6, 7]
    expected = np.loadtxt(unpacked / "tctodd" / "tctodd2" / "cold-1.tsd")
    np.testing.assert_array_equal(sequences[8], expected)


def test_archive_and_folder_read_the_same(unpacked, tmp_path):
    packed = tmp_path / "packed"
    packed.mkdir()
    with tarfile.open(packed / auslan.ARCHIVE, "w:gz") as tar:
        tar.add(unpacked / "tctodd", "tctodd")
    signs = ["yes", "hot"]
    assert checksum(auslan.load(packed, signs)) == checksum(auslan.load(unpacked, signs))


def test_centred_sequences_have_no_mean(unpacked):
    plain, centred = auslan.load(unpacked, ["yes", "hot"]), auslan.load(unpacked, ["yes", "hot"], centred=True)
    for before, after in zip(plain, centred, strict=True):
        np.testing.assert_allclose(after.mean(axis=0), 0.0, atol=1e-12)
        np.testing.assert_allclose(after - after[0], before - before[0], atol=1e-12)


def test_bad_files_are_named(unpacked, tmp_path, recorded: Recorded):
    with recorded.raises(ParameterError):
        auslan.load(unpacked, ["yes", "no"])
    with recorded.raises(ParameterError):
        auslan.load(unpacked, [])
    path = unpacked / "tctodd" / "tctodd1" / "hot-1.tsd"
    path.write_text("1\t2\t3\n")
    with pytest.raises(DataError, match=r"3 columns, .*22"):
        auslan.load(unpacked, ["hot"])
    path.write_text("a\tb\n")
    with recorded.raises(DataError):
        auslan.load(unpacked, ["hot"])
    empty = tmp_path / "empty"
    empty.mkdir()
    with recorded.raises(DataError):
        auslan.load(empty, ["hot"])
    (empty / auslan.ARCHIVE).write_bytes(b"nonsense")
    with recorded.raises(DataError):
        auslan.load(empty, ["hot"])
