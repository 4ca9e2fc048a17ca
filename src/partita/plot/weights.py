"""Column weights of each cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._typing import FloatArray
from .._validation import check_numbers
from .canvas import check_panels, cluster_color, despine, set_title, shorten_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_weights(weights: Any, columns: Sequence[Any] | None = None, axes: Sequence[Axes] | None = None) -> list[Axes]:
    """Column weights of each cluster as bars, one panel for each cluster.

    Parameters
    ----------
    weights : array-like of float, shape (n_clusters, n_columns), or fitted estimator
        Weights, or an estimator with ``weights_``.
    columns : sequence, optional
        Names of the columns; those the estimator was fitted to when left out.
    axes : sequence of matplotlib Axes, optional
        One for each cluster.

    Returns
    -------
    axes : list of matplotlib Axes
        What was drawn on.

    See Also
    --------
    partita.LocallyWeightedClustering, partita.LocallyAdaptiveClustering : clusterers with weights.

    Examples
    --------
    >>> import partita as pt
    >>> axes = pt.plot.plot_weights([[0.8, 0.2], [0.4, 0.6]], columns=["length", "width"])
    >>> [ax.get_title(loc="left") for ax in axes]
    ['Cluster 0 goes most by length', 'Cluster 1 goes most by width']
    """
    values = _check_weights(getattr(weights, "weights_", weights))
    names = _check_columns(getattr(weights, "feature_names_in_", None) if columns is None else columns, values)
    panels = check_panels(axes, len(values), 2.7 + 0.08 * max(map(len, names)), 0.9 + 0.26 * len(names))
    places = np.arange(len(names))
    for cluster, ax in enumerate(panels):
        ax.barh(places, values[cluster], color=cluster_color(cluster))
        ax.set_yticks(places, names, parse_math=False)
        ax.set_xlim(min(0.0, float(values.min())), float(values.max()) * 1.05 or 1.0)
        ax.invert_yaxis()
        ax.set_xlabel("weight")
        despine(ax)
        alike = np.ptp(values[cluster]) < 1e-9
        most = "by all columns alike" if alike else f"most by {names[values[cluster].argmax()]}"
        set_title(ax, f"Cluster {cluster} goes {most}")
    return panels


def _check_weights(weights: Any) -> FloatArray:
    values = check_numbers("weights", weights)
    if values.ndim != 2 or values.size == 0:
        raise ValueError(f"weights must be a (n_clusters, n_columns) array: got shape {values.shape}.")
    if not np.isfinite(values).all():
        raise ValueError("weights must be finite: got nan or infinity.")
    return values


def _check_columns(columns: Any, values: FloatArray) -> list[str]:
    if columns is not None and not np.iterable(columns):
        raise TypeError(f"columns must name each of the {values.shape[1]} columns: got {columns!r}.")
    names = (
        [f"column {i}" for i in range(values.shape[1])] if columns is None else [shorten_name(name) for name in columns]
    )
    if len(names) != values.shape[1]:
        raise ValueError(f"columns must name each of the {values.shape[1]} columns: got {len(names)} names.")
    return names
