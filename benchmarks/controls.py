"""What the default mixture says where the truth is known: one cluster, overlapping normal clusters, its own model.

python benchmarks/league.py --controls [--seeds 20] [--sets 150] [--only one-cluster,coverage,calibration]
"""

from dataclasses import dataclass

import numpy as np
from measure import row
from scipy.stats import invwishart, wishart

import partita as pt
from partita.components.base import Encoded
from partita.components.gaussian import FREEDOM, PRECISIONS, full_block, log_precision_shares
from partita.components.student import TAILS

ONE_CLUSTER = (
    *(f"{shape} {d}" for shape in ("round", "correlated") for d in (2, 5, 20)),
    "t5 3",
    "uniform 2",
    "uniform 5",
    "exponential 3",
)
BARS = {"round": 0.9, "correlated": 0.9, "t5": 0.9, "uniform": 0.7}


def sample_one_cluster(kind, seed, n=300):
    rng = np.random.default_rng(seed)
    shape, d = kind.split()[0], int(kind.split()[1])
    if shape == "round":
        return rng.normal(size=(n, d))
    if shape == "correlated":
        return rng.multivariate_normal(np.zeros(d), 0.9 + 0.1 * np.eye(d), size=n)
    if shape == "t5":
        return rng.standard_t(5, size=(n, d))
    return rng.uniform(size=(n, d)) if shape == "uniform" else rng.exponential(size=(n, d))


def one_cluster(n_seeds, kinds=ONE_CLUSTER):
    for kind in kinds:
        found = np.array(
            [
                pt.BayesianMixture(n_draws=250, random_state=seed).fit(sample_one_cluster(kind, seed)).n_clusters_
                for seed in range(n_seeds)
            ]
        )
        bar = f">= {BARS[kind.split()[0]]}" if kind.split()[0] in BARS else ""
        row(f"one cluster, {kind} columns: share of {n_seeds} seeds with K = 1", f"{(found == 1).mean():.2f}", bar)


def sample_normals(rng, n=200):
    """Two to five normal clusters with covariances of their own, many of which overlap."""
    d, k = int(rng.choice([2, 3, 5])), int(rng.integers(2, 6))
    truth = rng.choice(k, size=n, p=rng.dirichlet(np.full(k, 5.0)))
    roots = [np.linalg.cholesky(np.cov(rng.normal(size=(d, 3 * d))).reshape(d, d)) for _ in range(k)]
    means = 2.5 * rng.normal(size=(k, d))
    return np.array([means[z] + roots[z] @ rng.normal(size=d) for z in truth]), truth


@dataclass(frozen=True)
class OwnPrior(pt.Student):
    """Student components whose hyperprior knows the scale of the data before it sees them."""

    def encode(self, X):
        """The table as kernels read it."""
        x = np.ascontiguousarray(X, float)
        d = x.shape[1]
        return Encoded((full_block(pt.Gaussian(), x, np.zeros(d), np.ones(d), TAILS),), d)


def sample_own(rng, n=60, d=2):
    """A partition and a table from the model's own prior, hyperparameters and all."""
    truth = pt.MixtureOfFiniteMixtures().sample(n, random_state=rng)
    within = wishart(d + 1, np.eye(d) / (d + 1)).rvs(random_state=rng)
    count, dof = rng.gamma(0.5, 2.0), d + rng.choice(FREEDOM)
    shares = np.exp(log_precision_shares(TAILS)[rng.integers(TAILS.size)])
    X = np.empty((n, d))
    for k in range(truth.max() + 1):
        covariance = invwishart(dof, dof * within).rvs(random_state=rng)
        mean = rng.multivariate_normal(np.zeros(d), covariance / count)
        members = np.flatnonzero(truth == k)
        precision = rng.choice(PRECISIONS, size=(members.size, 1), p=shares / shares.sum())
        noise = rng.multivariate_normal(np.zeros(d), covariance, size=members.size)
        X[members] = mean + noise / np.sqrt(precision)
    return X, truth


def truth_in_balls(name, sample, model, n_sets, bars):
    """How often the 95 % ball holds the truth, and how often pairs are together that are stated to be."""
    held, stated, together = [], [], []
    for seed in range(n_sets):
        X, truth = sample(np.random.default_rng(seed))
        fitted = model(seed).fit(X)
        pairs = np.triu_indices(len(truth), 1)
        together.append((truth[:, None] == truth)[pairs])
        now = fitted.component_posterior_, fitted.posterior_
        balls = [pt.credible_ball(posterior) for posterior in now]
        vi = pt.VariationOfInformation()
        held.append([vi.between(truth, ball.center) <= ball.radius + 1e-9 for ball in balls])
        stated.append([posterior.similarity()[pairs] for posterior in now])
    together = np.concatenate(together)
    for at, what in enumerate(("components", "fused")):
        row(f"{name}, {what}: 95 % ball holds the truth, {n_sets} sets", f"{np.mean(held, axis=0)[at]:.3f}", bars[at])
        said = np.concatenate([both[at] for both in stated])
        tenth = np.minimum((10 * said).astype(int), 9)
        for t in range(10):
            if (tenth == t).any():
                shares = f"{said[tenth == t].mean():.2f} {together[tenth == t].mean():.2f}"
                row(f"    pairs with probability {t / 10:.1f} to {(t + 1) / 10:.1f}: stated, actual", shares)


def controls(n_seeds=20, n_sets=150, only=("one-cluster", "coverage", "calibration")):
    if "calibration" in only:
        model = lambda seed: pt.BayesianMixture(  # noqa: E731
            OwnPrior(), n_chains=2, n_draws=250, n_warmup=400, random_state=seed
        )
        truth_in_balls("its own prior, n = 60, d = 2", sample_own, model, n_sets, ("0.93 to 0.97", ""))
    if "coverage" in only:
        model = lambda seed: pt.BayesianMixture(n_draws=250, random_state=seed)  # noqa: E731
        truth_in_balls("unequal normals, n = 200", sample_normals, model, max(n_sets // 3, 1), ("", ">= 0.85"))
    if "one-cluster" in only:
        one_cluster(n_seeds)
