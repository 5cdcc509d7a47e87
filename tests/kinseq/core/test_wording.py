"""Numbers in sentences."""

import pytest

from kinseq.core.wording import pair, plain


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.23456, "1.23"),
        (999.7, "1000"),
        (1234.5, "1234"),
        (-54321.0, "-54321"),
        (2.5e9, "2.5e+09"),
    ],
)
def test_numbers_are_written_out(value, text):
    assert plain(value) == text


@pytest.mark.parametrize(
    ("first", "second", "texts"),
    [
        (997.3, 1003.1, ("997", "1003")),
        (1000.2, 1000.6, ("1000.2", "1000.6")),
        (20.0, 20.9, ("20", "20.9")),
        (100.0, 100.0, ("100", "100")),
        (1e-9, 2e-9, ("1e-09", "2e-09")),
        (101325.0, 101325.5, ("101325", "101325.5")),
    ],
)
def test_two_numbers_have_digits_that_tell_them_apart(first, second, texts):
    assert pair(first, second) == texts
