"""XOR convolution by the fast Walsh-Hadamard transform."""

from .._jit import inner, kernel

BLOCK = 4096  # values that are transformed while they are in cache


@inner
def hadamard_levels(values, start, stop, half, last_half):
    """Apply the levels of the transform from distance ``half`` up to ``last_half`` within ``start`` to ``stop``."""
    while half <= last_half:
        if 2 * half <= last_half:  # two levels in one pass over the memory
            for block in range(start, stop, 4 * half):
                for i in range(block, block + half):
                    a, b, c, d = values[i], values[i + half], values[i + 2 * half], values[i + 3 * half]
                    values[i] = (a + b) + (c + d)
                    values[i + half] = (a - b) + (c - d)
                    values[i + 2 * half] = (a + b) - (c + d)
                    values[i + 3 * half] = (a - b) - (c - d)
            half *= 4
        else:
            for block in range(start, stop, 2 * half):
                for i in range(block, block + half):
                    a, b = values[i], values[i + half]
                    values[i] = a + b
                    values[i + half] = a - b
            half *= 2


@kernel
def hadamard(values):
    """Walsh-Hadamard transform in place; the length is a power of two."""
    n = values.size
    block = min(n, BLOCK)
    for start in range(0, n, block):
        hadamard_levels(values, start, start + block, 1, block // 2)
    hadamard_levels(values, 0, n, block, n // 2)
