"""How verbs, helpers and kernels become machine code: the only file that knows Numba's internals.

Imported by the first kernel that runs. Each verb is registered with Numba as one overload that
looks at the class behind its first argument's type, exactly as the verb does in plain Python.
Rules never travel as arguments or closures: such code would be compiled again in every process.
"""

from __future__ import annotations

import operator
import os
import re
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import builtin_registry
from numba.extending import (
    NativeValue,
    intrinsic,
    models,
    overload,
    register_jitable,
    register_model,
    typeof_impl,
    unbox,
)

from plyground import compiled_lanes, kernel
from plyground.code_cache import CodeCache
from plyground.core import interrupts
from plyground.core.errors import GameCodeError, blame, blame_class, place_of_class
from plyground.parts_of_kernels import CALLED, INLINED

# Superword vectorisation doubles bitboard move generation (145 -> 290 million Othello perft
# leaves/s). Numba leaves it off since LLVM 14 miscompiled some code with it; the tests compare
# compiled and plain play of every game, and NUMBA_SLP_VECTORIZE=0 turns it off.
if "NUMBA_SLP_VECTORIZE" not in os.environ:
    config.SLP_VECTORIZE = 1

U64 = np.uint64
LENGTH, STOP = kernel.LENGTH, kernel.STOP
WIDE = 2**63
PLAIN = {type(None), bool, float, kernel.Slab, np.int32, np.int64, np.uint64, np.uint8}

# ------------------------------------------------------------------ native helpers


@intrinsic
def _count_ones(typing_context, word):
    def generate(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.uint64), generate


@intrinsic
def _count_trailing_zeros(typing_context, word):
    def generate(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))  # 0: defined for word 0

    return types.int64(types.uint64), generate


@intrinsic
def _fields_as_words(typing_context, fields):
    answer = types.UniTuple(types.uint64, len(fields.types))

    def generate(context, builder, signature, args):
        values = zip(cgutils.unpack_tuple(builder, args[0]), fields.types, strict=True)
        words = [context.cast(builder, value, have, types.uint64) for value, have in values]
        return context.make_tuple(builder, answer, words)

    return answer(fields), generate


NATIVE = {
    "as_signed": lambda word: lambda word: np.int64(word),
    "as_unsigned": lambda number: lambda number: U64(number),
    "add": lambda a, b: lambda a, b: U64(a) + U64(b),
    "multiply": lambda a, b: lambda a, b: U64(a) * U64(b),
    "count_ones": lambda word: lambda word: _count_ones(U64(word)),
    "count_trailing_zeros": lambda word: lambda word: _count_trailing_zeros(U64(word)),
    "fields_as_words": lambda fields: lambda fields: _fields_as_words(fields),
    **compiled_lanes.NATIVE,
}


def dispatcher(function: FunctionType) -> Dispatcher:
    """A compiled function with the sound cache."""
    compiled = numba.njit(nogil=True)(function)  # a worker thread must not stop an event loop
    compiled._cache = CodeCache(function)
    compiled.entries = {}
    # A literal in a call would make a signature of its own, and a recursion that begins with one
    # leaves a symbol that no later process can resolve (numba issue 6061).
    template = compiled.get_call_template
    plain = lambda args, kws: template([types.unliteral(arg) for arg in args], kws)  # noqa: E731
    setattr(compiled, "get_call_template", plain)  # noqa: B010
    return compiled


def call(compiled: Dispatcher, args: tuple[Any, ...]) -> Any:
    """Run a compiled function.

    Numba's quick look at an argument sees only the names of a tuple's class and fields. Two classes
    may share them, as two versions of one game do, so the class itself decides here.
    """
    kinds = tuple(_kind(arg) for arg in args)
    entry = compiled.entries.get(kinds)
    if entry is None:
        signature = tuple(numba.typeof(arg) for arg in args)
        entry = compiled.entries[kinds] = _compiled(compiled, signature)
    return entry(*args)


