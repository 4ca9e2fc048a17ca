import re
import signal
import subprocess
import sys
import time

import naive
import numpy as np
import pytest

import partita as pt
from partita._parallel import Budget
from partita.decide.searches import hasse, sweep
from partita.decide.searches.options import Options
from partita.decide.searches.reallocation import FORMULAS, Reallocation
from partita.losses import LOSSES, check_loss, declared_search

LINEAR_IN_DRAWS = [name for name in LOSSES if name != "vi-bound"]  # expected loss is the mean over draws
SWEPT = {check_loss(name).name: check_loss(name) for name in LOSSES if declared_search(check_loss(name)) in FORMULAS}


def options(n_items, seed=0, **changes):
    defaults = dict(max_clusters=n_items, n_starts=16, starts=(), budget=Budget(), n_jobs=1)
    return Options(**{**defaults, **changes}, rng=np.random.default_rng(seed))


def random_posterior(rng, n_items, partitions):
    """A few partitions with random weights, some of them close to each other."""
    rows = partitions[rng.integers(len(partitions), size=rng.integers(2, 12))]
    return pt.PartitionPosterior(rows, rng.dirichlet(np.full(len(rows), 0.7)))


@pytest.fixture(scope="module")
def tables():
    """For n items: all partitions, and for each loss the matrix of losses between them (rows are truths)."""
    made = {}
    for n in (4, 5, 6, 7):
        everything = pt.PartitionPosterior(pt.all_partitions(n))
        losses = {
            name: np.array([check_loss(name).per_draw(labels, everything) for labels in everything.draws]).T
            for name in LINEAR_IN_DRAWS
        }
        made[n] = (everything.draws, losses)
    return made


def least_expected(posterior, partitions, matrix):
    row_of = {row.tobytes(): i for i, row in enumerate(partitions)}
    truths = [row_of[draw.astype(partitions.dtype).tobytes()] for draw in posterior.draws]
    return (posterior.probabilities() @ matrix[truths]).min()


@pytest.mark.slow
@pytest.mark.parametrize("name", LINEAR_IN_DRAWS)
def test_sweep_finds_what_an_exhaustive_search_finds_on_200_posteriors(tables, name):
    rng = np.random.default_rng(1)
    for trial in range(200):
        partitions, losses = tables[4 + trial % 4]
        posterior = random_posterior(rng, 4 + trial % 4, partitions)
        estimate = pt.estimate_partition(posterior, name, "sweep", random_state=trial)
        assert estimate.expected_loss == pytest.approx(least_expected(posterior, partitions, losses[name]), abs=1e-9)


@pytest.mark.parametrize("name", LOSSES)
def test_no_time_at_all_still_gives_a_partition(name):
    posterior, _ = noisy(16)
    estimate = pt.estimate_partition(posterior, name, "sweep", time_limit=1e-9)
    assert estimate.labels.shape == (25,)
    assert not estimate.proven_optimal


@pytest.mark.slow
@pytest.mark.parametrize("name", LINEAR_IN_DRAWS)
def test_sweep_finds_what_an_exhaustive_search_finds_on_eight_items(name):
    rng, partitions, loss = np.random.default_rng(6), pt.all_partitions(8), check_loss(name)
    for trial in range(8):
        posterior = random_posterior(rng, 8, partitions)
        best = pt.estimate_partition(posterior, loss, "exhaustive").expected_loss
        assert pt.estimate_partition(posterior, loss, "sweep", random_state=trial).expected_loss == pytest.approx(best)


def test_a_single_descent_is_not_always_enough(tables):
    rng = np.random.default_rng(1)
    partitions, losses = tables[7]
    missed = 0
    for _ in range(100):
        posterior = random_posterior(rng, 7, partitions)
        sweeps = Reallocation(posterior, pt.Binder(), 7, Budget())
        sweeps.place(np.zeros(7, int))
        sweeps.settle(np.arange(7))
        found = pt.Binder().expected(sweeps.candidate.labels, posterior)
        missed += found > least_expected(posterior, partitions, losses["binder"]) + 1e-9
    assert missed > 0


