"""``PartitionPosterior``: a posterior distribution over partitions, as MCMC draws or weighted partitions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike

from .._typing import BoolArray, Float32Array, FloatArray, IntArray, LabelRows, RandomState
from .._validation import check_count, check_draws, check_jobs, check_names, shorten
from ..partitions.algebra import distinct_rows
from .clusterings import read_clusterings, sample_labels
from .draws import DrawRows, check_chains, check_items, check_weights, warn_if_transposed
from .io import RawDraws, read_draws, to_arviz, to_table, write_draws
from .similarity import condensed_similarity, dense_similarity, similarity_blocks

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, init=False, eq=False, repr=False)
class PartitionPosterior(DrawRows):
    """A posterior distribution over partitions, given by MCMC draws or by weighted partitions.

    Parameters
    ----------
    draws : array-like of int, shape (n_draws, n_items)
        One partition per row. Labels are whole numbers, not negative; only which items share a label matters. They
        are kept in canonical form (clusters numbered by first appearance) in the smallest unsigned type.
    weights : array-like of float, shape (n_draws,), optional
        Posterior weight of each draw, scaled to sum to one. Equal weights when left out.
    chains : array-like of int, shape (n_draws,), optional
        Which chain each draw came from. Draws are kept chain after chain, in order within each.
    items : sequence of str, optional
        Name of each item.
    missing : int or nan, optional
        Label of an item that a draw leaves out: not drawn in a bootstrap or a subsample, or noise. Such draws are
        partitions of the items they hold; in ``draws`` the others are -1. By default no item may be left out.

    See Also
    --------
    PartitionPosterior.from_any : the same from files and from other libraries' objects.
    estimate_partition : the partition to report.
    credible_ball : how sure it is.
    BayesianMixture : makes one from data.

    Examples
    --------
    >>> post = PartitionPosterior([[0, 0, 1], [5, 5, 9], [0, 1, 1], [0, 0, 0]], items=["ant", "bee", "cat"])
    >>> post
    PartitionPosterior: 4 draws of 3 items, 1 to 2 clusters
    >>> post.similarity()
    array([[1.  , 0.75, 0.25],
           [0.75, 1.  , 0.5 ],
           [0.25, 0.5 , 1.  ]], dtype=float32)
    >>> post.collapse().weights
    array([0.5 , 0.25, 0.25])
    >>> PartitionPosterior([[0, 0, -1], [0, 1, 1]], missing=-1).similarity()[0]
    array([1. , 0.5, 0. ], dtype=float32)
    """

    draws: LabelRows
    weights: FloatArray | None = None
    chains: IntArray | None = None
    items: tuple[str, ...] | None = None

    def __init__(
        self,
        draws: ArrayLike,
        weights: ArrayLike | None = None,
        chains: ArrayLike | None = None,
        items: Iterable[Any] | None = None,
        missing: float | None = None,
    ) -> None:
        rows = check_draws(draws, missing=missing)
        n_draws, n_items = rows.shape
        if weights is not None:
            weights = check_weights(weights, n_draws)
        if chains is not None:
            chains = check_chains(chains, n_draws)
            order = np.argsort(chains, kind="stable")
            rows, chains = rows[order], chains[order]
            weights = None if weights is None else weights[order]
        self._set(draws=rows, weights=weights, chains=chains)
        object.__setattr__(self, "items", None if items is None else check_names(items, n_items))

    @classmethod
    def from_any(
        cls, source: Any, var: str = "z", axis: str = "rows", missing: float | None = -1, keys: Any = None
    ) -> PartitionPosterior:
        """Draws or clusterings from arrays, tables, files, ArviZ, xarray and AnnData objects.

        Parameters
        ----------
        source : object
            A 2-D array (draws × items), a 3-D array (chain × draw × items), a list of label vectors or of chains, a
            table of pandas, polars or another library (one draw per row), an xarray ``DataArray`` or ``Dataset``, an
            ArviZ ``DataTree`` or ``InferenceData``, a dict of arrays, an ``AnnData``, or the path of a csv, npz, npy,
            parquet or netCDF file. Labels may be text or categories, start at 0 or 1, be floats that are whole, and
            leave numbers out. An array of membership probabilities (draw × item × component) is read as
            :meth:`from_responsibilities` does. In tables, the columns ``.chain``, ``.draw``, ``.iteration`` and
            ``.weight`` are no items; without the dot, the first three are none either.
        var : str
            Name of the variable that holds the labels, where the source has several; in tables, of the columns
            ``z[1]``, ``z[2]`` and so on.
        axis : {"rows", "columns"}
            What holds one draw. With ``"columns"``, a table has one item per row and one clustering per column; such
            clusterings are weighted equally, and taken for no chain.
        missing : int, nan or None
            Label of an item that a draw leaves out: noise, in scikit-learn's words. None where no label says that.
        keys : str or list of str, optional
            Columns of an ``AnnData``'s ``obs``, or of a table with one item per row, that hold clusterings: names, or
            patterns such as ``"leiden_*"``.

        Examples
        --------
        >>> import pandas as pd
        >>> PartitionPosterior.from_any(pd.DataFrame({"ant": [1, 1], "bee": [1.0, 2.0]})).items
        ('ant', 'bee')
        >>> runs = pd.DataFrame({"res1": ["T", "T", "B"], "res2": ["x", "y", "y"]}, index=["c1", "c2", "c3"])
        >>> PartitionPosterior.from_any(runs, axis="columns")
        PartitionPosterior: 2 draws of 3 items, 2 to 2 clusters, weighted
        >>> PartitionPosterior.from_any({"z": np.zeros((4, 100, 7)), "mu": np.zeros((4, 100))}).n_chains
        4
        """
        if isinstance(source, PartitionPosterior):
            return source
        raw = read_clusterings(source, var, axis, missing, keys)
        posterior = cls(*raw, missing=missing)
        if axis == "rows" and keys is None:
            warn_if_transposed(raw.draws)
        return posterior

    @classmethod
    def from_responsibilities(cls, probabilities: ArrayLike, random_state: RandomState = 0) -> PartitionPosterior:
        """Draws of labels from membership probabilities, of fits in which labels were summed out.

        Parameters
        ----------
        probabilities : array-like of float, shape (n_draws, n_items, n_components)
            Probability of each component for each item, given each draw's parameters; a dimension of chains may come
            first. One partition is drawn from each draw's, so that the draws are draws of the posterior.
        random_state : int, Generator or None
            Seed.

        Examples
        --------
        >>> shares = np.full((200, 2, 2), 0.5)
        >>> round(float(PartitionPosterior.from_responsibilities(shares).similarity()[0, 1]), 1)
        0.5
        """
        return cls(*sample_labels(probabilities, random_state))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> PartitionPosterior:
        """Draws as :meth:`save` wrote them.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "draws.npz"
        >>> PartitionPosterior([[0, 0, 1]], items="abc").save(path)
        >>> PartitionPosterior.load(path).items
        ('a', 'b', 'c')
        """
        return cls(*read_draws(path), missing=-1)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write draws, weights, chains and item names to a csv, npz, parquet or netCDF file (npy: draws alone).

        The file is written beside its place and moved there when it is whole.
        """
        write_draws(path, self._raw())

    def to_arviz(self) -> Any:
        """Hand the draws to ArviZ as variable ``z`` over chain, draw and item.

        A ``DataTree``, or an ``InferenceData`` where ArviZ is older than 1.

        Examples
        --------
        >>> tree = PartitionPosterior([[0, 0], [0, 1], [0, 1], [0, 1]], chains=[0, 0, 1, 1]).to_arviz()
        >>> tree.posterior["z"].sizes
        Frozen({'chain': 2, 'draw': 2, 'item': 2})
        """
        return to_arviz(self._raw())

    def to_pandas(self) -> pd.DataFrame:
        """One draw per row and one item per column, with columns ``.chain``, ``.weight`` and ``.draw`` in front.

        Examples
        --------
        >>> PartitionPosterior([[0, 0], [0, 1]], items=["ant", "bee"]).to_pandas()
           .draw  ant  bee
        0      0    0    0
        1      1    0    1
        """
        return to_table(self._raw())

    @classmethod
    def concatenate(cls, posteriors: Sequence[PartitionPosterior]) -> PartitionPosterior:
        """One posterior from several over the same items, each a chain of its own where none are named.

        Where no posterior is weighted, draws are pooled: each counts as much as any other. Where one is, each
        posterior counts as much as any other, whatever its number of draws, so that collapsing one changes nothing.

        Examples
        --------
        >>> one, two = PartitionPosterior([[0, 0]]), PartitionPosterior([[0, 1]])
        >>> PartitionPosterior.concatenate([one, two]).chains
        array([0, 1])
        """
        if not isinstance(posteriors, Sequence):
            raise TypeError(f"posteriors must be a list of posteriors: got {shorten(posteriors)}.")
        if not posteriors:
            raise ValueError("posteriors must hold at least one posterior: got none.")
        if (other := next((p for p in posteriors if not isinstance(p, PartitionPosterior)), None)) is not None:
            raise TypeError(f"posteriors must each be a PartitionPosterior: got {shorten(other)}.")
        if len({(p.n_items, p.items) for p in posteriors}) > 1:
            raise ValueError("posteriors must be over the same items: got different numbers or names of items.")
        if any(p.weights is not None for p in posteriors):
            weights = np.concatenate([p.probabilities() for p in posteriors])
        else:
            weights = None
        chains, following = [], 0
        for p in posteriors:
            chains.append(following + np.unique(p.chain_ids(), return_inverse=True)[1])
            following = chains[-1].max() + 1
        draws = np.concatenate([p.draws for p in posteriors])
        return cls(draws, weights, np.concatenate(chains), posteriors[0].items, missing=-1)

    def collapse(self) -> PartitionPosterior:
        """The same distribution with each distinct partition once, most probable first; chains are forgotten.

        Everything after runs on fewer draws, for free.
        """
        rows, inverse = distinct_rows(self.draws)
        weights = np.bincount(inverse, weights=self.probabilities())
        order = np.argsort(-weights, kind="stable")
        return PartitionPosterior(rows[order], weights[order], items=self.items, missing=-1)

    def thin(self, step: int) -> PartitionPosterior:
        """Every ``step``-th draw of each chain.

        Examples
        --------
        >>> PartitionPosterior([[0, 0], [0, 1], [0, 1], [0, 1]], chains=[0, 0, 0, 1]).thin(2).chains
        array([0, 0, 1])
        """
        step = check_count("step", step)
        chains = self.chain_ids()
        starts = np.searchsorted(chains, chains, side="left")
        return self.take((np.arange(self.n_draws) - starts) % step == 0)

    def chain(self, which: int) -> PartitionPosterior:
        """The draws of one chain.

        Examples
        --------
        >>> PartitionPosterior([[0, 0], [0, 1], [0, 1]], chains=[0, 0, 7]).chain(7).n_draws
        1
        """
        keep = np.asarray(self.chain_ids() == which)
        if not keep.any():
            raise ValueError(f"which must be one of the chains {np.unique(self.chain_ids()).tolist()}: got {which!r}.")
        if self.weights is not None and not self.weights[keep].any():
            raise ValueError(f"which must be a chain with a draw of positive weight: got {which!r}.")
        return self.take(keep)

    def subset(self, items: ArrayLike) -> PartitionPosterior:
        """The marginal posterior of the partition of some items, given by name, by number or by a mask.

        Examples
        --------
        >>> PartitionPosterior([[0, 0, 1], [0, 1, 1]], items=["ant", "bee", "cat"]).subset(["bee", "cat"]).draws
        array([[0, 1],
               [0, 0]], dtype=uint8)
        """
        index = check_items(items, self.n_items, self.items)
        names = None if self.items is None else [self.items[i] for i in index]
        kept = self if not self.partial else self.take(np.flatnonzero((self.draws[:, index] >= 0).any(axis=1)))
        return PartitionPosterior(kept.draws[:, index], kept.weights, kept.chains, names, missing=-1)

    def similarity(self, items: ArrayLike | None = None, n_jobs: int = 1) -> Float32Array:
        """Posterior similarity matrix (PSM): the probability that two items share a cluster.

        Parameters
        ----------
        items : array-like of int or str, optional
            Only these items, by number or by name.
        n_jobs : int
            Threads; -1 for all there are.

        Returns
        -------
        similarity : ndarray of float32, shape (n_items, n_items)
            Symmetric, ones on the diagonal. Over the draws that hold both items; nan where no draw does.

        See Also
        --------
        PartitionPosterior.condensed_similarity : half the memory.
        PartitionPosterior.similarity_blocks : a block of rows at a time, any number of items.
        """
        source = self if items is None else self.subset(items)
        return dense_similarity(source.draws, source.weights, check_jobs(n_jobs))

    psm = similarity  # as R's packages call it

    def condensed_similarity(self, items: ArrayLike | None = None, n_jobs: int = 1) -> Float32Array:
        """Similarity of each pair i < j once, row after row, as scipy's ``squareform`` reads it.

        Examples
        --------
        >>> PartitionPosterior([[0, 0, 1], [0, 1, 1]]).condensed_similarity()
        array([0.5, 0. , 0.5], dtype=float32)
        """
        source = self if items is None else self.subset(items)
        return condensed_similarity(source.draws, source.weights, check_jobs(n_jobs))

    def similarity_blocks(self, block_size: int = 256) -> Iterator[tuple[slice, Float32Array]]:
        """Rows of the similarity matrix, ``block_size`` at a time: (which rows, their similarities to all items).

        Examples
        --------
        >>> for rows, block in PartitionPosterior([[0, 0, 1], [0, 1, 1]]).similarity_blocks(2):
        ...     print(rows, block.sum())
        slice(0, 2, None) 3.5
        slice(2, 3, None) 1.5
        """
        return similarity_blocks(self.draws, self.weights, check_count("block_size", block_size))

    def __repr__(self) -> str:
        k = self.n_clusters()
        parts = [f"{self.n_draws} draws of {self.n_items} items", f"{k.min()} to {k.max()} clusters"]
        if self.chains is not None:
            parts.append(f"{self.n_chains} chains")
        if self.weights is not None:
            parts.append("weighted")
        if self.partial:
            parts.append(f"{1 - self.n_held().mean() / self.n_items:.1%} of labels missing")
        return f"PartitionPosterior: {', '.join(parts)}"

    def __reduce__(self) -> tuple[Any, ...]:
        return PartitionPosterior, (*self._raw(), -1)  # copies are made at the door too, and cannot be written

    def _raw(self) -> RawDraws:
        return RawDraws(self.draws, self.weights, self.chains, self.items)

    def __len__(self) -> int:
        return self.n_draws

    def __iter__(self) -> Iterator[IntArray]:
        return (self[m] for m in range(self.n_draws))

    @overload
    def __getitem__(self, which: int | np.integer[Any]) -> IntArray: ...
    @overload
    def __getitem__(self, which: slice | ArrayLike) -> PartitionPosterior: ...
    def __getitem__(self, which: Any) -> IntArray | PartitionPosterior:
        """Labels of one draw, given its number; the draws of a slice, a mask or a list of numbers as a posterior."""
        if isinstance(which, (int, np.integer)):
            return self.draws[which].astype(np.int64)
        chosen = np.arange(self.n_draws)[which]
        if chosen.size == 0:
            raise IndexError(f"a part of a posterior must hold at least one draw: got {shorten(which)}.")
        return self.take(chosen)

    def take(self, draws: IntArray | BoolArray, weighted: bool = True) -> PartitionPosterior:
        """These draws, by number or by a mask; without their weights, where they were drawn by weight.

        Examples
        --------
        >>> PartitionPosterior([[0, 0], [0, 1]], weights=[0.9, 0.1]).take([1, 1, 0], weighted=False).similarity()[0, 1]
        np.float32(0.33333334)
        """
        weights = self.weights[draws] if weighted and self.weights is not None else None
        weights = None if weights is None else check_weights(weights, len(weights))
        chains = None if self.chains is None else self.chains[draws]
        return PartitionPosterior._of_rows(self.draws[draws], weights, chains, self.items)

    @classmethod
    def _of_rows(
        cls, rows: LabelRows, weights: FloatArray | None, chains: IntArray | None, items: tuple[str, ...] | None
    ) -> PartitionPosterior:
        """A posterior of rows that are in canonical form already, and stay where they are; none may hold some item."""
        made = object.__new__(cls)
        made._set(draws=rows, weights=weights, chains=chains)
        object.__setattr__(made, "items", items)
        return made
