import numpy as np
import pytest

import partita as pt
from partita.samplers import mixture_draws
from partita.samplers.base import are_canonical
from partita.samplers.collapsed import adapt_proposals


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([[0, 0, 1], [0, 1, 2]], True),
        ([[0, 0, 1], [1, 0, 2]], False),
        ([[0, 2, 1]], False),
        ([[0, -1, 1]], False),
        ([[0.0, 0.5, 1.0]], False),
        ([["a", "b", "c"]], False),
    ],
)
def test_rows_are_canonical_that_number_clusters_as_they_appear(rows, expected):
    assert are_canonical(np.array(rows)) == expected


@pytest.mark.parametrize(
    ("n_proposals", "accepted", "n_clusters", "expected"),
    [(2.0, 0.5, 8, 3.0), (6.0, 0.5, 8, 8.0), (3.0, 0.5, 2, 4.0), (3.0, 0.0, 8, 2.0), (1.2, 0.0, 8, 1.0)],
)
def test_proposals_grow_by_half_while_they_are_accepted(n_proposals, accepted, n_clusters, expected):
    assert adapt_proposals(n_proposals, accepted, n_clusters) == pytest.approx(expected)


def test_memory_is_asked_for_the_densities_that_are_returned(monkeypatch):
    asked = []
    monkeypatch.setattr(mixture_draws, "check_memory", lambda n_bytes, *_: asked.append(n_bytes))
    model = pt.BayesianMixture("gaussian-diagonal", n_chains=1, n_draws=5, n_warmup=5).fit([[0.0], [1.0], [9.0]])
    asked.clear()
    assert [model._draws.log_likelihood().nbytes] == asked
