"""What a figure is about: a distribution over partitions and the estimate to report."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._typing import IntArray
from .._validation import check_labels, shorten
from ..decide import PartitionEstimate, estimate_partition
from ..posterior import PartitionPosterior


class Subject(NamedTuple):
    """Draws, and the labels that figures number and color clusters by."""

    posterior: PartitionPosterior
    labels: IntArray


def read_posterior(result: Any) -> PartitionPosterior:
    """The draws of a fitted estimator, or the draws themselves."""
    if hasattr(result, "fit") and not hasattr(result, "posterior_"):
        raise ValueError(f"result must be fitted and have draws, as posterior_: got {shorten(result)}.")
    return PartitionPosterior.from_any(getattr(result, "posterior_", result))


def read_subject(result: Any, estimate: PartitionEstimate | ArrayLike | None = None) -> Subject:
    """The draws, and the estimate: as given, as fitted, or the one with least expected variation of information."""
    posterior = read_posterior(result)
    chosen = getattr(result, "estimate_", None) if estimate is None else estimate
    if chosen is None:
        chosen = estimate_partition(posterior)
    return Subject(posterior, read_labels(chosen, posterior.n_items))


def read_labels(estimate: PartitionEstimate | ArrayLike, n_items: int | None = None) -> IntArray:
    """Labels as the user numbers them, but from 0 and without gaps."""
    labels = estimate.labels if isinstance(estimate, PartitionEstimate) else estimate
    check_labels(labels, "estimate", n_items)
    return np.unique(np.asarray(labels), return_inverse=True)[1].astype(np.int64)
