"""Must-link and cannot-link constraints, hard or soft, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from .._typing import FloatArray, IntArray, RandomState
from .._validation import (
    check_choice,
    check_count,
    check_labels,
    check_memory,
    check_names,
    check_number,
    check_rng,
    shorten,
)
from .coloring import color_graph, count_colors, find_clique
from .read import as_frame, read_pairs, read_table


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Constraints:
    """Must-link and cannot-link constraints: pairs of items that must share a cluster, and pairs that cannot.

    Parameters
    ----------
    must_link, cannot_link : array-like of shape (n_pairs, 2), DataFrame or path of a CSV file
        Pairs of items: indices, or names where ``items`` are given. The first two columns of a table are the items; one
        named ``weight`` is how sure each pair is.
    n_items : int, optional
        Number of items; not needed with ``items``.
    items : iterable of str, optional
        Name of each item. Pairs are then pairs of names.
    must_link_weights, cannot_link_weights : float or array-like of float, shape (n_pairs,), optional
        How sure each pair is: the log odds that it is right. Infinite, the default, is *hard*: the pair holds. A finite
        weight is *soft*: the pair can be out-voted by the data.

    Attributes
    ----------
    must_link, cannot_link : ndarray of int64, shape (n_pairs, 2)
        Item indices of the pairs, as given.

    See Also
    --------
    sample_constraints : random pairs of a known partition.
    suggest_pairs : which pair to ask about next.
    BayesianMixture : takes them in ``fit``.
    LocallyWeightedClustering, COPKMeans, MPCKMeans : so do these.

    Notes
    -----
    Must-links are closed under transitivity by connected components (chunklets); whether cannot-links fit into k
    clusters is a question of coloring a graph.

    References
    ----------
    Wagstaff, Cardie, Rogers and Schroedl (2001). Constrained k-means clustering with background knowledge. ICML.

    Cheng, Hua and Vu (2008). Constrained locally weighted clustering. PVLDB 1.

    Examples
    --------
    >>> cons = Constraints(must_link=[(0, 1), (1, 4)], cannot_link=[(4, 2)], n_items=5)
    >>> cons
    Constraints: 2 must-links and 1 cannot-link on 5 items, 3 chunklets
    >>> cons.chunklets
    array([0, 0, 1, 2, 0])
    >>> cons.count_violations([0, 0, 0, 1, 0])
    1
    >>> Constraints(must_link=[("ann", "bob")], items=["ann", "bob", "cem"]).must_link
    array([[0, 1]])
    """

    must_link: IntArray
    cannot_link: IntArray
    n_items: int
    items: tuple[str, ...] | None
    must_link_weights: FloatArray
    cannot_link_weights: FloatArray

    def __init__(
        self,
        must_link: Any = (),
        cannot_link: Any = (),
        n_items: int | None = None,
        *,
        items: Iterable[Any] | None = None,
        must_link_weights: ArrayLike | None = None,
        cannot_link_weights: ArrayLike | None = None,
    ) -> None:
        names = _as_names(items)
        n = check_count("n_items", n_items if names is None else len(names))
        if n_items not in (None, n):
            raise ValueError(f"n_items must be the number of items, {n}: got {n_items!r}.")
        names = None if names is None else check_names(names, n)
        index = None if names is None else {name: i for i, name in enumerate(names)}
        must, must_weights = read_pairs("must_link", must_link, must_link_weights, n, index)
        cannot, cannot_weights = read_pairs("cannot_link", cannot_link, cannot_link_weights, n, index)
        vars(self).update(must_link=must, cannot_link=cannot, n_items=n, items=names)
        vars(self).update(must_link_weights=must_weights, cannot_link_weights=cannot_weights)
        for values in (must, cannot, must_weights, cannot_weights):
            values.flags.writeable = False
        self._refuse_contradictions()

    @classmethod
    def from_labels(cls, labels: ArrayLike, *, items: Iterable[Any] | None = None) -> Constraints:
        """Constraints from the clusters of some items; items labeled -1, None or NaN are unlabeled.

        Examples
        --------
        >>> Constraints.from_labels([1, 1, -1, 2, -1]).cannot_link
        array([[0, 3]])
        >>> Constraints.from_labels(["cat", None, "dog", "cat"]).must_link
        array([[0, 3]])
        """
        import pandas as pd

        values = pd.Series((labels if np.ma.isMaskedArray(labels) else np.asarray(labels)).tolist(), dtype=object)
        codes = pd.factorize(values.where(values != -1))[0]
        members = [np.flatnonzero(codes == k) for k in range(codes.max(initial=-1) + 1)]
        must = [(group[0], i) for group in members for i in group[1:]]
        cannot = list(combinations([group[0] for group in members], 2))
        names = None if items is None else check_names(items, len(codes))
        return _renamed(cls(must, cannot, len(codes)), names)

    @classmethod
    def from_table(
        cls, table: Any, n_items: int | None = None, *, items: Iterable[Any] | None = None, link: str = "link"
    ) -> Constraints:
        """Pairs of both kinds from one table, or CSV file, whose column ``link`` says ``must`` or ``cannot``.

        Examples
        --------
        >>> import pandas as pd
        >>> answers = pd.DataFrame({"a": ["ann", "cem"], "b": ["bob", "ann"], "link": ["must", "cannot"]})
        >>> Constraints.from_table(answers, items=["ann", "bob", "cem"])
        Constraints: 1 must-link and 1 cannot-link on 3 items, 2 chunklets
        """
        names = _as_names(items)
        index = None if names is None else {str(name): i for i, name in enumerate(names)}
        frame = as_frame(table) if hasattr(table, "columns") else read_table("table", table, index)
        if link not in frame:
            raise ValueError(f"table must have a column {link!r}: got {', '.join(map(str, frame.columns))}.")
        kinds = np.array([check_choice(link, kind, ("must", "cannot")) for kind in frame[link]], dtype=object)
        pairs = frame.drop(columns=link)
        return cls(pairs[kinds == "must"], pairs[kinds == "cannot"], n_items, items=names)

    def __repr__(self) -> str:
        must, cannot = _counted(len(self.must_link), "must-link"), _counted(len(self.cannot_link), "cannot-link")
        return f"Constraints: {must} and {cannot} on {self.n_items} items, {_counted(self.n_chunklets, 'chunklet')}"

    @cached_property
    def chunklets(self) -> IntArray:
        """Canonical labels, shape (n_items,), of the finest partition in which hard must-links hold."""
        return check_labels(connected_components(self._hard_links, directed=False)[1])

    @property
    def n_chunklets(self) -> int:
        """Number of chunklets, items alone among them."""
        return int(self.chunklets.max()) + 1

    @cached_property
    def cannot_link_graph(self) -> tuple[IntArray, IntArray]:
        """Cannot-link graph of the chunklets: the neighbors of ``u`` are ``others[bounds[u] : bounds[u + 1]]``.

        Returns
        -------
        bounds, others : ndarray of int64, shapes (n_chunklets + 1,) and (2 * n_edges,)
            The chunklet graph, each edge in both directions, without repeats.
        """
        pairs = self.chunklets[self.cannot_link[np.isinf(self.cannot_link_weights)]]
        graph = _graph(np.concatenate([pairs, pairs[:, ::-1]]), self.n_chunklets)
        return graph.indptr.astype(np.int64), graph.indices.astype(np.int64)

    @cached_property
    def soft_pairs(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Pairs of chunklets with the log odds that they share a cluster, soft pairs between the same two added up.

        Returns
        -------
        first, second : ndarray of int64, shape (n_soft,)
            Chunklets, ``first < second``.
        log_odds : ndarray of float, shape (n_soft,)
            Positive for must-links, negative for cannot-links.
        """
        pairs = np.sort(self.chunklets[np.concatenate([self.must_link, self.cannot_link])], axis=1)
        log_odds = np.concatenate([self.must_link_weights, -self.cannot_link_weights])
        kept = np.isfinite(log_odds) & (pairs[:, 0] < pairs[:, 1])
        total = coo_array((log_odds[kept], pairs[kept].T), shape=(self.n_chunklets,) * 2).tocsr()
        total.eliminate_zeros()
        first, second = total.nonzero()
        return first.astype(np.int64), second.astype(np.int64), total.data

    @property
    def is_soft(self) -> bool:
        """Whether some pair is soft, so that the data can outweigh it."""
        return bool(np.isfinite(self.must_link_weights).any() or np.isfinite(self.cannot_link_weights).any())

    @cached_property
    def feasible_coloring(self) -> IntArray:
        """Coloring of the cannot-link graph, shape (n_chunklets,): a feasible partition into few clusters."""
        return color_graph(*self.cannot_link_graph)

    @cached_property
    def n_clusters_bounds(self) -> tuple[int, int]:
        """Lower and upper bound on the fewest clusters with which the hard cannot-links can be satisfied.

        Examples
        --------
        >>> Constraints(cannot_link=[(0, 1), (1, 2), (2, 0), (2, 3)], n_items=4).n_clusters_bounds
        (3, 3)
        """
        return count_colors(*self.cannot_link_graph)

    def is_feasible(self, n_clusters: int) -> bool | None:
        """Whether some partition into at most ``n_clusters`` clusters breaks no hard pair; None if that is not known.

        Examples
        --------
        >>> Constraints(cannot_link=[(0, 1), (1, 2), (2, 0)], n_items=4).is_feasible(2)
        False
        """
        needed, enough = self.n_clusters_bounds
        return False if n_clusters < needed else True if n_clusters >= enough else None

    def check_n_clusters(self, n_clusters: int) -> int:
        """``n_clusters``, or an error where chunklets are too few for it, or too many of them must be apart.

        Examples
        --------
        >>> Constraints(must_link=[(0, 1)], n_items=3).check_n_clusters(3)
        Traceback (most recent call last):
        ValueError: n_clusters must be at most 2, the number of chunklets: got 3. Must-links join items to chunklets.
        """
        if n_clusters > self.n_chunklets:
            help_ = "Must-links join items to chunklets."
            most = f"at most {self.n_chunklets}, the number of chunklets"
            raise ValueError(f"n_clusters must be {most}: got {n_clusters}. {help_}")
        if n_clusters < (needed := self.n_clusters_bounds[0]):
            raise ValueError(f"n_clusters must be at least {needed}: got {n_clusters}. {self._why_so_many()}")
        return n_clusters

    def count_violations(self, labels: ArrayLike) -> int:
        """Number of pairs, hard and soft, that a partition violates."""
        together = check_labels(labels, n_items=self.n_items)
        broken = together[self.must_link[:, 0]] != together[self.must_link[:, 1]]
        joined = together[self.cannot_link[:, 0]] == together[self.cannot_link[:, 1]]
        return int(broken.sum() + joined.sum())

    @property
    def n_entailed(self) -> int:
        """Number of pairs of items, together or apart, that the hard constraints entail."""
        sizes, (bounds, others) = np.bincount(self.chunklets), self.cannot_link_graph
        return int((sizes * (sizes - 1)).sum() + np.repeat(sizes, np.diff(bounds)) @ sizes[others]) // 2

    def closure(self) -> Constraints:
        """Transitive closure of the hard constraints: all pairs that they entail.

        Examples
        --------
        >>> Constraints(must_link=[(0, 1)], cannot_link=[(1, 2)], n_items=3).closure().cannot_link
        array([[0, 2],
               [1, 2]])
        """
        what = f"{self.n_entailed} pairs of items"
        check_memory(200 * self.n_entailed, what, "Use chunklets and cannot_link_graph, which say the same.")
        members = np.split(np.argsort(self.chunklets, kind="stable"), np.cumsum(np.bincount(self.chunklets))[:-1])
        bounds, others = self.cannot_link_graph
        ends = np.column_stack([np.repeat(np.arange(self.n_chunklets), np.diff(bounds)), others])
        edges = ends[ends[:, 0] < ends[:, 1]]
        must = [pair for group in members for pair in combinations(group, 2)]
        cannot = [sorted(pair) for u, v in edges for pair in product(members[u], members[v])]
        return _renamed(Constraints(sorted(must), sorted(cannot), self.n_items), self.items)

    @property
    def _hard_links(self) -> Any:
        return _graph(self.must_link[np.isinf(self.must_link_weights)], self.n_items)

    def _refuse_contradictions(self) -> None:
        hard = self.cannot_link[np.isinf(self.cannot_link_weights)]
        joined = self.chunklets[hard[:, 0]] == self.chunklets[hard[:, 1]]
        if not joined.any():
            return
        first, last = (int(i) for i in hard[joined.argmax()])
        back = breadth_first_order(self._hard_links, last, directed=False)[1]
        chain = [int(back[first])]
        while chain[-1] != last:
            chain.append(int(back[chain[-1]]))
        how = f"linked through {', '.join(map(self._name, chain[:-1]))}" if chain[:-1] else "linked themselves"
        pair = f"({self._name(first)}, {self._name(last)})"
        raise ValueError(f"cannot_link must not join items that must_link joins: got {pair}, {how}.")

    def _why_so_many(self) -> str:
        clique = find_clique(*self.cannot_link_graph)
        if len(clique) < self.n_clusters_bounds[0]:
            return "A ring of cannot-links with an odd number of chunklets needs three clusters."
        members = [self._name(int((self.chunklets == u).argmax())) for u in sorted(clique)]
        return f"No two of the items {', '.join(members[:10])}{', ...' if members[10:] else ''} may share a cluster."

    def _name(self, item: int) -> str:
        return str(item) if self.items is None else self.items[item]


