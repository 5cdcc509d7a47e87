"""Values that are computed once for each object."""

from __future__ import annotations

import gc

from kinseq.core.memo import once_per_object


class _Held:
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: int) -> None:
        self.value = value


def test_a_value_is_computed_once_for_each_object_and_is_gone_with_it() -> None:
    calls: list[int] = []

    @once_per_object
    def doubled(held: _Held) -> int:
        calls.append(held.value)
        return 2 * held.value

    one, other = _Held(1), _Held(2)
    assert [doubled(one), doubled(one), doubled(other), doubled(one)] == [2, 2, 4, 2]
    assert calls == [1, 2]
    for value in range(50):
        # Later objects may reuse ids.
        assert doubled(_Held(value)) == 2 * value
        gc.collect()
    assert calls == [1, 2, *range(50)]
