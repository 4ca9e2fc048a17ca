"""Figures are those written down in drawn.txt, artist by artist, in numbers that say where each is and how large."""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.ticker import FixedLocator
from written import alike, numbers, read_parts, write_parts

import partita as pt
from partita.stability import matched_stability

WRITTEN = Path(__file__).with_name("drawn.txt")
CENTER = np.repeat([0, 1, 2], [5, 4, 3])


def draws(n_draws=60, n_items=12):
    """Three clusters, one item moved in each draw, in two chains; every fifth draw leaves the last cluster whole."""
    rows = np.tile(np.arange(n_items) * 3 // n_items, (n_draws, 1))
    at = np.arange(n_draws)
    rows[at, at * 5 % n_items] = at % 4
    rows[::5, 8:] = 1
    return pt.PartitionPosterior(rows, chains=np.repeat([0, 1], n_draws // 2))


def table(n_items=12, n_columns=2):
    """Numbers without a pattern, that every machine computes alike."""
    return (np.arange(1, n_items * n_columns + 1) ** 2 % 97 / 9.7).reshape(n_items, n_columns)


class Mixture:
    """As much of a fitted mixture as figures read: two bumps, whose place each draw moves a little."""

    def __init__(self, n_columns=1, n_draws=7, labels=CENTER):
        self.posterior_, self.n_clusters_, self.labels_ = draws(), 3, labels
        self._draws, self.width, self.n_draws = self, n_columns, n_draws

    def __len__(self):
        return self.n_draws

    def fit(self, _):
        raise AssertionError("fitted already")

    def log_densities(self, rows, picked):
        shift = 0.1 * np.asarray(picked)[:, np.newaxis]
        return sum(
            np.logaddexp(-((x - 2 - shift) ** 2), -((x - 7 - shift) ** 2) / 2 - 0.5) - 1.9
            for x in rows.T
            if np.isfinite(x).all()
        )

    def sample_tables(self, n_tables, *_):
        return [table(12, self.width) + 0.37 * k for k in range(n_tables)]

    component_posterior_ = property(lambda self: pt.PartitionPosterior([self.labels_] * 3))

    def overlap(self):
        near = np.array([[1.0, 0.8, 0.1], [0.8, 1.0, 0.2], [0.1, 0.2, 1.0]])
        return SimpleNamespace(matrix=near[np.ix_(self.labels_, self.labels_)])


def inclusion(n_columns):
    shares = np.arange(n_columns) * 7 % n_columns / n_columns
    return SimpleNamespace(column_inclusion_=pd.DataFrame({"inclusion": shares}, index=list(range(n_columns))))


def ball():
    return pt.credible_ball(draws(), CENTER)


def report():
    X = table()
    return pt.assess_stability(pt.center_distances(X, CENTER), CENTER, theta=0.7)


def made(kind, **values):
    """A result as if it had been found."""
    found = kind.__new__(kind)
    vars(found).update(values)
    return found


CURVE = made(
    pt.CoarseningCurve,
    powers=np.array([0.2, 0.5, 1.0]),
    n_clusters=np.array([2.1, 3.2, 6.0]),
    log_density=np.array([-4.0, -3.1, -3.0]),
    chosen=0.5,
)
SELECTION = made(
    pt.Selection,
    table=pd.DataFrame({"n_clusters": [2, 3, 4], "value": [0.2, 0.9, 0.5], "sd": [0.1, 0.2, 0.05], "method": "gap"}),
    choices={"gap": 3},
)
NAMES = np.array([[f"a name of {k % 7} letters", "one" if k % 3 else None] for k in range(12)], object)
ERRORS = {"a": pt.PartitionError(0.1, 0.05, 0.2), "b": pt.PartitionError(0.3, 0.2, 0.3)}


def profiles(n_columns):
    return pt.describe_clusters(CENTER, table(n_columns=n_columns))


FIGURES = {
    "ball coclustering": lambda: pt.plot.plot_ball_coclustering(ball()),
    "ball coclustering beside a truth": lambda: pt.plot.plot_ball_coclustering(ball(), np.arange(12) // 4),
    "certainty": lambda: pt.plot.plot_certainty(draws(), table(), CENTER),
    "certainty by size": lambda: pt.plot.plot_certainty(draws(), table(n_columns=1), CENTER, show="size"),
    "certainty without data": lambda: pt.plot.plot_certainty(draws(), None, CENTER),
    "certainty at the bound": lambda: pt.plot.plot_certainty(
        [[0, 0, 1, 1]] * 3 + [[0, 1, 1, 1]], table(4), [0, 0, 1, 1]
    ),
    "chain agreement": lambda: pt.plot.plot_chain_agreement(draws()),
    "coarsening": lambda: pt.plot.plot_coarsening(CURVE),
    "coclustering": lambda: pt.plot.plot_coclustering(CENTER, np.arange(12) % 3),
    "credible ball": lambda: pt.plot.plot_credible_ball(ball(), table()),
    "density": lambda: pt.plot.plot_density(Mixture(), table(n_columns=1)),
    "density of two columns": lambda: pt.plot.plot_density(Mixture(3), table(n_columns=3), [0, 2]),
    "error": lambda: pt.plot.plot_error(ERRORS),
    "error, exact": lambda: pt.plot.plot_error(pt.PartitionError(0.001, 0.001, 0.001)),
    "flow": lambda: pt.plot.plot_flow([CENTER, np.arange(12) % 2, [0] * 11 + [1]], list("abc")),
    "fusion": lambda: pt.plot.plot_fusion(Mixture()),
    "fusion of two": lambda: pt.plot.plot_fusion(Mixture(labels=np.minimum(CENTER, 1))),
    "fusion of one": lambda: pt.plot.plot_fusion(Mixture(labels=np.zeros(12, int))),
    "flow renumbered": lambda: pt.plot.plot_flow([CENTER, np.roll(CENTER, 5), np.roll(CENTER, 9)]),
    "hasse": lambda: pt.plot.plot_hasse(4),
    "hasse of draws": lambda: pt.plot.plot_hasse(draws(n_items=3), "binder"),
    "inclusion": lambda: pt.plot.plot_inclusion(inclusion(41)),
    "modes": lambda: pt.plot.plot_modes([[0, 0, 0, 1, 1, 1]] * 40 + [[0, 0, 1, 1, 2, 2]] * 20),
    "one mode": lambda: pt.plot.plot_modes([[0, 0, 1]] * 20),
    "n_clusters": lambda: pt.plot.plot_n_clusters(draws(), CENTER),
    "n_clusters beside a prior": lambda: pt.plot.plot_n_clusters(
        SimpleNamespace(fit=print, posterior_=draws(), prior_=pt.DirichletProcess(2.0))
    ),
    "parallel": lambda: pt.plot.plot_parallel(CENTER, table(n_columns=5)),
    "parallel of many": lambda: pt.plot.plot_parallel(np.zeros(601, int), table(601, 31)),
    "partition": lambda: pt.plot.plot_partition(CENTER, table()),
    "partition of one column": lambda: pt.plot.plot_partition(CENTER, table(n_columns=1)),
    "partition of five columns": lambda: pt.plot.plot_partition(CENTER, table(n_columns=5)),
    "partition of twelve": lambda: pt.plot.plot_partition(np.arange(12), table()),
    "partition of thirteen": lambda: pt.plot.plot_partition(np.arange(13), table(13)),
    "ppc": lambda: pt.plot.plot_ppc(Mixture(), table(n_columns=1), n_tables=9),
    "ppc of names": lambda: pt.plot.plot_ppc(
        SimpleNamespace(fit=print, posterior_=draws(), sample_tables=lambda *_: [NAMES, NAMES[::-1]]), NAMES, n_tables=2
    ),
    "ppc of bins": lambda: pt.plot.plot_ppc(Mixture(), table(21, 1) + np.arange(21)[:, None] / 100, n_tables=9),
    "prior": lambda: pt.plot.plot_prior(pt.DirichletProcess(1.0), 30),
    "prior on one cluster": lambda: pt.plot.plot_prior(pt.DirichletProcess(1e-9), 3),
    "priors": lambda: pt.plot.plot_prior([pt.DirichletProcess(1.0), pt.PitmanYor(1.0, 0.3)], 20),
    "profiles": lambda: pt.plot.plot_profiles(profiles(3)),
    "profiles of many columns": lambda: pt.plot.plot_profiles(profiles(41)),
    "selection": lambda: pt.plot.plot_selection(SELECTION),
    "similarity": lambda: pt.plot.plot_similarity(draws(), CENTER),
    "similarity of single items": lambda: pt.plot.plot_similarity(draws(n_items=4), np.arange(4)),
    "similarity of one cluster": lambda: pt.plot.plot_similarity(draws(n_items=4), np.zeros(4, int)),
    "stability": lambda: pt.plot.plot_stability(report()),
    "stability over certain draws": lambda: pt.plot.plot_stability(matched_stability([CENTER] * 3, CENTER)),
    "stability over draws": lambda: pt.plot.plot_stability(matched_stability(draws(), CENTER)),
    "stability map": lambda: pt.plot.plot_stability_map(report(), table()),
    "traces": lambda: pt.plot.plot_traces(draws(), CENTER),
    "weights": lambda: pt.plot.plot_weights([[0.7, 0.3], [0.5, 0.5]]),
    "negative weights": lambda: pt.plot.plot_weights([[-0.7, 0.0]]),
}


def colors(values):
    return " ".join(dict.fromkeys(to_hex(color) for color in values))


def describe_collection(made):
    parts = [f"at {numbers(made.get_offsets())}", f"sizes {numbers(getattr(made, 'get_sizes', list)())}"]
    if not isinstance(made, PathCollection):  # whose paths are markers
        parts += [f"paths {numbers(np.concatenate([path.vertices for path in made.get_paths()] or [[]]))}"]
    if (value := made.get_array()) is None:
        parts += [
            colors(made.get_facecolor()),
            f"opacity {numbers([] if made.get_alpha() is None else made.get_alpha())}",
        ]
    else:
        parts += [f"values {numbers(value)} in {numbers(made.get_clim())}"]
    return f"{type(made).__name__}: {', '.join(parts)}"


def describe(ax):
    """What is on the axes, a line for each artist or for a row of them."""
    lines = [f"title {ax.get_title(loc='left')!r}", f"axes {ax.get_xlabel()!r} by {ax.get_ylabel()!r}"]
    lines += [f"limits {numbers(ax.get_xlim())}, {numbers(ax.get_ylim())}"]
    for axis in (ax.xaxis, ax.yaxis):
        if isinstance(axis.get_major_locator(), FixedLocator):  # others are chosen by matplotlib
            labels = axis.get_ticklabels()
            turned = {label.get_rotation() for label in labels}
            names = " ".join(label.get_text() for label in labels)
            lines += [f"ticks {numbers(axis.get_ticklocs())}, turned by {numbers(sorted(turned))}: {names}"]
    lines += [f"text {text.get_text()!r} at {numbers(text.get_position())}" for text in ax.texts]
    if ax.lines:
        x, y = np.concatenate([line.get_xydata() for line in ax.lines]).T
        shades = colors(line.get_color() for line in ax.lines)
        lines += [f"{len(ax.lines)} lines: {numbers(x)}, {numbers(y)}, {shades}"]
    lines += [describe_collection(made) for made in ax.collections]
    if ax.patches:
        places = np.array([patch.get_bbox().bounds for patch in ax.patches])
        shades = colors(patch.get_facecolor() for patch in ax.patches)
        lines += [f"{len(places)} patches: {', '.join(map(numbers, places.T))}, {shades}"]
    lines += [
        f"image {numbers(image.get_array())} in {numbers(image.get_clim())}, to {numbers(image.get_extent())}"
        for image in ax.images
    ]
    if legend := ax.get_legend():
        anchor = legend.get_bbox_to_anchor().transformed(ax.transAxes.inverted()).bounds
        lines += [f"legend {[text.get_text() for text in legend.get_texts()]} in {numbers(anchor)}"]
    shown = [side for side, spine in ax.spines.items() if spine.get_visible()]
    return [*lines, f"spines {' '.join(shown)}, aspect {ax.get_aspect()}"]


def describe_all(name):
    axes = FIGURES[name]()
    panels = axes if isinstance(axes, list) else [axes]
    legends = [[text.get_text() for text in legend.get_texts()] for legend in panels[0].figure.legends]
    lines = [line for ax in panels for line in describe(ax)]
    size = "figure {:.4g} by {:.4g} inches".format(*panels[0].figure.get_size_inches())
    return [name, size, *lines, *(f"legend of all {texts}" for texts in legends)]


@pytest.fixture(scope="module")
def written():
    return read_parts(WRITTEN)


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_the_one_written_down(name, written):
    found = describe_all(name)
    assert len(found) == len(written[name])
    for one, other in zip(found, written[name], strict=True):
        assert alike(one, other), f"{one}\n{other}"


def test_another_number_or_word_would_be_noticed():
    assert alike("1 bar at 0.5", "1 bar at 0.5001")
    assert not alike("1 bar at 0.5", "1 bar at 0.51")
    assert not alike("1 bar at 0.5", "1 line at 0.5")


if __name__ == "__main__" and sys.argv[1:] == ["write"]:
    write_parts(WRITTEN, (describe_all(name) for name in FIGURES))
