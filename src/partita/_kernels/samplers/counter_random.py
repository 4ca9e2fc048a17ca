"""Random bits by counter: a function of a key and an item's number, so that nothing depends on who draws them when.

To Python these are plain functions, of whole numbers of 64 bits in arrays of any library, whose products wrap around.
"""

from .._jit import inlined

GOLDEN, FIRST, SECOND = -7046029254386353131, -4658895280553007687, -7723592293110705685


@inlined
def shifted(z, by):
    """The bits moved to the right, zeros moved in."""
    return (z >> by) & ((1 << (64 - by)) - 1)


@inlined
def random_bits(key, item):
    """53 random bits (the mixing function of SplitMix64)."""
    z = (item + 1) * GOLDEN + key
    z = (z ^ shifted(z, 30)) * FIRST
    z = (z ^ shifted(z, 27)) * SECOND
    z = z ^ shifted(z, 31)
    return shifted(z, 11)
