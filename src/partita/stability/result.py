"""Result of `assess_stability`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from .._typing import FloatArray, IntArray
from .indices import between_stability, clusterwise_stability, matching_matrix, pointwise_stability
from .soft_indices import soft_adjusted_rand, soft_variation_of_information

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class StabilityResult:
    """Stability of items, of clusters and of the whole clustering, beside its null baselines.

    Parameters
    ----------
    phi : ndarray of float, shape (n_items, n_clusters)
        Averaged assignment matrix: the probability of each item being in each cluster.
    labels : ndarray of int64, shape (n_items,)
        The column that each item is in without perturbation.
    theta : float or ndarray
        Strength of the perturbation, less for larger values; NaN where nothing was perturbed.
    distribution, baseline : str
        Distribution of the scales, and the null model compared with.
    baseline_averages : ndarray of float, shape (n_baselines,)
        Average stability of each baseline.
    at_itself : ndarray of int64
        Items alone in their cluster and at distance zero from it. No perturbation moves them, which says nothing about
        them: they have no stability.

    See Also
    --------
    assess_stability : makes one.
    partita.plot.plot_stability : draws one.

    Examples
    --------
    >>> from partita.stability import assess_stability
    >>> report = assess_stability([[1.0, 5.0], [1.0, 3.0], [4.0, 1.0], [2.0, 1.0]], theta=2.0)
    >>> report
    StabilityResult: 4 items, 2 clusters, average stability 0.975, 0.261 above 25 permutation baselines (sd 0.170)
    >>> report.cluster_table.round(2)
             size  stability
    cluster
    0           2       1.00
    1           2       0.95
    """

    phi: FloatArray
    labels: IntArray
    theta: float | FloatArray
    distribution: str
    baseline: str
    baseline_averages: FloatArray = field(default_factory=lambda: np.empty(0))
    at_itself: IntArray = field(default_factory=lambda: np.empty(0, np.int64))

    @property
    def pointwise(self) -> FloatArray:
        """Stability of each item, shape (n_items,); NaN for an item whose cluster is itself."""
        out = pointwise_stability(self.phi, self.labels)
        out[self.at_itself] = np.nan
        return out

    @property
    def clusterwise(self) -> FloatArray:
        """Mean stability of each cluster's items, shape (n_clusters,); NaN without items that have one."""
        out = clusterwise_stability(self.phi, self.labels)
        out[self.labels[self.at_itself]] = np.nan
        return out

    @property
    def between(self) -> FloatArray:
        """Separation of each pair of clusters, shape (n_clusters, n_clusters)."""
        return between_stability(self.phi, self.labels)

    @property
    def between_directed(self) -> FloatArray:
        """Separation of the items of cluster j from cluster k, shape (n_clusters, n_clusters)."""
        return between_stability(self.phi, self.labels, symmetric=False)

    @property
    def matching(self) -> FloatArray:
        """Expected number of items of each cluster assigned to each, shape (n_clusters, n_clusters)."""
        return matching_matrix(self.phi, self.labels)

    @property
    def average(self) -> float:
        """Mean stability of the items that have one; NaN without any."""
        values = self.pointwise
        return float(values[np.isfinite(values)].mean()) if np.isfinite(values).any() else float("nan")

    @property
    def difference(self) -> float:
        """Average stability less the mean of the baselines."""
        return self.average - float(self.baseline_averages.mean()) if self.baseline_averages.size else float("nan")

    @property
    def difference_sd(self) -> float:
        """Standard deviation of the difference over baselines."""
        return float(self.baseline_averages.std(ddof=1)) if self.baseline_averages.size > 1 else float("nan")

    @property
    def adjusted_rand(self) -> float:
        """Adjusted Rand index between the labels and ``phi``."""
        return soft_adjusted_rand(self.labels, self.phi).value

    @property
    def variation_of_information(self) -> float:
        """Variation of information between the labels and ``phi``, in bits."""
        return soft_variation_of_information(self.labels, self.phi).value

    @property
    def item_table(self) -> pd.DataFrame:
        """One row per item: cluster, stability, probability of staying, and the likeliest other cluster."""
        import pandas as pd

        items, others = np.arange(len(self.phi)), self.phi.copy()
        stay = self.phi[items, self.labels]
        others[items, self.labels] = -1
        columns = {"cluster": self.labels, "stability": self.pointwise, "stay": stay, "rival": others.argmax(axis=1)}
        return pd.DataFrame(columns, index=pd.Index(items, name="item"))

    @property
    def cluster_table(self) -> pd.DataFrame:
        """One row per cluster: size and stability."""
        import pandas as pd

        n_clusters = self.phi.shape[1]
        columns = {"size": np.bincount(self.labels, minlength=n_clusters), "stability": self.clusterwise}
        return pd.DataFrame(columns, index=pd.RangeIndex(n_clusters, name="cluster"))

    def __repr__(self) -> str:
        n_items, n_clusters = self.phi.shape
        text = f"StabilityResult: {n_items} items, {n_clusters} clusters, average stability {self.average:.3f}"
        n_baselines = self.baseline_averages.size
        if n_baselines:
            text += (
                f", {self.difference:.3f} above {n_baselines} {self.baseline} baselines (sd {self.difference_sd:.3f})"
            )
        return text
