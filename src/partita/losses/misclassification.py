"""Losses on items and on whole partitions: misclassification under the best matching, zero-one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .._kernels.partitions.assignment import matched_items
from .._typing import FloatArray, IntArray, LabelRows
from .._validation import check_memory
from .base import DrawwiseLoss


@dataclass(frozen=True)
class Misclassification(DrawwiseLoss):
    """Misclassification: the share of items misplaced under the best one-to-one matching of clusters.

    The natural partition cost of Dalton et al. (2015): clusters of truth and estimate are paired one to one so that
    as many items as possible lie in paired clusters, and the rest are misplaced. A metric.

    See Also
    --------
    match_labels : the matching behind it.
    BayesClusterer : minimizes it under a point process.

    Notes
    -----
    1 - max_σ Σ_j n_{j σ(j)} / N over matchings σ of the clusters in the contingency table: an assignment problem,
    solved by the Hungarian method.

    References
    ----------
    Dalton, Benalcázar, Brun and Dougherty (2015). Analytic representation of Bayes labeling and Bayes clustering
    operators for random labeled point processes. IEEE Transactions on Signal Processing 63.

    Kuhn (1955). The Hungarian method for the assignment problem. Naval Research Logistics Quarterly 2, 83-97.

    Examples
    --------
    >>> Misclassification().between([0, 0, 1, 1], [1, 1, 1, 0])
    0.25
    """

    name: ClassVar[str] = "misclassification"
    formula: ClassVar[str] = "matching"

    def _values(self, draws: LabelRows, labels: IntArray) -> FloatArray:
        n_clusters, n_labels = int(labels.max()) + 1, int(draws.max()) + 1
        what = f"The table of {n_clusters} by {n_labels} clusters"
        check_memory(8 * n_clusters * n_labels, what, "Misclassification is meant for partitions of fewer clusters.")
        return 1 - matched_items(draws, labels, n_clusters, n_labels) / labels.size


@dataclass(frozen=True)
class ZeroOne(DrawwiseLoss):
    """Zero-one loss: 0 for the same partition, 1 for any other; its Bayes estimate is the posterior mode (MAP).

    See Also
    --------
    estimate_partition : with this loss, the most frequent draw.
    VariationOfInformation : tells near misses from far ones.

    Notes
    -----
    1(c ≠ ĉ). Its minimizer is the posterior mode (MAP), of which draws say little unless the items are few.

    References
    ----------
    Binder (1978). Bayesian cluster analysis. Biometrika 65, 31-38.

    Wade and Ghahramani (2015). Bayesian cluster analysis: point estimation and credible balls. Bayesian Analysis 13
    (2018), 559-626.

    Examples
    --------
    >>> ZeroOne().between([0, 0, 1], [5, 5, 2])
    0.0
    """

    name: ClassVar[str] = "zero-one"
    formula: ClassVar[str] = "mode"

    def _values(self, draws: LabelRows, labels: IntArray) -> FloatArray:
        return (draws != labels).any(axis=1).astype(float)
