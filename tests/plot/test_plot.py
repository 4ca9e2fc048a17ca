"""Figures, by what is drawn on them."""

import os
import subprocess
import sys
from io import BytesIO
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from sklearn.cluster import KMeans

import partita as pt
from partita.plot.arrangement import block_edges, project, project_draws, seriate, similarity_axes, similarity_image
from partita.plot.canvas import COLORS, PAIRS, check_axes, cluster_color, cluster_marker, match_colors
from partita.plot.coclustering import compare_pairs


@pytest.fixture(scope="module")
def posterior():
    noisy, _ = pt.datasets.make_noisy_draws(n_items=40, n_draws=400, n_clusters=3, random_state=1)
    return pt.PartitionPosterior(noisy.draws, chains=np.repeat([0, 1], 200), items=[f"item {i}" for i in range(40)])


@pytest.fixture(scope="module")
def estimate(posterior):
    return pt.estimate_partition(posterior)


@pytest.fixture(scope="module")
def data():
    return pd.DataFrame(np.random.default_rng(0).normal(size=(40, 2)), columns=["length", "width"])


def title(ax):
    return ax.get_title(loc="left").replace("\n", " ")


# Canvas


def test_a_figure_of_its_own_is_made_only_where_no_axes_are_given(estimate, data):
    given = Figure().subplots()
    assert pt.plot.plot_partition(estimate, data, given) is given
    own = pt.plot.plot_partition(estimate, data)
    assert own is not given
    assert isinstance(own.figure, Figure)


def test_no_figure_needs_a_display_or_touches_pyplot(tmp_path):
    code = (
        "import partita as pt, sys\n"
        "ax = pt.plot.plot_n_clusters([[0, 0, 1], [0, 1, 1]])\n"
        "ax.figure.savefig(sys.argv[1])\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    without = {name: value for name, value in os.environ.items() if name not in {"DISPLAY", "MPLBACKEND"}}
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "figure.png")], env=without, check=True)
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("wrong", [3, "here", [1, 2]])
def test_what_is_no_axes_is_refused(wrong):
    with pytest.raises(TypeError, match="ax must be matplotlib axes"):
        check_axes(wrong)


def test_too_few_axes_are_refused(posterior, estimate, data):
    ball = pt.credible_ball(posterior, estimate)
    with pytest.raises(ValueError, match="axes must be 4 axes, one for each panel: got 2"):
        pt.plot.plot_credible_ball(ball, data, Figure().subplots(1, 2))
    panels = Figure().subplots(2, 2)
    assert pt.plot.plot_credible_ball(ball, data, panels) == list(panels.ravel())


# Colors

# How dichromats see (Machado, Oliveira and Fernandes 2009, severity 1), on linear RGB.
SIGHT = {
    "all": np.eye(3),
    "protanopia": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "deuteranopia": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "tritanopia": np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
}
TO_XYZ = np.array([[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]])


def linear(colors):
    rgb = np.array([to_rgb(color) for color in colors])
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def nearest_colors(colors, sight):
    """Smallest distance in CIELAB between two colors, as seen by some eyes."""
    xyz = np.clip(linear(colors) @ SIGHT[sight].T, 0, 1) @ TO_XYZ.T / [0.9505, 1, 1.0888]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    lab = np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1)
    return min(np.linalg.norm(a - b) for i, a in enumerate(lab) for b in lab[:i])


@pytest.mark.parametrize("sight", SIGHT)
def test_colors_differ_for_all_eyes(sight):
    assert nearest_colors(COLORS, sight) > 14
    assert nearest_colors(PAIRS, sight) > 25


def test_red_and_green_would_be_refused():
    assert nearest_colors(["#c03030", "#508020"], "deuteranopia") < 14


@pytest.mark.parametrize("paper", ["white", "#14171c"])
def test_colors_are_seen_on_light_and_on_dark(paper):
    light = linear([*COLORS, paper]) @ TO_XYZ[1] + 0.05
    ratios = np.maximum(light / light[-1], light[-1] / light)[:-1]
    assert ratios.min() > 2


def test_sixty_four_clusters_are_told_apart():
    assert len({(cluster_color(k), cluster_marker(k)) for k in range(64)}) == 64


def test_a_partition_that_follows_another_is_numbered_after_it():
    center = np.array([1, 1, 1, 0, 0, 2])
    assert match_colors([0, 0, 0, 1, 1, 2], center).tolist() == center.tolist()
    assert match_colors([0, 0, 3, 1, 1, 1], center).tolist() == [1, 1, 3, 0, 0, 0]


