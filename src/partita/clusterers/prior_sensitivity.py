"""How much a clustering depends on the prior."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from .._validation import check_kind
from ..losses import AdjustedRand
from ..priors import PartitionPrior
from ..priors.base import check_prior
from .mixture import BayesianMixture

if TYPE_CHECKING:
    import pandas as pd

MOST_ITEMS = 50_000  # beyond, the prior's own number of clusters takes longer than one waits


def compare_priors(
    model: BayesianMixture, X: Any, priors: Mapping[str, PartitionPrior] | Iterable[PartitionPrior]
) -> pd.DataFrame:
    """The clusters found under several priors, side by side: what depends on the prior and what on the data.

    Parameters
    ----------
    model : BayesianMixture
        Everything but the prior.
    X : array-like or DataFrame, shape (n_items, n_columns)
        The data.
    priors : mapping from name to prior, or sequence of priors
        Priors to refit under; the first is what the others are compared with.

    Returns
    -------
    table : DataFrame
        One row per prior: ``expected``, the number of clusters it expects; ``n_clusters``, that of the estimate;
        ``mean``, ``low`` and ``high``, posterior mean and 95 % interval of the number; ``agreement``, the adjusted Rand
        index between the estimate and that under the first prior; ``mixed``, whether the chains agree.

    See Also
    --------
    sample_prior_tables : tables that a prior takes for possible.
    partita.plot.plot_prior : what priors say of the number of clusters.
    calibrate_coarsening : how much the answer depends on trust in the component.

    Notes
    -----
    All fits have the seed of the model, so that rows differ by their priors and by Monte Carlo error alone.

    References
    ----------
    Gelman, Carlin, Stern, Dunson, Vehtari and Rubin (2013). Bayesian Data Analysis, third edition. Section 6.6.

    Examples
    --------
    >>> import partita as pt
    >>> X, _ = pt.datasets.make_quadrants(n_items=40)
    >>> model = pt.BayesianMixture("gaussian-diagonal", n_chains=2, n_draws=50, n_warmup=50)
    >>> priors = {"few": pt.MixtureOfFiniteMixtures(), "many": pt.DirichletProcess(5.0)}
    >>> table = pt.compare_priors(model, X, priors)
    >>> table.columns.to_list()
    ['expected', 'n_clusters', 'mean', 'low', 'high', 'agreement', 'mixed']
    """
    import pandas as pd

    check_kind("model", model, BayesianMixture)
    named = name_priors(priors)
    fits = {name: clone(model).set_params(prior=prior).fit(X) for name, prior in named.items()}
    first = next(iter(fits.values()))
    rows = []
    for name, fitted in fits.items():
        numbers, n_items = fitted.posterior_.n_clusters(), fitted.posterior_.n_items
        low, high = np.quantile(numbers, [0.025, 0.975], method="inverted_cdf")
        rows.append(
            {
                "expected": named[name].expected_clusters(n_items) if n_items <= MOST_ITEMS else np.nan,
                "n_clusters": fitted.n_clusters_,
                "mean": float(numbers.mean()),
                "low": int(low),
                "high": int(high),
                "agreement": 1.0 - AdjustedRand().between(first.labels_, fitted.labels_),
                "mixed": fitted.diagnostics_.mixed,
            }
        )
    return pd.DataFrame(rows, index=pd.Index(fits, name="prior"))


def name_priors(priors: Any) -> dict[str, PartitionPrior]:
    """Priors by name; those of a sequence by what they print."""
    if isinstance(priors, PartitionPrior):
        priors = [priors]
    if not isinstance(priors, (Mapping, list, tuple)) or not priors:
        raise TypeError(f"priors must be a mapping from names to priors, or a sequence of priors: got {priors!r}.")
    pairs = priors.items() if isinstance(priors, Mapping) else ((repr(prior), prior) for prior in priors)
    return {str(name): check_prior(prior) for name, prior in pairs}