def sample_constraints(
    labels: ArrayLike,
    n_pairs: int,
    random_state: RandomState = 0,
    *,
    noise: float = 0.0,
) -> Constraints:
    """Constraints on random pairs of items, answered by a known partition, with or without noise.

    Parameters
    ----------
    labels : array-like of int, shape (n_items,)
        The partition.
    n_pairs : int
        Number of pairs, each of two different items; a pair can be drawn again.
    random_state : int, Generator or None
        Seed.
    noise : float
        Probability that an answer is wrong, less than one half. If there is any, the pairs are soft and their weight
        is the log odds of a right answer.

    See Also
    --------
    Constraints : what it returns.
    suggest_pairs : pairs chosen rather than drawn.

    Examples
    --------
    >>> sample_constraints([0, 0, 0, 1, 1, 1], n_pairs=4)
    Constraints: 3 must-links and 1 cannot-link on 6 items, 4 chunklets
    """
    truth = check_labels(labels)
    if truth.size < 2:
        raise ValueError("labels must label at least two items, to make a pair: got 1.")
    check_number("noise", noise, "be at least 0 and less than one half", lambda value: 0 <= value < 0.5)
    n_pairs, rng = check_count("n_pairs", n_pairs, least=0), check_rng(random_state)
    first = rng.integers(truth.size, size=n_pairs)
    second = (first + rng.integers(1, truth.size, size=n_pairs)) % truth.size
    pairs, together = np.column_stack([first, second]), truth[first] == truth[second]
    together ^= rng.random(n_pairs) < noise
    weight = np.log1p(-noise) - np.log(noise) if noise > 0 else np.inf
    return Constraints(
        pairs[together], pairs[~together], truth.size, must_link_weights=weight, cannot_link_weights=weight
    )


