"""Many items: units that move as one, landmarks, draws on disk, reports."""

import json
import re

import naive
import numpy as np
import pytest

import partita as pt
from partita._parallel import Budget
from partita.decide.searches import multistart, sweep
from partita.decide.searches.options import Options
from partita.decide.searches.units import find_units
from partita.losses import check_loss

EXACT = [pt.VariationOfInformation(), pt.VariationOfInformation(a=0.3), pt.Binder(), pt.Binder(a=1.6)]


def repeated(rng, n_units, n_draws, partial):
    """Draws in which each of a few items is there up to three times."""
    draws = rng.integers(3, size=(n_draws, n_units))
    if partial:
        draws[1:][rng.random((n_draws - 1, n_units)) < 0.3] = -1
        draws[:, 0] = np.maximum(draws[:, 0], 0)
    return draws[:, np.repeat(np.arange(n_units), rng.integers(1, 4, size=n_units))]


def options(n_items, seed=0):
    return Options(n_items, 16, (), Budget(), 1, np.random.default_rng(seed))


def test_units_are_items_with_the_same_labels_in_every_draw():
    draws = repeated(np.random.default_rng(0), 5, 6, partial=True)
    units = find_units(pt.PartitionPosterior(draws, missing=-1))
    for i in range(draws.shape[1]):
        for j in range(draws.shape[1]):
            assert (units.of_item[i] == units.of_item[j]) == (draws[:, i] == draws[:, j]).all()
    assert units.sizes.sum() == draws.shape[1]


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("loss", [*EXACT, pt.Misclassification()], ids=repr)
def test_some_best_partition_keeps_units_whole(loss, partial):
    """All partitions of up to seven items, against those that keep equal items together."""
    rng = np.random.default_rng(1)
    for _ in range(6):
        draws = repeated(rng, 3, 5, partial)
        post = pt.PartitionPosterior(draws, weights=rng.dirichlet(np.ones(5)), missing=-1)
        units = find_units(post)
        rows = pt.all_partitions(post.n_items).astype(np.int64)
        losses = np.array([loss.expected(labels, post) for labels in rows])
        whole = [all(np.ptp(labels[units.of_item == u]) == 0 for u in range(units.sizes.size)) for labels in rows]
        assert losses[whole].min() == pytest.approx(losses.min(), abs=1e-12)


def test_a_loss_that_likes_many_clusters_splits_units():
    """The control: the same check fails for it, and units are not used."""
    post = pt.PartitionPosterior([[0, 0, 1], [0, 0, 0]])
    loss = pt.TableLoss(lambda table: 1 - table.shape[1] / table.sum())
    assert pt.estimate_partition(post, loss).labels.tolist() == [0, 1, 2]
    assert sweep._units_that_help(post, loss) is None


@pytest.mark.parametrize("loss", EXACT, ids=repr)
def test_search_over_units_finds_the_best_of_all_partitions(monkeypatch, loss):
    monkeypatch.setattr(sweep, "WORTHWHILE", 2)
    rng = np.random.default_rng(3)
    for seed in range(4):
        draws = rng.integers(3, size=(5, 3))[:, [0, 0, 0, 1, 1, 2, 2]]
        post = pt.PartitionPosterior(draws, weights=rng.dirichlet(np.ones(5)))
        labels, how = sweep.search(post, loss, options(7, seed))
        assert "units" in how
        best = min(loss.expected(row, post) for row in naive.all_partitions(7))
        assert loss.expected(labels, post) == pytest.approx(best)


@pytest.mark.parametrize("name", ["vi", "binder", "adjusted-rand", "nid", "misclassification"])
@pytest.mark.parametrize("partial", [False, True])
def test_landmarks_find_what_a_full_search_finds(monkeypatch, name, partial):
    posterior, _ = pt.datasets.make_noisy_draws(n_items=400, n_draws=60, n_clusters=6, noise=0.2, random_state=4)
    if partial:
        draws = posterior.draws.astype(np.int8)
        draws[np.random.default_rng(5).random(draws.shape) < 0.1] = -1
        posterior = pt.PartitionPosterior(draws, missing=-1)
    full = pt.estimate_partition(posterior, name, n_starts=4)
    monkeypatch.setattr(multistart, "MANY_ITEMS", 200)
    monkeypatch.setattr(multistart, "N_LANDMARKS", 100)
    quick = pt.estimate_partition(posterior, name, n_starts=4)
    assert "100 landmarks of 400 items" in quick.search
    assert quick.expected_loss <= full.expected_loss * 1.005


def test_starts_are_swept_beside_landmarks(monkeypatch):
    posterior, truth = pt.datasets.make_noisy_draws(n_items=300, n_draws=30, n_clusters=4, random_state=6)
    monkeypatch.setattr(multistart, "MANY_ITEMS", 200)
    monkeypatch.setattr(multistart, "N_LANDMARKS", 100)
    found = pt.estimate_partition(posterior, starts=[truth], n_starts=2)
    assert found.expected_loss <= check_loss("vi").expected(truth, posterior) + 1e-12


def test_draws_on_disk_are_read_as_in_memory(tmp_path, monkeypatch):
    draws = np.random.default_rng(7).integers(-1, 4, size=(40, 30))
    draws[0] = np.abs(draws[0])
    expected = pt.PartitionPosterior(draws, missing=-1).draws
    np.save(tmp_path / "draws.npy", draws)
    monkeypatch.setattr("partita.posterior.io.LARGE", 1)
    assert (pt.PartitionPosterior.from_any(tmp_path / "draws.npy").draws == expected).all()
    monkeypatch.setattr("partita.posterior.clusterings.BLOCK_CELLS", 100)
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "draws.h5", "w") as file:
        file["z"] = draws
        assert (pt.PartitionPosterior.from_any(file["z"]).draws == expected).all()


def test_report_of_many_items_shows_a_density_and_the_doubtful(tmp_path, monkeypatch):
    from partita.report import content

    monkeypatch.setattr(content, "MOST_POINTS", 60)
    monkeypatch.setattr(content, "MOST_PLACED", 100)
    posterior, truth = pt.datasets.make_noisy_draws(n_items=300, n_draws=40, n_clusters=3, noise=0.5, random_state=8)
    summary = pt.summarize(posterior)
    shown = content.shown_items(summary)
    assert shown.size <= 60
    assert np.isin(summary.certainty.item_numbers[: min(20, summary.certainty.n_doubtful)], shown).all()
    pt.write_report(summary, tmp_path / "draws.html")
    X = np.random.default_rng(9).normal(size=(300, 2)) + truth[:, None]
    pt.write_report(summary, tmp_path / "data.html", data=X)
    assert [_kinds_of_marks(tmp_path / name) for name in ("data.html", "draws.html")] == [
        {"image", "points"},
        {"points"},
    ]


def _kinds_of_marks(page):
    data = re.search(r'id="data-places">(.*?)</script>', page.read_text(), flags=re.DOTALL)[1]
    return {trace["type"] for trace in json.loads(data)["data"]}
