"""Draws of partitions with their weights and chains: checks, and the sizes of clusters draw by draw."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike

from .._kernels.losses.contingency import table_phi_sums
from .._typing import AnyArray, FloatArray, IntArray, LabelRows
from .._validation import as_array, check_numbers, shorten


def check_chains(chains: ArrayLike, n_draws: int) -> IntArray:
    """One whole number per draw."""
    given = as_array(chains, "chains")
    if given.shape == (n_draws,) and given.dtype.kind in "iuf":
        with np.errstate(invalid="ignore"):  # what no integer can hold comes back changed
            ids = given.astype(np.int64)
        if (ids == given).all():
            return ids
    raise ValueError(f"chains must hold one whole number per draw, {n_draws} in all: got {shorten(chains)}.")


def warn_if_transposed(labels: AnyArray) -> None:
    """Warn where columns agree more than rows on which neighboring labels are equal: they may be the draws."""
    n_draws, n_items = labels.shape
    if n_draws < n_items and row_agreement(labels[:, :1000].T) > row_agreement(labels[:, :1000]) + 0.2:
        warnings.warn(
            f"draws has more items ({n_items}) than draws ({n_draws}) and its columns resemble draws: "
            "is it transposed? One row is one draw.",
            stacklevel=3,
        )


def row_agreement(labels: AnyArray) -> float:
    """How alike rows are: share of the variance of "neighboring labels are equal" between pairs of columns, 0 to 1."""
    alike = labels[:, 1:] == labels[:, :-1]
    mean = alike.mean() if alike.size else 0.0
    return float(alike.mean(axis=0).var() / (mean * (1 - mean))) if 0 < mean < 1 else 0.0


def check_items(items: ArrayLike, n_items: int, names: tuple[str, ...] | None) -> IntArray:
    """Numbers of items given by number, by name or by a mask."""
    wanted = np.atleast_1d(as_array(items, "items"))
    if wanted.dtype == bool and wanted.shape == (n_items,):
        wanted = np.flatnonzero(wanted)
    if wanted.ndim == 1 and names is not None and all(isinstance(name, str) for name in wanted.tolist()):
        number = {name: i for i, name in enumerate(names)}
        unknown = [name for name in wanted if name not in number]
        if unknown:
            raise ValueError(f"items must be names of this posterior's items: got {str(unknown[0])!r}.")
        wanted = np.array([number[name] for name in wanted], np.int64)
    numbers = wanted.ndim == 1 and wanted.size > 0 and wanted.dtype.kind in "iu"
    if not numbers or wanted.min() < 0 or wanted.max() >= n_items:
        raise ValueError(f"items must be numbers from 0 to {n_items - 1}, or names: got {shorten(items)}.")
    return wanted


def check_weights(weights: ArrayLike, n_draws: int) -> FloatArray:
    """Weights that are positive somewhere, negative nowhere, scaled to sum to one."""
    values = check_numbers("weights", weights)
    if values.shape != (n_draws,):
        raise ValueError(f"weights must hold one number per draw, {n_draws} in all: got shape {values.shape}.")
    wrong = ~np.isfinite(values) | (values < 0)
    if wrong.any():
        raise ValueError(
            f"weights must be finite and not negative: got {values[wrong][0]:g} for draw {wrong.argmax()}."
        )
    if not values.any():
        raise ValueError("weights must not all be zero: got nothing but zeros.")
    shares = values / values.max()  # first, so that no sum is too large to write down
    shares /= shares.sum()
    return values if np.allclose(values, shares, rtol=1e-12, atol=0) else shares  # from a file, as they were written


def largest_sizes(draws: LabelRows, n_labels: int) -> IntArray:
    """Size of the largest cluster of each draw."""
    largest, step = [], max(1, 2**20 // max(draws.shape[1], n_labels))  # draws whose counts fit in a few MB
    for first in range(0, len(draws), step):
        block = draws[first : first + step]
        cells = np.arange(len(block))[:, np.newaxis] * n_labels + block
        counts = np.bincount(cells[block >= 0], minlength=len(block) * n_labels)
        largest.append(counts.reshape(len(block), -1).max(axis=1))
    return np.concatenate(largest)


def sum_over_sizes(draws: LabelRows, n_labels: int, phi: FloatArray) -> FloatArray:
    """Sum of ``phi[size]`` over the clusters of each draw: over its table with the partition into one cluster."""
    return sum_over_tables(draws, np.zeros(draws.shape[1], np.int64), 1, n_labels, phi)[0]


def sum_over_tables(
    draws: LabelRows, labels: IntArray, n_clusters: int, n_labels: int, phi: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Sums of ``phi[count]`` over the clusters of each draw, and over the cells of its table with a partition."""
    table, in_draw, in_both = np.empty(n_labels * n_clusters, np.int64), np.empty(len(draws)), np.empty(len(draws))
    table_phi_sums(np.ascontiguousarray(draws), labels, n_clusters, phi, table, in_draw, in_both)
    return in_draw, in_both


