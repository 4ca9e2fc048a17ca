"""How every kernel is compiled, spelled once."""

from numba import njit, types
from numba.extending import intrinsic

kernel = njit(cache=True, nogil=True)

# Sums may be taken in any order, so that they fill vector registers. Infinities and NaN keep their meaning.
summing_kernel = njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})


@intrinsic
def popcount(typing_context, word):
    """Count the bits set in a 64-bit word: one machine instruction."""

    def emit(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), emit
