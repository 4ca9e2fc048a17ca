"""Choice of the number of clusters by stability, gap statistic, subsampling or silhouette."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._typing import IntArray, RandomState
from .._validation import MOST_RUNS, check_choice, check_count, check_jobs, check_rng, shorten
from ..stability._validation import check_data
from .clustering import check_clusterer
from .fits import Setting, SharedFits
from .methods import ALIASES, METHODS
from .recommend import recommend, warn_of_method
from .rules import RULES

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Selection:
    """A number of clusters, and what it was chosen from.

    Parameters
    ----------
    n_clusters : int
        The choice of the first method.
    labels : ndarray of int64, shape (n_items,)
        The clustering with so many clusters.
    table : pandas.DataFrame
        One row for each method and number of clusters: ``method``, ``n_clusters``, ``value`` (larger is better) and
        ``sd``.
    choices : dict of str to int
        The choice of every method.
    clusterings : dict of int to ndarray
        Labels by number of clusters: each was clustered once, for all methods.

    See Also
    --------
    select_n_clusters : makes one.
    partita.plot.plot_selection : draws one.

    Examples
    --------
    >>> from partita.selection import select_n_clusters
    >>> X = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]], 20, axis=0) + np.random.default_rng(0).normal(size=(60, 2))
    >>> select_n_clusters(X, range(2, 6), n_baselines=5)
    Selection: 3 clusters by silhouette, of 2 to 5
    """

    n_clusters: int
    labels: IntArray
    table: pd.DataFrame
    choices: dict[str, int]
    clusterings: dict[int, IntArray]

    def __repr__(self) -> str:
        tried, method = list(self.clusterings), next(iter(self.choices))
        return f"Selection: {self.n_clusters} clusters by {method}, of {tried[0]} to {tried[-1]}"

    @property
    def words(self) -> str:
        """The recommendation in sentences: what the methods choose, and what to look at before believing it.

        Examples
        --------
        >>> from partita.selection import select_n_clusters
        >>> X = np.repeat([[0.0], [9.0], [18.0]], 20, axis=0) + np.random.default_rng(0).normal(size=(60, 1))
        >>> print(select_n_clusters(X, range(1, 6), ["silhouette", "gap"], n_baselines=5).words)
        3 clusters: silhouette and gap agree.
        """
        return recommend(self.choices, self.table, list(self.clusterings))


def select_n_clusters(
    X: ArrayLike,
    n_clusters: Iterable[int],
    method: str | Iterable[str] = "silhouette",
    rule: str | None = None,
    *,
    clusterer: Any = None,
    n_baselines: int = 25,
    n_jobs: int = 1,
    random_state: RandomState = 0,
) -> Selection:
    """The number of clusters that a method finds best supported.

    Parameters
    ----------
    X : array-like of float, shape (n_items, n_features)
        Data.
    n_clusters : iterable of int
        Numbers of clusters to try, increasing. One cluster is offered to the methods for which it has a meaning: the
        stability methods, whose value there is zero, and the gap statistic.
    method : str or iterable of str
        ``"silhouette"``, ``"gap"``, ``"stability"`` (against permuted distances; also ``"stability-uniform"`` and
        ``"stability-recluster"``), ``"subsample-draws"``, ``"subsample-folds"``, ``"subsample-sizes"`` (by variation of
        information; ``"-ar"`` at the end for the adjusted Rand index), which tend to find too few. Several to compare
        them, of which the first decides, or ``"all"``.
    rule : {"best", "std_before_best", "gap"}, optional
        Greatest value; fewest clusters within a standard deviation of it; fewest clusters that one more does not
        improve by more than a standard deviation. By default the first for the silhouette, the second for all others.
    clusterer : clusterer or callable, optional
        Anything with ``fit_predict`` and a parameter ``n_clusters``, or a function from the number of clusters to
        something with ``fit_predict``. k-means, best of ten starts, when left out.
    n_baselines : int
        Null data sets.
    n_jobs : int
        Jobs at a time, over numbers of clusters and null data sets: threads, or what ``joblib.parallel_config`` says.
    random_state : int, Generator or None
        Seed.

    Returns
    -------
    selection : Selection
        ``n_clusters``, ``labels``, ``table``, ``choices``, ``words``.

    See Also
    --------
    assess_stability : item by item, for one clustering.

    Notes
    -----
    After Koepke (2008, chapter 5). The gap statistic is that of Tibshirani, Walther and Hastie, with the standard
    deviation over null data sets.

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Koepke and Clarke (2013). A Bayesian criterion for cluster stability. Statistical Analysis and Data Mining 6,
    346-374.

    Tibshirani, Walther and Hastie (2001). Estimating the number of clusters in a data set via the gap statistic.
    Journal of the Royal Statistical Society B 63, 411-423.

    Rousseeuw (1987). Silhouettes: a graphical aid to the interpretation and validation of cluster analysis. Journal of
    Computational and Applied Mathematics 20, 53-65.

    Examples
    --------
    >>> X = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]], 20, axis=0) + np.random.default_rng(0).normal(size=(60, 2))
    >>> selection = select_n_clusters(X, range(2, 6), ["stability", "gap", "silhouette"], n_baselines=5)
    >>> selection.choices
    {'stability-permutation': 3, 'gap': 3, 'silhouette': 3}
    >>> selection.table.query("method == 'silhouette'").round(2)
            method  n_clusters  value    sd
    8   silhouette           2   0.62  0.02
    9   silhouette           3   0.82  0.01
    10  silhouette           4   0.67  0.03
    11  silhouette           5   0.53  0.03
    """
    import pandas as pd

    data = check_data(X)
    if rule is not None:
        check_choice("rule", rule, RULES)
    names = _check_methods(method)
    warn_of_method(names[0])
    numbers = _check_candidates(n_clusters, len(data))
    setting = Setting(data, check_clusterer(clusterer), int(check_rng(random_state).integers(2**63)))
    fits = SharedFits(setting, numbers, check_count("n_baselines", n_baselines, most=MOST_RUNS), check_jobs(n_jobs))
    values = {name: METHODS[name](fits) for name in names}
    rows = [(name, k, *value) for name, by_k in values.items() for k, value in by_k.items()]
    choices = {name: _choose(name, by_k, rule) for name, by_k in values.items()}
    clusterings = {k: found.labels for k, found in fits.clusterings.items()}
    chosen = choices[names[0]]
    table = pd.DataFrame(rows, columns=["method", "n_clusters", "value", "sd"])
    return Selection(chosen, clusterings[chosen], table, choices, clusterings)


def _choose(name: str, by_k: dict[int, tuple[float, float]], rule: str | None) -> int:
    if not by_k:
        raise ValueError(f"n_clusters must hold a number of clusters that {name} allows: got none.")
    value, sd = np.array(list(by_k.values())).T
    own = "best" if name == "silhouette" else "std_before_best"
    return list(by_k)[RULES[own if rule is None else rule](value, sd)]


def _check_methods(method: str | Iterable[str]) -> list[str]:
    if isinstance(method, str) and method == "all":
        return list(METHODS)
    if not isinstance(method, Iterable):
        raise TypeError(f"method must name a method, or several: got {shorten(method)}.")
    wanted = [method] if isinstance(method, str) else list(method)
    if not wanted:
        raise ValueError("method must name at least one method: got none.")
    names = [check_choice("method", name, [*METHODS, *ALIASES]) for name in wanted]
    return list(dict.fromkeys(ALIASES.get(name, name) for name in names))


def _check_candidates(n_clusters: Iterable[int], n_items: int) -> tuple[int, ...]:
    if isinstance(n_clusters, (int, np.integer)) or not np.iterable(n_clusters):
        raise ValueError(f"n_clusters must be a list or range of numbers of clusters: got {n_clusters!r}.")
    numbers = list[int]()
    for k in n_clusters:  # one by one: a range may be as long as it likes
        number = check_count("n_clusters", k)
        if numbers and number <= numbers[-1]:
            raise ValueError(f"n_clusters must increase: got {number} after {numbers[-1]}.")
        if number > n_items:
            last = n_clusters[-1] if isinstance(n_clusters, range) else number
            raise ValueError(f"n_clusters must not exceed the number of items, {n_items}: got {last}.")
        numbers.append(number)
    if not numbers:
        raise ValueError("n_clusters must hold at least one number of clusters: got none.")
    return tuple(numbers)
