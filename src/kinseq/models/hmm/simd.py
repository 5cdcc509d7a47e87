"""Lanes: a vector of float64 as a number type for the kernels.

A recursion over time is serial, but recursions of different sequences are independent. The kernels therefore carry
:data:`LANES` sequences side by side: where the mathematics has a number, they have a vector with one entry per
sequence, and the text of a kernel reads like the recursion of a single sequence. Arrays that hold such numbers have a
last axis of length ``LANES``; ``load(a, i, j)`` reads the vector ``a[i, j, :]``. A parameter that all lanes share is an
array without that axis; ``load`` then repeats the number, so that one kernel serves both one model per lane and one
model for all.

Every lane goes through the same operations whatever its neighbours hold, and nothing is compiled with relaxed
floating-point rules: a result depends on its own sequence and model only, to the last bit.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

from ...core.arrays import FloatArray
from ...core.compiled import part

LANES = 16
_DOUBLES = ir.VectorType(ir.DoubleType(), LANES)
_INTEGERS = ir.VectorType(ir.IntType(64), LANES)
_UNALIGNED = 8


class LanesType(types.Type):
    """Numba type of a vector of :data:`LANES` float64."""

    def __init__(self) -> None:
        super().__init__(name=f"Lanes{LANES}")


lanes_type = LanesType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _DOUBLES)


def aligned(*shape: int) -> FloatArray:
    """Uninitialised float64 array that starts on a cache line, so that no vector straddles two."""
    size = math.prod(shape)
    raw = np.empty(size + 8)
    start = (-raw.ctypes.data % 64) // 8
    return raw[start : start + size].reshape(shape)


def pieces(block: FloatArray, shapes: Iterable[tuple[int, ...]]) -> list[FloatArray]:
    """Return views of consecutive rows of `block` (S, ...) as arrays of the given shapes, with the other axes behind."""
    views, start = [], 0
    for shape in shapes:
        stop = start + math.prod(shape)
        views.append(block[start:stop].reshape(*shape, *block.shape[1:]))
        start = stop
    return views


# ---------------------------------------------------------------------------------------------------------------------
# Arithmetic: +, -, *, / among vectors and numbers
# ---------------------------------------------------------------------------------------------------------------------


def _repeat(builder: Any, number: Any) -> Any:
    one = builder.insert_element(ir.Constant(_DOUBLES, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, ir.Constant(_DOUBLES, ir.Undefined), zeros)


def _as_lanes(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, LanesType):
        return value
    return _repeat(builder, context.cast(builder, value, kind, types.float64))


def _fits(*kinds: Any) -> bool:
    return any(isinstance(kind, LanesType) for kind in kinds) and all(
        isinstance(kind, (LanesType, types.Number)) for kind in kinds
    )


def _arithmetic(operation: Any, instruction: str) -> None:
    @type_callable(operation)
    def kind_of(context: Any) -> Any:
        def kind(a: Any, b: Any) -> Any:
            return lanes_type if _fits(a, b) else None

        return kind

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        a, b = (_as_lanes(context, builder, kind, value) for kind, value in zip(sig.args, args, strict=True))
        return getattr(builder, instruction)(a, b)

    for pair in ((LanesType, LanesType), (LanesType, types.Number), (types.Number, LanesType)):
        lower_builtin(operation, *pair)(lower)


for _operation, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _arithmetic(_operation, _instruction)


def _vector_function(builder: Any, name: str, *arguments: Any) -> Any:
    kind = ir.FunctionType(_DOUBLES, [_DOUBLES] * len(arguments))
    full = f"llvm.{name}.v{LANES}f64"
    function = builder.module.globals.get(full) or ir.Function(builder.module, kind, full)
    return builder.call(function, arguments)


@intrinsic
def fma(typingctx, a, b, c):  # type: ignore[no-untyped-def]
    """``a * b + c`` with a single rounding."""
    if not _fits(a, b, c):
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vectors = [_as_lanes(context, builder, kind, value) for kind, value in zip(sig.args, args, strict=True)]
        return _vector_function(builder, "fma", *vectors)

    return lanes_type(a, b, c), lower


@intrinsic
def sqrt(typingctx, a):  # type: ignore[no-untyped-def]
    """Square root of each lane."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _vector_function(builder, "sqrt", args[0])

    return lanes_type(lanes_type), lower


