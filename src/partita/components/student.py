"""Clusters with heavy tails: Student distributed columns with a covariance matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .base import Encoded
from .encoding import center_and_variance, check_numbers
from .gaussian import Gaussian, full_block

TAILS = np.array([1, 2, 3, 4, 6, 8, 12, 20, np.inf])
"""Degrees of freedom of the tails to learn from; infinity is normal."""


@dataclass(frozen=True)
class Student:
    """Columns with a covariance matrix per cluster and tails as heavy as the data show.

    An item far from its cluster stays in it, and neither pulls its mean nor inflates its covariance much, so that
    outliers need no clusters of their own. All hyperparameters are learned, as those of ``Gaussian("full")`` are, and
    so are the degrees of freedom of the tails, shared by all clusters; where the data are normal, so are the tails.

    See Also
    --------
    Gaussian : thin tails.
    BayesianMixture : uses it.

    Notes
    -----
    A scale mixture of normals: each item has a precision relative to its cluster's, on a grid of six values, with the
    probabilities that a gamma distribution with the tails' degrees of freedom gives to the cells around them. Cluster
    and precision of an item are drawn jointly. Missing entries are drawn with the partition.

    References
    ----------
    Gelman, Carlin, Stern, Dunson, Vehtari and Rubin (2013). Bayesian Data Analysis, third edition.

    Examples
    --------
    >>> Student().encode([[0.0, 1.0], [2.0, 3.0], [9.0, 1.0]]).blocks[0].kind
    'number'
    """

    def encode(self, X: Any) -> Encoded:
        """The table as kernels read it."""
        numbers = check_numbers(X, allow_missing=True)
        center, variance = center_and_variance(numbers)
        x = np.ascontiguousarray(numbers - center)
        return Encoded((full_block(Gaussian(), x, center, variance, TAILS),), x.shape[1])
