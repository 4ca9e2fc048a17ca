"""Ensembles: many runs of a clusterer as a posterior."""

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans

import partita as pt
from partita.ensembles.ensemble import _takes_seed
from partita.ensembles.plan import plan_runs
from partita.ensembles.store import RunStore

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


def test_plans_are_the_same_for_a_seed():
    run = plan_runs(7, 3, "bootstrap", fraction=0.8, vary=None, seed=5)[2]
    rng = np.random.default_rng([5, 1, 2])
    assert run.rows.tolist() == sorted(rng.integers(7, size=7))
    assert run.seed == rng.integers(2**31)
    values, n_runs = ["a", "b", "c"], 4
    runs = plan_runs(7, n_runs, "subsample", fraction=0.4, vary={"k": values}, seed=5)
    rng = np.random.default_rng([5, 0])
    order = [*rng.permutation(3), *rng.permutation(3)][:n_runs]
    assert [run.varied["k"] for run in runs] == [values[i] for i in order]
    first, second = rng.permutation(7), rng.permutation(7)
    left = first[6]  # of the first deck
    others = [item for item in second if item != left]
    assert [run.rows.tolist() for run in runs] == [
        sorted(first[:3]), sorted(first[3:6]), sorted([left, *others[:2]]), sorted(others[2:5])
    ]  # fmt: skip


@pytest.mark.parametrize(("fraction", "size"), [(1, 9), (0.5, 4), (0.01, 1)])
def test_subsamples_hold_a_share_of_the_items_and_at_least_one(fraction, size):
    assert {run.rows.size for run in plan_runs(9, 5, "subsample", fraction=fraction, vary=None, seed=0)} == {size}
    with pytest.raises(ValueError, match=r"fraction must be more than 0 and at most 1: got 1\.5"):
        plan_runs(9, 5, "subsample", fraction=1.5, vary=None, seed=0)


def test_a_whole_sample_is_the_data_itself():
    given = []

    def alone(data):
        given.append(data)
        return np.arange(len(data))

    pt.ensemble(alone, X, n_runs=1, resample=None)
    assert given[0] is X
    pt.ensemble(alone, X[:1], n_runs=1, resample="subsample")
    assert given[1].shape == (1, 2)
    pt.ensemble(alone, X, n_runs=2, fraction=0.5)
    rows = plan_runs(60, 2, "subsample", fraction=0.5, vary=None, seed=0)[0].rows
    assert (given[2] == X[rows]).all()
    pt.ensemble(alone, X, n_runs=15, resample="bootstrap")
    rows = plan_runs(60, 15, "bootstrap", fraction=0.8, vary=None, seed=0)[0].rows
    assert (given[4] == X[rows]).all()


def test_one_row_is_an_item_and_none_is_not():
    assert pt.ensemble(lambda data: [0], [[1.0, 2.0]], n_runs=2).n_items == 1
    assert (
        pt.ensemble(lambda data: data > 2, [1.0, 2.0, 3.0], n_runs=2, resample=None).draws.tolist() == [[0, 0, 1]] * 2
    )
    for wrong in (np.zeros((0, 2)), 5.0):
        with pytest.raises(ValueError, match="X must hold one row per item"):
            pt.ensemble(halves, wrong)


def test_labels_may_be_words_and_only_runs_of_noise_are_dropped():
    words = pt.ensemble(lambda data: ["b", "a", "b"], np.zeros((3, 1)), n_runs=2, resample=None)
    assert words.draws.tolist() == [[0, 1, 0]] * 2

    def together(data, random_state):
        """One cluster; nothing but noise in every other run; the last item is noise everywhere."""
        return [0 if random_state % 2 else -1] * (len(data) - 1) + [-1]

    runs = plan_runs(4, 8, None, fraction=0.8, vary=None, seed=0)
    found = pt.ensemble(together, np.zeros((4, 1)), n_runs=8, resample=None, weights=np.arange(1, 9))
    kept = [run.number + 1 for run in runs if run.seed % 2]
    assert 0 < len(kept) < 8
    assert found.draws.tolist() == [[0, 0, 0, 1]] * len(kept)
    assert found.weights == pytest.approx(np.array(kept) / sum(kept))


def test_noise_of_any_number_is_left_out():
    found = pt.ensemble(lambda data: [-3, 0, 0, -1], np.zeros((4, 1)), n_runs=1, resample=None)
    assert found.draws.tolist() == [[0, 1, 1, 2]]  # each alone


def test_items_that_no_run_holds_are_named():
    with pytest.raises(ValueError, match="n_runs must be enough for each item to be in a run: got 1, none with"):
        pt.ensemble(lambda data: np.zeros(len(data), int), X, n_runs=1, fraction=0.5)


def test_functions_that_cannot_be_looked_into_get_no_seed():
    assert not _takes_seed(max)
    assert not _takes_seed(print)
    assert _takes_seed(halves)


def test_each_run_is_one_step_of_progress(monkeypatch):
    steps = []
    monkeypatch.setattr("partita._progress.Progress.advance", lambda self, n: steps.append((self._total, n)))
    pt.ensemble(halves, X, n_runs=3)
    assert steps == [(3, 1)] * 3


def test_a_checkpoint_holds_the_runs_it_says(tmp_path):
    settings = {"n_runs": 2}
    store = RunStore(tmp_path / "runs.npy", 2, 3, settings)
    assert store.get(0) is None
    store.put(1, np.array([0, -1, 0]))  # noise is not what is missing
    again = RunStore(tmp_path / "runs.npy", 2, 3, settings)
    assert again.get(0) is None
    assert again.get(1).tolist() == [0, -1, 0]
    assert (np.load(tmp_path / "runs.npy")[0] == -2).all()
    with pytest.raises(ValueError, match=r"checkpoint must hold 3 runs of 3 items: got \(2, 3\)"):
        RunStore(tmp_path / "runs.npy", 3, 3, settings)
    with pytest.raises(ValueError, match="got another n_runs"):
        RunStore(tmp_path / "runs.npy", 2, 3, {"n_runs": 3})
    np.save(tmp_path / "runs.npy", np.array([[{}]]), allow_pickle=True)
    with pytest.raises(ValueError, match="Python objects"):
        RunStore(tmp_path / "runs.npy", 1, 1, settings)
