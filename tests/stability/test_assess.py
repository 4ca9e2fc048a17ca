import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.cluster import DBSCAN, KMeans
from threadpoolctl import threadpool_info

import partita as pt
from partita.stability import LocationExponential, SampledScales, ShiftedGamma, pointwise_stability
from partita.stability._validation import check_columns, check_distances, check_one_theta, check_shares, check_theta
from partita.stability.baselines import Permuted, SameCenters, UniformBox
from partita.stability.openmp import one_openmp_thread
from partita.stability.tuning import Spectrum, mean_curve, stability_curve, tune_theta


def blobs(n=60, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(3 * n, 2)) + np.repeat([[0, 0], [7, 0], [0, 7]], n, axis=0)


X = blobs()
KMEANS = KMeans(3, n_init=5, random_state=0).fit(X)
DISTANCES = cdist(X, KMEANS.cluster_centers_)


def awkward_rows(rng, n, k):
    rows = np.exp(rng.normal(size=(n, k)) * rng.choice([0.01, 0.5, 3.0], size=(n, 1)))
    rows *= 10.0 ** rng.uniform(-305, 300, size=(n, 1))
    rows[::5, 1] = rows[::5, 0]
    rows[::9, 0] = 0
    rows[::18, 1] = 0
    return rows


@pytest.mark.parametrize("k", [1, 2, 7, 50])
@pytest.mark.parametrize("own", ["nearest", "any"])
def test_spectrum_gives_average_stability_and_slope_at_every_theta(k, own):
    rng = np.random.default_rng(k)
    rows = awkward_rows(rng, 400, max(k, 2))[:, :k]
    labels = np.full(400, -1) if own == "nearest" else rng.integers(k, size=400)
    spectrum = Spectrum.of(rows, labels)
    columns = np.where(labels < 0, rows.argmin(axis=1), labels)
    for theta in (1e-3, 0.1, 1.0, 20.0, 1e3):
        value, slope = spectrum(theta)
        phi = LocationExponential().phi(rows, theta)
        assert value == pytest.approx(pointwise_stability(phi, columns).mean(), abs=2e-8)
        rise = (spectrum(theta * 1.0001)[0] - spectrum(theta * 0.9999)[0]) / (2e-4 * theta)
        assert slope == pytest.approx(rise, rel=1e-5, abs=1e-8 / theta)


def test_spectrum_of_other_labels_is_another():
    nearest = Spectrum.of(DISTANCES, np.full(len(X), -1))
    assert abs(nearest(1.0)[0] - Spectrum.of(DISTANCES, np.zeros(len(X), int))(1.0)[0]) > 0.1


def test_spectra_add_up_to_their_mean():
    rng = np.random.default_rng(1)
    spectra = [Spectrum.of(rng.gamma(2, size=(50, 4)), np.full(50, -1)) for _ in range(3)]
    merged, plain = mean_curve(spectra), mean_curve([lambda theta, s=s: s(theta) for s in spectra])
    assert merged(2.0) == pytest.approx(plain(2.0))


@pytest.mark.parametrize("distribution", [LocationExponential(), ShiftedGamma()], ids=lambda p: type(p).__name__)
def test_tuned_theta_is_the_best_on_a_fine_grid(distribution):
    rng = np.random.default_rng(2)
    rows = DISTANCES[::3]
    nulls = [Permuted(rows)(r) for r in rng.spawn(4)]
    curve = stability_curve(distribution, rows, np.full(len(rows), -1))
    baselines = [stability_curve(distribution, null, np.full(len(rows), -1)) for null in nulls]
    theta = tune_theta(curve, baselines)

    def difference(t):
        def average(d):
            return pointwise_stability(distribution.phi(d, t), d.argmin(axis=1)).mean()

        return average(rows) - np.mean([average(null) for null in nulls])

    best = max(difference(t) for t in np.exp(np.linspace(np.log(1e-2), np.log(1e2), 200)))
    assert difference(theta) >= best - 1e-9
    assert difference(theta * 1.2) < difference(theta) > difference(theta / 1.2)


def test_permutation_keeps_the_distances_and_breaks_the_rows():
    null = Permuted(DISTANCES)(np.random.default_rng(0))
    assert np.array_equal(np.sort(null, axis=None), np.sort(DISTANCES, axis=None))
    assert (null != DISTANCES).mean() > 0.9
    places = np.array([Permuted(np.arange(6.0).reshape(2, 3))(r).ravel() for r in np.random.default_rng(1).spawn(6000)])
    counts = np.array([[(places[:, c] == v).sum() for c in range(6)] for v in range(6)])
    assert np.abs(counts - 1000).max() < 5 * np.sqrt(1000 * 5 / 6)


