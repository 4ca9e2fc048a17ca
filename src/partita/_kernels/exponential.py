"""The exponential function of numbers that are not positive, as plain arithmetic, which loops do several at a time."""

import numpy as np

from ._jit import inlined_as_written

LOWEST = -700.0  # below, exp is no longer an ordinary number
INVERSE_LOG_2 = 1.4426950408889634
LOG_2_HIGH, LOG_2_LOW = 0.6931471803691238, 1.9082149292705877e-10
ROUNDER = 6755399441055744.0  # 1.5 times 2 to the 52: what is added to it is rounded to a whole number
C2, C3, C4, C5, C6, C7, C8 = 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720, 1 / 5040, 1 / 40320
C9, C10, C11, C12, C13 = 1 / 362880, 1 / 3628800, 1 / 39916800, 1 / 479001600, 1 / 6227020800


@inlined_as_written
def exp_from_lowest(x):
    """Exponential of x from ``LOWEST`` to 0, to the last digit or the one before.

    2 to the power n times a Taylor polynomial, n the whole number nearest to x / log 2.
    """
    rounded = x * INVERSE_LOG_2 + ROUNDER
    n = rounded - ROUNDER
    r = (x - n * LOG_2_HIGH) - n * LOG_2_LOW
    p = C9 + r * (C10 + r * (C11 + r * (C12 + r * C13)))
    p = C4 + r * (C5 + r * (C6 + r * (C7 + r * (C8 + r * p))))
    p = 1.0 + r * (1.0 + r * (C2 + r * (C3 + r * p)))
    bits = (np.float64(rounded).view(np.int64) + 1023) << 52
    return p * np.int64(bits).view(np.float64)