def _compiled(compiled: Dispatcher, signature: tuple[Any, ...]) -> Any:
    """The machine code for a signature.

    Where Ctrl-C may come, a thread makes it: an exception in the middle of it leaves objects of the
    compiler half made. Whoever waits is interrupted at once, and the code is there the next time.
    """
    if not interrupts.are_usual():
        return compiled.compile(signature)
    making = ThreadPoolExecutor(1, "compiling")
    made = making.submit(copy_context().run, compiled.compile, signature)
    making.shutdown(wait=False)
    kernel.compiling.append(made)
    made.add_done_callback(kernel.compiling.remove)
    return made.result()


def _kind(arg: Any) -> Any:
    """What decides the type of an argument, quicker than Numba can say the type itself."""
    cls = type(arg)
    if cls is int:
        return cls if -WIDE <= arg < WIDE else U64
    if isinstance(arg, tuple):
        return cls, *map(_kind, arg)
    return cls if cls in PLAIN else numba.typeof(arg)


# ------------------------------------------------------------------ errors in the code of a game

REPLAY_S = 5.0
PACKAGES = tuple(str(Path(module.__file__ or "").parent) for module in (kernel, numba))
_COLOURS = re.compile(r"\x1b\[[\d;]*m")
_PLACES = re.compile(r"File \"([^\"]+)\", line (\d+)|\b(?:at|from) (\S+\.py) \((\d+)\)")
_REASON = re.compile(
    r"^\s*((?:Unknown|Untyped|No implementation|Cannot|Invalid|Use of|NameError|name ).*?)\s*$",
    re.MULTILINE,
)
_HINTS = {
    "Cannot determine Numba type of <class 'function'>": "a helper function needs @compilable",
    "IMPORT_NAME": "imports stand at the top of the file",
    "Unknown attribute": "rules call functions, not methods; only fields are attributes",
}


def located(error: Exception, failed: kernel.Kernel, args: tuple[Any, ...]) -> Exception:
    """The error as one that names a file and a line, wherever they can be found."""
    if isinstance(error, NumbaError | UnsupportedBytecodeError):
        return _located_by_compiler(error, args)
    if isinstance(error, kernel.RoomExceeded):
        return blame_class(type(args[0]), str(error))
    blamed = blame(error)
    if not blamed.path.startswith(PACKAGES):
        return blamed
    # Machine code says where `raise` stood, but not where a division by zero did; Python does.
    try:
        with kernel.plain_python(REPLAY_S):
            failed.function(*args)
    except TimeoutError:
        pass
    except Exception as again:
        return blame(again)
    return error


def _located_by_compiler(error: Exception, args: tuple[Any, ...]) -> Exception:
    """Numba tells places from the innermost outwards; the first that is not ours is to blame."""
    text = _COLOURS.sub("", str(error))  # Numba's, where colorama is installed
    places = [(m[1] or m[3], int(m[2] or m[4])) for m in _PLACES.finditer(text)]
    places = [(os.path.abspath(path), line) for path, line in places]
    classes = [type(arg) for arg in args if hasattr(type(arg), "_fields")]
    places += [place_of_class(cls) for cls in classes]
    foreign = [place for place in places if not place[0].startswith(PACKAGES)]
    if not places:
        return error
    path, line = (foreign or places)[0]
    reasons = [match[1] for match in _REASON.finditer(text)]
    specific = [reason for reason in reasons if not reason.startswith("No implementation")]
    reason = (specific or reasons or [text.strip().splitlines()[0]])[0]
    hints = [hint for sign, hint in _HINTS.items() if sign in reason]
    return GameCodeError(path, line, "; ".join([f"cannot be compiled: {reason}", *hints]))


# ------------------------------------------------------------------ verbs


class _SharedByCallers(dict):
    """What an overload has compiled, by context and arguments alone.

    Numba also asks with which options the caller is compiled, and so made most helpers two or
    three times: for a kernel, for an inlined and for a called helper. No option of ours changes
    a callee.
    """

    def __getitem__(self, key):
        return super().__getitem__(key[:-1])

    def __setitem__(self, key, value):
        super().__setitem__(key[:-1], value)


def _share_last_overload() -> None:
    builtin_registry.functions[-1]._impl_cache = _SharedByCallers()


def _class_behind(numba_type: types.Type) -> type:
    return getattr(numba_type, "instance_class", type(None))


