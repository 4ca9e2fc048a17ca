import numpy as np
import pytest

import partita as pt
from partita.samplers import collapsed, mixture_draws
from partita.samplers.base import are_canonical
from partita.samplers.collapsed import SCHEDULES, Moved, adapt_proposals, make_problem, proposal_cost


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
    ("n_proposals", "moved", "n_clusters", "expected"),
    [
        (2.0, Moved(100, 30, 50.0, 61.0), 8, 3.0),  # a sweep earns 0.5, what proposals do in its time 3.05 times that
        (2.0, Moved(100, 30, 50.0, 59.0), 8, 0.25),
        (4.0, Moved(100, 20, 50.0, 59.0), 8, 0.5),
        (4.0, Moved(100, 19, 50.0, 59.0), 8, 4.0 / 1.5),
        (7.0, Moved(100, 1, 0.0, 1.0), 2, 8.0),
        (12.0, Moved(100, 1, 0.0, 1.0), 8, 16.0),
        (1.2, Moved(100, 0, 0.0, 0.0), 8, 1.0),
        (0.25, Moved(100, 0, 0.0, 0.0), 8, 0.25),
    ],
)
def test_proposals_are_made_as_often_as_they_earn_their_time(n_proposals, moved, n_clusters, expected):
    found = adapt_proposals(n_proposals, moved, n_sweeps=100, cost=0.4, n_clusters=n_clusters)
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("component", "n_clusters", "expected"),
    [
        (pt.Gaussian("diagonal"), 4, (2 * 511 / 9 / 50 + 2) / 5),
        (pt.Gaussian("full"), 9, (2 * 511 / 9 / 50 + 8 / 9) / 10),
        (pt.Student(), 4, (2 * 511 / 9 / 50 + 2) / 30),
    ],
)
def test_a_proposal_costs_what_it_looks_at(component, n_clusters, expected):
    problem = make_problem(component.encode(np.random.default_rng(0).normal(size=(50, 2))), pt.DirichletProcess(1.0))
    assert proposal_cost(problem, n_clusters) == pytest.approx(expected)


@pytest.mark.parametrize("kind", ["gibbs", "split-merge"])
def test_jumps_of_the_entropy_are_those_of_the_draws(monkeypatch, kind):
    X = np.random.default_rng(0).normal(size=(30, 1))
    problem = make_problem(pt.Gaussian("diagonal").encode(X), pt.DirichletProcess(1.0), schedule=SCHEDULES[kind])
    seen = []
    monkeypatch.setattr(collapsed, "Moved", lambda *moved: seen.append(moved) or Moved(*moved))
    start = np.arange(30) // 10
    _, chain = collapsed.sweep(problem, collapsed.init(problem, start, np.random.default_rng(1)), 40)
    sums = [sum(m * np.log(m) for m in np.bincount(labels)) for labels in (start, *chain.draws)]
    expected = (np.diff(sums) ** 2).sum()
    n_proposed, n_accepted, by_sweeps, by_proposals = seen[-1]
    if kind == "gibbs":
        assert (n_proposed, n_accepted, by_proposals) == (0, 0, 0.0)
        assert by_sweeps == pytest.approx(expected)
    else:
        assert by_sweeps == 0.0
        assert by_proposals == pytest.approx(expected)
        assert n_proposed == 40
        assert n_accepted == np.count_nonzero(np.diff(sums))


def test_memory_is_asked_for_the_densities_that_are_returned(monkeypatch):
    asked = []
    monkeypatch.setattr(mixture_draws, "check_memory", lambda n_bytes, *_: asked.append(n_bytes))
    model = pt.BayesianMixture("gaussian-diagonal", n_chains=1, n_draws=5, n_warmup=5).fit([[0.0], [1.0], [9.0]])
    asked.clear()
    assert [model._draws.log_likelihood().nbytes] == asked
