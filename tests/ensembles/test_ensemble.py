"""Ensembles: many runs of a clusterer as a posterior."""

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans

import partita as pt
from partita.ensembles.plan import plan_runs

RNG = np.random.default_rng(0)
X = np.concatenate([RNG.normal(center, size=(20, 2)) for center in (0, 8, 16)])
TRUTH = np.repeat([0, 1, 2], 20)


def halves(data, random_state):
    """A clusterer that is a function, and remembers nothing."""
    return (data[:, 0] > np.median(data[:, 0]) + 0 * random_state).astype(int)


class Stops:
    """A function that fails at its fourth call, and counts its calls."""

    def __init__(self, at):
        self.calls, self.at = 0, at
        self.__qualname__ = "stops"

    def __call__(self, data):
        self.calls += 1
        if self.calls == self.at:
            raise KeyboardInterrupt
        return np.arange(len(data)) % 3


def test_runs_share_out_items_and_values_evenly():
    runs = plan_runs(10, 12, "subsample", fraction=0.5, vary={"k": range(3)}, seed=1)
    held = np.bincount(np.concatenate([run.rows for run in runs]), minlength=10)
    assert held.min() == held.max() == 6
    assert all(np.unique(run.rows).size == 5 for run in runs)
    assert [sum(run.varied["k"] == k for run in runs) for k in range(3)] == [4, 4, 4]
    assert len({run.seed for run in runs}) == 12


def test_items_are_dealt_out_of_shuffled_decks():
    for seed in range(5):
        rows = [run.rows for run in plan_runs(9, 12, "subsample", fraction=1 / 3, vary=None, seed=seed)]
        assert all(np.array_equal(np.sort(np.concatenate(rows[i : i + 3])), np.arange(9)) for i in range(0, 12, 3))
    first = [plan_runs(9, 1, "subsample", fraction=1 / 3, vary=None, seed=seed)[0].rows for seed in range(20)]
    assert np.bincount(np.concatenate(first), minlength=9).max() < 20


def test_bootstrap_holds_the_items_it_drew():
    post = pt.ensemble(KMeans(3, n_init=1), X, n_runs=10, resample="bootstrap")
    runs = plan_runs(60, 10, "bootstrap", fraction=0.8, vary=None, seed=0)
    assert (post.n_held() == [np.unique(run.rows).size for run in runs]).all()


def test_consensus_finds_the_clusters_that_members_vary_around():
    post = pt.ensemble(KMeans(n_init=1), X, n_runs=60, vary={"n_clusters": range(2, 7)})
    estimate = pt.estimate_partition(post)
    assert pt.AdjustedRand().between(TRUTH, estimate.labels) < 0.05
    assert pt.summarize(post).diagnostics is None


def test_same_seed_same_runs_on_any_number_of_threads():
    one, other = (pt.ensemble(KMeans(3, n_init=1), X, n_runs=6, n_jobs=n, random_state=4) for n in (1, 2))
    assert (one.draws == other.draws).all()


def test_functions_tables_distances_and_noise_are_taken():
    assert pt.ensemble(halves, X, n_runs=4).n_clusters().tolist() == [2] * 4
    table = pd.DataFrame(X, index=[f"cell {i}" for i in range(60)])
    assert pt.ensemble(AgglomerativeClustering(3), table, n_runs=3).items[0] == "cell 0"
    distances = np.sqrt(((X[:, None] - X) ** 2).sum(-1))
    near = AgglomerativeClustering(3, metric="precomputed", linkage="average")
    assert pt.AdjustedRand().between(TRUTH, pt.estimate_partition(pt.ensemble(near, distances, n_runs=9)).labels) == 0
    noisy = pt.ensemble(DBSCAN(eps=1.0, min_samples=4), X, n_runs=3, resample=None)
    alone = DBSCAN(eps=1.0, min_samples=4).fit_predict(X) < 0
    assert alone.any()
    assert (noisy.similarity()[alone].sum(axis=1) == 1).all()


def test_weights_say_how_much_each_run_counts():
    post = pt.ensemble(halves, X, n_runs=4, weights=[1, 1, 2, 0])
    assert post.weights.tolist() == [0.25, 0.25, 0.5, 0.0]


def test_interrupted_runs_are_not_run_again(tmp_path):
    path, first = tmp_path / "runs.npy", Stops(at=4)
    with pytest.raises(KeyboardInterrupt):
        pt.ensemble(first, X, n_runs=6, checkpoint=path)
    second = Stops(at=99)
    resumed = pt.ensemble(second, X, n_runs=6, checkpoint=path)
    assert second.calls == 3
    assert (resumed.draws == pt.ensemble(Stops(at=99), X, n_runs=6).draws).all()
    with pytest.raises(ValueError, match="checkpoint must be of the same ensemble: got another random_state"):
        pt.ensemble(second, X, n_runs=6, checkpoint=path, random_state=5)


@pytest.mark.parametrize(
    ("clusterer", "options", "words"),
    [
        (7, {}, "clusterer must be a clusterer or a function of data"),
        (KMeans(), {"vary": {"k": [2]}}, "vary must name parameters of the clusterer"),
        (KMeans(), {"vary": {"n_clusters": 3}}, "vary must hold values to try for 'n_clusters'"),
        (KMeans(), {"resample": "jackknife"}, "resample must be one of bootstrap, subsample"),
        (KMeans(), {"fraction": 0}, "fraction must be more than 0"),
        (DBSCAN(eps=1e-9, min_samples=5), {}, "got nothing but noise"),
        (lambda data: data[:3, 0], {}, "one label for each of the 48 items it gets"),
        (halves, {"weights": [1, 2]}, "weights must hold one number per run"),
    ],
)
def test_bad_input_gets_a_sentence(clusterer, options, words):
    with pytest.raises((ValueError, TypeError), match=words):
        pt.ensemble(clusterer, X, n_runs=5, **options)