@intrinsic
def _like(typing_context, state, answer):
    """`answer` with its fields cast to the types that `state` has."""

    def generate(context, builder, signature, args):
        target, source = signature.args
        fields = zip(
            cgutils.unpack_tuple(builder, args[1]), source.types, target.types, strict=True
        )
        cast = [context.cast(builder, value, have, want) for value, have, want in fields]
        return context.make_tuple(builder, target, cast)

    return state(state, answer), generate


def _install_verb(verb: kernel.Verb) -> None:
    @overload(verb, strict=False, jit_options=INLINED)
    def choose(*arguments):
        cls = _class_behind(arguments[0])
        implementation = verb.implementation(cls)
        if not verb.returns_state:
            return implementation
        rule = register_jitable(**INLINED)(implementation)
        _share_last_overload()
        if len(arguments) == 2:
            return lambda state, argument: _like(state, rule(state, argument))
        return lambda state: _like(state, rule(state))

    _share_last_overload()


# ------------------------------------------------------------------ slabs

NUMBER = ir.IntType(64)


class SlabType(types.Type):
    """A slab in compiled code: the address of its first number."""

    def __init__(self) -> None:
        super().__init__("Slab")


SLAB = SlabType()


@register_model(SlabType)
class SlabModel(models.PrimitiveModel):
    def __init__(self, manager, numba_type):
        super().__init__(manager, numba_type, NUMBER.as_pointer())


@typeof_impl.register(kernel.Slab)
def _typeof_slab(value: kernel.Slab, context: Any) -> types.Type:
    return SLAB


@unbox(SlabType)
def _unbox_slab(numba_type, obj, c):
    address = c.pyapi.object_getattr_string(obj, "address")
    number = c.pyapi.long_as_ulonglong(address)
    c.pyapi.decref(address)
    return NativeValue(c.builder.inttoptr(number, NUMBER.as_pointer()))


@intrinsic
def _load(typing_context, slab, index):
    def generate(context, builder, signature, args):
        return builder.load(builder.gep(args[0], [args[1]], source_etype=NUMBER), typ=NUMBER)

    return types.int64(SLAB, types.int64), generate


@intrinsic
def _store(typing_context, slab, index, number):
    def generate(context, builder, signature, args):
        builder.store(args[2], builder.gep(args[0], [args[1]], source_etype=NUMBER))

    return types.void(SLAB, types.int64, types.int64), generate


@intrinsic
def _short_at(typing_context, slab, index):
    def generate(context, builder, signature, args):
        short = ir.IntType(16)
        shorts = builder.bitcast(args[0], short.as_pointer())
        number = builder.load(builder.gep(shorts, [args[1]], source_etype=short), typ=short)
        return builder.sext(number, NUMBER)

    return types.int64(SLAB, types.int64), generate


@intrinsic
def _with_numbers(typing_context, fields, slab, at):
    def generate(context, builder, signature, args):
        values, read = cgutils.unpack_tuple(builder, args[0]), 0
        for i, kind in enumerate(fields.types):
            if kind == types.int64:
                index = builder.add(args[2], ir.Constant(NUMBER, read))
                place = builder.gep(args[1], [index], source_etype=NUMBER)
                values[i], read = builder.load(place, typ=NUMBER), read + 1
        whole = context.make_tuple(builder, fields, values)
        return impl_ret_borrowed(context, builder, fields, whole)

    return fields(fields, SLAB, types.int64), generate