def test_uniform_box_encloses_the_data_along_its_axes():
    turn = np.array([[np.cos(0.6), np.sin(0.6)], [-np.sin(0.6), np.cos(0.6)]])
    data = np.random.default_rng(0).uniform([-5, -1], [5, 1], size=(3000, 2)) @ turn + [3, 4]
    back = (UniformBox.around(data).sample(np.random.default_rng(1)) - [3, 4]) @ turn.T
    assert np.abs(back).max(axis=0) == pytest.approx([5, 1], abs=0.2)
    assert back.std(axis=0) == pytest.approx([10 / np.sqrt(12), 2 / np.sqrt(12)], rel=0.05)


def test_clusters_stand_out_and_noise_does_not():
    clear = pt.assess_stability(KMEANS, X=X)
    noise = np.random.default_rng(5).uniform(size=(180, 2))
    none = pt.assess_stability(KMeans(3, n_init=5, random_state=0).fit(noise), X=noise)
    assert clear.difference > none.difference + 0.1
    assert clear.difference_sd > 0


@pytest.mark.parametrize("baseline", ["permutation", "uniform", "recluster"])
def test_same_seed_same_answer_on_any_number_of_threads(baseline):
    one, two, other = (
        pt.assess_stability(KMEANS, X=X, baseline=baseline, n_baselines=6, n_jobs=n, random_state=seed)
        for n, seed in [(1, 3), (2, 3), (1, 4)]
    )
    assert (one.phi == two.phi).all()
    assert (one.baseline_averages == two.baseline_averages).all()
    assert (one.baseline_averages != other.baseline_averages).any()


def test_report_holds_what_its_tables_say():
    report = pt.assess_stability(DISTANCES, theta=1.0, n_baselines=3)
    assert report.phi.shape == DISTANCES.shape
    assert (report.labels == DISTANCES.argmin(axis=1)).all()
    assert report.item_table["stability"].mean() == pytest.approx(report.average)
    assert report.cluster_table["size"].sum() == len(X)
    assert report.matching.sum() == pytest.approx(len(X))
    assert report.between_directed.shape == report.between.shape == (3, 3)
    assert report.difference == pytest.approx(report.average - report.baseline_averages.mean())
    assert report.adjusted_rand == pt.soft_adjusted_rand(report.labels, report.phi).value
    assert report.variation_of_information == pt.soft_variation_of_information(report.labels, report.phi).value
    first = report.item_table.iloc[0]
    assert first["stay"] - report.phi[0, int(first["rival"])] == pytest.approx(first["stability"])


def test_baselines_are_assigned_to_their_nearest_cluster():
    """With the labels of the data a permuted baseline would come out negative."""
    report = pt.assess_stability(DISTANCES, theta=3.0)
    assert report.baseline_averages.min() > 0
    null = Permuted(DISTANCES)(np.random.default_rng(0))
    assert pointwise_stability(LocationExponential().phi(null, 3.0), report.labels).mean() < 0


def test_every_prior_and_theta_is_accepted():
    for distribution in ("exponential", "shifted-gamma", ShiftedGamma(n_nodes=8)):
        assert 0 < pt.assess_stability(DISTANCES[::10], distribution=distribution, n_baselines=2).average < 1
    lognormal = SampledScales(lambda rng, theta, n: np.exp(rng.normal(size=(n, theta.size)) / theta))
    assert pt.assess_stability(DISTANCES, distribution=lognormal, theta=2.0, n_baselines=2).difference > 0
    own = pt.assess_stability(DISTANCES, theta=[1.0, 2.0, 3.0], n_baselines=0)
    assert own.phi == pytest.approx(LocationExponential().phi(DISTANCES, [1.0, 2.0, 3.0]))
    assert np.isnan(own.difference)


def test_odd_but_meaningful_distances():
    one = pt.assess_stability(np.ones((5, 1)))
    assert (one.average, one.difference) == (1.0, 0.0)
    zeros = np.column_stack([np.zeros(6), np.arange(1.0, 7)])
    report = pt.assess_stability(zeros)
    assert report.average == 1.0
    assert np.isnan(report.clusterwise[1])
    assert pt.assess_stability(np.zeros((4, 2))).average == 0.0


@pytest.mark.parametrize("linkage", ["average", "complete", "single"])
def test_cluster_distances_leave_the_item_itself_out(linkage):
    points = np.random.default_rng(0).normal(size=(12, 2))
    labels = np.array([0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2])
    pairwise = cdist(points, points)
    summary = {"average": np.mean, "complete": np.max, "single": np.min}[linkage]
    expected = np.zeros((12, 3))
    for i in range(12):
        for k in range(3):
            others = [pairwise[i, j] for j in range(12) if labels[j] == k and j != i]
            expected[i, k] = summary(others) if others else 0.0
    found = pt.cluster_distances(pairwise, labels, linkage)
    assert found == pytest.approx(expected)
    alone = pt.assess_stability(found, labels, theta=2.0, n_baselines=0)
    assert np.isnan(alone.pointwise[11])  # its own center, which no perturbation moves
    assert np.isfinite(alone.pointwise[:11]).all()


