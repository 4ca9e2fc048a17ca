"""The concentration of a prior on partitions: how likely cluster sizes are under it, and one update given them.

``parameter`` is the discount of a Pitman-Yor process and the number of components of a finite mixture;
``log_components[k - 1]`` is the log probability of k components in a mixture of finite mixtures. Priors without
them ignore them.
"""

import math

import numpy as np

from .._jit import kernel

DIRICHLET_PROCESS, PITMAN_YOR, FINITE, MFM = 0, 1, 2, 3

WIDTH = 1.5  # first guess of the slice sampler at the spread of a log concentration
FARTHEST = 690.0  # log concentrations lie within this of zero, where their exponentials are ordinary numbers
NEGLIGIBLE = 40.0  # what is exp(-40) of a sum does not change it


@kernel
def log_rising(x, n):
    """Logarithm of x (x + 1) ... (x + n - 1)."""
    if n < 16:
        total = 0.0
        for i in range(n):
            total += math.log(x + i)
        return total
    if x < 1000.0:
        return math.lgamma(x + n) - math.lgamma(x)
    # Stirling's series term by term: the two log gammas are huge and nearly cancel.
    y = x + n
    return (x - 0.5) * math.log1p(n / x) + n * math.log(y) - n + (1 / y - 1 / x) / 12 - (1 / y**3 - 1 / x**3) / 360


@kernel
def steepest_ahead(log_components):
    """Largest log ratio of neighbouring probabilities from each number of components on."""
    out = np.full(log_components.size, -np.inf)
    for i in range(log_components.size - 2, -1, -1):
        out[i] = out[i + 1]
        if log_components[i + 1] > -np.inf:
            out[i] = max(out[i], log_components[i + 1] - log_components[i])
    return out


@kernel
def log_component_sum(n_clusters, n_items, concentration, log_components, steepest, log_rest):
    """Log of V_n(k) of Miller and Harrison (2018, eq. 3.2); ``log_rest`` holds log (concentration K)^(n) or NaN.

    Terms are summed upward from K = k until a geometric series bounds the rest away. The falling over the rising
    factorial has one mode: while it grows it grows ever more slowly, and after that it never grows again.
    """
    top, total, before = -np.inf, 0.0, -np.inf
    log_falling = math.lgamma(n_clusters + 1.0)
    for k in range(max(1, n_clusters), log_components.size + 1):
        if k > n_clusters:
            log_falling += math.log(k / (k - n_clusters))
        if np.isnan(log_rest[k - 1]):
            log_rest[k - 1] = log_rising(concentration * k, n_items)
        factor = log_falling - log_rest[k - 1]
        growth, before = max(0.0, factor - before), factor
        term = log_components[k - 1] + factor
        if term == -np.inf:
            continue
        if term > top:
            total = total * math.exp(top - term) + 1.0
            top = term
        else:
            total += math.exp(term - top)
        if steepest[k - 1] + growth < 0.0:
            rest = term - math.log1p(-math.exp(steepest[k - 1] + growth))
            if rest < top - NEGLIGIBLE:
                break
    return top + math.log(total) if total > 0.0 else -np.inf


@kernel
def log_size_probability(kind, concentration, parameter, log_components, sizes, n_clusters, n_items):
    """Log probability of a partition with these cluster sizes, up to terms free of the concentration."""
    if kind == DIRICHLET_PROCESS:
        return n_clusters * math.log(concentration) - log_rising(concentration, n_items)
    if kind == PITMAN_YOR:
        total = -log_rising(concentration, n_items)
        for k in range(n_clusters):
            total += math.log(concentration + parameter * k)
        return total
    if kind == FINITE:
        total = -log_rising(concentration * parameter, n_items)
    else:
        steepest, log_rest = steepest_ahead(log_components), np.full(log_components.size, np.nan)
        total = log_component_sum(n_clusters, n_items, concentration, log_components, steepest, log_rest)
    for k in range(n_clusters):
        total += log_rising(concentration, sizes[k])
    return total


@kernel
def escobar_west(concentration, shape, rate, n_clusters, n_items, rng):
    """Draw a Dirichlet process's concentration through an auxiliary beta variable (Escobar and West 1995, sec. 6)."""
    narrowed = rate - math.log(rng.beta(concentration + 1.0, n_items))
    odds = (shape + n_clusters - 1.0) / (n_items * narrowed)
    drawn_shape = shape + n_clusters - (rng.random() * (1.0 + odds) > odds)
    return max(rng.gamma(drawn_shape, 1.0 / narrowed), 1e-300)


@kernel
def log_target(u, kind, shape, rate, parameter, log_components, sizes, n_clusters, n_items):
    """Log density, up to a constant, of the log concentration given the cluster sizes."""
    if abs(u) > FARTHEST:
        return -np.inf
    x = math.exp(u)
    fit = log_size_probability(kind, x, parameter, log_components, sizes, n_clusters, n_items)
    return shape * u - rate * x + fit


@kernel
def sample_concentration(kind, concentration, shape, rate, parameter, log_components, sizes, n_clusters, n_items, rng):
    """One update of the concentration given cluster sizes, under a Gamma(shape, rate) prior, that leaves it invariant.

    Escobar and West's for a Dirichlet process; for others Neal's (2003) slice sampler with stepping out, on the log.
    """
    if kind == DIRICHLET_PROCESS:
        return escobar_west(concentration, shape, rate, n_clusters, n_items, rng)
    rest = (kind, shape, rate, parameter, log_components, sizes, n_clusters, n_items)
    start = math.log(concentration)
    level = log_target(start, *rest) - rng.standard_exponential()
    low = start - WIDTH * rng.random()
    high = low + WIDTH
    while log_target(low, *rest) > level:
        low -= WIDTH
    while log_target(high, *rest) > level:
        high += WIDTH
    while True:
        u = low + (high - low) * rng.random()
        if log_target(u, *rest) >= level:
            return math.exp(u)
        if u < start:
            low = u
        else:
            high = u
