"""Where figures put what they draw."""

from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.figure import Figure

import partita as pt
from partita.plot.arrangement import order_clusters, project, project_draws, similarity_axes
from partita.plot.canvas import check_panels, set_title
from partita.plot.coclustering import compare_pairs
from partita.plot.flow import WIDTH, arrange_flow
from partita.plot.ppc import can_be_binned, pick_columns


@pytest.mark.parametrize(("n_items", "n_partitions"), [(1, 1), (2, 2), (3, 5), (4, 15), (5, 52), (6, 203)])
def test_all_partitions_of_up_to_six_items_are_nodes_of_a_hasse_diagram(n_items, n_partitions):
    ax = pt.plot.plot_hasse(n_items)
    assert len(ax.collections[0].get_offsets()) == n_partitions
    assert f"{n_partitions} partitions of {n_items} items" in ax.get_title(loc="left")


def test_ribbons_reach_from_the_bars_of_one_clustering_to_those_of_the_next():
    ax = pt.plot.plot_flow([[0, 0, 0, 1], [0, 0, 1, 1], [0, 0, 0, 0]])
    edges = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in ax.patches]
    assert sorted(set(edges)) == [pytest.approx((k - WIDTH / 2, k + WIDTH / 2)) for k in range(3)]
    bands = [band.get_paths()[0].vertices[:, 0] for band in ax.collections]
    assert sorted((x.min(), x.max()) for x in bands) == [
        pytest.approx((k + WIDTH / 2, k + 1 - WIDTH / 2)) for k in (0, 0, 0, 1, 1)
    ]


def test_readings_are_strips_as_high_as_they_are_probable():
    modes = pt.summarize_modes([[0, 0, 0, 1, 1, 1]] * 40 + [[0, 0, 1, 1, 2, 2]] * 20)
    ax = pt.plot.plot_modes(modes)
    strips = [image.get_extent() for image in ax.images]
    assert [(left, right) for left, right, _, _ in strips] == [(0, 6), (0, 6)]
    assert ax.get_xlim() == (0, 6)
    bottoms, tops = [bottom for _, _, bottom, _ in strips], [top for _, _, _, top in strips]
    assert bottoms == pytest.approx([1 / 3, 0])
    assert tops == pytest.approx([1, 1 / 3], abs=0.03)
    assert tops[1] < bottoms[0]  # a gap between them
    assert ax.get_ylim()[1] >= tops[0]
    middles = ax.get_yticks().tolist()
    assert middles == pytest.approx((np.array(bottoms) + tops) / 2)


@pytest.mark.parametrize(("inches", "longest"), [(2.0, 24), (10.0, 116)])
def test_titles_are_wrapped_to_the_width_of_the_axes(inches, longest):
    ax = Figure(figsize=(inches, 4)).subplots()
    set_title(ax, "so " * 100)
    lines = [len(line) for line in ax.get_title(loc="left").split("\n")]
    assert longest - 3 < max(lines) <= longest


def test_the_prior_of_too_many_items_is_not_drawn():
    with pytest.raises(ValueError, match="n_items must be at most 50000: got 50001"):
        pt.plot.plot_prior(pt.DirichletProcess(1.0), 50_001)


@pytest.mark.parametrize("seed", range(5))
def test_axes_of_similarities_are_those_of_classical_scaling_and_have_a_sign(seed):
    draws = np.random.default_rng(seed).integers(3, size=(9, 8))
    posterior = pt.PartitionPosterior(draws)
    centering = np.eye(8) - 1 / 8
    values = np.linalg.eigvalsh(centering @ posterior.similarity().astype(float) @ centering)[::-1]
    axes = similarity_axes(posterior, 3)
    assert (axes**2).sum(axis=0) == pytest.approx(values[:3], abs=1e-5)
    assert (axes.sum(axis=0) + axes[0] > 0).all()
    assert axes.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-9)
    assert project_draws(posterior).points.shape == (8, 2)


def test_more_axes_than_items_are_zero():
    axes = similarity_axes(pt.PartitionPosterior([[0, 1], [0, 0]]), 3)
    assert axes[:, 1:].tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert axes[0, 0] == pytest.approx(0.5)


def test_three_clusters_are_ordered_by_their_distances():
    between = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 5.0], [1.0, 5.0, 0.0]])
    assert order_clusters(between)[1] == 0
    assert order_clusters(between[:2, :2]).tolist() == [0, 1]


def test_clusterings_before_the_anchor_are_numbered_after_it():
    parts = [np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 1, 2, 2, 2]), np.array([0, 0, 0, 1, 1, 1])]
    flow = arrange_flow(parts, anchor=2)
    assert flow.labels[2].tolist() == [0, 0, 0, 1, 1, 1]
    assert flow.labels[1].tolist() == [2, 0, 0, 1, 1, 1]
    assert flow.labels[0].tolist() == [2, 2, 0, 0, 1, 1]


@pytest.mark.parametrize(("n", "shape"), [(1, (1, 1)), (3, (1, 3)), (4, (2, 2)), (5, (2, 3)), (7, (3, 3))])
def test_panels_stand_in_a_row_and_from_four_on_in_a_grid(n, shape):
    panels = check_panels(None, n, 2.0, 3.0)
    assert len(panels) == len(panels[0].figure.axes) == n
    assert panels[0].get_gridspec().get_geometry() == shape
    assert panels[0].figure.get_size_inches().tolist() == [2.0 * shape[1], 3.0 * shape[0]]


def test_a_constant_column_among_many_changes_nothing():
    X = np.random.default_rng(0).normal(size=(9, 3)) * [0.1, 1.0, 5.0]
    with_constant = project(np.column_stack([X, np.full(9, 3.0)]), 9)
    assert with_constant.points == pytest.approx(project(X, 9).points)
    assert (project(X, 9).points ** 2).sum(axis=0).sum() < 27


def test_the_first_column_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="columns must name columns of X: got 'c'"):
        pick_columns(["a", "c", "d"], ["a", "b"])
    assert pick_columns(["b", "a"], ["a", "b"]) == [1, 0]
    assert pick_columns("b", ["a", "b"]) == [1]
    assert pick_columns(None, ["a", "b"]) == [0, 1]


@pytest.mark.parametrize(
    ("numbers", "binned"), [([1.0, 1.0], False), ([1.0, 1 + 1e-10], False), ([1.0, 1 + 1e-8], True)]
)
def test_numbers_that_rounding_tells_apart_are_not_binned(numbers, binned):
    assert can_be_binned(np.array(numbers)) == binned


def test_all_pairs_of_too_many_items_are_refused(monkeypatch):
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=1000))
    monkeypatch.setattr("partita._validation.LITTLE", 0)
    with pytest.raises(MemoryError, match="All pairs of 20 items would take"):
        compare_pairs(np.zeros(20, int), np.zeros(20, int))
    assert compare_pairs(np.zeros(9, int), np.zeros(9, int)).all()


def test_weights_say_how_many_columns_are_to_be_named():
    with pytest.raises(TypeError, match="columns must name each of the 2 columns: got 5"):
        pt.plot.plot_weights([[0.5, 0.5]] * 3, 5)
