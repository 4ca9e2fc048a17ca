"""Features of normal columns with a covariance matrix."""

from .._jit import kernel


@kernel
def fill_products(x, precision, out):
    """Products of the columns of each row times its precision, then the columns times it, the precision, and one."""
    n, d = x.shape
    for i in range(n):
        at, w = 0, precision[i]
        for j in range(d):
            scaled = w * x[i, j]
            for h in range(j, d):
                out[i, at] = scaled * x[i, h]
                at += 1
        for j in range(d):
            out[i, at + j] = w * x[i, j]
        out[i, at + d] = w
        out[i, at + d + 1] = 1.0
