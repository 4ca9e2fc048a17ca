"""What one column says about a partition."""

from .._jit import plain_kernel
from .._lean import lean
from ..components.family import copy_row, log_marginal, set_prior, update_stats


@plain_kernel
def log_column_marginal(labels, weights, n_clusters, model):
    """Log marginal likelihood of the items, cluster by cluster; the model has a row per cluster and the empty one."""
    labels, weights, model = lean((labels, weights, model))
    set_prior(model)
    for k in range(n_clusters):
        copy_row(model, n_clusters, k)
    for i in range(labels.size):
        if weights[i] > 0.0:
            update_stats(model, labels[i], labels[i], i, weights[i])
    total = 0.0
    for k in range(n_clusters):
        total += log_marginal(model, k)
    return total
