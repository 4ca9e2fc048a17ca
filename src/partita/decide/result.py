"""A point estimate of the partition, its expected loss and the Monte Carlo error of that."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .._typing import FloatArray, IntArray
from .._validation import check_labels
from ..losses import Loss, check_loss
from ..posterior import PartitionPosterior
from .words import loss_name, plural

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class LossPerDraw:
    """The loss of an estimate in each draw, and what tells how well their mean is known."""

    losses: FloatArray
    probabilities: FloatArray
    weighted: bool  # weighted draws are independent; others come from chains
    chain_ids: IntArray

    @classmethod
    def of(cls, losses: FloatArray, posterior: PartitionPosterior) -> LossPerDraw:
        """One loss per draw of a posterior."""
        return cls(losses, posterior.probabilities(), posterior.weights is not None, posterior.chain_ids())

    def standard_error(self) -> float:
        """Monte Carlo standard error of the weighted mean."""
        losses, weights = self.losses, self.probabilities
        spread = float(np.sqrt(weights @ (losses - weights @ losses) ** 2))
        if losses.size < 2:
            return float("nan")
        if spread < 1e-12:
            return 0.0
        if self.weighted:
            return spread * float(np.sqrt((weights**2).sum()))
        return spread / float(np.sqrt(self._effective_size()))

    def _effective_size(self) -> float:
        """Effective sample size of the mean, by arviz; chains are cut to the length of the shortest."""
        from arviz_stats.base.array import array_stats

        starts, lengths = np.unique(self.chain_ids, return_index=True, return_counts=True)[1:]
        shortest = int(lengths.min())
        if shortest < 8:
            return float(self.losses.size)
        chains = np.stack([self.losses[start : start + shortest] for start in starts])
        return float(array_stats.ess(chains, method="mean")) * self.losses.size / chains.size


@dataclass(frozen=True, eq=False)
class PartitionEstimate:
    """A point estimate of the partition: labels, expected loss, and how they were found.

    Attributes
    ----------
    labels : ndarray of int64, shape (n_items,)
        Cluster of each item; cluster 0 is the largest.
    expected_loss : float
        Posterior expected loss of these labels, in the loss's units.
    standard_error : float
        Monte Carlo standard error of the expected loss, autocorrelation of the draws taken into account; NaN where a
        similarity matrix took the place of draws.
    loss : Loss
        The criterion that was minimized.
    search : str
        What was searched, in words.
    proven_optimal : bool
        Whether no partition can have a lower expected loss.
    items : tuple of str or None
        Name of each item.
    per_draw : LossPerDraw or None
        Loss of these labels in each draw.

    See Also
    --------
    estimate_partition : makes one.
    credible_ball : how far the posterior lies from it.

    Examples
    --------
    >>> import partita as pt
    >>> posterior, truth = pt.datasets.make_noisy_draws(n_items=30, n_clusters=3, random_state=2)
    >>> pt.estimate_partition(posterior)
    PartitionEstimate: 3 clusters of 12, 10, 8 items, expected vi 0.599 (standard error 0.01)
    """

    labels: IntArray
    expected_loss: float
    loss: Loss
    search: str
    proven_optimal: bool
    items: tuple[str, ...] | None = None
    per_draw: LossPerDraw | None = None

    @cached_property
    def standard_error(self) -> float:
        """Monte Carlo standard error of the expected loss, computed when asked for; NaN where there are no draws."""
        return float("nan") if self.per_draw is None else self.per_draw.standard_error()

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return int(self.labels.max()) + 1

    @property
    def sizes(self) -> IntArray:
        """Number of items in each cluster, largest first."""
        return np.bincount(self.labels)

    def to_pandas(self) -> pd.Series:
        """Labels by item name."""
        import pandas as pd

        return pd.Series(self.labels, index=self.items, name="cluster")

    def __repr__(self) -> str:
        shown = ", ".join(map(str, self.sizes[:8])) + (", ..." if self.n_clusters > 8 else "")
        clusters = f"{plural(self.n_clusters, 'cluster')} of {shown} items"
        proof = ", proven optimal" if self.proven_optimal else ""
        error = f"standard error {self.standard_error:.1g}"
        return (
            f"PartitionEstimate: {clusters}, expected {loss_name(self.loss)} {self.expected_loss:.3g} ({error}){proof}"
        )


def sort_by_size(labels: IntArray) -> IntArray:
    """The same partition, clusters numbered by size, ties by first appearance."""
    order = np.argsort(-np.bincount(labels), kind="stable")
    return np.argsort(order)[labels]


def read_labels(estimate: PartitionEstimate | ArrayLike, n_items: int | None = None) -> IntArray:
    """Labels as the user numbers them, but from 0 and without gaps."""
    labels = estimate.labels if isinstance(estimate, PartitionEstimate) else estimate
    check_labels(labels, "estimate", n_items)
    return np.unique(np.asarray(labels), return_inverse=True)[1].astype(np.int64)


def evaluate_labels(
    labels: IntArray, posterior: PartitionPosterior, loss: str | Loss = "vi", search: str = "labels that were given"
) -> PartitionEstimate:
    """Expected loss, and its Monte Carlo error, of labels that came from elsewhere."""
    criterion = check_loss(loss)
    losses = criterion.per_draw(labels, posterior)
    expected, per_draw = float(posterior.probabilities() @ losses), LossPerDraw.of(losses, posterior)
    return PartitionEstimate(labels, expected, criterion, search, False, posterior.items, per_draw)
