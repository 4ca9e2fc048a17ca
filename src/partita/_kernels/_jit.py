"""How every kernel is compiled, spelled once."""

from collections.abc import Callable
from functools import update_wrapper, wraps
from typing import Any

import numba
from numba import njit, types
from numba.extending import intrinsic

from ._pieces import apart_options, kernel_options, overload_as_piece

# Dividing by zero gives infinity, as in numpy: a test before every division would cost more than the division.
common: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", **kernel_options(numba.__version__)}
kernel = njit(**common)

# Sums may be taken in any order, so that they fill vector registers. Infinities and NaN keep their meaning.
any_order: Any = {"fastmath": {"reassoc", "contract", "nsz"}}
summing_kernel = njit(**common, **any_order)

# For kernels that read named tuples of arrays and make none: counting who uses each array would cost more than the few
# additions inside.
plain: dict[str, Any] = {**common, "_nrt": False}
plain_kernel = njit(**plain)
# For those of them of whose arrays none lies in another: what was read need not be read again after writing.
apart_kernel = njit(**{**plain, **apart_options(numba.__version__)})

# For functions that only kernels call: compiled as pieces of the kernel that calls them, with sums in any order and,
# where they make no arrays, without counting references. To Python they are plain functions. All options are given that
# a function could take from its caller: it is compiled once, for whoever calls it.
allocating_options: Any = {"nogil": True, "error_model": "numpy", "_nrt": True, "forceinline": False, **any_order}
inner_options: Any = {**allocating_options, "_nrt": False}


def as_piece(**options: Any) -> Any:
    """Decorate functions that only kernels call."""

    def register(function: Any) -> Any:
        overload_as_piece(function, **options)(lambda *_args, **_named: function)
        return function

    return register


inner = as_piece(**inner_options)
inlined_options: Any = {**inner_options, "forceinline": True}
inlined = as_piece(**inlined_options)
# Where rounding is part of the method, sums are taken as they are written.
inlined_as_written = as_piece(**{**inlined_options, "fastmath": False})
inner_allocating = as_piece(**allocating_options)


def by_type(choose: Callable[[Any], Any], **options: Any) -> Callable[[Any], Any]:
    """Describe a function that is chosen by the type of its first argument, in Python and in kernels."""

    def decorate(described: Any) -> Any:
        @wraps(described)
        def generic(data, *rest):
            return choose(type(data))(data, *rest)

        overload_as_piece(generic, **options)(lambda data, *_: choose(data.instance_class))
        return generic

    return decorate


class SharedKernel:
    """A function that Python calls as a kernel and kernels as a piece of theirs, with sums as they are written."""

    def __init__(self, function: Any) -> None:
        update_wrapper(self, function)
        self.py_func, self.compiled = function, kernel(function)
        overload_as_piece(self, **{**allocating_options, "fastmath": False})(lambda *_args: function)

    def __call__(self, *args: Any) -> Any:
        """What the kernel returns."""
        return self.compiled(*args)


@intrinsic
def popcount(typing_context, word):
    """Count the bits set in a 64-bit word: one machine instruction."""

    def emit(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), emit
