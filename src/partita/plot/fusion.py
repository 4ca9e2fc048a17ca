"""Which components of a mixture are fused, and at what overlap: a dendrogram."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.cluster.hierarchy import dendrogram

from .._typing import FloatArray, IntArray
from .._validation import shorten
from ..decide import estimate_partition
from ..decide.words import plural
from ..posterior import final_model
from ..samplers.overlap import FARTHEST
from .canvas import INK, PALE, check_axes, cluster_color, despine, set_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_fusion(model: Any, ax: Axes | None = None) -> Axes:
    """Tree of the components of a mixture, by how far apart their densities are, cut where the loss ``"fold"`` cuts.

    Parameters
    ----------
    model : fitted BayesianMixture, or Pipeline that ends in one
        Its draws of components are needed, not only those of clusters.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on. Leaves are the components of the estimate before any are fused, with their numbers of items.

    See Also
    --------
    partita.estimate_partition : the partition itself, with loss ``"fold"``.
    partita.BayesianMixture.overlap : the overlaps of single items.

    Notes
    -----
    The height at which two components meet is one minus the mean expected overlap of an item of one and an item of the
    other (average linkage): 0 where their densities are the same, 1 where they do not overlap or where they fit their
    items. The line is at the distance at which pairs of items cease to attract each other.

    References
    ----------
    Dombowsky and Dunson (2023). Bayesian clustering via fusing of localized densities. arXiv:2304.00074.

    Examples
    --------
    >>> import partita as pt
    >>> X = pt.datasets.make_shaped_mixture(60, n_clusters=3, random_state=0).X
    >>> mixture = pt.BayesianMixture(n_chains=2, n_draws=50, n_warmup=50, random_state=1).fit(X)
    >>> print(pt.plot.plot_fusion(mixture).get_title(loc="left"))
    3 components form 3 clusters
    """
    fitted = final_model(model)
    if not hasattr(fitted, "component_posterior_"):
        raise TypeError(f"model must be a fitted BayesianMixture, with its components: got {shorten(model)}.")
    components = estimate_partition(fitted.component_posterior_).labels
    distances = 1 - _between(fitted.overlap().matrix, components)
    sizes = np.bincount(components)
    ax = check_axes(ax, 3.0 + 0.35 * sizes.size, 3.4)
    n_clusters = 1
    if sizes.size > 1:
        tree = _average_linkage(distances, sizes)
        n_clusters = int((tree[:, 2] > FARTHEST).sum()) + 1
        _draw_tree(ax, tree, sizes)
    ax.axhline(FARTHEST, color=PALE, linestyle="--", zorder=0)
    ax.set_ylim(0, 1.02)
    ax.set_ylabel("1 − expected overlap")
    ax.set_xlabel("items of each component")
    despine(ax)
    clusters = plural(n_clusters, "cluster")
    verb = "forms" if sizes.size == 1 else "form"
    set_title(ax, f"{plural(sizes.size, 'component')} {verb} {clusters}")
    return ax


def _between(overlap: FloatArray, labels: IntArray) -> FloatArray:
    """Mean overlap of the items of each two components; 1 on the diagonal."""
    members = (labels == np.arange(labels.max() + 1)[:, np.newaxis]).astype(float)
    means = members @ overlap @ members.T / np.outer(members.sum(axis=1), members.sum(axis=1))
    np.fill_diagonal(means, 1.0)
    return np.asarray((means + means.T) / 2)


def _average_linkage(distances: FloatArray, sizes: IntArray) -> FloatArray:
    """The tree, as scipy has one, of components that count as many times as they have items."""
    between, weights, names = distances.copy(), sizes.astype(float), list(range(sizes.size))
    rows = []
    for new in range(sizes.size, 2 * sizes.size - 1):
        np.fill_diagonal(between, np.inf)
        a, b = sorted(np.unravel_index(int(between.argmin()), between.shape))
        rows.append([names[a], names[b], between[a, b], 0.0])
        between[a] = (weights[a] * between[a] + weights[b] * between[b]) / (weights[a] + weights[b])
        between[:, a] = between[a]
        weights[a] += weights[b]
        names[a] = new
        between = np.delete(np.delete(between, b, axis=0), b, axis=1)
        weights = np.delete(weights, b)
        del names[b]
    return np.array(rows, float)


def _draw_tree(ax: Axes, tree: FloatArray, sizes: IntArray) -> None:
    drawn: Any = dendrogram(tree, no_plot=True)
    for xs, ys in zip(drawn["icoord"], drawn["dcoord"], strict=True):
        ax.plot(xs, ys, color=INK, linewidth=1.2)
    places = 5.0 + 10.0 * np.arange(len(drawn["leaves"]))  # where scipy puts leaves
    ax.set_xticks(places, [str(sizes[leaf]) for leaf in drawn["leaves"]])
    ax.scatter(places, np.zeros(places.size), color=[cluster_color(leaf) for leaf in drawn["leaves"]], zorder=3)
