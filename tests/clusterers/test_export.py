"""What a fitted mixture hands over to ArviZ, scikit-learn and the reader."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score
from test_exact import NUMBERS, PRIORS, encode, enumerated

import partita as pt

arviz_stats = pytest.importorskip("arviz_stats")
SHORT = dict(n_chains=2, n_draws=60, n_warmup=40, n_jobs=1, random_state=3)


@pytest.fixture(scope="module")
def birds():
    rng = np.random.default_rng(0)
    kind = np.repeat([0, 1], [25, 15])
    return pd.DataFrame(
        {
            "length": rng.normal(np.where(kind, 9.0, 3.0)).round(2),
            "sort": np.where(rng.random(40) < 0.8, np.where(kind, "a", "b"), "c"),
            "eggs": rng.poisson(np.where(kind, 7, 1)),
        },
        index=[f"bird {i}" for i in range(40)],
    )


@pytest.fixture(scope="module")
def fitted(birds):
    return pt.BayesianMixture("product", **SHORT).fit(birds)


def test_loo_is_that_of_refits():
    fixed = pt.Gaussian("diagonal", scale="variance")
    settings = dict(n_chains=2, n_draws=2000, n_warmup=50, n_jobs=1, fuse=False)
    model = pt.BayesianMixture(fixed, PRIORS[0], **settings).fit(NUMBERS)
    _, exact = enumerated(encode("gaussian-diagonal"), PRIORS[0])
    loo = arviz_stats.loo(model.to_arviz(n_tables=0), pointwise=True)
    assert loo.elpd_i.values == pytest.approx(exact, abs=0.03)
    assert (loo.pareto_k.values < 0.7).all()


@pytest.mark.filterwarnings("ignore:Estimated shape parameter")
def test_loo_prefers_the_component_that_made_the_data():
    X = np.random.default_rng(1).multivariate_normal([0, 0], [[1, 0.9], [0.9, 1]], size=60)
    elpd = [
        arviz_stats.loo(pt.BayesianMixture(f"gaussian-{name}", **SHORT).fit(X).to_arviz(n_tables=0)).elpd
        for name in ("full", "spherical")
    ]
    assert elpd[0] > elpd[1] + 5


def test_the_tree_holds_what_was_drawn(fitted, birds):
    tree = fitted.to_arviz(n_tables=6)
    posterior = tree["posterior"]
    numbers = {"z", "n_clusters", "n_components", "concentration"}
    assert set(posterior.data_vars) == numbers | {"strength", "shape", "within"}
    assert posterior["n_clusters"].values.ravel() == pytest.approx(fitted.posterior_.n_clusters())
    assert posterior["concentration"].values.ravel() == pytest.approx(fitted.concentration_)
    assert tree["sample_stats"]["lp"].values.ravel() == pytest.approx(fitted.log_posterior_)
    assert tree["log_likelihood"]["x"].shape == (2, 60, 40)
    assert list(tree["log_likelihood"]["item"].values[:2]) == ["bird 0", "bird 1"]
    assert tree["posterior_predictive"]["eggs"].shape == (1, 6, 40)
    assert set(np.unique(tree["posterior_predictive"]["sort"].values)) <= {0.0, 1.0, 2.0}
    assert tree["observed_data"]["length"].values == pytest.approx(birds["length"])
    assert tree["observed_data"]["eggs"].values == pytest.approx(birds["eggs"])
    again = pt.PartitionPosterior.from_any(tree)
    assert (again.draws == fitted.posterior_.draws).all()
    assert list(again.items) == list(birds.index)


def test_tails_are_among_what_was_drawn_and_components_where_they_are_clusters_are_not():
    model = pt.BayesianMixture(fuse=False, **SHORT).fit(np.random.default_rng(2).normal(size=(30, 2)))
    variables = set(model.to_arviz(n_tables=0)["posterior"].data_vars)
    assert variables == {"z", "n_clusters", "concentration", "strength", "shape", "within", "inverse_tails"}


@pytest.mark.parametrize("how", ["constraints", "sample_weight", "coarsening"])
def test_densities_are_left_out_where_items_do_not_count_alone(how, birds):
    X = birds[["length"]]
    given = {
        "constraints": dict(constraints=pt.Constraints(must_link=[(0, 1)], n_items=40)),
        "sample_weight": dict(sample_weight=np.repeat([1.0, 2.0], 20)),
        "coarsening": {},
    }[how]
    power = 0.5 if how == "coarsening" else 1.0
    model = pt.BayesianMixture("gaussian-diagonal", coarsening=power, **SHORT).fit(X, **given)
    assert set(model.to_arviz(n_tables=0).children) == {"posterior", "sample_stats"}


def test_rows_that_hold_nothing_say_nothing(birds):
    X = birds[["length"]].to_numpy().copy()
    X[4] = np.nan
    model = pt.BayesianMixture("gaussian-diagonal", **SHORT).fit(X)
    values = model.to_arviz(n_tables=0)["log_likelihood"]["x"].values
    assert np.abs(values[..., 4]).max() < 1e-8
    assert values[..., 5].max() < 0


def test_score_is_the_mean_log_density_and_chooses_models(fitted, birds):
    assert fitted.score(birds) == pytest.approx(fitted.score_samples(birds).mean())
    X = np.random.default_rng(1).multivariate_normal([0, 0], [[1, 0.95], [0.95, 1]], size=60)
    search = GridSearchCV(pt.BayesianMixture(**SHORT), {"component": ["gaussian-spherical", "gaussian-full"]}, cv=2)
    assert search.fit(X).best_params_ == {"component": "gaussian-full"}
    assert np.isfinite(cross_val_score(pt.BayesianMixture("gaussian-full", **SHORT), X, cv=2)).all()


def test_clusters_have_weights_and_means(fitted, birds):
    labels = fitted.labels_
    assert fitted.cluster_weights_ == pytest.approx(np.bincount(labels) / 40)
    expected = birds[["length", "eggs"]].groupby(labels).mean().to_numpy()
    assert fitted.cluster_means_[:, [0, 2]] == pytest.approx(expected)
    assert np.isnan(fitted.cluster_means_[:, 1]).all()
    weights = np.linspace(1, 3, 40)
    weighted = pt.BayesianMixture("gaussian-diagonal", **SHORT).fit(birds[["length"]], sample_weight=weights)
    mean = np.average(birds["length"][weighted.labels_ == 0], weights=weights[weighted.labels_ == 0])
    assert weighted.cluster_means_[0, 0] == pytest.approx(mean)
