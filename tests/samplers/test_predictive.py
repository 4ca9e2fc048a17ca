"""Densities of items given the others against refits by enumeration."""

import numpy as np
import pytest
from scipy.special import logsumexp
from test_exact import N_ITEMS, NUMBERS, PARTITIONS, PRIORS, encode, enumerated

import partita as pt
from partita.samplers.collapsed import make_problem
from partita.samplers.predictive import fit_one_draw, leave_one_out, score_rows

CASES = ["gaussian-diagonal", "gaussian-full", "missing entries", "categorical", "von-mises"]


def left_out(problem, labels, concentration=0.8):
    encoded = problem.encoded
    return leave_one_out(problem, labels, concentration=concentration, hyper=encoded.hyper, latent=encoded.latent)


def left_in(problem, labels):
    """The density of each item given all items, itself among them: what must not be used."""
    encoded, one = problem.encoded, dict(concentration=0.8, estimate=np.zeros(N_ITEMS, np.int64))
    drawn = fit_one_draw(problem, labels, hyper=encoded.hyper, latent=encoded.latent, **one)
    return score_rows(problem, NUMBERS, [drawn])[0]


@pytest.mark.parametrize("prior", [PRIORS[0], PRIORS[2], PRIORS[4], PRIORS[6]], ids=repr)
@pytest.mark.parametrize("case", CASES)
def test_the_harmonic_mean_over_partitions_is_the_density_without_the_item(case, prior):
    encoded = encode(case)
    log_posterior, exact = enumerated(encoded, prior)
    problem = make_problem(encoded, prior)
    log_density = np.array([left_out(problem, labels, float(prior.concentration)) for labels in PARTITIONS])
    assert -logsumexp(log_posterior[:, None] - log_density, axis=0) == pytest.approx(exact, abs=1e-9)


def test_densities_given_the_item_itself_would_be_noticed():
    encoded = encode("gaussian-diagonal")
    log_posterior, exact = enumerated(encoded, PRIORS[0])
    problem = make_problem(encoded, PRIORS[0])
    log_density = np.array([left_in(problem, labels) for labels in PARTITIONS])
    assert np.abs(-logsumexp(log_posterior[:, None] - log_density, axis=0) - exact).max() > 0.1


def test_what_was_drawn_for_missing_entries_does_not_count():
    X = np.vstack([NUMBERS, [[0.5, np.nan]]])
    encoded = pt.Gaussian("full", scale="variance").encode(X)
    problem, labels = make_problem(encoded, PRIORS[0]), np.zeros(6, np.int64)
    given = dict(concentration=0.8, hyper=encoded.hyper)
    latents = [np.concatenate([[imputed], np.ones(6)]) for imputed in (0.0, 3.0)]
    here, there = (leave_one_out(problem, labels, latent=latent, **given) for latent in latents)
    assert here[5] == pytest.approx(there[5], rel=1e-9)
    assert here[0] != pytest.approx(there[0], rel=1e-3)