# Places and orders


def test_two_columns_are_drawn_as_they_are(data):
    layout = project(data, 40)
    assert np.array_equal(layout.points, data)
    assert layout[1:] == ("length", "width")


def test_one_column_is_stacked_without_two_dots_on_one_place():
    layout = project([[1.0], [1.0], [5.0], [1.0]], 4)
    assert layout.points[:, 0].tolist() == [1, 1, 5, 1]
    assert layout.points[:, 1].tolist() == [1, 2, 1, 3]


def test_more_columns_are_drawn_along_principal_axes():
    X = np.random.default_rng(1).normal(size=(30, 5)) * [10, 1, 1, 1, 0]
    layout = project(X, 30)
    standard = (X - X.mean(axis=0))[:, :4] / X[:, :4].std(axis=0)
    variances = np.sort(np.linalg.eigvalsh(np.cov(standard.T, ddof=0)))[::-1]
    assert layout.points.var(axis=0) == pytest.approx(variances[:2])
    assert layout.x_label == f"principal axis 1 ({variances[0] / 4:.0%} of the variance)"


def test_categories_and_missing_entries_have_a_place():
    X = pd.DataFrame({"a": [1.0, None, 3.0], "b": ["x", "y", None], "c": [True, False, True]})
    assert np.isfinite(project(X, 3).points).all()
    with pytest.raises(ValueError, match="one row for each of the 4 items: got 3"):
        project(X, 4)


def test_places_of_draws_are_those_of_classical_scaling(posterior):
    similarity = posterior.similarity().astype(float)
    centring = np.eye(40) - 1 / 40
    values = np.linalg.eigvalsh(centring @ similarity @ centring)[::-1]
    points = project_draws(posterior).points
    assert (points**2).sum(axis=0) == pytest.approx(values[:2], rel=1e-4)
    weighted = posterior.collapse()
    assert (similarity_axes(weighted, 2) ** 2).sum(axis=0) == pytest.approx(values[:2], rel=1e-4)


def test_items_that_never_part_have_one_place():
    assert similarity_axes(pt.PartitionPosterior([[0, 0, 0]] * 3), 2) == pytest.approx(np.zeros((3, 2)))


def test_seriation_keeps_clusters_together(posterior, estimate):
    order = seriate(posterior, estimate.labels)
    assert sorted(order) == list(range(40))
    edges = block_edges(estimate.labels, order)
    assert np.diff(edges).tolist() == [estimate.sizes[estimate.labels[order[e]]] for e in edges[:-1]]


def test_similar_clusters_are_side_by_side():
    apart = [[0, 0, 1, 1, 2, 2, 3, 3]] * 6
    posterior = pt.PartitionPosterior([*apart, *[[0, 0, 1, 1, 0, 0, 1, 1]] * 4])
    labels = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    blocks = labels[seriate(posterior, labels)][::2].tolist()
    assert {frozenset(blocks[:2]), frozenset(blocks[2:])} == {frozenset({0, 2}), frozenset({1, 3})}


def test_pixels_are_means_over_blocks(posterior):
    order = np.random.default_rng(0).permutation(40)
    image = similarity_image(posterior, order, 7)
    pixel = np.arange(40) * 7 // 40
    full = posterior.similarity()[np.ix_(order, order)]
    naive = [[full[np.ix_(pixel == i, pixel == j)].mean() for j in range(7)] for i in range(7)]
    assert image == pytest.approx(np.array(naive), rel=1e-5)


# Figures


def test_partition_has_a_point_for_each_item_in_its_color(estimate, data):
    ax = pt.plot.plot_partition(estimate, data)
    assert [len(points.get_offsets()) for points in ax.collections] == estimate.sizes.tolist()
    assert [to_hex(points.get_facecolor()[0]) for points in ax.collections] == [c.lower() for c in COLORS[:3]]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        f"{k} ({size})" for k, size in enumerate(estimate.sizes)
    ]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("length", "width")


def test_similarity_shows_all_pairs_and_a_frame_for_each_cluster(posterior, estimate):
    ax = pt.plot.plot_similarity(posterior, estimate)
    order = seriate(posterior, estimate.labels)
    assert np.asarray(ax.images[0].get_array()) == pytest.approx(posterior.similarity()[np.ix_(order, order)])
    frames = [patch for patch in ax.patches if to_hex(patch.get_edgecolor()) != "#ffffff"]
    assert sorted(int(frame.get_width()) for frame in frames) == sorted(estimate.sizes)
    assert title(ax).startswith("Two items of one cluster are together with probability 0.")


