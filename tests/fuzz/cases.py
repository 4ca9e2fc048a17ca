"""Every public callable with arguments that work: the fuzzer changes them one or two at a time."""

import functools
import inspect
from typing import NamedTuple

import matplotlib as mpl
import numpy as np

import partita as pt
from partita import costs, datasets, experimental, plot, stability
from partita.tables import read_data

mpl.use("agg")

X = np.random.default_rng(0).normal(size=(8, 2)).round(2) + np.repeat([[0.0], [6.0]], 4, axis=0)
Y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
DRAWS = np.array(
    [[0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 2, 1], [0, 0, 0, 1, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1]]
)
PHI = np.array([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.9, 0.1], [0.2, 0.8], [0.1, 0.9], [0.3, 0.7], [0.0, 1.0]])
APART = np.abs(X[:, None] - X[None]).sum(axis=2)
PAIRS = np.array([[0, 1], [2, 3]])
SHORT = {"n_chains": 1, "n_draws": 8, "n_warmup": 4, "n_jobs": 1, "random_state": 0}

RESULTS = {  # what functions give back: nobody makes them by hand
    "Certainty", "CredibleBall", "Diagnostics", "JointCore", "PartitionError", "PartitionEstimate", "PosteriorSummary",
    "Selection", "SoftIndex", "StabilityResult", "MixtureData", "ShapedMixture", "SampledAssignment", "PathEstimate",
    "SweepEstimate", "CoarseningCurve", "PartitionComparison", "Loss", "TableSumLoss", "ScaleDistribution",
    "PartitionPrior", "ClusterProfiles", "PartitionMode", "PartitionModes",
}  # fmt: skip


class Case(NamedTuple):
    """A function, arguments that work, and what of its result are probabilities."""

    call: object
    arguments: dict
    probabilities: object = None


def fitted(kind, probabilities=None, **arguments):
    """A case in which an estimator is made and fitted."""

    def fit(X, **parameters):
        more = {name: parameters.pop(name) for name in ("constraints", "sample_weight") if name in parameters}
        return kind(**parameters).fit(X, **more)

    return Case(fit, {"X": X, **arguments}, probabilities)


def component(kind, table, **arguments):
    def encode(X, **parameters):
        return kind(**parameters).encode(X)

    return Case(encode, {"X": table, **arguments})


def prior(kind, **arguments):
    def log_probability(labels, **parameters):
        chosen = kind(**parameters)
        return chosen.log_probability(labels), chosen.sample(6, random_state=0) if hasattr(chosen, "sample") else None

    return Case(log_probability, {"labels": Y, **arguments})


def loss(kind, **arguments):
    def between(a, b, draws, **parameters):
        chosen = kind(**parameters)
        return chosen.between(a, b), chosen.expected(a, pt.PartitionPosterior(draws))

    return Case(between, {"a": Y, "b": DRAWS[1], "draws": DRAWS, **arguments})


def cost(kind, table=X, **arguments):
    def total(X, labels, **parameters):
        return costs.total(X, labels, kind(**parameters))

    return Case(total, {"X": table, "labels": Y, **arguments})


def scales(kind, **arguments):
    def phi(distances, theta, **parameters):
        return kind(**parameters).phi(distances, theta)

    return Case(phi, {"distances": APART[:, :3].copy(), "theta": 2.0, **arguments}, lambda result: [result])


@functools.cache
def process():
    return pt.GaussianPointProcess.normal_inverse_wishart([[0.0, 0.0], [6.0, 6.0]], 1.0, 3.0, np.eye(2))


@functools.cache
def ball():
    return pt.credible_ball(DRAWS)


@functools.cache
def modes():
    return pt.summarize_modes(DRAWS, n_modes=2)


@functools.cache
def profiles():
    return pt.describe_clusters(DRAWS, X)


@functools.cache
def report():
    return pt.assess_stability(stability.ShiftedGamma and pt.center_distances(X, Y), Y, n_baselines=3)


@functools.cache
def selection():
    return pt.select_n_clusters(X, [2, 3], n_baselines=2)


