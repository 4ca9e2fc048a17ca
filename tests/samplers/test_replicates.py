"""Replicated tables against the laws they are drawn from."""

from collections import Counter
from itertools import product

import naive
import numpy as np
import pytest
from scipy.special import logsumexp
from test_exact import CASES, PRIORS

import partita as pt
from partita._kernels.components.family import sample_hyper, set_prior
from partita.components import make_model
from partita.samplers.collapsed import make_problem
from partita.samplers.replicates import extend_partition, sample_new_table, sample_prior_table

FIXED = [PRIORS[0], PRIORS[2], PRIORS[4], PRIORS[6]]


@pytest.mark.parametrize(("start", "most"), [([0, 0, 1], 0.03), ([0], 0.06)], ids=["two", "four"])
@pytest.mark.parametrize("prior", FIXED, ids=repr)
def test_new_items_extend_a_partition_as_the_prior_says(prior, start, most):
    n, rng = len(start), np.random.default_rng(0)
    params = make_problem(pt.Poisson().encode([[1], [2], [3]]), prior).params
    sizes = np.bincount(start).astype(float)
    drawn = Counter(
        tuple(extend_partition(params, prior.concentration, sizes, 5 - n, rng).tolist()) for _ in range(6000)
    )
    whole = [labels for labels in naive.all_partitions(5) if (labels[:n] == start).all()]
    log_p = np.array([prior.log_probability(labels) for labels in whole])
    exact = {tuple(labels[n:].tolist()): p for labels, p in zip(whole, np.exp(log_p - logsumexp(log_p)), strict=True)}
    assert set(drawn) <= set(exact)
    assert 0.5 * sum(abs(drawn[key] / 6000 - p) for key, p in exact.items()) < most
    skewed = [exact[key] for key in sorted(exact, key=lambda key: exact[key])]
    assert 0.5 * sum(abs(drawn[key] / 6000 - p) for key, p in zip(exact, skewed, strict=True)) > most


def test_rows_of_a_table_share_their_parameters():
    """One cluster of one Bernoulli column: the number of ones among two new rows is beta-binomial."""
    encoded, rng = pt.Bernoulli().encode([[1], [1], [0]]), np.random.default_rng(1)
    problem = make_problem(encoded, pt.DirichletProcess(1e-9))
    labels, beside = np.zeros(3, np.int64), dict(concentration=1e-9, hyper=encoded.hyper, latent=encoded.latent)
    tables = [sample_new_table(problem, labels, 2, rng, **beside) for _ in range(6000)]
    ones = np.bincount([sum(int(row[0]) for row in table) for table in tables], minlength=3) / 6000
    assert ones == pytest.approx([2 * 3 / 30, 2 * 3 * 2 / 30, 3 * 4 / 30], abs=0.025)
    apart = [0.4**2, 2 * 0.4 * 0.6, 0.6**2]  # rows that each had parameters of their own
    assert np.abs(ones - apart).max() > 0.035


@pytest.mark.parametrize("case", CASES)
def test_every_family_has_tables_of_the_prior(case):
    component, X = CASES[case]
    encoded, rng = component.encode(X), np.random.default_rng(2)
    rows, labels = sample_prior_table(encoded, PRIORS[0], 12, rng)
    assert np.shape(rows) == (12, encoded.n_columns)
    assert labels.size == 12


@pytest.mark.parametrize("covariance", ["diagonal", "spherical", "full"])
def test_learned_hyperparameters_come_from_their_hyperprior(covariance):
    """An exponential variance, or its matrix twin: the mean over tables is the variance of the columns."""
    X = np.random.default_rng(3).normal(scale=2.0, size=(40, 1))
    encoded, rng = pt.Gaussian(covariance).encode(X), np.random.default_rng(4)
    within = []
    for _ in range(1500):
        model = make_model(encoded, encoded.hyper, encoded.latent, 2)
        set_prior(model)
        sample_hyper(model, np.empty(0, np.int64), 0, rng)
        within.append(model.hyper[3])
    assert np.mean(within) == pytest.approx(X.var(), rel=0.12)
    assert np.mean(np.array(within) > X.var() * np.log(2)) == pytest.approx(0.5, abs=0.05)


def test_heavy_tails_and_gaps_are_replicated():
    X = np.random.default_rng(5).standard_t(2, size=(30, 2))
    X[3, 1] = np.nan
    model = pt.BayesianMixture("student", n_chains=1, n_draws=20, n_warmup=20, n_jobs=1).fit(X)
    tables = model.sample_tables(4, random_state=0)
    assert [table.shape for table in tables] == [(30, 2)] * 4
    assert np.isfinite(tables).all()
    again = model.sample_tables(4, random_state=0)
    assert all((a == b).all() for a, b in zip(tables, again, strict=True))
    assert model.sample_tables(2, n_rows=70)[0].shape == (70, 2)
    assert all(not np.allclose(a, b) for (a, b) in product(tables[:1], tables[1:]))
