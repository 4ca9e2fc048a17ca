"""Convergence diagnostics for chains of partitions: R-hat, effective sample size, agreement of similarity matrices."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._typing import FloatArray
from .._validation import check_count, check_labels, check_numbers
from ..losses import VariationOfInformation
from ..posterior import PartitionPosterior, as_posterior, check_complete
from .chain_similarity import LEAST_DRAWS, Apart, compare_similarities
from .result import PartitionEstimate

if TYPE_CHECKING:
    import pandas as pd

LARGEST_R_HAT = 1.05
LEAST_ESS = 100.0
LEAST_PAIR_ESS = 50.0  # of the pair of items that looks worst of all, which is worse than it is
SMALL_DIFFERENCE = 0.1  # between two chains' similarities: not worth a longer run
DECIMALS = 10  # equal sizes added up in another order give entropies that differ by rounding, which ranks would see
NEGLIGIBLE = 1e-3  # bits between all draws of all chains that R-hat would see, and no one else
WORDS = {
    "n_clusters": "the number of clusters",
    "entropy": "the entropy",
    "largest_cluster": "the size of the largest cluster",
    "log_posterior": "the log posterior",
    "vi_to_estimate": "the VI to the estimate",
}


@dataclass(frozen=True, eq=False, repr=False)
class Diagnostics:
    """Convergence diagnostics of chains of partitions, with a verdict in words.

    Attributes
    ----------
    table : DataFrame
        One row per quantity: ``n_clusters``, ``entropy`` in bits, ``largest_cluster`` and, where given,
        ``log_posterior`` and ``vi_to_estimate`` in bits. Columns: ``r_hat``, rank-normalized; ``ess_bulk``;
        ``mean``, ``sd``, and ``mcse``, the Monte Carlo standard error of the mean. R-hat is nan for a quantity that
        never changes, and for one chain.
    largest_difference : float
        Largest difference between two chains' similarities, over pairs of items and of chains; nan for one chain.
    mean_difference : float
        Mean absolute difference over pairs of items, of the two chains for which it is largest; nan for one chain.
    explained_difference : float
        What Monte Carlo error explains of the largest difference, all pairs compared taken into account.
    items_apart, chains_apart : tuple of int or None
        The two items and the two chains for which the difference is largest.
    mixed : bool
        Whether no check failed. With one chain, agreement between chains is not among the checks.
    verdict : str
        The same in words, and what to do.

    See Also
    --------
    diagnose : makes one.

    Examples
    --------
    >>> import partita as pt
    >>> stuck = pt.PartitionPosterior([[0, 0, 1, 1]] * 50 + [[0, 1, 0, 1]] * 50, chains=[0] * 50 + [1] * 50)
    >>> result = pt.diagnose(stuck)
    >>> result.mixed, result.largest_difference
    (False, 1.0)
    >>> print(result.verdict)
    Not mixed: items 0 and 1 share a cluster in 1.00 of chain 0 and 0.00 of chain 1, where Monte Carlo error explains a
    difference of 0.31. Chains disagree: run longer, and more chains from other starts; look at the two modes with
    posterior.chain(0) and posterior.chain(1).
    """

    table: pd.DataFrame
    largest_difference: float
    mean_difference: float
    explained_difference: float
    items_apart: tuple[int, int] | None
    chains_apart: tuple[int, int] | None
    mixed: bool
    verdict: str

    def warn_if_not_mixed(self) -> None:
        """Warn with the verdict where a check failed; say nothing otherwise.

        Examples
        --------
        >>> import partita as pt
        >>> posterior, _ = pt.datasets.make_noisy_draws()
        >>> pt.diagnose(posterior).warn_if_not_mixed()
        """
        if not self.mixed:
            warnings.warn(self.verdict, UserWarning, stacklevel=2)

    def __repr__(self) -> str:
        return f"Diagnostics: {self.verdict}"


def diagnose(
    posterior: PartitionPosterior | Any,
    estimate: PartitionEstimate | ArrayLike | None = None,
    log_posterior: ArrayLike | None = None,
    max_items: int = 5000,
) -> Diagnostics:
    """Convergence diagnostics: whether chains agree and have mixed, and what to do where they have not.

    Parameters
    ----------
    posterior : PartitionPosterior, fitted model, Pipeline, or anything ``PartitionPosterior.from_any`` takes
        Draws in the order in which they were made, with their chains; weights are refused.
    estimate : PartitionEstimate or array-like of int, shape (n_items,), optional
        A partition; the distance of the draws to it then becomes one of the quantities.
    log_posterior : array-like of float, shape (n_draws,), optional
        Log posterior of each draw, in the order of ``posterior.draws``: chain after chain.
    max_items : int
        Similarities are compared between this many items at most, spread evenly over all.

    Returns
    -------
    diagnostics : Diagnostics
        R-hat and effective sample size of each quantity, differences between the chains' similarities, a verdict.

    See Also
    --------
    partita.plot.plot_traces : the same by eye.
    partita.plot.plot_chain_agreement : similarities of two chains.

    Notes
    -----
    Rank-normalized R-hat and bulk effective sample size are ArviZ's [1]_, over chains cut to the length of the
    shortest. Number of clusters, entropy and largest cluster do not see *which* items are together, so chains may
    agree on all three around different partitions; their similarities then differ. The largest difference is held
    against its standard error, at the effective sample size of the chain slowest to join and part those two items,
    times the normal quantile that well-mixed chains exceed for some pair in one run of a hundred.

    A check fails where R-hat exceeds 1.05, where an effective sample size is below 100, where the largest difference is
    more than Monte Carlo error explains and R-hat of whether those two items are together exceeds 1.05 too, or where
    that error explains more than 0.1 only because the two items were joined and parted too rarely (an effective sample
    size below 50). By Monte Carlo error alone long runs would fail for differences that matter to no one: the longer
    the chains, the smaller the difference that it does not explain.

    References
    ----------
    .. [1] Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021). Rank-normalization, folding, and localization: an
       improved R-hat for assessing convergence of MCMC. Bayesian Analysis 16, 667-718.

    Examples
    --------
    >>> import numpy as np, partita as pt
    >>> noisy, truth = pt.datasets.make_noisy_draws(n_items=30, n_draws=800, n_clusters=3)
    >>> posterior = pt.PartitionPosterior(noisy.draws, chains=np.repeat([0, 1], 400))
    >>> result = pt.diagnose(posterior, truth)
    >>> result.mixed
    True
    >>> result.table.round(2)["mean"]
    quantity
    n_clusters          3.00
    entropy             1.52
    largest_cluster    12.91
    vi_to_estimate      0.60
    Name: mean, dtype: float64
    """
    posterior = check_complete(as_posterior(posterior), "diagnostics of chains")
    if posterior.weights is not None:
        raise ValueError(
            "posterior must hold draws in the order they were made: got weighted draws, which have none. "
            "Pass the draws as the sampler left them."
        )
    max_items = check_count("max_items", max_items, least=2)
    quantities = {
        name: _by_chain(values, posterior) for name, values in _quantities(posterior, estimate, log_posterior)
    }
    table = _table(quantities)
    apart = compare_similarities(posterior, max_items) if posterior.n_chains > 1 else None
    problems, advice = _problems(table, quantities, apart, posterior)
    return Diagnostics(
        table=table,
        largest_difference=apart.largest if apart else math.nan,
        mean_difference=apart.mean if apart else math.nan,
        explained_difference=apart.explained if apart else math.nan,
        items_apart=apart.items if apart else None,
        chains_apart=apart.chains if apart else None,
        mixed=not problems,
        verdict=_bad_news(problems, advice, posterior) if problems else _good_news(table, apart, posterior),
    )


def _quantities(
    posterior: PartitionPosterior, estimate: PartitionEstimate | ArrayLike | None, log_posterior: ArrayLike | None
) -> Iterator[tuple[str, FloatArray]]:
    """Name, and value for each draw, of the quantities diagnosed."""
    yield "n_clusters", posterior.n_clusters().astype(float)
    yield "entropy", _steadied(posterior.entropy())
    yield "largest_cluster", posterior.largest_cluster().astype(float)
    if log_posterior is not None:
        yield "log_posterior", _check_log_posterior(log_posterior, posterior.n_draws)
    if estimate is not None:
        labels = estimate.labels if isinstance(estimate, PartitionEstimate) else estimate
        labels = check_labels(labels, "estimate", posterior.n_items)
        yield "vi_to_estimate", _steadied(VariationOfInformation().per_draw(labels, posterior))


def _steadied(bits: FloatArray) -> FloatArray:
    """Values in bits, rounded; their mean for all where they differ by next to nothing, as among a million items."""
    return np.full_like(bits, bits.mean()) if np.ptp(bits) < NEGLIGIBLE else bits.round(DECIMALS)


def _check_log_posterior(log_posterior: ArrayLike, n_draws: int) -> FloatArray:
    values = check_numbers("log_posterior", log_posterior)
    if values.shape != (n_draws,):
        raise ValueError(f"log_posterior must hold one number per draw, {n_draws} in all: got shape {values.shape}.")
    if (wrong := ~np.isfinite(values)).any():
        raise ValueError(f"log_posterior must be finite: got {values[wrong][0]} for draw {wrong.argmax()}.")
    return values


def _by_chain(values: FloatArray, posterior: PartitionPosterior) -> FloatArray:
    """One row per chain, each cut to the length of the shortest."""
    starts, lengths = np.unique(posterior.chain_ids(), return_index=True, return_counts=True)[1:]
    return np.stack([values[start : start + lengths.min()] for start in starts])


def _table(quantities: dict[str, FloatArray]) -> pd.DataFrame:
    import pandas as pd

    rows = [_summarize(values) for values in quantities.values()]
    columns = ["r_hat", "ess_bulk", "mean", "sd", "mcse"]
    return pd.DataFrame(rows, columns=columns, index=pd.Index(list(quantities), name="quantity"))


def _summarize(values: FloatArray) -> tuple[float, float, float, float, float]:
    """R-hat, effective size, mean, standard deviation and Monte Carlo standard error of values by chain."""
    from arviz_stats.base.array import array_stats

    if values.max() == values.min():
        return math.nan, float(values.size), float(values[0, 0]), 0.0, 0.0
    mean, sd = float(values.mean()), float(values.std(ddof=1))
    if values.shape[1] < LEAST_DRAWS:
        return math.nan, math.nan, mean, sd, math.nan
    with np.errstate(all="ignore"):  # a chain that never moves has no variance to divide by
        r_hat = array_stats.rhat(values) if len(values) > 1 else math.nan
        return float(r_hat), float(array_stats.ess(values)), mean, sd, float(array_stats.mcse(values))


def _problems(
    table: pd.DataFrame, quantities: dict[str, FloatArray], apart: Apart | None, posterior: PartitionPosterior
) -> tuple[list[str], str]:
    """Failed checks, a clause each, and advice."""
    n_chains, shortest = quantities["n_clusters"].shape
    if shortest < LEAST_DRAWS:
        clause = f"the shortest chain has {shortest} draw{'s' * (shortest > 1)}, too few to assess mixing"
        return [clause], "Run longer."
    differing = table.loc[table["r_hat"] > LARGEST_R_HAT, "r_hat"]
    disagree = [_mean_clause(str(name), float(r_hat), quantities) for name, r_hat in differing.items()]
    chains = _furthest(quantities, table, posterior)
    if apart and apart.largest > apart.explained and apart.r_hat > LARGEST_R_HAT:
        disagree.append(_pair_clause(apart, posterior))
        chains = apart.chains
    scarce = _scarce(table.drop(differing.index), apart, posterior)
    slow = [f"{what} is known from {ess:.0f} effective draws" for what, ess in scarce.items()]
    if disagree:
        modes = "look at the two modes with posterior.chain({}) and posterior.chain({})".format(*chains)
        return disagree + slow, f"Chains disagree: run longer, and more chains from other starts; {modes}."
    times = max(2, math.ceil(LEAST_ESS / max(1.0, min(scarce.values(), default=LEAST_ESS))))
    also = " Run several chains from different starts too." if n_chains == 1 else ""
    return slow, f"Draws resemble each other too much: run at least {times} times as long.{also}"


def _scarce(table: pd.DataFrame, apart: Apart | None, posterior: PartitionPosterior) -> dict[str, float]:
    """Quantities with too small an effective sample size."""
    low = table[(table["sd"] > 0) & (table["ess_bulk"] < LEAST_ESS)]
    scarce = {WORDS[str(name)]: float(ess) for name, ess in low["ess_bulk"].items()}
    if apart and apart.ess < LEAST_PAIR_ESS and apart.explained > max(apart.largest, SMALL_DIFFERENCE):
        scarce[f"whether {_pair(apart, posterior)} share a cluster"] = apart.ess
    return scarce


def _mean_clause(name: str, r_hat: float, quantities: dict[str, FloatArray]) -> str:
    values = quantities[name]
    means = ", ".join(f"{mean:.4g}" for mean in values.mean(axis=1)[:8]) + (", ..." if len(values) > 8 else "")
    shown = f"{r_hat:.2f}" if r_hat < 10 else "above 10"
    return f"{WORDS[name]} differs between chains (R-hat {shown}, means {means})"


def _furthest(quantities: dict[str, FloatArray], table: pd.DataFrame, posterior: PartitionPosterior) -> tuple[int, int]:
    """The chains whose means of the worst quantity are furthest apart."""
    worst = str(table["r_hat"].fillna(0.0).idxmax())
    ids, means = np.unique(posterior.chain_ids()), quantities[worst].mean(axis=1)
    one, other = sorted((int(ids[means.argmin()]), int(ids[means.argmax()])))
    return one, other


def _pair(apart: Apart, posterior: PartitionPosterior) -> str:
    one, other = apart.items if posterior.items is None else [posterior.items[i] for i in apart.items]
    return f"items {one} and {other}"


def _pair_clause(apart: Apart, posterior: PartitionPosterior) -> str:
    shares = f"{apart.shares[0]:.2f} of chain {apart.chains[0]} and {apart.shares[1]:.2f} of chain {apart.chains[1]}"
    explains = f"where Monte Carlo error explains a difference of {apart.explained:.2f}"
    return f"{_pair(apart, posterior)} share a cluster in {shares}, {explains}"


def _bad_news(problems: list[str], advice: str, posterior: PartitionPosterior) -> str:
    alone = "" if posterior.n_chains > 1 else " One chain: agreement between chains cannot be assessed."
    return f"Not mixed: {'; '.join(problems)}. {advice}{alone}"


def _good_news(table: pd.DataFrame, apart: Apart | None, posterior: PartitionPosterior) -> str:
    moving = table[table["sd"] > 0]
    if moving.empty:
        within = "every quantity is the same in all draws (the posterior is certain, or no chain ever moved)"
    else:
        least = str(moving["ess_bulk"].idxmin())
        within = f"at least {moving['ess_bulk'].min():.0f} effective draws (of {WORDS[least]})"
    if posterior.n_chains == 1:
        return f"One chain: agreement between chains cannot be assessed; run more, from other starts. Here {within}."
    r_hat = "" if moving.empty else f"R-hat at most {moving['r_hat'].max():.3f}, "
    return f"Chains agree: {r_hat}{within}{_similar(apart, posterior)}."


def _similar(apart: Apart | None, posterior: PartitionPosterior) -> str:
    if apart is None:
        return ""
    some = "" if apart.n_compared == posterior.n_items else f" among {apart.n_compared} items"
    differ = f"similarities{some} differ by at most {apart.largest:.3f} and {apart.mean:.3f} on average"
    if apart.largest > apart.explained:
        return f"; {differ}, little, if more than Monte Carlo error explains (up to {apart.explained:.3f})"
    return f"; {differ}, as Monte Carlo error explains (up to {apart.explained:.3f})"
