"""Bad input is refused in one sentence, or taken with the right result; never silently wrong, never a traceback.

Every module ``cases_<area>.py`` beside this file exports ``CASES``. A new reader, option or measure adds its rows there, and
``sentences.json`` says what each that is refused is answered with.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kinseq.core.errors import KinseqError

from .sentences import CASES, FOLDER, answer, in_words, written
from .table import Case

SENTENCES = written()


def test_names_are_unique_and_no_sentence_is_left_over() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)
    assert set(SENTENCES) == {case.name for case in CASES if case.gives is None}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bad_input(case: Case, tmp_path: Path) -> None:
    folder = tmp_path / FOLDER
    folder.mkdir()
    if case.gives is not None:
        assert case.gives(answer(case, folder))
        return
    with pytest.raises(KinseqError) as caught:
        answer(case, folder)
    assert in_words(caught.value, folder) == SENTENCES[case.name]
    assert "\n" not in str(caught.value).strip()
