"""Draws of a clustering by clustering perturbed data again."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from .._parallel import run_parallel
from .._typing import RandomState
from .._validation import check_count, check_jobs, check_rng
from ..posterior import PartitionPosterior


def recluster(
    cluster: Callable[[np.random.Generator], ArrayLike],
    n_draws: int = 100,
    *,
    n_jobs: int = 1,
    random_state: RandomState = 0,
) -> PartitionPosterior:
    """Draws of a partition by clustering perturbed data again and again.

    Parameters
    ----------
    cluster : callable
        From a generator to the labels of one perturbed clustering: it draws the perturbation and clusters.
    n_draws : int
        Draws.
    n_jobs : int
        Draws at a time: threads, or what ``joblib.parallel_config`` says.
    random_state : int, Generator or None
        Seed.

    Returns
    -------
    posterior : PartitionPosterior
        The draws. Clusters have no names across draws: :func:`partita.matched_stability` matches them to those of one
        partition and reports how stable it is.

    See Also
    --------
    partita.matched_stability : how stable one partition is over the draws.
    partita.select_n_clusters : stability of the number of clusters.

    Notes
    -----
    A perturbation followed by a clustering, section 2.1.3 of the thesis.

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> import partita as pt
    >>> X = np.random.default_rng(0).normal(size=(40, 2)) + np.repeat([[0, 0], [9, 0]], 20, axis=0)
    >>> def on_noisy_data(rng):
    ...     return KMeans(2, n_init=1, random_state=0).fit_predict(X + rng.normal(size=X.shape))
    >>> draws = recluster(on_noisy_data, n_draws=5)
    >>> pt.matched_stability(draws, on_noisy_data(np.random.default_rng(1)))
    StabilityResult: 40 items, 2 clusters, average stability 1.000
    """
    rngs = check_rng(random_state).spawn(check_count("n_draws", n_draws))
    return PartitionPosterior(np.array(run_parallel(cluster, rngs, check_jobs(n_jobs), "Reclustering")))
