"""Draws of partitions, their weights and chains: how many there are of what, draw by draw."""

from __future__ import annotations

import numpy as np

from .._typing import AnyArray, FloatArray, IntArray, LabelRows
from .sizes import held_items, is_partial, largest_sizes, size_entropies


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
