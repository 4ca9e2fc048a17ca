"""Exchangeable partition probability functions, and the urns that draw from them item by item.

``parameter`` is the discount of a Pitman-Yor process and the number of components of a finite mixture;
``log_components[k - 1]`` is the log probability of k components in a mixture of finite mixtures. Priors without
them ignore them.
"""

import math

import numpy as np

from .._jit import SharedKernel, kernel

DIRICHLET_PROCESS, PITMAN_YOR, FINITE, MFM = 0, 1, 2, 3


NEGLIGIBLE = 40.0  # what is exp(-40) of a sum does not change it


@SharedKernel
def log_rising(x, n):
    """Logarithm of x (x + 1) ... (x + n - 1)."""
    if n < 16 and n == math.floor(n):
        total = 0.0
        for i in range(int(n)):
            total += math.log(x + i)
        return total
    if x < 1000.0:
        return math.lgamma(x + n) - math.lgamma(x)
    # Stirling's series term by term: the two log gammas are huge and nearly cancel.
    y = x + n
    return (x - 0.5) * math.log1p(n / x) + n * math.log(y) - n + (1 / y - 1 / x) / 12 - (1 / y**3 - 1 / x**3) / 360


@SharedKernel
def steepest_ahead(log_components):
    """Largest log ratio of neighboring probabilities from each number of components on."""
    out = np.full(log_components.size, -np.inf)
    for i in range(log_components.size - 2, -1, -1):
        out[i] = out[i + 1]
        if log_components[i + 1] > -np.inf:
            out[i] = max(out[i], log_components[i + 1] - log_components[i])
    return out


@SharedKernel
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
        if math.isnan(log_rest[k - 1]):
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


@SharedKernel
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


@SharedKernel
def log_weight_existing(kind, concentration, parameter, log_join):
    """Fill ``log_join[m]``, as far as it reaches, with the log weight of joining m items."""
    shift = 0.0
    if kind == PITMAN_YOR:
        shift = -parameter
    elif kind != DIRICHLET_PROCESS:
        shift = concentration
    log_join[0] = 0.0
    for m in range(1, log_join.size):
        log_join[m] = math.log(m + shift)


@SharedKernel
def log_weight_new(kind, concentration, parameter, log_components, n_items, log_new):
    """Fill ``log_new[k]``, as far as it reaches, with the log weight of opening cluster k + 1."""
    if kind != MFM:
        step = parameter if kind == PITMAN_YOR else 0.0
        for k in range(log_new.size):
            weight = concentration + step * k
            if kind == FINITE:
                weight = concentration * (parameter - k)
            log_new[k] = math.log(weight) if weight > 0.0 else -np.inf
        return
    steepest, log_rest = steepest_ahead(log_components), np.full(log_components.size, np.nan)
    nothing = log_new.size - log_new.size  # a variable: for a literal the function would be compiled anew
    here = log_component_sum(nothing, n_items, concentration, log_components, steepest, log_rest)
    for k in range(log_new.size):
        following = log_component_sum(k + 1, n_items, concentration, log_components, steepest, log_rest)
        log_new[k] = math.log(concentration) + following - here if following > -np.inf else -np.inf
        here = following


@kernel
def sample_urn(join, new, labels, rng):
    """Fill ``labels`` item by item: into a cluster of m items with weight ``join[m]``, the k + 1st with ``new[k]``."""
    sizes, n_clusters = np.zeros(labels.size, np.int64), 0
    for i in range(labels.size):
        total = new[n_clusters]
        for k in range(n_clusters):
            total += join[sizes[k]]
        left = total * rng.random() - new[n_clusters]
        label = n_clusters
        if left >= 0.0:
            label = 0
            left -= join[sizes[0]]
            while left >= 0.0 and label < n_clusters - 1:
                label += 1
                left -= join[sizes[label]]
        n_clusters += label == n_clusters
        sizes[label] += 1
        labels[i] = label
