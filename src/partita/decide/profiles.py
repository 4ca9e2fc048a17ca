"""What distinguishes clusters: location, spread and shares of each column, with the uncertainty of the clustering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from .._typing import BoolArray, FloatArray, IntArray, RandomState
from .._validation import check_level, check_rng, item_names
from ..posterior import PartitionPosterior, as_posterior
from .certainty import assess_certainty
from .estimate import choose_estimate
from .features import Feature, column_evidence, read_features
from .result import PartitionEstimate, read_labels

if TYPE_CHECKING:
    import pandas as pd

MOST_DRAWS = 400  # draws that intervals are made of
TELLING = 0.5  # standard deviations between a cluster and the table from which on a sentence says so
MOST_NAMED = 3  # items of a cluster that are named
NEARLY_ALL = 0.9  # share of a cluster in one category that a sentence calls "nearly all"


@dataclass(frozen=True, eq=False, repr=False)
class ClusterProfiles:
    """What distinguishes the clusters of a partition.

    Attributes
    ----------
    labels : ndarray of int64, shape (n_items,)
        The partition that is described.
    features : tuple of Feature
        Columns of numbers, and categories.
    location, low, high : ndarray of float, shape (n_clusters, n_features)
        Mean of each cluster, or share of a category in it, and its credible interval.
    spread : ndarray of float, shape (n_clusters, n_features)
        Standard deviation within each cluster.
    overall, overall_spread : ndarray of float, shape (n_features,)
        Mean and standard deviation over all items.
    evidence : dict
        For each column, the log Bayes factor of a distribution per cluster against one for all items.
    exemplars, borderline : tuple of tuple of str
        The most typical items of each cluster, and those least sure to belong to it.
    level : float
        Probability of the intervals.

    See Also
    --------
    describe_clusters : makes one.
    partita.plot.plot_profiles : shows one.

    Examples
    --------
    >>> import partita as pt
    >>> profiles = pt.describe_clusters([0, 0, 1, 1], [[1.0], [1.4], [5.0], [5.2]])
    >>> profiles.location.round(3)
    array([[1.2],
           [5.1]])
    """

    labels: IntArray
    features: tuple[Feature, ...]
    location: FloatArray
    low: FloatArray
    high: FloatArray
    spread: FloatArray
    overall: FloatArray
    overall_spread: FloatArray
    evidence: dict[Any, float]
    exemplars: tuple[tuple[str, ...], ...]
    borderline: tuple[tuple[str, ...], ...]
    level: float

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return len(self.location)

    @property
    def standardized(self) -> FloatArray:
        """Location of each cluster relative to all items, in their standard deviations; shape as ``location``."""
        return (self.location - self.overall) / self.overall_spread

    def to_pandas(self) -> pd.DataFrame:
        """One row per cluster and column, or category of a column."""
        import pandas as pd

        rows = [
            {
                "cluster": k,
                "column": feature.column,
                "category": feature.level,
                "location": self.location[k, f],
                "low": self.low[k, f],
                "high": self.high[k, f],
                "spread": self.spread[k, f],
                "overall": self.overall[f],
            }
            for k in range(self.n_clusters)
            for f, feature in enumerate(self.features)
        ]
        return pd.DataFrame(rows)

    def between(self, first: int, second: int) -> dict[Any, float]:
        """What tells two clusters apart: for each column, the log Bayes factor of two distributions against one."""
        inside = np.isin(self.labels, (first, second))
        return column_evidence(self.features, np.where(self.labels == first, 0, 1), inside)

    @property
    def words(self) -> tuple[str, ...]:
        """A sentence on each cluster."""
        return tuple(self._sentence(k) for k in range(self.n_clusters))

    def _sentence(self, k: int) -> str:
        order = np.argsort(-np.abs(self.standardized[k]), kind="stable")
        numbers: list[str] = []
        categories: list[str] = []
        for f in order:
            column, level, _ = self.features[f]
            if level is None and abs(self.standardized[k, f]) >= TELLING and len(numbers) < 3:
                side = "high" if self.standardized[k, f] > 0 else "low"
                numbers.append(f"{side} {column} ({_short(self.location[k, f])}; all items {_short(self.overall[f])})")
            elif level is not None and self.location[k, f] >= NEARLY_ALL > self.overall[f] and len(categories) < 3:
                categories.append(f"{self.location[k, f]:.0%} {column} {level} (all items {self.overall[f]:.0%})")
        size = int((self.labels == k).sum())
        items = "1 item" if size == 1 else f"{size} items"
        return f"cluster {k}, {items}: " + ("; ".join(numbers + categories) or "much like all items") + "."

    def __repr__(self) -> str:
        return "\n".join(self.words)


def describe_clusters(
    result: Any,
    X: Any,
    estimate: PartitionEstimate | ArrayLike | None = None,
    *,
    level: float = 0.95,
    random_state: RandomState = 0,
) -> ClusterProfiles:
    """What distinguishes clusters: location and spread of each column, and which columns tell them apart.

    Parameters
    ----------
    result : fitted model, Pipeline, PartitionPosterior, draws, PartitionEstimate or labels
        Draws make the intervals carry the uncertainty about the clustering; labels alone are taken for certain.
    X : array-like or DataFrame, shape (n_items, n_columns)
        The table to describe clusters by, also by columns that the clusters were not made from. Missing entries are
        left out.
    estimate : PartitionEstimate or array-like of int, optional
        The partition to describe; the model's own or the one with least expected variation of information if left out.
    level : float
        Probability of the credible intervals.
    random_state : int, Generator or None
        Seed of the intervals.

    Returns
    -------
    profiles : ClusterProfiles
        Numbers, sentences (``words``) and a table (``to_pandas``).

    See Also
    --------
    summarize : which clusters, and how sure.
    partita.plot.plot_profiles : a heat map.

    Notes
    -----
    In each draw a member of a cluster of the estimate is in some drawn cluster; the location is that of those drawn
    clusters, averaged over the members. Items are weighted as in the Bayesian bootstrap, so that intervals also carry
    what a finite sample leaves open; a category has one more item, as frequent as among all. The evidence of a column
    is a ratio of marginal likelihoods: normal with a unit-information prior for numbers, Dirichlet-multinomial for
    categories.

    References
    ----------
    Rubin (1981). The Bayesian bootstrap. Annals of Statistics 9, 130-134.

    Examples
    --------
    >>> import partita as pt
    >>> table = [[1.0, 20.0], [1.2, 50.0], [0.8, 30.0], [5.0, 40.0], [5.3, 20.0], [4.9, 35.0]]
    >>> profiles = pt.describe_clusters([0, 0, 0, 1, 1, 1], table)
    >>> print(profiles)
    cluster 0, 3 items: low 0 (1; all items 3.03).
    cluster 1, 3 items: high 0 (5.07; all items 3.03).
    >>> max(profiles.evidence, key=profiles.evidence.get)
    0
    """
    level, rng = check_level(level), check_rng(random_state)
    posterior, labels = _read_result(result, estimate)
    features = read_features(X, labels.size)
    values = np.column_stack([feature.values for feature in features])
    center, overall_spread = np.nanmean(values, axis=0), np.nanstd(values, axis=0)
    overall_spread = np.where(overall_spread > 0, overall_spread, 1.0)
    table = Table(values - center, np.array([feature.level is not None for feature in features]))
    location, spread = _moments(table, labels, labels, np.ones(labels.size), 0.0)
    drawn = [
        _moments(table, labels, draw, rng.exponential(size=labels.size), rng.exponential())[0]
        for draw in _some_draws(posterior, labels, rng)
    ]
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    names = item_names(X) or (posterior.items if posterior is not None else None) or range(labels.size)
    names = [str(name) for name in names]
    return ClusterProfiles(
        labels,
        features,
        location + center,
        low + center,
        high + center,
        spread,
        center,
        overall_spread,
        column_evidence(features, labels, np.ones(labels.size, bool)),
        _first(np.nanmean(((table.values - location[labels]) / overall_spread) ** 2, axis=1), labels, names),
        _borderline(posterior, labels, names),
        level,
    )


def _read_result(result: Any, estimate: Any) -> tuple[PartitionPosterior | None, IntArray]:
    """Draws, unless labels alone are given, and the labels to describe."""
    if isinstance(result, PartitionEstimate) or _is_vector(result):
        return None, read_labels(result if estimate is None else estimate)
    posterior = as_posterior(result, "result")
    return posterior, read_labels(choose_estimate(result, estimate), posterior.n_items)


def _is_vector(result: Any) -> bool:
    """Whether this is a label vector, and not a model, draws, or lists of different lengths."""
    try:
        return not hasattr(result, "fit") and np.ndim(result) == 1
    except ValueError:
        return False


def _some_draws(posterior: PartitionPosterior | None, labels: IntArray, rng: np.random.Generator) -> list[IntArray]:
    """Draws to make intervals of; the labels themselves where there are none."""
    if posterior is None:
        return [labels] * MOST_DRAWS
    picked = rng.choice(posterior.n_draws, size=MOST_DRAWS, p=posterior.probabilities())
    return [posterior.draws[m].astype(np.int64) for m in picked]


def _short(number: float) -> str:
    """A number to three digits, or to the unit where it has more."""
    return f"{number:.3g}" if abs(number) < 1000 else f"{number:.0f}"


class Table(NamedTuple):
    """Features measured from their means, and which of them are categories."""

    values: FloatArray  # (n_items, n_features), NaN where missing
    is_category: BoolArray


def _moments(
    table: Table, labels: IntArray, draw: IntArray, weights: FloatArray, extra: float
) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation, for each cluster of ``labels``, of the drawn clusters its members are in.

    Categories have an ``extra`` item at the mean of all.
    """
    held = draw >= 0
    draw, labels, values, weights = draw[held], labels[held], table.values[held], weights[held, None]
    n_drawn, n_clusters, items = int(draw.max()) + 1, int(labels.max()) + 1, np.arange(draw.size)
    members = csr_array((np.ones(draw.size), (draw, items)), shape=(n_drawn, draw.size))
    present = ~np.isnan(values)
    filled = np.where(present, values, 0.0)
    total, first, second = (np.asarray(members @ (weights * x)) for x in (present, filled, filled**2))
    total = total + extra * table.is_category
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = first / total
        variance = np.maximum(second / total - mean**2, 0.0)
    share = np.zeros((n_clusters, n_drawn))
    np.add.at(share, (labels, draw), 1.0)
    known = np.isfinite(mean)
    with np.errstate(invalid="ignore", divide="ignore"):
        location = (share @ np.where(known, mean, 0.0)) / (share @ known)
        spread = np.sqrt((share @ np.where(known, variance, 0.0)) / (share @ known))
    return location, spread


def _borderline(
    posterior: PartitionPosterior | None, labels: IntArray, names: list[str]
) -> tuple[tuple[str, ...], ...]:
    """The items of each cluster that are least sure to belong to it; none where all are sure or nothing is known."""
    if posterior is None:
        return ((),) * (int(labels.max()) + 1)
    assessed = assess_certainty(posterior, labels)
    certainty = np.empty(labels.size)
    certainty[assessed.item_numbers] = assessed.items["certainty"]
    return _first(np.where(certainty < 1 - 1e-9, certainty, np.nan), labels, names)


def _first(order: FloatArray, labels: IntArray, names: list[str]) -> tuple[tuple[str, ...], ...]:
    """Names of the few items of each cluster that come first; those at NaN do not count."""
    out = []
    for k in range(int(labels.max()) + 1):
        members = np.flatnonzero((labels == k) & ~np.isnan(order))
        out.append(tuple(names[i] for i in members[np.argsort(order[members], kind="stable")[:MOST_NAMED]]))
    return tuple(out)