@intrinsic
def _with_mixture(typing_context, fields, slab, at, shares):
    """All numbers of a row at once, in registers of vectors: 26 numbers of nine rows in 15 ns."""
    count = sum(kind == types.int64 for kind in fields.types)
    width = -(-count // kernel.MIXED) * kernel.MIXED
    short, whole = ir.IntType(16), ir.IntType(32)
    shorts, wholes = ir.VectorType(short, width), ir.VectorType(whole, width)

    def everywhere(builder, number):
        nothing, first = ir.Constant(wholes, ir.Undefined), ir.Constant(whole, 0)
        lowest = ir.Constant(ir.VectorType(whole, width), [0] * width)
        one = builder.insert_element(nothing, number, first)
        return builder.shuffle_vector(one, nothing, lowest)

    def generate(context, builder, signature, args):
        half = ir.Constant(whole, kernel.WHOLE_SHARE // 2)
        total, table = everywhere(builder, half), builder.bitcast(args[1], short.as_pointer())
        for row, share in enumerate(cgutils.unpack_tuple(builder, args[3])):
            index = builder.add(args[2], ir.Constant(NUMBER, row * width))
            place = builder.gep(table, [index], source_etype=short)
            place = builder.bitcast(place, shorts.as_pointer())
            numbers = builder.sext(builder.load(place, align=2, typ=shorts), wholes)
            shared = everywhere(builder, builder.trunc(share, whole))
            total = builder.add(total, builder.mul(numbers, shared))
        total = builder.ashr(total, everywhere(builder, ir.Constant(whole, kernel.SHARE_BITS)))
        values, column = cgutils.unpack_tuple(builder, args[0]), 0
        for i, kind in enumerate(fields.types):
            if kind == types.int64:
                number = builder.extract_element(total, ir.Constant(whole, column))
                values[i], column = builder.sext(number, NUMBER), column + 1
        mixed = context.make_tuple(builder, fields, values)
        return impl_ret_borrowed(context, builder, fields, mixed)

    return fields(fields, SLAB, types.int64, shares), generate


@intrinsic
def _prefetch(typing_context, slab, index):
    def generate(context, builder, signature, args):
        byte = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, *[ir.IntType(32)] * 3])
        hint = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        place = builder.gep(args[0], [args[1]], source_etype=NUMBER)
        to_read, keep, data = (ir.Constant(ir.IntType(32), number) for number in (0, 3, 1))
        builder.call(hint, [builder.bitcast(place, byte), to_read, keep, data])

    return types.void(SLAB, types.int64), generate


def _is_stopped(slab):
    if isinstance(slab, SlabType):
        return lambda slab: _load(slab, np.int64(STOP)) != 0
    return lambda slab: False


NATIVE["is_stopped"] = _is_stopped
NATIVE["short_at"] = lambda slab, index: lambda slab, index: _short_at(slab, np.int64(index))
NATIVE["with_numbers"] = lambda fields, slab, at: (
    lambda fields, slab, at: _with_numbers(fields, slab, np.int64(at))
)
NATIVE["with_mixture"] = lambda fields, slab, at, shares: (
    lambda fields, slab, at, shares: _with_mixture(fields, slab, np.int64(at), shares)
)
NATIVE["prefetch"] = lambda slab, index: lambda slab, index: _prefetch(slab, np.int64(index))


@overload(len, jit_options=INLINED)
def _slab_len(slab):
    if isinstance(slab, SlabType):
        return lambda slab: _load(slab, np.int64(LENGTH))


@overload(operator.getitem, jit_options=INLINED)
def _slab_getitem(slab, index):
    if isinstance(slab, SlabType):
        return lambda slab, index: _load(slab, np.int64(index))


@overload(operator.setitem, jit_options=INLINED)
def _slab_setitem(slab, index, number):
    if isinstance(slab, SlabType):
        return lambda slab, index, number: _store(slab, np.int64(index), np.int64(number))


# ------------------------------------------------------------------ helpers and kernels


def _install_helper(helper: kernel.Helper) -> None:
    if helper.instead is not None:
        instead = helper.instead
        overload(helper.function, strict=False, jit_options=INLINED)(lambda *arguments: instead)
    elif helper.instruction is None:
        register_jitable(**(INLINED if helper.inline else CALLED))(helper.function)
    else:
        overload(helper.function, strict=False, jit_options=CALLED)(NATIVE[helper.instruction])
    _share_last_overload()


@typeof_impl.register(kernel.Kernel)
def _typeof_kernel(value: kernel.Kernel, context: Any) -> types.Type:
    return types.Dispatcher(value.compiled)


class _Declarations(list):
    """The list of declared verbs and helpers; what is added from now on is installed at once."""

    def append(self, item: kernel.Verb | kernel.Helper) -> None:
        super().append(item)
        _install_verb(item) if isinstance(item, kernel.Verb) else _install_helper(item)


for _item in kernel.declared:
    _install_verb(_item) if isinstance(_item, kernel.Verb) else _install_helper(_item)
kernel.declared = _Declarations(kernel.declared)
