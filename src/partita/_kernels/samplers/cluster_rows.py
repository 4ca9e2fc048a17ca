"""What the blocked sampler asks of the clusters' statistics, compiled for the families in use."""

from .._jit import plain_kernel
from .._lean import lean
from ..components.family import log_marginal, sample_hyper, set_prior


@plain_kernel
def renew_constants(model):
    """Fill the empty row and all constants from the hyperparameters."""
    model = lean(model)
    set_prior(model)


@plain_kernel
def fill_log_marginals(model, out):
    """Log marginal likelihood of the clusters in the first rows."""
    model, out = lean((model, out))
    for k in range(out.size):
        out[k] = log_marginal(model, k)


@plain_kernel
def draw_hyper(model, active, rng):
    """Draw the hyperparameters given the clusters in the rows ``active``, and let the rows and constants follow."""
    model, active = lean((model, active))
    log_density = sample_hyper(model, active, active.size, rng)
    set_prior(model)
    return log_density