@intrinsic
def repeat(typingctx, number):  # type: ignore[no-untyped-def]
    """The vector with `number` in every lane."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _as_lanes(context, builder, sig.args[0], args[0])

    return lanes_type(number), lower


@intrinsic
def choose(typingctx, a, b, x, y):  # type: ignore[no-untyped-def]
    """`x` in the lanes where ``a < b``, `y` in the others (also if a or b is NaN)."""
    if not _fits(a, b, lanes_type) or not _fits(x, y, lanes_type):
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        a, b, x, y = (_as_lanes(context, builder, kind, value) for kind, value in zip(sig.args, args, strict=True))
        return builder.select(builder.fcmp_ordered("<", a, b), x, y)

    return lanes_type(a, b, x, y), lower


def _total(builder: Any, vector: Any) -> Any:
    width = LANES
    while width > 1:
        width //= 2
        index = ir.VectorType(ir.IntType(32), width)
        low = builder.shuffle_vector(vector, vector, ir.Constant(index, list(range(width))))
        high = builder.shuffle_vector(vector, vector, ir.Constant(index, list(range(width, 2 * width))))
        vector = builder.fadd(low, high)
    return builder.extract_element(vector, ir.Constant(ir.IntType(32), 0))


@intrinsic
def total(typingctx, a):  # type: ignore[no-untyped-def]
    """Sum over the lanes, in a fixed order."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _total(builder, args[0])

    return types.float64(lanes_type), lower


# ---------------------------------------------------------------------------------------------------------------------
# Memory
# ---------------------------------------------------------------------------------------------------------------------


def _address(context: Any, builder: Any, kind: Any, value: Any, index: Any, index_types: Any) -> Any:
    """Pointer to ``array[*index]``, or to the first lane of ``array[*index, :]``, of a C-contiguous array."""
    fields = context.data_model_manager[kind]
    data = builder.extract_value(value, fields.get_field_position("data"))
    place = None
    for axis, (position, index_type) in enumerate(zip(index, index_types, strict=True)):
        position = context.cast(builder, position, index_type, types.intp)
        if place is None:
            place = position
        else:
            extent = builder.extract_value(value, [fields.get_field_position("shape"), axis])
            place = builder.add(builder.mul(place, extent, flags=["nsw"]), position, flags=["nsw"])
    if kind.ndim > len(index):
        lanes = ir.Constant(ir.IntType(64), LANES)
        place = lanes.type(0) if place is None else builder.mul(place, lanes, flags=["nsw"])
    return builder.gep(data, [place], inbounds=True)


def _is_float_array(kind: Any) -> bool:
    return isinstance(kind, types.Array) and kind.layout == "C" and kind.dtype == types.float64


@intrinsic
def load(typingctx, array, *index):  # type: ignore[no-untyped-def]
    """The vector ``array[*index, :]``; from an array without lanes, the number ``array[*index]`` in every lane."""
    index = index[0] if len(index) == 1 and isinstance(index[0], tuple) else index
    if not _is_float_array(array) or array.ndim not in (len(index), len(index) + 1):
        return None
    shared = array.ndim == len(index)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place, kinds = _index(builder, sig, args, 1)
        pointer = _address(context, builder, sig.args[0], args[0], place, kinds)
        if shared:
            return _repeat(builder, builder.load(pointer))
        vector = builder.load(builder.bitcast(pointer, _DOUBLES.as_pointer()))
        vector.align = _UNALIGNED
        return vector

    return lanes_type(array, types.StarArgTuple.from_types(index)), lower


