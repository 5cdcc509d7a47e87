"""Bad input is refused in one sentence, or taken with the right result; never silently wrong, never a traceback.

Every module ``cases_<area>.py`` beside this file exports ``CASES``. A new reader, option or measure adds its rows there.
"""

from __future__ import annotations

import importlib
import re
import warnings
from pathlib import Path

import pytest

from kinseq.core.errors import KinseqError

from .table import Case

MODULES = sorted(path.stem for path in Path(__file__).parent.glob("cases_*.py"))
CASES = [case for name in MODULES for case in importlib.import_module(f"{__package__}.{name}").CASES]


def test_names_are_unique() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bad_input(case: Case, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a warning of another library is not a message of ours
        if case.gives is not None:
            assert case.gives(case.call(tmp_path))
            return
        with pytest.raises(KinseqError) as caught:
            case.call(tmp_path)
    sentence = str(caught.value)
    assert re.search(case.says, sentence), sentence
    assert "\n" not in sentence.strip(), sentence
