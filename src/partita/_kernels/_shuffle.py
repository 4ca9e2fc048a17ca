"""Arrays in random order, from numbers that the interpreter draws too."""

from ._jit import kernel


@kernel
def shuffle(values, rng):
    """Put an array in random order."""
    for i in range(values.size - 1, 0, -1):
        j = int(rng.random() * (i + 1))
        values[i], values[j] = values[j], values[i]