@functools.cache
def mixture():
    return pt.BayesianMixture("gaussian-diagonal", **SHORT).fit(X)


@functools.cache
def selected_mixture():
    return pt.BayesianMixture("gaussian-diagonal", select_columns=True, **SHORT).fit(X)


def predicted(X):
    model = mixture()
    return model.predict_proba(X), model.predict(X), model.score_samples(X), model.score(X)


def posterior_methods(draws, weights, chains, items, step, subset):
    made = pt.PartitionPosterior(draws, weights, chains, items)
    shares = [made.similarity(), made.condensed_similarity(), made.probabilities(), made.collapse().weights]
    return shares, made.thin(step), made.subset(subset), made.entropy(), repr(made), made.largest_cluster()


def drawn(function, **arguments):
    def draw(**given):
        import matplotlib.pyplot as plt

        made = {name: value() if value in MADE else value for name, value in given.items() if _hashable(value)}
        made |= {name: value for name, value in given.items() if not _hashable(value)}
        try:
            function(**made)
        finally:
            plt.close("all")

    return Case(draw, arguments)


def _hashable(value):
    return inspect.isfunction(value) or isinstance(value, functools._lru_cache_wrapper)


MADE = (process, ball, modes, profiles, report, selection, mixture, selected_mixture)


def compare(process, n_sets, n_points, bayes_search):
    from sklearn.cluster import KMeans

    return pt.compare_clusterers(
        process, {"k-means": KMeans(2, n_init=1)}, n_sets, n_points=n_points, bayes_search=bayes_search
    )


def in_square(rng, n):
    return rng.uniform(size=(n, 2))


def sampled_scales(distances, theta, n_draws):
    scales = stability.SampledScales(lambda rng, theta, n: rng.exponential(size=(n, theta.size)) + 1, n_draws=n_draws)
    return scales.phi(distances, theta)