def test_center_distances_are_those_of_a_clusterer():
    assert pt.center_distances(X, KMEANS.labels_) == pytest.approx(DISTANCES, abs=1e-9)


def test_exemplars_are_columns_of_the_pairwise_distances():
    pairwise = cdist(X, X)
    report = pt.assess_stability(pairwise[:, [0, 60, 120]], theta=5.0)
    assert report.phi[[0, 60, 120]] == pytest.approx(np.eye(3))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: pt.assess_stability([[1.0, -1.0]]),
            "distances must be finite and not negative: got -1 in row 0, column 1.",
        ),
        (
            lambda: pt.assess_stability([[np.nan, 1.0]]),
            "distances must be finite and not negative: got nan in row 0, column 0.",
        ),
        (lambda: pt.assess_stability(KMEANS), "X must be the data that the clusterer was fitted to: got None."),
        (
            lambda: pt.assess_stability(DISTANCES, X=X),
            "X must be left out with a distance matrix: got data. Did you mean to pass a clusterer?",
        ),
        (lambda: pt.assess_stability(KMEANS, X=X[:, :1]), "X must have the clusterer's 2 features: got 1."),
        (
            lambda: pt.assess_stability(DISTANCES, n_baselines=0),
            "n_baselines must be a whole number of at least 1: got 0.",
        ),
        (
            lambda: pt.assess_stability(DISTANCES, theta="best"),
            "theta must be one of tuned, tuned-per-cluster: got 'best'.",
        ),
        (
            lambda: pt.assess_stability(DISTANCES, baseline="uniform"),
            "baseline must be 'permutation' for a distance matrix: got 'uniform'. Pass a clusterer.",
        ),
        (
            lambda: pt.assess_stability(DISTANCES, tuned_by="rand"),
            "tuned_by must be one of adjusted-rand, average, variation-of-information: got 'rand'.",
        ),
        (
            lambda: pt.assess_stability(DBSCAN().fit(X), X=X),
            "distances must be a matrix or a fitted clusterer with centers: got DBSCAN().",
        ),
        (lambda: pt.cluster_distances(np.ones((3, 2)), [0, 0, 1]), "pairwise must be square: got shape (3, 2)."),
        (
            lambda: pt.cluster_distances(np.ones((3, 3)), [0, 0, 2]),
            "labels must leave no cluster empty: got no item labeled 1.",
        ),
        (
            lambda: pt.assess_stability(KMEANS, X=np.full((5, 2), np.inf)),
            "X must be finite: got inf in row 0, column 0.",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert str(error.value) == message


def test_an_item_that_is_its_clusters_center_has_no_stability():
    """Scaling a distance of zero moves nothing: that is no sign of a stable cluster."""
    points = np.array([[0.0], [1.0], [2.0], [9.0]])
    report = pt.assess_stability(pt.center_distances(points, [0, 0, 0, 1]), [0, 0, 0, 1])
    assert np.isnan(report.pointwise).tolist() == [False, False, False, True]
    assert np.isnan(report.clusterwise).tolist() == [False, True]
    assert report.average == pytest.approx(report.pointwise[:3].mean())
    at_a_distance = pt.assess_stability(np.abs(points - [1.0, 8.0]), [0, 0, 0, 1])  # from an exemplar, say
    assert np.isfinite(at_a_distance.pointwise).all()


def test_the_standard_deviation_of_a_tuned_difference_is_that_of_the_baselines():
    found = pt.assess_stability(DISTANCES, n_baselines=7, random_state=3)
    averages = found.baseline_averages
    assert averages.size == 7
    spread = np.sqrt(((averages - averages.mean()) ** 2).sum() / 6)
    assert found.difference_sd == pytest.approx(spread)
    assert found.difference == pytest.approx(found.average - averages.mean())
    assert np.isnan(pt.assess_stability(DISTANCES, n_baselines=1, random_state=3).difference_sd)
    two = pt.assess_stability(DISTANCES, n_baselines=2, random_state=3)
    assert two.difference_sd == pytest.approx(abs(np.diff(two.baseline_averages).item()) / np.sqrt(2))


@pytest.mark.parametrize(("n_columns", "along"), [(9, "principal-axes"), (10, "columns")])
def test_uniform_items_fill_a_box_along_columns_where_there_are_ten(n_columns, along):
    points = np.random.default_rng(0).normal(size=(30, n_columns))
    assert (SameCenters.around(points, points[:2]).box.axes == UniformBox.around(points, along).axes).all()


def test_clusterers_run_on_one_thread_of_openmp():
    with one_openmp_thread():
        threads = [library["num_threads"] for library in threadpool_info() if library["user_api"] == "openmp"]
    assert threads
    assert set(threads) == {1}


@pytest.mark.parametrize("kind", ["as they are", "read-only", "every other column", "whole numbers"])
def test_distances_are_read_where_they_lie_and_left_as_they_were(kind):
    distances = np.random.default_rng(0).gamma(3, size=(40, 6)).round(3) + 1
    given = {
        "as they are": distances,
        "read-only": distances.copy(),
        "every other column": distances[:, ::2],
        "whole numbers": np.ceil(distances).astype(int),
    }[kind]
    given.setflags(write=kind != "read-only")
    before = given.copy()
    checked = check_distances(given)
    assert np.shares_memory(checked, given) == (kind == "as they are")
    assert checked.flags.c_contiguous
    assert checked.flags.writeable
    pt.assess_stability(given, n_baselines=2).average  # noqa: B018
    np.testing.assert_array_equal(given, before)


@pytest.mark.parametrize("method", ["stability", "gap", "subsample-draws-vi", "silhouette"])
def test_data_are_left_as_they_were(method):
    X = np.random.default_rng(0).normal(size=(40, 3))
    before = X.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pt.select_n_clusters(X, range(2, 4), method)
    np.testing.assert_array_equal(X, before)


def test_the_first_wrong_entry_is_named():
    assert check_distances([[0.0]]).tolist() == [[0.0]]
    with pytest.raises(ValueError, match="distances must be finite and not negative: got -1 in row 1, column 0"):
        check_distances([[0.0, 0.5], [-1.0, 2.0]])
    with pytest.raises(ValueError, match="labels must number the columns from 0 to 2: got 5"):
        check_columns([0, 5], 2, 3)
    assert check_shares([[1 + 1e-6, 0.0]]).shape == (1, 2)
    with pytest.raises(ValueError, match=r"phi must hold shares, at most 1: got 1\.5"):
        check_shares([[1.5]])
    with pytest.raises(ValueError, match=r"phi must be finite and not negative: got -0\.5 in row 0, column 1"):
        check_shares([[1.0, -0.5]])


def test_theta_may_be_as_small_and_as_large_as_its_bounds_and_one_number_in_a_list():
    assert check_theta(1e-100, 2).tolist() == [1e-100, 1e-100]
    assert check_theta([1e100], 1).tolist() == [1e100]
    for wrong in (0.9e-100, 1.1e100, 0.0, np.nan):
        with pytest.raises(ValueError, match=r"theta must lie between 1e-100 and 1e\+100"):
            check_theta(wrong, 1)
    assert check_one_theta([0.5]) == 0.5


def test_theta_is_tuned_by_the_index_asked_for_and_is_one_where_it_says_nothing():
    by_average, by_rand = (
        pt.assess_stability(DISTANCES, tuned_by=index, n_baselines=3).theta for index in ("average", "adjusted-rand")
    )
    assert abs(by_average - by_rand) > 0.01
    assert pt.assess_stability(DISTANCES, distribution="exponential", n_baselines=3).theta == 1


def test_uniform_baselines_keep_the_centers_that_were_found():
    class Fitted:
        cluster_centers_ = KMEANS.cluster_centers_

        def fit(self, _):
            raise AssertionError("fitted already")

    report = pt.assess_stability(Fitted(), X=X, baseline="uniform", theta=1.0, n_baselines=2)
    nulls = [SameCenters.around(X, KMEANS.cluster_centers_)(rng) for rng in np.random.default_rng(0).spawn(2)]
    expected = [pointwise_stability(LocationExponential().phi(null, 1.0), null.argmin(axis=1)).mean() for null in nulls]
    assert report.baseline_averages == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("distribution", "kept"), [("location-exponential", 1), ("shifted-gamma", 4)])
def test_baselines_too_large_to_hold_are_refused(monkeypatch, distribution, kept):
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=1000))
    monkeypatch.setattr("partita._validation.LITTLE", 0)
    with pytest.raises(MemoryError, match=rf"{kept} baseline\(s\) of 180 × 3 would take"):
        pt.assess_stability(DISTANCES, distribution=distribution, n_baselines=4)
    with pytest.raises(MemoryError, match=r"1 baseline\(s\) of 180 × 3 would take"):
        pt.assess_stability(DISTANCES, distribution="shifted-gamma", theta=1.0, n_baselines=0)


def test_one_draw_of_a_perturbation_is_its_average():
    found = pt.stability.sampled_assignment(lambda shift: np.eye(2) + shift, [0.5])
    assert found.phi.tolist() == [[1.5, 0.5], [0.5, 1.5]]
