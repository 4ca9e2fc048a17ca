"""Trace plots, and the similarity matrices of two chains against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._typing import FloatArray
from ..decide import Diagnostics, PartitionEstimate, diagnose
from ..losses import VariationOfInformation
from ..posterior import PartitionPosterior, final_model
from .canvas import COLORS, INK, check_axes, check_panels, despine, set_title
from .subject import read_posterior, read_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ITEMS = 300  # whose pairs are compared


def plot_traces(
    result: Any, estimate: PartitionEstimate | ArrayLike | None = None, axes: Sequence[Axes] | None = None
) -> list[Axes]:
    """Trace plots of the number of clusters and of the distance to the estimate, chain by chain.

    Parameters
    ----------
    result : PartitionPosterior, fitted model or Pipeline
        Draws in the order they were made, or a model with ``posterior_``.
    estimate : PartitionEstimate or array-like of int, optional
        The partition that distances are measured to: that of the model, or the one with least expected variation
        of information, when left out.
    axes : sequence of matplotlib Axes, optional
        Two axes.

    Returns
    -------
    axes : list of matplotlib Axes
        What was drawn on.

    See Also
    --------
    plot_chain_agreement : similarities of two chains.
    partita.diagnose : a verdict in words.

    Examples
    --------
    >>> import partita as pt
    >>> posterior, truth = pt.datasets.make_noisy_draws(n_items=30)
    >>> axes = pt.plot.plot_traces(posterior, truth)
    >>> [ax.get_ylabel() for ax in axes]
    ['clusters', 'bits from the estimate']
    """
    posterior, labels = read_subject(result, estimate)
    top, bottom = check_panels(axes, 2, 4.5, 3.0)
    _draw_traces(top, posterior, posterior.n_clusters().astype(float), "clusters")
    _draw_traces(bottom, posterior, VariationOfInformation().per_draw(labels, posterior), "bits from the estimate")
    if posterior.n_chains > 1:
        top.legend(title="chain", fontsize=8, title_fontsize=8, frameon=False, ncols=4, loc="upper right")
    set_title(top, _verdict(result, posterior, labels).verdict.split(";")[0].split(". ")[0])
    return [top, bottom]


def plot_chain_agreement(result: Any, ax: Axes | None = None) -> Axes:
    """The similarity of each pair of items in one chain against that in another: the two chains that differ most.

    Parameters
    ----------
    result : PartitionPosterior, fitted model or Pipeline
        Draws of two chains or more, or a model with ``posterior_``.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on. Pairs between the two lines differ no more than Monte Carlo error explains.

    See Also
    --------
    plot_traces : chain by chain.
    partita.diagnose : a verdict in words.

    Examples
    --------
    >>> import numpy as np, partita as pt
    >>> noisy, _ = pt.datasets.make_noisy_draws(n_items=30, n_draws=800, n_clusters=3)
    >>> posterior = pt.PartitionPosterior(noisy.draws, chains=np.repeat([0, 1], 400))
    >>> ax = pt.plot.plot_chain_agreement(posterior)
    >>> print(ax.get_title(loc="left"))
    Chains 0 and 1 agree: similarities differ by at most 0.06, chance explains 0.10
    """
    posterior = read_posterior(result)
    if posterior.n_chains < 2:
        raise ValueError("result must hold two chains or more to compare: got 1.")
    found, ax = _verdict(result, posterior), check_axes(ax, 4.6, 4.4)
    if found.chains_apart is None:
        raise ValueError("result must hold two items or more to compare: got 1.")
    x, y = (_pairs(posterior.chain(chain)) for chain in found.chains_apart)
    ax.scatter(x, y, s=6, alpha=0.35, c=COLORS[0], linewidths=0)
    ends, slack = np.array([0.0, 1.0]), found.explained_difference
    ax.plot(ends, ends + slack, ends, ends - slack, color=INK, linewidth=0.8, linestyle="--")
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    one, other = found.chains_apart
    ax.set_xlabel(f"similarity of two items in chain {one}")
    ax.set_ylabel(f"similarity in chain {other}")
    despine(ax)
    verb = "agree" if found.largest_difference <= found.explained_difference else "disagree"
    most = f"similarities differ by at most {found.largest_difference:.2f}, chance explains {slack:.2f}"
    set_title(ax, f"Chains {one} and {other} {verb}: {most}")
    return ax


def _verdict(result: Any, posterior: PartitionPosterior, estimate: ArrayLike | None = None) -> Diagnostics:
    return getattr(final_model(result), "diagnostics_", None) or diagnose(posterior, estimate)


def _draw_traces(ax: Axes, posterior: PartitionPosterior, values: FloatArray, name: str) -> None:
    ids = posterior.chain_ids()
    for number, chain in enumerate(np.unique(ids)):
        color = COLORS[number % len(COLORS)]
        ax.plot(values[ids == chain], color=color, linewidth=0.7, alpha=0.8, label=str(chain))
    ax.set_xlabel("draw")
    ax.set_ylabel(name)
    despine(ax)


def _pairs(posterior: PartitionPosterior) -> Any:
    """Similarities of all pairs of some items, the same for each chain."""
    kept = np.unique(np.linspace(0, posterior.n_items - 1, min(MOST_ITEMS, posterior.n_items)).astype(np.int64))
    return posterior.condensed_similarity(kept)
