"""Tables that a mixture expects before it has seen any clusters."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._typing import IntArray, RandomState
from .._validation import check_count, check_kind, check_rng
from ..components import check_component
from ..priors import MixtureOfFiniteMixtures
from ..priors.base import check_prior
from ..samplers.replicates import sample_prior_table
from .mixture import MOST_ROWS, BayesianMixture


def sample_prior_tables(
    model: BayesianMixture,
    X: Any,
    n_tables: int = 20,
    n_rows: int | None = None,
    random_state: RandomState = 0,
) -> list[tuple[Any, IntArray]]:
    """Tables from a mixture's prior, with their clusters: what it takes for possible before it sees clusters.

    Parameters
    ----------
    model : BayesianMixture
        Component and prior; it need not be fitted.
    X : array-like or DataFrame, shape (n_items, n_columns)
        The data, for what each column is, and for the location and scale that the component takes from it.
    n_tables : int
        How many.
    n_rows : int, optional
        Rows of each; by default as many as ``X`` has, at most 500.
    random_state : int, Generator or None
        Seed.

    Returns
    -------
    tables : list of (table, labels)
        Each table is a DataFrame if ``X`` is one, else an array; labels are canonical. Columns that the component does
        not use are missing.

    See Also
    --------
    BayesianMixture : `sample_tables` draws from the posterior.
    compare_priors : how much the answer depends on the prior.
    partita.plot.plot_prior : what a prior says of the number of clusters.

    Notes
    -----
    Concentration, partition and learned hyperparameters are drawn from their priors, then row after row given those
    before it in the same cluster.

    References
    ----------
    Gabry, Simpson, Vehtari, Betancourt and Gelman (2019). Visualization in Bayesian workflow. Journal of the Royal
    Statistical Society A 182, 389-402.

    Examples
    --------
    >>> import partita as pt
    >>> X = pt.datasets.load_galaxies()
    >>> table, labels = pt.sample_prior_tables(pt.BayesianMixture("gaussian-diagonal"), X, n_tables=2)[0]
    >>> table.shape, labels.shape
    ((82, 1), (82,))
    """
    check_kind("model", model, BayesianMixture)
    if model.select_columns:
        raise ValueError(f"select_columns must be False to draw tables from the prior: got {model.select_columns!r}.")
    n_tables, rng = check_count("n_tables", n_tables), check_rng(random_state)
    encoded = check_component(model.component).encode(X)
    prior = MixtureOfFiniteMixtures() if model.prior is None else check_prior(model.prior)
    n_rows = min(encoded.n_items, MOST_ROWS) if n_rows is None else check_count("n_rows", n_rows)
    drawn = [sample_prior_table(encoded, prior, n_rows, rng) for _ in range(n_tables)]
    if not hasattr(X, "columns"):
        return [(np.array(rows), labels) for rows, labels in drawn]
    import pandas as pd

    return [(pd.DataFrame(rows, columns=X.columns), labels) for rows, labels in drawn]