POINTS = dict(random_state=0, n_jobs=1)
CASES = {
    "AdjustedRand": loss(pt.AdjustedRand),
    "BayesClusterer": Case(
        lambda X, process, **rest: pt.BayesClusterer(process() if callable(process) else process, **rest).fit(X),
        {
            "X": X,
            "process": process,
            "search": "auto",
            "radius": 2,
            "n_starts": 2,
            "n_draws": 20,
            "n_chains": 1,
            "n_labels": 2,
            "n_jobs": 1,
            "random_state": 0,
        },
    ),
    "BayesLabeler": Case(
        lambda X, process, **rest: pt.BayesLabeler(process() if callable(process) else process, **rest).fit(X),
        {"X": X, "process": process, "search": "auto", "n_draws": 20, "n_chains": 1, "n_jobs": 1, "random_state": 0},
    ),
    "BayesianMixture": fitted(
        pt.BayesianMixture,
        component="gaussian-diagonal",
        prior=None,
        sampler="auto",
        engine="threads",
        fuse=True,
        select_columns=False,
        coarsening=1.0,
        loss="vi",
        constraints=None,
        sample_weight=np.ones(8),
        **SHORT,
    ),
    "BayesianMixture.predict_proba": Case(predicted, {"X": X[:3]}, lambda result: [result[0]]),
    "BayesianMixture.sample_tables": Case(
        lambda **rest: mixture().sample_tables(**rest), {"n_tables": 2, "n_rows": 4, "random_state": 0}
    ),
    "BayesianMixture.to_arviz": Case(
        lambda **rest: mixture().to_arviz(**rest), {"log_likelihood": True, "n_tables": 2, "random_state": 0}
    ),
    "Bernoulli": component(pt.Bernoulli, (X > 3).astype(int), concentration=1.0),
    "Binder": loss(pt.Binder, a=1.0),
    "BregmanKMeans": fitted(pt.BregmanKMeans, n_clusters=2, cost="squared-euclidean", n_init=1, max_iter=5, **POINTS),
    "COPKMeans": fitted(pt.COPKMeans, n_clusters=2, n_init=1, max_iter=5, random_state=0, constraints=None),
    "Categorical": component(pt.Categorical, (X > 3).astype(int), concentration=1.0),
    "Constraints": Case(
        pt.Constraints,
        {
            "must_link": PAIRS,
            "cannot_link": np.array([[0, 4]]),
            "n_items": 8,
            "items": None,
            "must_link_weights": np.array([1.0, 2.0]),
        },
    ),
    "DirichletProcess": prior(pt.DirichletProcess, concentration=1.0),
    "Exponential": component(pt.Exponential, np.abs(X), shape=1.0, rate=None),
    "FiniteDirichlet": prior(pt.FiniteDirichlet, n_components=4, concentration=1.0),
    "FuzzyCMeans": fitted(
        pt.FuzzyCMeans,
        lambda model: [model.memberships_],
        n_clusters=2,
        fuzziness=2.0,
        n_init=1,
        max_iter=5,
        tol=1e-5,
        random_state=0,
    ),
    "Gamma": Case(
        lambda shape, rate: pt.DirichletProcess(pt.Gamma(shape, rate)).log_probability(Y), {"shape": 1.0, "rate": 1.0}
    ),
    "Gaussian": component(pt.Gaussian, X, covariance="diagonal", scale="variance", mean=0.0, strength=1.0, shape=2.0),
    "GaussianPointProcess": Case(
        pt.GaussianPointProcess.normal_inverse_wishart,
        {
            "means": np.array([[0.0, 0.0], [6.0, 6.0]]),
            "nu": 1.0,
            "kappa": 3.0,
            "psi": np.eye(2),
            "weights": np.array([0.5, 0.5]),
        },
    ),
    "GaussianPointProcess.known": Case(
        pt.GaussianPointProcess.known, {"means": np.array([[0.0, 0.0], [6.0, 6.0]]), "covariances": np.eye(2)}
    ),
    "GeneralizedBayesClustering": fitted(
        pt.GeneralizedBayesClustering,
        n_clusters=2,
        cost="squared-euclidean",
        rate=1.0,
        rate_dof="items",
        loss="map",
        **SHORT,
    ),
    "Geometric": Case(
        lambda probability: pt.MixtureOfFiniteMixtures(1.0, pt.Geometric(probability)).log_probability(Y),
        {"probability": 0.5},
    ),
    "InformationDistance": loss(pt.InformationDistance),
    "KDissimilarities": fitted(pt.KDissimilarities, n_clusters=2, cost="manhattan", n_init=1, max_iter=5, **POINTS),
    "LocalityPreservingProjection": fitted(pt.LocalityPreservingProjection, n_components=1, n_neighbors=3),
    "LocallyAdaptiveClustering": fitted(
        pt.LocallyAdaptiveClustering, n_clusters=2, bandwidth=1.0, n_init=1, max_iter=5, random_state=0
    ),
    "LocallyWeightedClustering": fitted(
        pt.LocallyWeightedClustering, n_clusters=2, swap_chains=True, n_init=1, max_iter=5, random_state=0
    ),
    "MPCKMeans": fitted(
        pt.MPCKMeans, n_clusters=2, violation_penalty=1.0, n_init=1, max_iter=5, random_state=0, constraints=None
    ),
    "Misclassification": loss(pt.Misclassification),
    "MixtureOfFiniteMixtures": prior(pt.MixtureOfFiniteMixtures, concentration=1.0),
    "Multinomial": component(pt.Multinomial, np.abs(X).astype(int) + 1, concentration=1.0),
    "NormalizedInformationDistance": loss(pt.NormalizedInformationDistance),
    "NormalizedVariationOfInformation": loss(pt.NormalizedVariationOfInformation),
    "PartitionPosterior": Case(
        posterior_methods,
        {
            "draws": DRAWS,
            "weights": np.ones(4),
            "chains": np.zeros(4, int),
            "items": None,
            "step": 2,
            "subset": np.array([0, 3]),
        },
        lambda result: result[0],
    ),
    "PartitionPosterior.from_any": Case(pt.PartitionPosterior.from_any, {"source": DRAWS, "var": "z"}),
    "PitmanYor": prior(pt.PitmanYor, concentration=1.0, discount=0.25),
    "Poisson": component(pt.Poisson, np.abs(X).astype(int), shape=1.0, rate=None),
    "Product": Case(lambda X, columns: pt.Product(columns).encode(X), {"X": X, "columns": None}),
    "ShiftedPoisson": Case(
        lambda mean: pt.MixtureOfFiniteMixtures(1.0, pt.ShiftedPoisson(mean)).log_probability(Y), {"mean": 1.0}
    ),
    "Student": component(pt.Student, X),
    "TableLoss": Case(
        lambda a, b, name: pt.TableLoss(lambda table: float(table.max()), name).between(a, b),
        {"a": Y, "b": DRAWS[1], "name": "mine"},
    ),
    "VariationOfInformation": loss(pt.VariationOfInformation, a=1.0, base=2.0),
    "VariationOfInformationBound": loss(pt.VariationOfInformationBound, base=2.0),
    "VonMises": component(pt.VonMises, X, concentration=4.0, mean=0.0, strength=0.0),
    "ZeroOne": loss(pt.ZeroOne),
    "all_partitions": Case(pt.all_partitions, {"n_items": 4, "max_clusters": 3}),
    "all_partitions sizes": Case(pt.all_partitions, {"n_items": 4, "sizes": np.array([2, 2])}),
    "assess_certainty": Case(
        pt.assess_certainty, {"posterior": DRAWS, "estimate": Y, "level": 0.9}, lambda r: [r.items["certainty"]]
    ),
    "assess_stability": Case(
        pt.assess_stability,
        {
            "distances": APART[:, :3].copy(),
            "labels": Y,
            "distribution": "location-exponential",
            "theta": 1.0,
            "baseline": "permutation",
            "n_baselines": 2,
            "random_state": 0,
            "n_jobs": 1,
        },
        lambda result: [result.phi],
    ),
    "bell_number": Case(pt.bell_number, {"n_items": 4}),
    "canonical": Case(pt.canonical, {"labels": Y}),
    "center_distances": Case(pt.center_distances, {"X": X, "labels": Y}),
    "cluster_distances": Case(pt.cluster_distances, {"pairwise": APART, "labels": Y, "linkage": "average"}),
    "compare_certainty": Case(lambda posterior: pt.compare_certainty(report(), posterior), {"posterior": DRAWS}),
    "compare_clusterers": Case(
        lambda process, **rest: compare(process() if callable(process) else process, **rest),
        {"process": process, "n_sets": 2, "n_points": 6, "bayes_search": "auto"},
    ),
    "cost_table": Case(
        pt.cost_table, {"X": X, "n_clusters": [1, 2], "cost": "squared-euclidean", "n_init": 1, **POINTS}
    ),
    "describe_clusters": Case(
        pt.describe_clusters, {"result": DRAWS, "X": X, "estimate": Y, "level": 0.9, "random_state": 0}
    ),
    "credible_ball": Case(
        pt.credible_ball, {"posterior": DRAWS, "estimate": Y, "level": 0.9, "metric": "vi"}, lambda r: [[r.mass]]
    ),
    "diagnose": Case(
        pt.diagnose, {"posterior": DRAWS, "estimate": Y, "log_posterior": np.arange(4.0), "max_items": 100}
    ),
    "estimate_partition": Case(
        pt.estimate_partition,
        {
            "posterior": DRAWS,
            "loss": "vi",
            "search": "auto",
            "max_clusters": 3,
            "target_clusters": 2,
            "n_starts": 2,
            "starts": [Y],
            "time_limit": 5.0,
            "n_jobs": 1,
            "random_state": 0,
        },
    ),
    "hasse_edges": Case(pt.hasse_edges, {"n_items": 3}),
    "SimilarityMatrix": Case(
        lambda similarity, items: pt.estimate_partition(pt.SimilarityMatrix(similarity, items), "binder"),
        {"similarity": pt.PartitionPosterior(DRAWS).similarity().astype(float), "items": None},
    ),
    "calibrate_coarsening": Case(
        lambda X, powers: pt.calibrate_coarsening(X, powers, model=pt.BayesianMixture("gaussian-diagonal", **SHORT)),
        {"X": X, "powers": [1.0, 0.5]},
    ),
    "compare_priors": Case(
        lambda X, priors: pt.compare_priors(pt.BayesianMixture("gaussian-diagonal", **SHORT), X, priors),
        {"X": X, "priors": [pt.DirichletProcess(1.0), pt.MixtureOfFiniteMixtures()]},
    ),
    "sample_prior_tables": Case(
        lambda **rest: pt.sample_prior_tables(pt.BayesianMixture("gaussian-diagonal"), **rest),
        {"X": X, "n_tables": 2, "n_rows": 4, "random_state": 0},
    ),
    "compare_partitions": Case(pt.compare_partitions, {"a": Y, "b": DRAWS[1]}),
    "ensemble": Case(
        lambda **rest: pt.ensemble(pt.BregmanKMeans(2, n_init=1, n_jobs=1), **rest),
        {
            "X": X,
            "n_runs": 4,
            "resample": "subsample",
            "fraction": 0.8,
            "weights": None,
            "n_jobs": 1,
            "random_state": 0,
        },
    ),
    "join": Case(pt.join, {"a": Y, "b": DRAWS[1]}),
    "match_labels": Case(pt.match_labels, {"labels": Y, "reference": DRAWS[1]}),
    "matched_stability": Case(pt.matched_stability, {"posterior": DRAWS, "labels": Y}, lambda result: [result.phi]),
    "meet": Case(pt.meet, {"a": Y, "b": DRAWS[1]}),
    "merges": Case(pt.merges, {"labels": Y}),
    "refines": Case(pt.refines, {"a": Y, "b": DRAWS[1]}),
    "sample_constraints": Case(pt.sample_constraints, {"labels": Y, "n_pairs": 4, "random_state": 0, "noise": 0.1}),
    "select_n_clusters": Case(
        pt.select_n_clusters,
        {
            "X": X,
            "n_clusters": [2, 3],
            "method": "silhouette",
            "rule": "best",
            "n_baselines": 2,
            "n_jobs": 1,
            "random_state": 0,
        },
    ),
    "sizes": Case(pt.sizes, {"labels": Y}),
    "soft_adjusted_rand": Case(pt.soft_adjusted_rand, {"labels": Y, "phi": PHI}),
    "soft_variation_of_information": Case(pt.soft_variation_of_information, {"labels": Y, "phi": PHI, "base": 2.0}),
    "splits": Case(pt.splits, {"labels": DRAWS[0][:5]}),
    "stirling_number": Case(pt.stirling_number, {"n_items": 6, "n_clusters": 2}),
    "suggest_pairs": Case(
        pt.suggest_pairs,
        {"posterior": DRAWS, "n_pairs": 2, "labels": Y, "random_state": 0},
        lambda r: [r["similarity"]],
    ),
    "summarize_modes": Case(
        pt.summarize_modes,
        {
            "posterior": DRAWS,
            "n_modes": 2,
            "loss": "vi",
            "level": 0.9,
            "metric": "vi",
            "max_modes": 3,
            "n_starts": 2,
            "time_limit": 5.0,
            "n_jobs": 1,
            "random_state": 0,
        },
        lambda result: [result.weights],
    ),
    "summarize": Case(pt.summarize, {"posterior": DRAWS, "estimate": Y, "loss": "vi", "level": 0.9, "metric": "vi"}),
    "datasets.load_galaxies": Case(datasets.load_galaxies, {}),
    "datasets.load_penguins": Case(datasets.load_penguins, {}),
    "datasets.make_anova_mixture": Case(
        datasets.make_anova_mixture,
        {"n_items": 20, "n_features": 2, "n_clusters": 2, "separation": 0.6, "min_size": 2, "random_state": 0},
    ),
    "datasets.make_noisy_draws": Case(
        datasets.make_noisy_draws, {"n_items": 6, "n_draws": 4, "n_clusters": 2, "noise": 0.1, "random_state": 0}
    ),
    "datasets.make_quadrants": Case(datasets.make_quadrants, {"n_items": 8, "example": 1, "random_state": 0}),
    "datasets.make_shaped_mixture": Case(
        datasets.make_shaped_mixture,
        {
            "n_items": 20,
            "n_features": 2,
            "n_clusters": 2,
            "separation": 0.6,
            "weight_spread": 0.3,
            "scale_spread": 0.3,
            "n_rotations": 1.0,
            "n_scalings": 0.5,
            "n_translations": 0.5,
            "severity": 0.5,
            "max_radius": 2.0,
            "min_size": 2,
            "random_state": 0,
        },
    ),
    "datasets.sample_point_process": Case(
        lambda process, **rest: datasets.sample_point_process(process() if callable(process) else process, **rest),
        {"process": process, "n_points": 6, "random_state": 0},
    ),
    "plot.plot_ball_coclustering": drawn(plot.plot_ball_coclustering, ball=ball, truth=Y),
    "plot.plot_certainty": drawn(plot.plot_certainty, result=DRAWS, X=X, estimate=Y, show="alpha"),
    "plot.plot_chain_agreement": drawn(plot.plot_chain_agreement, result=np.stack([DRAWS, DRAWS])),
    "plot.plot_coclustering": drawn(plot.plot_coclustering, labels=Y, reference=DRAWS[1]),
    "plot.plot_credible_ball": drawn(plot.plot_credible_ball, ball=ball, X=X),
    "plot.plot_flow": drawn(plot.plot_flow, partitions=DRAWS[:2], names=["one", "two"]),
    "plot.plot_coarsening": drawn(plot.plot_coarsening, curve=None),
    "plot.plot_hasse": drawn(plot.plot_hasse, result=DRAWS[:, 2:5], stretch="vi"),
    "plot.plot_inclusion": drawn(plot.plot_inclusion, model=selected_mixture),
    "plot.plot_density": drawn(plot.plot_density, model=mixture, X=X, columns=[0], level=0.9),
    "plot.plot_ppc": drawn(plot.plot_ppc, model=mixture, X=X, columns=[0, 1], n_tables=3, random_state=0),
    "plot.plot_fusion": drawn(plot.plot_fusion, model=mixture),
    "plot.plot_modes": drawn(plot.plot_modes, modes=modes),
    "plot.plot_prior": drawn(plot.plot_prior, priors=[pt.DirichletProcess(1.0)], n_items=20),
    "plot.plot_profiles": drawn(plot.plot_profiles, profiles=profiles),
    "plot.plot_n_clusters": drawn(plot.plot_n_clusters, result=DRAWS, estimate=Y),
    "plot.plot_partition": drawn(plot.plot_partition, labels=Y, X=X),
    "plot.plot_parallel": drawn(plot.plot_parallel, labels=Y, X=X),
    "plot.plot_selection": drawn(plot.plot_selection, selection=selection, method="silhouette"),
    "plot.plot_similarity": drawn(plot.plot_similarity, result=DRAWS, estimate=Y),
    "plot.plot_stability": drawn(plot.plot_stability, report=report),
    "plot.plot_stability_map": drawn(plot.plot_stability_map, report=report, X=X),
    "plot.plot_traces": drawn(plot.plot_traces, result=DRAWS, estimate=Y),
    "plot.plot_weights": drawn(plot.plot_weights, weights=PHI[:2], columns=["a", "b"]),
    "plot.plot_error": drawn(plot.plot_error, errors=None),
    "costs.Bregman": Case(
        lambda X, labels: costs.total(X, labels, costs.Bregman(lambda x: (x**2).sum(), lambda x: 2 * x)),
        {"X": X, "labels": Y},
    ),
    "costs.Dissimilarity": Case(
        lambda X, labels, dimension: costs.total(
            X, labels, costs.Dissimilarity(lambda x, y: abs(x - y).sum(), dimension)
        ),
        {"X": X, "labels": Y, "dimension": 2},
    ),
    "costs.ItakuraSaito": cost(costs.ItakuraSaito, np.abs(X) + 1),
    "costs.KullbackLeibler": cost(costs.KullbackLeibler, np.abs(X) + 1, shrinkage=0.5),
    "costs.Logistic": cost(costs.Logistic, (X > 3).astype(int), shrinkage=1.0),
    "costs.Mahalanobis": cost(costs.Mahalanobis, covariance=np.eye(2)),
    "costs.Minkowski": cost(costs.Minkowski, p=2.0, transform=1.0),
    "costs.PoissonDeviance": cost(costs.PoissonDeviance, np.abs(X).astype(int), shrinkage=1.0),
    "costs.Precomputed": cost(costs.Precomputed, APART, dimension=2),
    "costs.SquaredEuclidean": cost(costs.SquaredEuclidean),
    "costs.total": Case(costs.total, {"X": X, "labels": Y, "cost": "squared-euclidean"}),
    "stability.Exponential": scales(stability.Exponential),
    "stability.LocationExponential": scales(stability.LocationExponential),
    "stability.SampledScales": Case(
        sampled_scales, {"distances": APART[:, :3].copy(), "theta": 2.0, "n_draws": 50}, lambda r: [r]
    ),
    "stability.ShiftedGamma": scales(stability.ShiftedGamma, n_nodes=5),
    "stability.between_stability": Case(
        lambda **given: np.nan_to_num(stability.between_stability(**given)),
        {"phi": PHI, "labels": Y, "symmetric": True},
    ),
    "stability.clusterwise_stability": Case(
        lambda **given: np.nan_to_num(stability.clusterwise_stability(**given)), {"phi": PHI, "labels": Y}
    ),
    "stability.heatmap_order": Case(stability.heatmap_order, {"phi": PHI, "labels": Y}),
    "stability.matching_matrix": Case(stability.matching_matrix, {"phi": PHI, "labels": Y}),
    "stability.pointwise_stability": Case(stability.pointwise_stability, {"phi": PHI, "labels": Y}),
    "stability.sampled_assignment": Case(
        lambda perturbations: stability.sampled_assignment(
            lambda p: np.eye(3)[APART[:, :3].argmin(axis=1)], perturbations
        ),
        {"perturbations": np.ones((4, 3))},
    ),
    "experimental.path_sampling": Case(
        lambda **rest: experimental.path_sampling(
            lambda x: -(x**2).sum(axis=1), lambda x: np.zeros(len(x)), in_square, **rest
        ),
        {"n_particles": 10, "n_steps": 3, "n_moves": 1, "random_state": 0},
    ),
    "experimental.recluster": Case(
        lambda **rest: experimental.recluster(lambda rng: rng.integers(2, size=5), **rest),
        {"n_draws": 4, "n_jobs": 1, "random_state": 0},
    ),
    "experimental.sweep_sampling": Case(
        lambda **rest: experimental.sweep_sampling(
            lambda x: -(x**2).sum(axis=1), lambda x: np.zeros(len(x)), in_square, **rest
        ),
        {
            "seeds": np.array([[0.1, 0.1]]),
            "max_cost": 1.0,
            "n_particles": 10,
            "n_steps": 2,
            "n_moves": 1,
            "max_steps": 20,
            "random_state": 0,
        },
    ),
    "read_data": Case(read_data, {"source": "absent.csv", "index": None, "standardize": False, "decimal": "."}),
    "report_folder": Case(pt.report_folder, {"folder": "absent", "path": None}),
    "write_report": Case(
        pt.write_report, {"result": DRAWS, "path": "/nonexistent/report.html", "level": 0.9, "metric": "vi", "data": X}
    ),
}
CASES["plot.plot_error"] = drawn(plot.plot_error, errors=np.array([0.1, 0.2]))


def public_callables():
    """Names of all public functions and classes, as in the cases."""
    found = {name for name in pt.__all__ if not inspect.ismodule(getattr(pt, name))}
    for module in (datasets, plot, costs, stability, experimental):
        found |= {
            f"{module.__name__.split('.')[-1]}.{name}" for name in module.__all__ if callable(getattr(module, name))
        }
    return found


def untested():
    """Public names that no case calls."""
    known = {name.split(" ")[0] for name in CASES}
    left = {name for name in public_callables() - known if name.split(".")[-1] not in RESULTS}
    return sorted(name for name in left if name.split(".")[-1] not in known)  # some are public in two places
