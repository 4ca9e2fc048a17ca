"""Four Gaussian clusters, one in each quadrant of the plane."""

from __future__ import annotations

import numpy as np

from .._typing import FloatArray, IntArray, RandomState
from .._validation import check_count, check_rng

MEANS = np.array([[2.0, 2.0], [2.0, -2.0], [-2.0, 2.0], [-2.0, -2.0]])
DEVIATIONS = {1: np.array([1.0, 1.0, 1.0, 1.0]), 2: np.array([1.0, 1.5, 0.5, 1.0])}


def make_quadrants(n_items: int = 200, example: int = 1, random_state: RandomState = 0) -> tuple[FloatArray, IntArray]:
    """Points around (2, 2), (2, -2), (-2, 2) and (-2, -2), each center as likely as the others.

    Parameters
    ----------
    n_items : int
        Points.
    example : int
        1: standard deviation 1 around every center. 2: standard deviations 1, 1.5, 0.5 and 1.
    random_state : int, Generator or None
        Seed.

    Returns
    -------
    X : ndarray of float, shape (n_items, 2)
        The points.
    labels : ndarray of int64, shape (n_items,)
        Which center, 0 to 3 in the order above, each point was drawn around.

    See Also
    --------
    make_shaped_mixture : clusters of odd shapes.
    make_noisy_draws : draws instead of data.

    Notes
    -----
    The simulated examples in section 6.1 of Wade and Ghahramani [1]_.

    References
    ----------
    .. [1] Wade and Ghahramani (2018). Bayesian cluster analysis: point estimation and credible balls. Bayesian
       Analysis 13, 559-626.

    Examples
    --------
    >>> X, labels = make_quadrants(n_items=100, example=2)
    >>> X.shape
    (100, 2)
    >>> X[labels == 2].std(axis=0) < X[labels == 1].std(axis=0)
    array([ True,  True])
    """
    n_items = check_count("n_items", n_items)
    if isinstance(example, bool) or not isinstance(example, (int, np.integer)) or example not in DEVIATIONS:
        raise ValueError(f"example must be 1 or 2: got {example!r}.")
    rng = check_rng(random_state)
    labels = rng.integers(len(MEANS), size=n_items)
    noise = rng.standard_normal((n_items, 2))
    return MEANS[labels] + DEVIATIONS[example][labels, np.newaxis] * noise, labels