def check_constraints(
    constraints: Any, n_items: int, allow_soft: bool = False, items: Sequence[str] | None = None
) -> Constraints:
    """Constraints on ``n_items`` items, which may have names; none where nothing is passed."""
    if constraints is None:
        return Constraints(n_items=n_items)
    if not isinstance(constraints, Constraints):
        raise ValueError(f"constraints must be Constraints: got {shorten(constraints)}.")
    if constraints.n_items != n_items:
        raise ValueError(f"constraints must be about the same {n_items} items: got {constraints.n_items}.")
    if constraints.items and items and (odd := [i for i in range(n_items) if constraints.items[i] != items[i]]):
        got = f"got {constraints.items[odd[0]]!r} where row {odd[0]} is {items[odd[0]]!r}"
        raise ValueError(f"constraints must name the items as the rows of X do, in the same order: {got}.")
    if constraints.is_soft and not allow_soft:
        help_ = "MPCKMeans and BayesianMixture let such pairs be out-voted."
        raise ValueError(f"constraints must be hard for this method: got pairs with finite weights. {help_}")
    return constraints


def _graph(pairs: IntArray, n: int) -> Any:
    """Adjacency in rows, entries sorted and without repeats."""
    graph = coo_array((np.ones(len(pairs), np.int8), pairs.T), shape=(n, n)).tocsr()
    graph.data[:] = 1
    return graph


def _renamed(constraints: Constraints, items: tuple[str, ...] | None) -> Constraints:
    """The same constraints on items with names."""
    vars(constraints).update(items=items)
    return constraints


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _as_names(items: Iterable[Any] | None) -> tuple[Any, ...] | None:
    if items is not None and not isinstance(items, Iterable):
        raise TypeError(f"items must hold the names of the items: got {shorten(items)}.")
    return None if items is None else tuple(items)