@pytest.mark.parametrize("name", LOSSES)
def test_exhaustive_search_finds_the_least_of_all(name):
    rng = np.random.default_rng(2)
    for n in (1, 2, 3, 5):
        partitions = pt.all_partitions(n)
        posterior, loss = random_posterior(rng, n, partitions), check_loss(name)
        estimate = pt.estimate_partition(posterior, name, "exhaustive")
        assert estimate.expected_loss == pytest.approx(min(loss.expected(p, posterior) for p in partitions), abs=1e-12)
        assert estimate.proven_optimal
        assert estimate.search == f"all {len(partitions)} partitions"


def test_bound_search_finds_the_least_bound():
    rng = np.random.default_rng(3)
    loss = pt.VariationOfInformationBound()
    for trial in range(200):
        partitions = pt.all_partitions(4 + trial % 3)
        posterior = random_posterior(rng, 4 + trial % 3, partitions)
        found = pt.estimate_partition(posterior, loss, "sweep", random_state=trial).expected_loss
        assert found == pytest.approx(min(loss.expected(p, posterior) for p in partitions), abs=1e-5)


def noisy(seed=0, n_items=25, **changes):
    return pt.datasets.make_noisy_draws(
        **{**dict(n_items=n_items, n_draws=300, noise=0.35), **changes}, random_state=seed
    )


@pytest.mark.parametrize("name", [name for name in LOSSES if name != "zero-one"])
@pytest.mark.parametrize("seed", range(3))
def test_sweep_never_loses_to_draws_linkage_or_hasse(name, seed):
    posterior, _ = noisy(seed)
    swept = pt.estimate_partition(posterior, name, "sweep").expected_loss
    for search in ("draws", "linkage", "hasse"):
        assert swept <= pt.estimate_partition(posterior, name, search).expected_loss + 1e-9


def test_many_draws_are_searched_in_parts_and_refined_on_all():
    posterior, _ = noisy(4, n_draws=3000)
    estimate = pt.estimate_partition(posterior)
    assert "each on 300 of 3000 draws, the best 3 refined on all" in estimate.search
    whole, _ = sweep.search(pt.PartitionPosterior(posterior.draws[:1500]), pt.VariationOfInformation(), options(25))
    assert estimate.expected_loss <= pt.VariationOfInformation().expected(whole, posterior) + 1e-9


@pytest.mark.parametrize("loss", [*SWEPT.values(), pt.Binder(a=0.4), pt.VariationOfInformation(a=1.6)], ids=repr)
def test_a_reallocation_knows_its_loss_and_ends_where_no_move_helps(loss):
    rng = np.random.default_rng(5)
    posterior = pt.PartitionPosterior(naive.random_draws(rng, 40, 9, 4), rng.random(40))
    sweeps = Reallocation(posterior, loss, 9, Budget())
    sweeps.place(rng.integers(3, size=9))
    first, before = loss.expected(sweeps.candidate.labels, posterior), sweeps.loss()
    sweeps.settle(rng.permutation(9))
    labels, after = sweeps.candidate.labels.copy(), sweeps.loss()
    scale = {"vi": 1 / 9, "binder": 1 / 81}.get(loss.name, 1.0)
    assert (after - before) * scale == pytest.approx(loss.expected(labels, posterior) - first, abs=1e-12)
    for a in range(sweeps.n_clusters):
        others = np.delete(np.arange(sweeps.n_clusters), a)
        for b, change in zip(others, sweeps.merge_changes(a, others), strict=True):
            naively = loss.expected(np.where(labels == b, a, labels), posterior) - loss.expected(labels, posterior)
            assert change * scale == pytest.approx(naively, abs=1e-12)
    for item in range(9):
        for cluster in range(labels.max() + 2):
            moved = labels.copy()
            moved[item] = cluster
            assert loss.expected(moved, posterior) >= loss.expected(labels, posterior) - 1e-9


@pytest.mark.parametrize("loss", [pt.VariationOfInformation(), pt.Binder(a=0.4), pt.AdjustedRand()], ids=repr)
def test_what_merges_change_is_known_after_each_merge(loss):
    rng = np.random.default_rng(5)
    posterior = pt.PartitionPosterior(naive.random_draws(rng, 40, 12, 5))
    sweeps = Reallocation(posterior, loss, 12, Budget())
    sweeps.place(np.arange(12) % 7)
    changes, a, b = sweeps._all_changes(), 1, 4
    for _ in range(3):
        sweeps._merge(a, b)
        changes, anew = sweeps._changes_after(changes, a, b), sweeps._all_changes()
        assert np.allclose(changes, anew, atol=1e-12) == sweeps.additive
        changes, (a, b) = anew, sorted(rng.choice(sweeps.n_clusters, 2, replace=False))