def size_entropies(draws: LabelRows, n_labels: int) -> FloatArray:
    """Entropy in bits of each draw's cluster sizes."""
    sizes = np.arange(draws.shape[1] + 1)
    held = held_items(draws)
    table = sizes * np.log2(draws.shape[1] / np.maximum(sizes, 1))
    return sum_over_sizes(draws, n_labels, table) / held - np.log2(draws.shape[1] / held)


def is_partial(draws: LabelRows) -> bool:
    """Whether some draw leaves an item out: labels are then of a signed type, and -1 for such items."""
    return draws.dtype.kind == "i"


def held_items(draws: LabelRows) -> IntArray:
    """Number of items that each draw holds."""
    if not is_partial(draws):
        return np.full(draws.shape[0], draws.shape[1])
    return np.asarray((draws >= 0).sum(axis=1))


class DrawRows:
    """One partition per row, with weights and chains; :class:`PartitionPosterior` builds on it."""

    draws: LabelRows
    weights: FloatArray | None
    chains: IntArray | None

    def _set(self, **arrays: AnyArray | None) -> None:
        """Fill the frozen fields with arrays that cannot be written to."""
        for name, values in arrays.items():
            if values is not None:
                values.flags.writeable = False
            object.__setattr__(self, name, values)

    @property
    def n_draws(self) -> int:
        """Number of draws."""
        return int(self.draws.shape[0])

    @property
    def n_items(self) -> int:
        """Number of items."""
        return int(self.draws.shape[1])

    @property
    def n_chains(self) -> int:
        """Number of chains; one where none are named."""
        return int(np.unique(self.chain_ids()).size)

    @property
    def n_labels(self) -> int:
        """Most clusters found in a draw."""
        return int(self.draws.max()) + 1

    @property
    def partial(self) -> bool:
        """Whether some draw leaves an item out."""
        return is_partial(self.draws)

    def n_held(self) -> IntArray:
        """Number of items that each draw holds: all of them, where none may be missing.

        Examples
        --------
        >>> import partita as pt
        >>> pt.PartitionPosterior([[0, 0, -1], [0, 1, 1]], missing=-1).n_held()
        array([2, 3])
        """
        return held_items(self.draws)

    def probabilities(self) -> FloatArray:
        """Posterior probability of each draw: its weight, or equal shares.

        Examples
        --------
        >>> import partita as pt
        >>> pt.PartitionPosterior([[0, 0], [0, 1]]).probabilities()
        array([0.5, 0.5])
        """
        return np.full(self.n_draws, 1 / self.n_draws) if self.weights is None else self.weights

    def chain_ids(self) -> IntArray:
        """Chain of each draw; all of chain 0 where none are named.

        Examples
        --------
        >>> import partita as pt
        >>> pt.PartitionPosterior([[0, 0], [0, 1]]).chain_ids()
        array([0, 0])
        """
        return np.zeros(self.n_draws, np.int64) if self.chains is None else self.chains

    def n_clusters(self) -> IntArray:
        """Number of clusters of each draw.

        Examples
        --------
        >>> import partita as pt
        >>> pt.PartitionPosterior([[0, 0, 1], [0, 0, 0]]).n_clusters()
        array([2, 1])
        """
        return self.draws.max(axis=1).astype(np.int64) + 1

    def largest_cluster(self) -> IntArray:
        """Size of the largest cluster of each draw.

        Examples
        --------
        >>> import partita as pt
        >>> pt.PartitionPosterior([[0, 0, 1], [0, 0, 0]]).largest_cluster()
        array([2, 3])
        """
        return largest_sizes(self.draws, self.n_labels)

    def entropy(self) -> FloatArray:
        """Entropy in bits of each draw's cluster sizes: 0 for one cluster, log2(n_items) for all singletons.

        Examples
        --------
        >>> import partita as pt
        >>> pt.PartitionPosterior([[0, 0, 1, 1], [0, 0, 0, 0]]).entropy()
        array([1., 0.])
        """
        return size_entropies(self.draws, self.n_labels)