def test_a_models_prior_on_the_number_of_clusters_is_drawn(posterior):
    class Fitted:
        posterior_, prior_ = posterior, pt.DirichletProcess(1.0)

    (line,) = pt.plot.plot_n_clusters(Fitted()).get_lines()
    assert line.get_xdata()[0] == 1
    np.testing.assert_allclose(line.get_ydata(), Fitted.prior_.n_clusters_pmf(posterior.n_items)[line.get_xdata()])
    assert not pt.plot.plot_n_clusters(posterior).get_lines()


def test_n_clusters_bars_are_probabilities(posterior, estimate):
    ax = pt.plot.plot_n_clusters(posterior, estimate)
    heights = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in ax.patches}
    for k, height in heights.items():
        assert height == pytest.approx((posterior.n_clusters() == k).mean())
    marked = [bar for bar in ax.patches if to_hex(bar.get_facecolor()) == COLORS[1].lower()]
    assert [round(bar.get_x() + bar.get_width() / 2) for bar in marked] == [estimate.n_clusters]


@pytest.mark.parametrize(("show", "read"), [("alpha", "get_alpha"), ("size", "get_sizes")])
def test_doubtful_items_are_pale_or_small(posterior, estimate, data, show, read):
    ax = pt.plot.plot_certainty(posterior, data, estimate, show=show)
    drawn = np.concatenate([getattr(points, read)() for points in ax.collections])
    items = np.concatenate([np.flatnonzero(estimate.labels == k) for k in range(3)])
    margins = pt.assess_certainty(posterior, estimate).items["margin"]
    margins = margins.loc[[f"item {i}" for i in items]].to_numpy()
    assert np.corrcoef(drawn, np.clip(margins, 0, 1))[0, 1] == pytest.approx(1)
    assert title(ax) == f"{(margins < 0.5).sum()} of 40 items are in doubt"


def test_credible_ball_shows_center_and_bounds(posterior, estimate, data):
    ball = pt.credible_ball(posterior, estimate)
    axes = pt.plot.plot_credible_ball(ball, data)
    assert title(axes[0]) == f"3 clusters; the 95 % ball reaches {ball.radius:.2f} bits"
    for ax, bounds in zip(axes[1:], (ball.upper, ball.lower, ball.horizontal), strict=True):
        drawn = sorted(len(points.get_offsets()) for points in ax.collections if len(points.get_offsets()))
        assert drawn == sorted(np.bincount(bounds[0]))


def test_pairs_are_named_by_who_joins_them():
    assert compare_pairs(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1])).tolist() == [
        [1, 1, 3, 0],
        [1, 1, 3, 0],
        [3, 3, 1, 2],
        [0, 0, 2, 1],
    ]


def test_ball_against_a_truth_has_the_center_too(posterior, estimate):
    ball = pt.credible_ball(posterior, estimate)
    alone, beside = pt.plot.plot_ball_coclustering(ball), pt.plot.plot_ball_coclustering(ball, estimate)
    assert (len(alone), len(beside)) == (3, 4)
    assert set(np.unique(beside[0].images[0].get_array())) == {0, 1}  # the center is what it is compared with
    assert "0 of 780 pairs differ (0 %)" in title(beside[0])
    assert [
        f": {labels.max() + 1} cluster" in title(ax)
        for ax, labels in zip(alone, (ball.upper[0], ball.lower[0]), strict=False)
    ] == [True, True]


def test_hasse_heights_are_distances_and_colors_probabilities():
    posterior = pt.PartitionPosterior([[0, 0, 1, 1]] * 3 + [[0, 1, 2, 3]])
    ax = pt.plot.plot_hasse(posterior)
    heights = np.asarray(ax.collections[0].get_offsets())[:, 1]
    partitions, edges = pt.hasse_edges(4)
    vi = pt.VariationOfInformation()
    assert heights == pytest.approx([vi.between([0] * 4, row) for row in partitions])
    assert len(ax.lines) == len(edges)
    chance = dict(zip(map(tuple, partitions.tolist()), ax.collections[0].get_array(), strict=True))
    assert chance[0, 0, 1, 1] == 0.75
    assert {text.get_text() for text in ax.texts} >= {"12|34", "1234", "1|2|3|4"}
    places = {tuple(place) for place in ax.collections[0].get_offsets().tolist()}
    assert len(places) == 15


