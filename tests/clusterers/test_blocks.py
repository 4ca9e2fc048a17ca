"""A table that comes by blocks gives the draws that it gives as a whole, and its draws stay on disk."""

import gc
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import partita as pt
from partita.clusterers import _sampling
from partita.clusterers._sampling import Room, check_room, plan_room
from partita.samplers import mixture_draws
from partita.samplers.temporary_folder import OWNER
from partita.tables.blocks import TableBlocks

RNG = np.random.default_rng(0)
X = (RNG.normal(size=(600, 2)) + 6 * RNG.integers(0, 3, 600)[:, None]).round(2)
MIXED = pd.DataFrame(
    {"kind": np.where(X[:, 0] > 3, "a", "b"), "count": RNG.poisson(4, 600), "sort": RNG.choice(["x", "y", "z"], 600)}
)
SHORT = dict(n_chains=2, n_draws=3, n_warmup=2, n_jobs=1, sampler="blocked")


def by_blocks(table, size=130):
    rows = range(0, len(table), size)
    return TableBlocks(len(table), lambda: (table[at : at + size] for at in rows))


@pytest.mark.parametrize("table", [X, pd.DataFrame(X, columns=["a", "b"]), MIXED], ids=["array", "table", "mixed"])
def test_blocks_give_the_same_draws_as_the_whole(table):
    whole, parts = pt.BayesianMixture(**SHORT).fit(table), pt.BayesianMixture(**SHORT).fit(by_blocks(table))
    np.testing.assert_array_equal(whole.posterior_.draws, parts.posterior_.draws)
    np.testing.assert_array_equal(whole.labels_, parts.labels_)
    np.testing.assert_allclose(whole.log_posterior_, parts.log_posterior_)


def test_rows_and_draws_are_on_disk_as_long_as_the_model_is_there():
    model = pt.BayesianMixture(**SHORT).fit(by_blocks(X))
    folder, draws = model._folder, model.posterior_.draws
    assert isinstance(model._encoded.blocks[0].x, np.memmap)
    assert isinstance(model._draws.chain.draws, np.memmap)
    assert draws.dtype == np.uint8
    assert {path.name for path in folder.iterdir()} == {OWNER, "rows0.npy", "draws1.npy", "latent.npy", "fused.npy"}
    del model
    gc.collect()
    assert not folder.exists()


@pytest.mark.parametrize("make", ["array", "delayed", "table"])
def test_dask_collections_come_by_blocks(make):
    dask = pytest.importorskip("dask")
    if make == "array":
        parts = pytest.importorskip("dask.array").from_array(X, chunks=(250, 1))
    elif make == "delayed":
        parts = [dask.delayed(X[at : at + 200]) for at in range(0, 600, 200)]
    else:
        parts = pytest.importorskip("dask.dataframe").from_pandas(pd.DataFrame(X, columns=["a", "b"]), npartitions=3)
    found = pt.BayesianMixture(**SHORT).fit(parts)
    np.testing.assert_array_equal(found.posterior_.draws, pt.BayesianMixture(**SHORT).fit(X).posterior_.draws)


def test_zarr_arrays_come_by_blocks():
    array = pytest.importorskip("zarr").array(X, chunks=(100, 2))
    found = pt.BayesianMixture(**SHORT).fit(array)
    np.testing.assert_array_equal(found.posterior_.draws, pt.BayesianMixture(**SHORT).fit(X).posterior_.draws)


def test_a_run_by_blocks_resumes(tmp_path):
    kept = tmp_path / "run.partita"
    first = pt.BayesianMixture(**SHORT, checkpoint=kept).fit(by_blocks(X))
    again = pt.BayesianMixture(**SHORT, checkpoint=kept, resume=True).fit(by_blocks(X, 99))
    np.testing.assert_array_equal(first.posterior_.draws, again.posterior_.draws)


def test_what_needs_the_whole_table_is_refused_in_a_sentence():
    table = X.copy()
    table[70, 1] = np.nan
    with pytest.raises(ValueError, match=r"^X must hold every number when it is read by blocks: got a gap in row 70"):
        pt.BayesianMixture(**SHORT).fit(by_blocks(table))
    with pytest.raises(ValueError, match=r"^sampler must be 'blocked' or 'auto' for a table that comes by blocks"):
        pt.BayesianMixture(**{**SHORT, "sampler": "collapsed"}).fit(by_blocks(X))
    with pytest.raises(ValueError, match=r"^X must be in memory with constraints"):
        pt.BayesianMixture(**SHORT).fit(by_blocks(X), constraints=pt.Constraints([(0, 1)], n_items=600))


def test_a_full_disk_is_noticed_before_anything_is_written(monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 100}))
    with pytest.raises(OSError, match=r"^The 600 rows of the table would take 0\.0 GB in"):
        pt.BayesianMixture(**SHORT).fit(by_blocks(X))


def test_what_some_items_say_of_components_holds_for_all(monkeypatch):
    """Two crossing boxes need several components each, and one far item is a component that none of the rest knows."""
    rng = np.random.default_rng(1)
    table = np.vstack([rng.uniform(-1, 1, (700, 2)) * [6, 0.5], [[40.0, 40.0]]])
    model = pt.BayesianMixture(pt.Gaussian("full"), n_chains=1, n_draws=6, n_warmup=60, n_jobs=1).fit(table)
    monkeypatch.setattr(mixture_draws, "MOST_FUSED", 350)
    fused, components = model._draws.fused(), model.component_posterior_.draws
    for row, clusters in zip(components, fused, strict=True):
        assert len({*zip(row, clusters, strict=True)}) == row.max() + 1
        assert (clusters == clusters[-1]).sum() == (row == row[-1]).sum()
    np.testing.assert_array_equal(fused, pt.PartitionPosterior(fused).draws)


@pytest.mark.parametrize(
    ("by_blocks", "memory", "disk"),
    [
        (True, 3 * (40 * 1000 + 16 * 50) + 8 * 21 * 7, 21 * 2050),
        (False, 3 * (40 * 1000 + 16 * 50) + 8 * 21 * 7 + 21 * 1050, 0),
    ],
)
def test_a_run_takes_room_for_chains_draws_and_what_is_beside_them(by_blocks, memory, disk):
    assert plan_room(1000, 50, 4, 3, 7, by_blocks=by_blocks) == (memory, disk)


def test_room_is_said_in_gigabytes():
    assert Room(2_500_000_000, 120_000_000).words == ("Draws take up to 0.12 GB of disk, and chains 2.5 GB of memory.")


@pytest.mark.parametrize(("sampler", "n_latent"), [("blocked", 5), ("collapsed", 20)])
@pytest.mark.parametrize("folder", [None, "here"])
def test_room_is_asked_for_before_chains_run(monkeypatch, sampler, n_latent, folder):
    asked = []
    monkeypatch.setattr(_sampling, "check_memory", lambda n_bytes, what, _: asked.append((n_bytes, what)))
    monkeypatch.setattr(_sampling, "check_disk", lambda n_bytes, where, what: asked.append((n_bytes, where, what)))
    model = SimpleNamespace(sampler_=sampler, n_chains=2, n_draws=3, _folder=folder)
    encoded = SimpleNamespace(latent=np.zeros(5), n_items=100, hyper=np.zeros(4))
    check_room(model, encoded)
    room = plan_room(100, n_latent, 4, 2, 3, by_blocks=folder is not None)
    what = "The 6 draws of 100 items"
    assert asked == [(room.memory, what), *([(room.disk, "here", what)] if folder else [])]
