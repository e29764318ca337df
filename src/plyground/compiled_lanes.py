"""Lanes in machine code: a vector of four words. Read by `compiler.py`, which knows why."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_constant
from numba.extending import intrinsic, models, overload, register_model, typeof_impl

from plyground.lanes import LANES, Lanes
from plyground.parts_of_kernels import INLINED

WORD = ir.IntType(64)
INDEX = ir.IntType(32)
VECTOR = ir.VectorType(WORD, LANES)
SHORTS = ir.VectorType(ir.IntType(16), 4 * LANES)


class LanesType(types.Type):
    """Four words in one register."""

    def __init__(self) -> None:
        super().__init__("Lanes")


TYPE = LanesType()


@register_model(LanesType)
class LanesModel(models.PrimitiveModel):
    def __init__(self, manager, numba_type):
        super().__init__(manager, numba_type, VECTOR)


@typeof_impl.register(Lanes)
def _typeof_lanes(value: Lanes, context: Any) -> types.Type:
    return TYPE


@lower_constant(LanesType)
def _constant(context, builder, numba_type, value):
    return ir.Constant(VECTOR, list(value.numbers))


def _same(number: int) -> ir.Constant:
    return ir.Constant(VECTOR, [number] * LANES)


# ------------------------------------------------------------------ operators

BINARY = {
    operator.and_: "and_",
    operator.iand: "and_",
    operator.or_: "or_",
    operator.ior: "or_",
    operator.sub: "sub",
    operator.lshift: "shl",
    operator.rshift: "lshr",
}


def _install(function: Callable[..., Any], name: str) -> None:
    @intrinsic
    def combined(typing_context, left, right):
        def generate(context, builder, signature, args):
            return getattr(builder, name)(*args)

        return TYPE(TYPE, TYPE), generate

    @overload(function, jit_options=INLINED)
    def choose(left, right):
        if isinstance(left, LanesType) and isinstance(right, LanesType):
            return lambda left, right: combined(left, right)


for _function, _name in BINARY.items():
    _install(_function, _name)


@intrinsic
def _inverted(typing_context, lanes):
    def generate(context, builder, signature, args):
        return builder.not_(args[0])

    return TYPE(TYPE), generate


@overload(operator.invert, jit_options=INLINED)
def _invert(lanes):
    if isinstance(lanes, LanesType):
        return lambda lanes: _inverted(lanes)


# ------------------------------------------------------------------ functions


@intrinsic
def _spread(typing_context, word):
    def generate(context, builder, signature, args):
        nothing = ir.Constant(VECTOR, ir.Undefined)
        first = builder.insert_element(nothing, args[0], ir.Constant(INDEX, 0))
        everywhere = ir.Constant(ir.VectorType(INDEX, LANES), [0] * LANES)
        return builder.shuffle_vector(first, nothing, everywhere)

    return TYPE(types.uint64), generate


@intrinsic
def _load(typing_context, table, at):
    def generate(context, builder, signature, args):
        array = context.make_array(signature.args[0])(context, builder, args[0])
        place = builder.gep(array.data, [args[1]])
        return builder.load(builder.bitcast(place, VECTOR.as_pointer()), align=8)

    return TYPE(table, types.int64), generate


@intrinsic
def _of_slab(typing_context, slab, at):
    def generate(context, builder, signature, args):
        place = builder.gep(args[0], [args[1]], source_etype=WORD)
        return builder.load(builder.bitcast(place, VECTOR.as_pointer()), typ=VECTOR, align=8)

    return TYPE(slab, types.int64), generate


@intrinsic
def _add_shorts(typing_context, one, other):
    def generate(context, builder, signature, args):
        return builder.bitcast(builder.add(*(builder.bitcast(a, SHORTS) for a in args)), VECTOR)

    return TYPE(TYPE, TYPE), generate


@intrinsic
def _word(typing_context, lanes, lane):
    def generate(context, builder, signature, args):
        return builder.extract_element(args[0], args[1])

    return types.uint64(TYPE, types.int64), generate


@intrinsic
def _join(typing_context, lanes):
    def generate(context, builder, signature, args):
        kind = ir.FunctionType(WORD, [VECTOR])
        reduce = cgutils.get_or_insert_function(builder.module, kind, "llvm.vector.reduce.or.v4i64")
        return builder.call(reduce, args)

    return types.uint64(TYPE), generate


@intrinsic
def _lowest(typing_context, lanes):
    def generate(context, builder, signature, args):
        return builder.and_(args[0], builder.sub(_same(0), args[0]))

    return TYPE(TYPE), generate


@intrinsic
def _highest(typing_context, lanes):
    def generate(context, builder, signature, args):
        # Counting zeros in front of nothing would shift by all 64 bits: let bit 0 stand in.
        kind = ir.FunctionType(VECTOR, [VECTOR, ir.IntType(1)])
        zeros = cgutils.get_or_insert_function(builder.module, kind, "llvm.ctlz.v4i64")
        something = builder.or_(args[0], _same(1))
        in_front = builder.call(zeros, [something, ir.Constant(ir.IntType(1), 1)])
        return builder.and_(builder.lshr(_same(1 << 63), in_front), args[0])

    return TYPE(TYPE), generate


@intrinsic
def _below(typing_context, lanes):
    def generate(context, builder, signature, args):
        is_any = builder.icmp_unsigned("!=", args[0], _same(0))
        return builder.add(args[0], builder.sext(is_any, VECTOR))

    return TYPE(TYPE), generate


@intrinsic
def _above(typing_context, lanes):
    def generate(context, builder, signature, args):
        return builder.sub(_same(0), builder.add(args[0], args[0]))

    return TYPE(TYPE), generate


NATIVE = {
    "lanes_spread": lambda word: lambda word: _spread(np.uint64(word)),
    "lanes_load": lambda table, at: lambda table, at: _load(table, np.int64(at)),
    "lanes_of_slab": lambda slab, at: lambda slab, at: _of_slab(slab, np.int64(at)),
    "lanes_add_shorts": lambda one, other: lambda one, other: _add_shorts(one, other),
    "lanes_word": lambda lanes, lane: lambda lanes, lane: _word(lanes, np.int64(lane)),
    "lanes_join": lambda lanes: lambda lanes: _join(lanes),
    "lanes_lowest": lambda lanes: lambda lanes: _lowest(lanes),
    "lanes_highest": lambda lanes: lambda lanes: _highest(lanes),
    "lanes_below": lambda lanes: lambda lanes: _below(lanes),
    "lanes_above": lambda lanes: lambda lanes: _above(lanes),
}