def test_clusters_are_merged_where_no_single_item_would_move():
    posterior, truth = noisy(0, n_items=200, n_draws=1000, noise=0.3)
    loss, together = pt.VariationOfInformation(), np.zeros(200, int)
    assert loss.expected(together, posterior) < loss.expected(truth, posterior)
    sweeps = Reallocation(posterior, loss, 200, Budget())
    sweeps.place(truth)
    sweeps.settle(np.arange(200))
    assert sweeps.n_clusters == 4
    assert sweeps.merge_clusters()
    assert sweeps.n_clusters == 1
    for seed in range(5):
        assert pt.estimate_partition(posterior, random_state=seed).n_clusters == 1


def test_a_reallocation_makes_room_for_more_clusters_than_it_began_with():
    posterior = pt.PartitionPosterior([range(40)] * 3)
    sweeps = Reallocation(posterior, pt.Binder(), 40, Budget())
    sweeps.place(np.zeros(40, int))
    sweeps.settle(np.arange(40))
    assert sweeps.n_clusters == 40


@pytest.mark.parametrize("name", ["vi", "binder", "misclassification", "vi-bound", "nid"])
def test_answer_is_the_same_on_any_number_of_threads_and_for_the_same_seed(name):
    posterior, _ = noisy(6, n_items=30)
    one, two, again = (pt.estimate_partition(posterior, name, n_jobs=jobs, random_state=9).labels for jobs in (1, 2, 1))
    assert (one == two).all()
    assert (one == again).all()


@pytest.mark.parametrize("name", ["vi", "adjusted-rand", "misclassification", "vi-bound"])
def test_weights_count_like_repeated_draws(name):
    rng = np.random.default_rng(7)
    draws, times = noisy(7, n_items=12, n_draws=30)[0].draws, rng.integers(1, 5, size=30)
    weighted = pt.estimate_partition(pt.PartitionPosterior(draws, times), name)
    repeated = pt.estimate_partition(pt.PartitionPosterior(np.repeat(draws, times, axis=0)), name)
    assert weighted.expected_loss == pytest.approx(repeated.expected_loss, abs=1e-6)
    ignoring = pt.estimate_partition(pt.PartitionPosterior(draws, (times > 3) + 1e-9), name)
    assert ignoring.expected_loss != pytest.approx(repeated.expected_loss, abs=1e-3)


@pytest.mark.parametrize("name", [name for name in LOSSES if name != "zero-one"])
@pytest.mark.parametrize("search", ["sweep", "draws", "linkage", "hasse"])
def test_max_clusters_is_kept(name, search):
    posterior = pt.PartitionPosterior(naive.random_draws(np.random.default_rng(8), 200, 12, 3))
    estimate = pt.estimate_partition(posterior, name, search, max_clusters=2)
    assert estimate.n_clusters <= 2
    assert not estimate.proven_optimal


def test_starts_given_are_climbed_from():
    posterior, truth = noisy(9)
    best = pt.estimate_partition(posterior).expected_loss
    again = pt.estimate_partition(posterior, n_starts=1, starts=[truth, truth % 2])
    assert again.expected_loss == pytest.approx(best)
    assert again.search.startswith("reallocation sweeps from 3 starts")


def test_the_walk_looks_at_as_many_neighbors_as_asked():
    posterior, _ = noisy(3)
    wide = pt.estimate_partition(posterior, search="hasse")
    assert f"{2 * posterior.n_items} closest merges" in wide.search
    narrow = pt.estimate_partition(posterior, search="hasse", n_neighbors=1)
    assert "1 closest merges" in narrow.search
    assert narrow.expected_loss >= wide.expected_loss
    again = pt.estimate_partition(posterior, search="hasse", n_neighbors=1)
    assert (again.labels == narrow.labels).all()


def test_of_equally_close_neighbors_a_random_part_is_taken():
    singletons, phi = np.arange(12), pt.VariationOfInformation().phi(12)
    taken = {tuple(np.ravel(hasse._merges(singletons, phi, 1, np.random.default_rng(s)))) for s in range(30)}
    assert len(taken) > 15
    pairs = np.arange(12) // 2
    taken = {tuple(np.ravel(hasse._splits(pairs, phi, 1, np.random.default_rng(s)))) for s in range(60)}
    assert len(taken) == 6


