"""The data against tables that the model would make."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._typing import AnyArray, FloatArray, RandomState
from .._validation import as_table, check_count, shorten
from ..components.encoding import is_missing
from ..posterior.fitted import final_model
from .canvas import COLORS, INK, check_panels, despine, set_title, shorten_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_PANELS = 12
MOST_BARS = 20  # values of a column from which on it is drawn as a curve
N_BINS = 24


def plot_ppc(
    model: Any,
    X: Any,
    columns: Sequence[Any] | None = None,
    *,
    n_tables: int = 50,
    random_state: RandomState = 0,
    axes: Sequence[Axes] | None = None,
) -> list[Axes]:
    """Posterior predictive check: each column of the data against replicated tables.

    Parameters
    ----------
    model : BayesianMixture or Pipeline
        A fitted mixture.
    X : array-like or DataFrame, shape (n_items, n_columns)
        What it was fitted to.
    columns : sequence, optional
        Columns to show, by name or number; by default the first twelve.
    n_tables : int
        Replicated tables.
    random_state : int, Generator or None
        Seed of those.
    axes : sequence of matplotlib Axes, optional
        Where to draw, one for each column; a figure of their own when left out.

    Returns
    -------
    axes : list of matplotlib Axes
        What was drawn on. Shares of the data are a line or points, the middle 95 % of those of the tables a band.
        Titles say how much of the data lies outside.

    See Also
    --------
    plot_density : the density itself.
    partita.BayesianMixture : `sample_tables` draws the tables, `to_arviz` hands them over.

    Notes
    -----
    A model that fits has about one bin in twenty outside its band. Bands are those of each bin alone.

    References
    ----------
    Gelman, Meng and Stern (1996). Posterior predictive assessment of model fitness via realized discrepancies.
    Statistica Sinica 6, 733-760.

    Examples
    --------
    >>> import partita as pt
    >>> X = pt.datasets.load_galaxies()
    >>> mixture = pt.BayesianMixture(n_chains=1, n_draws=50, n_warmup=50).fit(X)
    >>> ax = pt.plot.plot_ppc(mixture, X, n_tables=20)[0]
    >>> ax.get_xlabel()
    '0'
    """
    mixture = read_mixture(model)
    values, names = as_table(X), column_names(X)
    shown = pick_columns(columns, names)[:MOST_PANELS]
    tables = [as_table(table) for table in mixture.sample_tables(check_count("n_tables", n_tables), None, random_state)]
    panels = check_panels(axes, len(shown))
    for ax, j in zip(panels, shown, strict=True):
        _draw_column(ax, values[:, j], [table[:, j] for table in tables])
        ax.set_xlabel(shorten_name(names[j]), parse_math=False)
    return panels


def read_mixture(model: Any) -> Any:
    """The fitted mixture, at the end of a pipeline or itself."""
    mixture = final_model(model)
    if not hasattr(mixture, "sample_tables") or not hasattr(mixture, "posterior_"):
        raise TypeError(f"model must be a fitted BayesianMixture: got {type(mixture).__name__}.")
    return mixture


def column_names(X: Any) -> list[Any]:
    """Names of the columns of a table, or their numbers."""
    return list(getattr(X, "columns", range(as_table(X).shape[1])))


def pick_columns(columns: Sequence[Any] | None, names: list[Any]) -> list[int]:
    """Positions of columns given by name or number; of all where none are given."""
    if columns is None:
        return list(range(len(names)))
    given = list(columns) if isinstance(columns, (list, tuple)) or getattr(columns, "ndim", 0) == 1 else [columns]
    known = [isinstance(name, Hashable) and not isinstance(name, np.void) and name in names for name in given]
    if not all(known) or not given:
        wrong = given[known.index(False)] if given else columns
        raise ValueError(f"columns must name columns of X: got {shorten(wrong)}.")
    return [names.index(name) for name in given]


def can_be_binned(numbers: FloatArray) -> bool:
    """Whether numbers lie far enough apart, relative to their size, for bins between them."""
    return bool(np.ptp(numbers) > 1e-9 * np.abs(numbers).max())


def _draw_column(ax: Axes, column: AnyArray, drawn: list[AnyArray]) -> None:
    """Shares of the values of a column, or of bins of them, with the band of the tables."""
    observed = _present(column)
    numbers = _as_numbers(observed)
    if numbers is None or len(np.unique(numbers)) <= MOST_BARS or not can_be_binned(numbers):
        levels = sorted({str(v) for v in observed})
        shares = [_level_shares([str(v) for v in _present(values)], levels) for values in [column, *drawn]]
        at, labels = np.arange(len(levels), dtype=float), levels
    else:
        edges = np.histogram_bin_edges(numbers, bins=N_BINS)
        shares = [_bin_shares(_as_numbers(_present(values)), edges) for values in [column, *drawn]]
        at, labels = (edges[1:] + edges[:-1]) / 2, None
    low, high = np.quantile(shares[1:], [0.025, 0.975], axis=0)
    if labels is None:
        ax.fill_between(at, low, high, color=COLORS[0], alpha=0.35, linewidth=0, label="tables of the model, 95 %")
        ax.plot(at, shares[0], color=INK, linewidth=1.2, label="data")
    else:
        ax.vlines(at, low, high, color=COLORS[0], alpha=0.5, linewidth=6, label="tables of the model, 95 %")
        ax.plot(at, shares[0], color=INK, marker="o", markersize=4, linestyle="none", label="data")
        ax.set_xticks(at, [shorten_name(name)[:12] for name in labels], rotation=45 if len(labels) > 6 else 0)
    ax.set_ylabel("share of items")
    despine(ax)
    ax.legend(frameon=False, fontsize=8)
    outside = int(((shares[0] < low) | (shares[0] > high)).sum())
    set_title(ax, f"{outside} of {len(at)} outside the band")


def _present(column: AnyArray) -> list[Any]:
    return [v for v in column if not is_missing(v)]


def _as_numbers(values: list[Any]) -> FloatArray | None:
    try:
        return np.array(values, dtype=float)
    except (TypeError, ValueError):
        return None


def _bin_shares(values: FloatArray | None, edges: FloatArray) -> FloatArray:
    counts = np.histogram(values, bins=edges)[0] if values is not None else np.zeros(len(edges) - 1)
    return np.asarray(counts / max(1, 0 if values is None else len(values)))


def _level_shares(values: list[str], levels: list[str]) -> FloatArray:
    return np.array([values.count(level) for level in levels]) / max(1, len(values))
