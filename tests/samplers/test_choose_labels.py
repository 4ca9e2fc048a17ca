import functools
import operator

import numpy as np
import pytest
from scipy.special import log_softmax
from scipy.stats import chisquare

from partita._kernels._jit import summing_kernel
from partita._kernels.exponential import LOWEST, exp_from_lowest
from partita._kernels.samplers.choose_labels import choose_labels
from partita._kernels.samplers.counter_random import FIRST, GOLDEN, SECOND, random_bits

EQUAL = np.empty(0)


@summing_kernel
def exponentials(x, out):
    for i in range(x.size):
        out[i] = exp_from_lowest(x[i])


@pytest.mark.parametrize("compiled", [True, False])
def test_exponentials_are_right_to_the_last_digits(compiled):
    rng = np.random.default_rng(0)
    x = np.concatenate([[0.0, -1e-300, -1e-17, LOWEST], -rng.uniform(0, 40, 10_000), -rng.uniform(0, 700, 10_000)])
    found = np.array([exp_from_lowest(value) for value in x])
    if compiled:
        exponentials(x, found)
    np.testing.assert_allclose(found, np.exp(x), rtol=4e-16)


def naive(logits, log_weights, weights, at, given):
    """Labels by searching the cumulative probabilities, their log probability, and the entropy."""
    labels, log_probability, entropy = [], 0.0, 0.0
    for i, row in enumerate(logits.T):
        weight = weights[i] if weights.size else 1.0
        logs = log_softmax((row + log_weights) * (weight if weight > 0 else 1.0))
        labels.append(int(np.searchsorted(np.exp(logs).cumsum(), at[i], side="right")) if given is None else given[i])
        if weight > 0:
            log_probability += logs[labels[-1]]
            entropy -= (np.exp(logs) * np.maximum(logs, -1e300)).sum()
    return labels, log_probability, entropy


@pytest.mark.parametrize("spread", [0.1, 3.0, 400.0])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("draw", [True, False])
def test_labels_and_their_probability_are_those_of_a_naive_twin(spread, weighted, draw):
    rng = np.random.default_rng(1)
    logits, log_weights = spread * rng.normal(size=(5, 700)), rng.normal(size=5)
    weights = rng.choice([0.0, 0.5, 1.0, 3.0], size=700) if weighted else EQUAL
    numbers, labels = np.arange(100, 800), rng.integers(5, size=700)
    expected = naive(
        logits, log_weights, weights, random_bits(77, numbers) * 2.0**-53, None if draw else labels.tolist()
    )
    found = choose_labels(logits.copy(), log_weights, weights, 77, numbers, draw, labels)
    assert labels.tolist() == expected[0]
    np.testing.assert_allclose(found, expected[1:], rtol=1e-12, atol=1e-12)


def test_labels_are_drawn_with_their_probabilities():
    probabilities, n = np.array([0.05, 0.6, 0.0, 0.35]), 40_000
    with np.errstate(divide="ignore"):
        logits = np.log(np.repeat(probabilities[:, None], n, axis=1))
    labels = np.empty(n, np.int64)
    choose_labels(logits, np.zeros(4), EQUAL, 3, np.arange(n), True, labels)
    counts = np.bincount(labels, minlength=4)
    assert counts[2] == 0
    seen = probabilities > 0
    assert chisquare(counts[seen], n * probabilities[seen]).pvalue > 1e-3
    assert chisquare(counts[seen], n * np.array([0.06, 0.59, 0.35])).pvalue < 1e-3  # the control


def key_of(bits):
    """The key for which item 0 has these 64 bits before the last 11 are dropped: the mixing function backwards."""
    z = bits
    for by, factor in ((31, SECOND), (27, FIRST), (30, None)):
        z = functools.reduce(operator.xor, (z >> shift for shift in range(0, 64, by)))
        z = z if factor is None else z * pow(factor, -1, 2**64) % 2**64
    return (z - GOLDEN + 2**63) % 2**64 - 2**63


def first_label(row, key):
    labels = np.empty(1, np.int64)
    choose_labels(row[:, None].copy(), np.zeros(row.size), EQUAL, key, np.zeros(1, np.int64), True, labels)
    return labels[0]


@pytest.mark.parametrize(("bits", "expected"), [(0, 0), (2**64 - 1, 2**53 - 1)])
def test_keys_give_the_least_and_the_largest_number(bits, expected):
    with np.errstate(over="ignore"):
        assert random_bits(np.int64(key_of(bits)), np.int64(0)) == expected


def test_what_rounding_leaves_over_goes_to_a_label_that_is_possible():
    rng, n_left_over = np.random.default_rng(0), 0
    for _ in range(200):
        row = np.append(-rng.uniform(0, 3, 30), -1e6)
        shares = np.array([exp_from_lowest(max(value, LOWEST)) for value in row - row.max()])
        left = (1 - 2.0**-53) * sum(shares)
        for share in shares[:-1]:
            left -= share
        n_left_over += left >= 0
        assert first_label(row, key_of(2**64 - 1)) == (29 if left < 0 else row.argmax())
    assert n_left_over > 10


@pytest.mark.parametrize(("row", "expected"), [([-1e6, -50.0, 0.0, -1.0], 2), ([-1.0, 0.0], 0), ([0.0, -1e6], 0)])
def test_a_random_number_of_zero_goes_to_a_label_that_is_possible(row, expected):
    assert first_label(np.array(row), key_of(0)) == expected
