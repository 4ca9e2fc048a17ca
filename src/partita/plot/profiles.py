"""Heat map of what distinguishes clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._validation import check_kind
from ..decide import ClusterProfiles
from .canvas import check_axes, set_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_SHOWN = 40  # features; those that differ most


def plot_profiles(profiles: ClusterProfiles, ax: Axes | None = None) -> Axes:
    """Location of each cluster in each column, in standard deviations from the mean of all items, as a heat map.

    Parameters
    ----------
    profiles : ClusterProfiles
        From `describe_clusters`.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on. Columns are ordered by the evidence that clusters differ in them.

    See Also
    --------
    partita.describe_clusters : the numbers.

    Examples
    --------
    >>> import partita as pt
    >>> profiles = pt.describe_clusters([0, 0, 1, 1], [[1.0, 7.0], [1.1, 2.0], [5.0, 3.0], [5.2, 6.0]])
    >>> print(pt.plot.plot_profiles(profiles).get_title(loc="left"))
    Clusters differ most in 0
    """
    check_kind("profiles", profiles, ClusterProfiles)
    evidence, features = profiles.evidence, profiles.features
    order = sorted(range(len(features)), key=lambda f: (-evidence[features[f].column], f))[:MOST_SHOWN]
    shown = profiles.standardized[:, order].T
    ax = check_axes(ax, 4.6 + 0.4 * profiles.n_clusters, 1.2 + 0.25 * len(order))
    reach = max(1.0, float(np.nanmax(np.abs(shown))))
    image = ax.imshow(shown, cmap="RdBu_r", vmin=-reach, vmax=reach, aspect="auto")
    ax.set_yticks(range(len(order)), [_name(features[f]) for f in order])
    ax.set_xticks(range(profiles.n_clusters))
    ax.set_xlabel("cluster")
    bar = ax.figure.colorbar(image, ax=ax)
    bar.set_label("standard deviations from all items")
    telling = [str(name) for name in sorted(evidence, key=lambda name: -evidence[name]) if evidence[name] > 0][:3]
    set_title(ax, f"Clusters differ most in {', '.join(telling)}" if telling else "No column tells clusters apart")
    return ax


def _name(feature: Any) -> str:
    """A column, with its category where it has them; dollar signs are not read as mathematics."""
    text = str(feature.column) if feature.level is None else f"{feature.column} {feature.level}"
    return text[:40].replace("$", r"\$")