def test_hasse_of_many_items_is_refused():
    with pytest.raises(ValueError, match="at most 6 items to draw all partitions: got 7"):
        pt.plot.plot_hasse(7)


def test_traces_have_a_line_for_each_chain(posterior, estimate):
    top, bottom = pt.plot.plot_traces(posterior, estimate)
    assert [line.get_ydata().tolist() for line in top.lines] == [
        posterior.chain(c).n_clusters().tolist() for c in (0, 1)
    ]
    assert np.concatenate([line.get_ydata() for line in bottom.lines]) == pytest.approx(
        pt.VariationOfInformation().per_draw(estimate.labels, posterior)
    )
    assert title(top).startswith("Chains agree")
    assert [text.get_text() for text in top.get_legend().get_texts()] == ["0", "1"]
    assert pt.plot.plot_traces(posterior.chain(0), estimate)[0].get_legend() is None


def test_agreement_compares_similarities_pair_by_pair(posterior):
    ax = pt.plot.plot_chain_agreement(posterior)
    pairs = np.asarray(ax.collections[0].get_offsets())
    assert pairs[:, 0] == pytest.approx(posterior.chain(0).condensed_similarity())
    assert title(ax).startswith("Chains 0 and 1 agree")
    stuck = pt.PartitionPosterior([[0, 0, 1, 1]] * 50 + [[0, 1, 0, 1]] * 50, chains=[0] * 50 + [1] * 50)
    assert title(pt.plot.plot_chain_agreement(stuck)).startswith("Chains 0 and 1 disagree")
    with pytest.raises(ValueError, match="two chains or more to compare: got 1"):
        pt.plot.plot_chain_agreement([[0, 0], [0, 1]])


@pytest.fixture(scope="module")
def plane():
    X, truth = pt.datasets.make_quadrants(n_items=60)
    return X, pt.assess_stability(pt.center_distances(X, truth), truth, n_baselines=5)


def test_stability_shows_phi_in_blocks(plane):
    _, report = plane
    ax = pt.plot.plot_stability(report)
    drawn = np.asarray(ax.images[0].get_array())
    order = pt.stability.heatmap_order(report.phi, report.labels)
    assert drawn == pytest.approx(report.phi[order])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["0", "1", "2", "3"]


def test_clusters_without_a_partner_are_named():
    report = pt.matched_stability(pt.PartitionPosterior([[0, 0, 1, 1], [0, 0, 1, 2]]), [0, 0, 1, 1])
    ax = pt.plot.plot_stability(report)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0", "1", "other"]


def test_stability_map_is_highest_at_the_centers_and_zero_between(plane):
    X, report = plane
    ax = pt.plot.plot_stability_map(report, X)
    image = np.asarray(ax.images[0].get_array())
    left, right, bottom, top = ax.images[0].get_extent()

    def at(x, y):
        return image[round((y - bottom) / (top - bottom) * 159), round((x - left) / (right - left) * 159)]

    centers = [X[report.labels == k].mean(axis=0) for k in range(4)]
    assert min(at(*center) for center in centers) > 0.9
    assert at(*np.mean(centers, axis=0)) < 0.3
    with pytest.raises(ValueError, match="two columns to draw the plane: got 3"):
        pt.plot.plot_stability_map(report, np.zeros((60, 3)))


def test_selection_marks_the_choice():
    X, _ = pt.datasets.make_quadrants(n_items=80)
    selection = pt.select_n_clusters(X, range(2, 7), ["silhouette", "gap"], n_baselines=3)
    ax = pt.plot.plot_selection(selection, "gap")
    rows = selection.table[selection.table["method"] == "gap"]
    bars = ax.containers[0]
    assert bars.lines[0].get_ydata() == pytest.approx(rows["value"].to_numpy())
    spans = [segment[1, 1] - segment[0, 1] for segment in bars.lines[2][0].get_segments()]
    assert spans == pytest.approx(2 * rows["sd"].to_numpy())
    assert title(ax) == f"{selection.choices['gap']} clusters, by gap"
    with pytest.raises(ValueError, match="method must be one of gap, silhouette"):
        pt.plot.plot_selection(selection, "stability")


