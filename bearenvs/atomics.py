"""Words that several threads count in: an int64 array, read and written by one instruction a word.

All orders are sequentially consistent: what a thread wrote before it wrote a word is seen by whoever has read that
word. Interpreted, each is several steps, and right in one thread only.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from bearenvs.instructions import compile_as

ORDER = "seq_cst"
WORDS_APART = 16
"""From one word to the next that another thread writes: two cache lines, since processors fetch them in pairs."""


def load(words: Any, at: int) -> int:
    """Return ``words[at]``."""
    return int(words[at])


def store(words: Any, at: int, value: int) -> None:
    """Put ``value`` into ``words[at]``."""
    words[at] = value


def add(words: Any, at: int, value: int) -> int:
    """Add ``value`` to ``words[at]`` and return what it was before."""
    before = int(words[at])
    words[at] = before + value
    return before


def lower(words: Any, at: int, value: int) -> None:
    """Put ``value`` into ``words[at]`` if it is less than what is there."""
    words[at] = min(int(words[at]), value)


def pause() -> None:
    """Tell the processor that the loop around this waits for another thread (some 40 cycles on x86, else nothing)."""


def _address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    return builder.gep(array.data, [arguments[1]])


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _load(_typing: Any, words: Any, _at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(_address(context, builder, signature, arguments), ORDER, 8)

    return types.int64(words, types.intp), generate


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _store(_typing: Any, words: Any, _at: Any, _value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store_atomic(arguments[2], _address(context, builder, signature, arguments), ORDER, 8)
        return context.get_dummy_value()

    return types.void(words, types.intp, types.int64), generate


def _read_modify_write(operation: str) -> Any:
    @intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
    def change(_typing: Any, words: Any, _at: Any, _value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.atomic_rmw(operation, _address(context, builder, signature, arguments), arguments[2], ORDER)

        return types.int64(words, types.intp, types.int64), generate

    return change


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _pause(_typing: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        if builder.module.triple.startswith(("x86_64", "i386", "i686")):
            called = ir.FunctionType(ir.VoidType(), [])
            builder.call(cgutils.get_or_insert_function(builder.module, called, "llvm.x86.sse2.pause"), [])
        return context.get_dummy_value()

    return types.void(), generate


compile_as(load, _load)
compile_as(store, _store)
compile_as(add, _read_modify_write("add"))
compile_as(lower, _read_modify_write("min"))
compile_as(pause, _pause)