@pytest.mark.parametrize("loss", ["vi", "binder"])
def test_target_clusters_tunes_the_asymmetry(loss):
    levels = [np.arange(40) // size for size in (20, 10, 5)]  # nested: 2, 4 and 8 clusters
    posterior = pt.PartitionPosterior(levels)
    for wanted in (2, 4, 8):
        estimate = pt.estimate_partition(posterior, loss, target_clusters=wanted)
        assert estimate.n_clusters == wanted
        assert type(estimate.loss) is type(check_loss(loss))
        assert f"a = {estimate.loss.a:.4g} for {wanted} clusters" in estimate.search
    with pytest.raises(ValueError, match="target_clusters must go with loss 'vi' or 'binder'"):
        pt.estimate_partition(posterior, "nid", target_clusters=3)


def test_mode_is_the_most_frequent_draw():
    posterior = pt.PartitionPosterior([[0, 0, 1, 1, 2, 2, 3, 3, 4]] * 3 + [[0] * 9] * 2 + [list(range(9))] * 2)
    estimate = pt.estimate_partition(posterior, "zero-one")
    assert estimate.n_clusters == 5
    assert estimate.proven_optimal
    assert estimate.expected_loss == pytest.approx(4 / 7)


def test_clusters_are_ordered_by_size_and_items_keep_their_names():
    items = [f"item {i}" for i in range(9)]
    posterior = pt.PartitionPosterior([[0, 1, 1, 2, 2, 2, 2, 1, 1]] * 3, items=items)
    estimate = pt.estimate_partition(posterior)
    assert estimate.sizes.tolist() == [4, 4, 1]
    assert estimate.labels.tolist() == [2, 0, 0, 1, 1, 1, 1, 0, 0]
    assert estimate.to_pandas()["item 0"] == 2


def test_standard_error_is_that_of_repeated_sampling():
    rng = np.random.default_rng(11)
    truth = np.repeat([0, 1], 10)
    errors, means = [], []
    for _ in range(60):
        moved = pt.PartitionPosterior(np.where(rng.random((200, 20)) < 0.2, rng.integers(2, size=(200, 20)), truth))
        errors.append(pt.estimate_partition(moved, n_starts=2).standard_error)
        means.append(pt.VariationOfInformation().expected(truth, moved))
    assert np.mean(errors) == pytest.approx(np.std(means), rel=0.35)


def test_standard_error_grows_when_draws_repeat_each_other():
    posterior, _ = noisy(12)
    sticky = pt.PartitionPosterior(np.repeat(posterior.draws, 5, axis=0))
    short, long = (pt.estimate_partition(p).standard_error for p in (posterior, sticky))
    assert long == pytest.approx(short, rel=0.3)  # five times the draws, no more information


def test_what_an_estimate_costs_does_not_include_its_standard_error():
    asked = "estimate = pt.estimate_partition([[0, 1, 1]] * 20 + [[0, 0, 1]] * 20)"
    code = f"import sys, partita as pt; {asked}; print('arviz_stats' in sys.modules, estimate.standard_error > 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.split() == ["False", "True"]


class Disagreements:
    """A loss of the user's own: items on which canonical labels differ."""

    def between(self, truth, estimate):
        return float((pt.canonical(truth) != pt.canonical(estimate)).mean())

    def per_draw(self, labels, posterior):
        return (posterior.draws != pt.canonical(labels)).mean(axis=1)

    def expected(self, labels, posterior):
        return float(self.per_draw(labels, posterior) @ posterior.probabilities())


def test_a_loss_of_ones_own_is_minimized_over_the_lattice():
    posterior, _ = noisy(13, n_items=12)
    estimate = pt.estimate_partition(posterior, Disagreements())
    assert estimate.search.startswith("greedy walk")
    assert estimate.expected_loss <= min(Disagreements().per_draw(d, posterior).mean() for d in posterior.draws) + 1e-12
    with pytest.raises(
        ValueError, match="search must be one of draws, exhaustive, hasse, linkage for a loss known by its values alone"
    ):
        pt.estimate_partition(posterior, Disagreements(), "sweep")


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("search", ["auto", "sweep", "draws", "linkage", "hasse"])
def test_degenerate_posteriors_have_their_obvious_answer(name, search):
    for draws in ([[0]], [[0, 1]], [[0, 0]], [[0, 0, 1, 1, 2]] * 5, [[0, 1, 2, 0, 1, 2, 0, 1, 2]]):
        estimate = pt.estimate_partition(draws, name, search)
        assert (pt.canonical(estimate.labels) == draws[0]).all()
        assert estimate.expected_loss == pytest.approx(0, abs=1e-6)


def test_time_limit_returns_the_best_so_far():
    posterior, _ = noisy(14, n_items=300, n_draws=1500)
    estimate = pt.estimate_partition(posterior, n_starts=10_000, time_limit=0.5)
    assert estimate.search.endswith("stopped by the time limit")
    assert estimate.expected_loss < pt.VariationOfInformation().expected(np.arange(300), posterior)


INTERRUPTED = """
import signal, sys, partita as pt
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores it
posterior, _ = pt.datasets.make_noisy_draws(n_items=200, n_draws=1500, noise=0.3)
pt.estimate_partition(posterior, n_starts=1, n_jobs=int(sys.argv[1]))
print("searching", flush=True)
estimate = pt.estimate_partition(posterior, n_starts=100_000, n_jobs=int(sys.argv[1]))
print(estimate.search, estimate.n_clusters, estimate.proven_optimal)
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_returns_the_best_so_far(jobs):
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED, str(jobs)], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "searching\n"
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    output, _ = child.communicate(timeout=60)
    assert child.returncode == 0
    assert "interrupted 1 False" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(search="sweeep"), "search must be one of auto, draws, exhaustive, hasse, linkage, sweep: got 'sweeep'."),
        (dict(max_clusters=0), "max_clusters must be a whole number of at least 1: got 0."),
        (dict(n_starts=0), "n_starts must be a whole number of at least 1: got 0."),
        (dict(n_neighbors=0), "n_neighbors must be a whole number of at least 1: got 0."),
        (dict(starts=[[0, 1]]), "starts must label the same 25 items: got 2 labels."),
        (dict(time_limit=0), "time_limit must be a positive number of seconds: got 0."),
        (dict(search="exhaustive"), "search must not be 'exhaustive' for more than 12 items: got 25 items."),
        (dict(loss="vj"), "loss must be one of "),
        (dict(search="draws", max_clusters=1), "max_clusters must allow at least one draw: got 1,"),
        (dict(random_state=-1), "random_state must be a whole number of at least 0: got -1."),
    ],
)
def test_bad_input_is_named(arguments, message):
    posterior, _ = noisy()
    with pytest.raises(ValueError) as error:
        pt.estimate_partition(posterior, **arguments)
    assert str(error.value).startswith(message)


ENDED = """
import signal, sys, threading, partita as pt
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores it
posterior, _ = pt.datasets.make_noisy_draws(n_items=40, n_draws=60, n_clusters=3)
larger, _ = pt.datasets.make_noisy_draws(n_items=300, n_draws=4000, n_clusters=12, noise=0.4)
steps = {
    "hasse": lambda p: pt.estimate_partition(p, search="hasse"),
    "nid": lambda p: pt.estimate_partition(p, loss="nid"),
    "draws": lambda p: pt.estimate_partition(p, loss="nid", search="draws"),
    "linkage": lambda p: pt.estimate_partition(p, loss="nid", search="linkage"),
    "suggest": lambda p: pt.suggest_pairs(p, 3),
    "report": lambda p: pt.write_report(p, sys.argv[2]),
    "ball": lambda p: pt.credible_ball(p, metric="nid"),
}
steps[sys.argv[1]](posterior)  # compile first
threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()
try:
    print("returned", steps[sys.argv[1]](larger).search)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize(
    ("step", "said"),
    [
        *((name, "returned .*, interrupted") for name in ("hasse", "nid", "draws", "linkage")),
        *((name, "interrupted") for name in ("suggest", "report", "ball")),
    ],
)
def test_ctrl_c_ends_every_search_in_its_way(tmp_path, step, said):
    command = [sys.executable, "-c", ENDED, step, str(tmp_path / "report.html")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert re.fullmatch(said, done.stdout.strip().splitlines()[-1]), done.stderr
    assert not list(tmp_path.iterdir()) or step == "report"
