"""Small dense linear algebra that makes no arrays, for matrices of a few columns inside a chain."""

import math

from ._jit import inner


@inner
def cholesky(a, d):
    """Replace the lower triangle of a positive definite matrix by its Cholesky factor; return the log of its diagonal.

    A pivot that rounding made nearly nothing is kept away from zero.
    """
    log_det = 0.0
    for j in range(d):
        whole = a[j, j]
        pivot = whole
        for h in range(j):
            pivot -= a[j, h] * a[j, h]
        pivot = math.sqrt(max(pivot, 1e-14 * whole))
        a[j, j] = pivot
        log_det += math.log(pivot)
        for i in range(j + 1, d):
            total = a[i, j]
            for h in range(j):
                total -= a[i, h] * a[j, h]
            a[i, j] = total / pivot
    return log_det


@inner
def bartlett(a, dof, d, rng):
    """Fill the lower triangle of ``a`` with the Bartlett factor of a standard Wishart; return the log of its diagonal.

    ``a a'`` is then Wishart with ``dof`` degrees of freedom and the identity for its scale.
    """
    log_det = 0.0
    for j in range(d):
        a[j, j] = math.sqrt(2.0 * rng.standard_gamma(0.5 * (dof - j)))
        log_det += math.log(a[j, j])
        for h in range(j):
            a[j, h] = rng.standard_normal()
    return log_det


@inner
def solve_transposed(root, a, d):
    """Replace lower triangular ``a`` by ``root^-T a``, a full matrix, for a lower triangular ``root``."""
    for h in range(d):
        for j in range(h):
            a[j, h] = 0.0
    for h in range(d):
        for j in range(d - 1, -1, -1):
            total = a[j, h]
            for i in range(j + 1, d):
                total -= root[i, j] * a[i, h]
            a[j, h] = total / root[j, j]
