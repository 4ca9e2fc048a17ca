"""How every kernel is compiled, spelled once."""

from typing import Any

from numba import njit, types
from numba.extending import intrinsic, register_jitable

from ._pieces import as_piece

# Dividing by zero gives infinity, as in numpy: a test before every division would cost more than the division.
common: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}
kernel = njit(**common)

# Sums may be taken in any order, so that they fill vector registers. Infinities and NaN keep their meaning.
any_order: Any = {"fastmath": {"reassoc", "contract", "nsz"}}
summing_kernel = njit(**common, **any_order)

# For kernels that read named tuples of arrays and make none: counting who uses each array would cost more than the few
# additions inside.
plain: dict[str, Any] = {**common, "_nrt": False}
plain_kernel = njit(**plain)

# For functions that only kernels call: compiled as pieces of the kernel that calls them, with sums in any order and,
# where they make no arrays, without counting references. To Python they are plain functions. All have the same options:
# what a function leaves open it takes from its caller, and is compiled anew for each choice.
allocating_options: Any = {"nogil": True, "error_model": "numpy", "_nrt": True, **any_order, **as_piece}
inner_options: Any = {**allocating_options, "_nrt": False}
inner = register_jitable(**inner_options)
inlined = register_jitable(**inner_options, forceinline=True)
# Where rounding is part of the method, sums are taken as they are written.
inlined_as_written = register_jitable(**{**inner_options, "fastmath": False}, forceinline=True)
inner_allocating = register_jitable(**allocating_options)


@intrinsic
def popcount(typing_context, word):
    """Count the bits set in a 64-bit word: one machine instruction."""

    def emit(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), emit