@intrinsic
def store(typingctx, value, array, *index):  # type: ignore[no-untyped-def]
    """Write `value` to ``array[*index, :]``."""
    index = index[0] if len(index) == 1 and isinstance(index[0], tuple) else index
    if not _is_float_array(array) or array.ndim != len(index) + 1:
        return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place, kinds = _index(builder, sig, args, 2)
        vector = _as_lanes(context, builder, sig.args[0], args[0])
        pointer = _address(context, builder, sig.args[1], args[1], place, kinds)
        builder.store(vector, builder.bitcast(pointer, _DOUBLES.as_pointer())).align = _UNALIGNED
        return context.get_dummy_value()

    return types.none(value, array, types.StarArgTuple.from_types(index)), lower


@intrinsic
def accumulate(typingctx, value, array, *index):  # type: ignore[no-untyped-def]
    """Add `value` to ``array[*index, :]``; to an array without lanes, its sum over the lanes to ``array[*index]``."""
    index = index[0] if len(index) == 1 and isinstance(index[0], tuple) else index
    if not _is_float_array(array) or array.ndim not in (len(index), len(index) + 1):
        return None
    shared = array.ndim == len(index)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place, kinds = _index(builder, sig, args, 2)
        pointer = _address(context, builder, sig.args[1], args[1], place, kinds)
        if shared:
            builder.store(builder.fadd(builder.load(pointer), _total(builder, args[0])), pointer)
        else:
            pointer = builder.bitcast(pointer, _DOUBLES.as_pointer())
            old = builder.load(pointer)
            old.align = _UNALIGNED
            builder.store(builder.fadd(old, args[0]), pointer).align = _UNALIGNED
        return context.get_dummy_value()

    return types.none(value, array, types.StarArgTuple.from_types(index)), lower


def _index(builder: Any, sig: Any, args: Any, at: int) -> tuple[list[Any], list[Any]]:
    """Return values and types of the trailing index arguments, passed as one tuple."""
    kinds = list(sig.args[at])
    return [builder.extract_value(args[at], i) for i in range(len(kinds))], kinds


# ---------------------------------------------------------------------------------------------------------------------
# Bits of a float64: sign, 11 of exponent, 52 of mantissa
# ---------------------------------------------------------------------------------------------------------------------


def _bits(number: int) -> Any:
    return ir.Constant(_INTEGERS, [number] * LANES)


@intrinsic
def times_power_of_two(typingctx, a, shifted):  # type: ignore[no-untyped-def]
    """``a * 2**n`` where `shifted` is ``n + 1.5 * 2**52``, with n in its lowest bits; the result is normal."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        a, n = (builder.bitcast(value, _INTEGERS) for value in args)
        return builder.bitcast(builder.add(a, builder.shl(n, _bits(52))), _DOUBLES)

    return lanes_type(lanes_type, lanes_type), lower


@intrinsic
def exponent(typingctx, a):  # type: ignore[no-untyped-def]
    """Exponent n of ``a = m * 2**n`` with 1 <= m < 2, for positive normal a."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        biased = builder.lshr(builder.bitcast(args[0], _INTEGERS), _bits(52))
        # One subtraction turns the exponent, written into the mantissa of 2**52, into a float64.
        number = builder.bitcast(builder.or_(biased, _bits(0x4330000000000000)), _DOUBLES)
        return builder.fsub(number, ir.Constant(_DOUBLES, [2.0**52 + 1023.0] * LANES))

    return lanes_type(lanes_type), lower


