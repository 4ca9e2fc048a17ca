"""Where figures put what they draw."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import partita as pt
from partita.plot.canvas import set_title
from partita.plot.flow import WIDTH


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