def test_weights_are_bars_of_each_cluster():
    class Fitted:
        weights_ = np.array([[0.7, 0.3], [0.5, 0.5]])
        feature_names_in_ = np.array(["length", "width"])

    axes = pt.plot.plot_weights(Fitted())
    assert [[bar.get_width() for bar in ax.patches] for ax in axes] == Fitted.weights_.tolist()
    assert [title(ax) for ax in axes] == ["Cluster 0 goes most by length", "Cluster 1 goes by all columns alike"]
    with pytest.raises(ValueError, match="columns must name each of the 2 columns: got 1"):
        pt.plot.plot_weights(Fitted(), ["length"])


def test_errors_reach_to_their_bounds():
    errors = {"ours": pt.PartitionError(0.1, 0.05, 0.2), "theirs": pt.PartitionError(0.3, 0.3, 0.3)}
    ax = pt.plot.plot_error(errors)
    assert ax.collections[-1].get_offsets()[:, 0].tolist() == [0.1, 0.3]
    segments = ax.containers[0].lines[2][0].get_segments()
    assert [segment[:, 0].tolist() for segment in segments] == [pytest.approx([0.05, 0.2]), pytest.approx([0.3, 0.3])]
    assert ax.get_xlim() == pytest.approx((0, 0.33))
    assert title(ax) == "ours misplaces the fewest points: 10.0 % expected, for sure 5.0 to 20.0 %"
    with pytest.raises(TypeError, match=r"errors must each be a PartitionError: got 0\.2"):
        pt.plot.plot_error({"ours": 0.2})


@pytest.mark.parametrize("name", [r"$\frac{$", "a\nb", "x" * 400])
def test_any_name_can_be_drawn(estimate, name):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 2)), columns=[name, "y"])
    errors = {name: pt.PartitionError(0.1, 0.05, 0.2), "other": pt.PartitionError(0.3, 0.3, 0.3)}
    axes = [pt.plot.plot_partition(estimate, X), pt.plot.plot_error(errors)]
    axes += pt.plot.plot_weights([[0.7, 0.3]], [name, "y"])
    for ax in axes:
        ax.figure.savefig(BytesIO(), format="png")
    assert axes[0].get_xlabel()[:39] == name[:39]


def test_what_is_not_fitted_is_refused():
    with pytest.raises(ValueError, match="result must be fitted and have draws, as posterior_: got BayesianMixture"):
        pt.plot.plot_n_clusters(pt.BayesianMixture())


def test_panels_may_stand_in_a_figure_of_the_users(posterior, estimate):
    ball = pt.credible_ball(posterior, estimate)
    left, _ = Figure(figsize=(12, 4)).subfigures(1, 2)
    assert len(pt.plot.plot_ball_coclustering(ball, axes=left.subplots(1, 3))) == 3
    assert len(left.legends) == 1


class Fitted:
    """A model that was fitted elsewhere."""

    def __init__(self, posterior, estimate):
        self.posterior_, self.estimate_ = posterior, estimate

    def fit(self, _):
        raise AssertionError("fitted already")


def in_pipeline(model):
    return SimpleNamespace(fit=model.fit, steps=[("scale", None), ("model", model)])


def test_parallel_coordinates_begin_with_the_column_that_tells_most():
    labels = np.repeat([0, 1], 20)
    noise = np.random.default_rng(0).normal(size=(40, 2))
    table = pd.DataFrame({"noise": noise[:, 0], "telling": noise[:, 1] + 9 * labels, "same": 1.0})
    ax = pt.plot.plot_parallel(labels, table)
    assert ax.get_xticklabels()[0].get_text() == "telling"
    assert len(ax.lines) == 42  # items, and the means of two clusters
    means = [line.get_ydata() for line in ax.lines[-2:]]
    assert means[0][0] < -0.5 < 0.5 < means[1][0]
    np.testing.assert_allclose(means[0][-1], 0.0)  # a constant column
    with pytest.raises(ValueError, match="labels and X must label the same items"):
        pt.plot.plot_parallel(labels[:30], table)


FIGURES_OF_A_POSTERIOR = {
    "plot_parallel": pt.plot.plot_parallel,
    "plot_partition": pt.plot.plot_partition,
    "plot_certainty": pt.plot.plot_certainty,
    "plot_similarity": lambda model, _: pt.plot.plot_similarity(model),
    "plot_n_clusters": lambda model, _: pt.plot.plot_n_clusters(model),
    "plot_traces": lambda model, _: pt.plot.plot_traces(model)[1],
    "plot_credible_ball": lambda model, X: pt.plot.plot_credible_ball(model, X)[0],
    "plot_ball_coclustering": lambda model, _: pt.plot.plot_ball_coclustering(model)[0],
    "plot_coclustering": lambda model, _: pt.plot.plot_coclustering(model, model),
}