@intrinsic
def mantissa(typingctx, a):  # type: ignore[no-untyped-def]
    """Mantissa m of ``a = m * 2**n`` with 1 <= m < 2, for positive normal a."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        low = builder.and_(builder.bitcast(args[0], _INTEGERS), _bits(0x000FFFFFFFFFFFFF))
        return builder.bitcast(builder.or_(low, _bits(0x3FF0000000000000)), _DOUBLES)

    return lanes_type(lanes_type), lower


# ---------------------------------------------------------------------------------------------------------------------
# Functions built from these
# ---------------------------------------------------------------------------------------------------------------------

_ROUND = 1.5 * 2.0**52
_LOG2E = 1.4426950408889634
LN2 = 0.6931471805599453
_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
_TINY = 2.2250738585072014e-308
LEAST_EXPONENT = -708.0
"""Largest negative number whose exp is computed; below, it is 0."""


@part
def larger(a, b):  # type: ignore[no-untyped-def]
    """Larger of a and b in each lane."""
    return choose(a, b, b, a)


@part
def smaller(a, b):  # type: ignore[no-untyped-def]
    """Smaller of a and b in each lane."""
    return choose(b, a, b, a)


@part
def exp(x):  # type: ignore[no-untyped-def]
    """exp(x) = 2**n exp(r), x = n ln 2 + r, |r| <= ln(2)/2, exp(r) by its series up to r**13 / 13! (2e-16 relative).

    For x <= 709; below :data:`LEAST_EXPONENT` the result is 0.
    """
    inside = larger(x, repeat(LEAST_EXPONENT))
    shifted = fma(inside, _LOG2E, _ROUND)
    n = shifted - _ROUND
    r = fma(n, -_LN2_LOW, fma(n, -_LN2_HIGH, inside))
    p = fma(r, 1.0 / 6227020800.0, 1.0 / 479001600.0)
    p = fma(p, r, 1.0 / 39916800.0)
    p = fma(p, r, 1.0 / 3628800.0)
    p = fma(p, r, 1.0 / 362880.0)
    p = fma(p, r, 1.0 / 40320.0)
    p = fma(p, r, 1.0 / 5040.0)
    p = fma(p, r, 1.0 / 720.0)
    p = fma(p, r, 1.0 / 120.0)
    p = fma(p, r, 1.0 / 24.0)
    p = fma(p, r, 1.0 / 6.0)
    p = fma(p, r, 0.5)
    p = fma(p, r, 1.0)
    p = fma(p, r, 1.0)
    return choose(x, LEAST_EXPONENT, 0.0, times_power_of_two(p, shifted))


@part
def log(x):  # type: ignore[no-untyped-def]
    """log(m 2**n) = n ln 2 + 2 artanh((m - 1) / (m + 1)) with m brought to [1/sqrt 2, sqrt 2); -inf for x = 0.

    For x >= 0.
    """
    # Subnormal numbers have no exponent of their own; 2**54 makes them normal.
    raised = choose(x, _TINY, x * 2.0**54, x)
    m, n = mantissa(raised), exponent(raised)
    n = choose(x, _TINY, n - 54.0, n)
    n = choose(1.4142135623730951, m, n + 1.0, n)
    m = choose(1.4142135623730951, m, 0.5 * m, m)
    s = (m - 1.0) / (m + 1.0)
    q = s * s
    p = fma(q, 1.0 / 23.0, 1.0 / 21.0)
    p = fma(p, q, 1.0 / 19.0)
    p = fma(p, q, 1.0 / 17.0)
    p = fma(p, q, 1.0 / 15.0)
    p = fma(p, q, 1.0 / 13.0)
    p = fma(p, q, 1.0 / 11.0)
    p = fma(p, q, 1.0 / 9.0)
    p = fma(p, q, 1.0 / 7.0)
    p = fma(p, q, 1.0 / 5.0)
    p = fma(p, q, 1.0 / 3.0)
    tail = fma(n, _LN2_LOW, 2.0 * s * q * p)
    return choose(0.0, x, fma(n, _LN2_HIGH, 2.0 * s + tail), -np.inf)


@part
def multiply(power, product, factor):  # type: ignore[no-untyped-def]
    """``(power, product)`` of a running product 2**power * product, 1 <= product < 2, times a positive normal factor."""
    product = product * factor
    return power + exponent(product), mantissa(product)


@part
def log_product(power, product):  # type: ignore[no-untyped-def]
    """log(2**power * product): one logarithm for a product of any length."""
    return fma(power, LN2, log(product))
