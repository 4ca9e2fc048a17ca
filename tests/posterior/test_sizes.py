"""Summaries of each draw's cluster sizes."""

import naive
import numpy as np
import pytest

from partita.posterior.draws import sum_over_sizes


def test_sums_over_the_sizes_of_clusters_are_those_of_each_row():
    rng = np.random.default_rng(0)
    rows, phi = naive.random_draws(rng, 7, 9, 4).astype(np.int8), rng.random(10)
    rows[2, :4] = -1  # items that are in no cluster
    phi[0] = 0.0  # of labels that a row does not use
    expected = [sum(phi[size] for size in np.unique(row[row >= 0], return_counts=True)[1]) for row in rows]
    assert sum_over_sizes(rows, 4, phi) == pytest.approx(expected)