@pytest.mark.parametrize("name", FIGURES_OF_A_POSTERIOR)
def test_figures_take_a_fitted_model_and_a_pipeline_and_use_its_estimate(name, posterior, data):
    draw, own = FIGURES_OF_A_POSTERIOR[name], pt.estimate_partition(posterior, "binder", max_clusters=2)
    model = Fitted(posterior, own)
    one, other = draw(model, data), draw(in_pipeline(model), data)
    assert one.get_title(loc="left") == other.get_title(loc="left")
    expected = {
        "plot_certainty": own.n_clusters,
        "plot_partition": own.n_clusters,
        "plot_credible_ball": own.n_clusters,
    }
    assert len(one.collections) == expected.get(name, len(one.collections))


def test_figures_of_an_unfitted_model_are_refused():
    with pytest.raises(ValueError, match="result must be fitted and have draws, as posterior_: got"):
        pt.plot.plot_similarity(pt.BayesianMixture())


@pytest.fixture(scope="module")
def galaxies():
    X = pt.datasets.load_galaxies()
    return X, pt.BayesianMixture(n_chains=1, n_draws=60, n_warmup=60, n_jobs=1).fit(X)


def test_densities_have_a_band_around_their_mean_and_integrate_to_one(galaxies):
    X, mixture = galaxies
    ax = pt.plot.plot_density(mixture, X)
    x, mean = ax.lines[0].get_data()
    assert np.trapezoid(mean, x) == pytest.approx(1, abs=0.03)
    band = ax.collections[0].get_paths()[0].vertices
    for t in (60, 120, 180):
        heights = band[np.isclose(band[:, 0], x[t]), 1]
        assert heights.min() <= mean[t] <= heights.max()


def test_contours_are_drawn_over_two_columns_and_the_others_integrated_over(galaxies):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3)) + 5 * (np.arange(40) % 2)[:, None]
    mixture = pt.BayesianMixture(n_chains=1, n_draws=20, n_warmup=40, n_jobs=1).fit(X)
    ax = pt.plot.plot_density(mixture, X, columns=[0, 2])
    assert ax.get_xlabel() == "0"
    assert ax.get_ylabel() == "2"
    assert sum(len(line.get_xdata()) for line in ax.lines) == 40
    with pytest.raises(ValueError, match="columns must be one or two columns of X: got 3"):
        pt.plot.plot_density(mixture, X, columns=[0, 1, 2])
    with pytest.raises(ValueError, match="columns must name columns of X: got 7"):
        pt.plot.plot_density(mixture, X, columns=[7])
    for wrong in (0.5, [[0]], np.array(9), object()):
        with pytest.raises(ValueError, match="columns must name columns of X: got"):
            pt.plot.plot_density(mixture, X, columns=wrong)
    with pytest.raises(TypeError, match="model must be a fitted BayesianMixture: got KMeans"):
        pt.plot.plot_density(KMeans(2), X)


def outside(ax):
    n_outside, n_bins = ax.get_title(loc="left").split(" outside")[0].split(" of ")
    return int(n_outside) / int(n_bins)


def test_tables_of_a_model_that_fits_are_like_the_data_and_those_of_one_that_does_not_are_not(galaxies):
    X, mixture = galaxies
    assert outside(pt.plot.plot_ppc(mixture, X)[0]) < 0.1
    one = pt.BayesianMixture(
        pt.Gaussian("diagonal", scale="variance"), pt.DirichletProcess(1e-9), n_chains=1, n_draws=20, n_warmup=5
    ).fit(X)
    assert outside(pt.plot.plot_ppc(one, X)[0]) > 0.1


def test_categories_and_counts_are_compared_value_by_value():
    table = pd.DataFrame({"sort": list("aabbb") * 6, "eggs": [0, 1, 7, 8, 9] * 6})
    mixture = pt.BayesianMixture("product", n_chains=1, n_draws=20, n_warmup=20, n_jobs=1).fit(table)
    first, second = pt.plot.plot_ppc(mixture, table, n_tables=10)
    assert [tick.get_text() for tick in first.get_xticklabels()] == ["a", "b"]
    assert second.get_xlabel() == "eggs"
    assert len(pt.plot.plot_ppc(mixture, table, columns=["eggs"], n_tables=5)) == 1
