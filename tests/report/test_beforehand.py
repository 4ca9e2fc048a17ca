"""What the report says of prior, constraints and method."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

import partita as pt
from partita.report.beforehand import constraint_section, kept_pairs, kept_probabilities, prior_line
from partita.report.content import make_content
from partita.report.method import describe_method, references
from partita.report.write import render

SHORT = {"n_chains": 2, "n_draws": 60, "n_warmup": 20, "random_state": 11}


@pytest.fixture(scope="module")
def table():
    return pt.datasets.make_quadrants(n_items=30, random_state=0)[0]


@pytest.fixture(scope="module")
def constrained(table):
    soft = pt.Constraints([(0, 1), (2, 3)], [(0, 4)], 30, must_link_weights=[np.inf, 1e-9])
    return pt.BayesianMixture("gaussian-diagonal", **SHORT).fit(table, constraints=soft)


@pytest.fixture(scope="module")
def content(constrained, table):
    return make_content(constrained, data=table)


def test_a_model_remembers_its_constraints(constrained, table):
    assert constrained.constraints_.n_items == 30
    assert pt.summarize(constrained).constraints is constrained.constraints_
    clusters = pt.GeneralizedBayesClustering(3, **SHORT).fit(table, constraints=pt.Constraints([(0, 1)], (), 30))
    assert len(clusters.constraints_.must_link) == 1
    assert clusters.fit(table).constraints_ is None


def test_pairs_are_kept_as_often_as_draws_keep_them(content):
    posterior, known = content.summary.posterior, content.summary.constraints
    pairs = np.concatenate([known.must_link, known.cannot_link])
    must = np.arange(3) < 2
    found = kept_probabilities(posterior, pairs, must)
    for (a, b), together, chance in zip(pairs, must, found, strict=True):
        assert chance == pytest.approx(np.mean([(row[a] == row[b]) == together for row in posterior]))
    hard = np.isinf(np.concatenate([known.must_link_weights, known.cannot_link_weights]))
    assert found[hard] == pytest.approx(1)
    broken = (~kept_pairs(content.labels, known)).sum()
    assert broken == known.count_violations(content.labels)


def test_pairs_of_partial_draws_count_where_both_are_held():
    posterior = pt.PartitionPosterior([[0, 0, -1], [0, 1, -1], [0, 0, 1]], missing=-1)
    found = kept_probabilities(posterior, np.array([[0, 1], [0, 2]]), np.array([True, False]))
    assert found == pytest.approx([2 / 3, 1])


def test_broken_pairs_come_first(content):
    one = np.zeros(30, np.int64)
    summary = pt.summarize(content.summary.posterior, one)
    summary = replace(summary, constraints=pt.Constraints([(0, 1)], [(2, 3), (4, 5)], 30))
    section = constraint_section(replace(content, summary=summary))
    assert [row[2] for row in section.text["rows"]] == ["broken", "broken", "kept"]
    assert section.lead == "1 must-link and 2 cannot-links: the estimate breaks 2 of them."
    assert section.text["rows"][-1][0] == "0 and 1"


@pytest.mark.parametrize(("must", "cannot"), [([(0, 1)], [(2, 3)]), ([(0, 1)], []), ([], [(2, 3)])])
def test_pairs_of_either_kind_are_told(content, must, cannot):
    known = pt.Constraints(must, cannot, 30)
    section = constraint_section(replace(content, summary=replace(content.summary, constraints=known)))
    assert len(section.text["rows"]) == len(must) + len(cannot)
    assert "are shown" not in section.text["note"]


def test_of_very_many_pairs_five_hundred_are_shown(content):
    pairs = [(a, b) for a in range(30) for b in range(a)]  # 435
    summary = replace(content.summary, constraints=pt.Constraints(pairs, pairs[:66], 30, must_link_weights=2.0))
    section = constraint_section(replace(content, summary=summary))
    assert len(section.text["rows"]) == 500
    assert "500 of 501 pairs are shown." in section.text["note"]


def test_the_page_has_the_pairs_and_the_prior(content, constrained):
    page = render(content)
    assert '<section id="constraints">' in page
    assert ".fit(X, constraints=constraints)" in page
    assert "<dt>prior</dt><dd>MixtureOfFiniteMixtures(" in page
    bars, line = json.loads(re.search(r'id="data-counts">(.*?)</script>', page, re.DOTALL)[1])["data"]
    assert (bars["type"], line["type"]) == ("bar", "lines")
    pmf = constrained.prior_.n_clusters_pmf(30)
    assert line["y"] == pytest.approx(pmf[line["x"]], rel=1e-4)
    assert line["x"][-1] >= bars["x"][-1]


def test_without_a_model_nothing_is_said_of_prior_or_pairs():
    content = make_content(pt.PartitionPosterior([[0, 0, 1], [0, 1, 1]] * 20))
    assert prior_line(content, np.array([2])).traces == []
    assert constraint_section(content) is None
    assert describe_method(content).startswith("We summarized 40 draws of partitions of 3 items with partita ")
    assert len(references(content)) == 2


def test_the_paragraph_says_what_was_done(content):
    words = describe_method(content)
    for part in (
        "30 items were clustered with a Bayesian mixture model",
        "2 chains of 60 draws after 20 of warm-up (seed 11)",
        "2 must-links and 1 cannot-link",
        "least posterior expected variation of information",
        f"credible ball in variation of information has a radius of {content.summary.ball.radius:.2f} bits",
        "effective draws",
    ):
        assert part in words
    assert "fused" not in words  # constraints keep components apart
    assert any("Miller and Harrison" in text for text in references(content))
    assert ("The chains had not mixed." in words) == (not content.summary.diagnostics.mixed)


def test_labels_that_were_given_are_not_said_to_be_the_best(content):
    summary = pt.summarize(content.summary.posterior, np.zeros(30, int))
    given = replace(content, summary=summary)
    assert "which was given" in describe_method(given)
    assert not any("Search algorithms" in text for text in references(given))


def test_a_loss_of_other_kinds_is_named(content):
    summary = pt.summarize(content.summary.posterior, loss="binder", metric="binder", level=0.8)
    words = describe_method(replace(content, summary=summary))
    assert "posterior expected Binder loss" in words
    assert "80\xa0% credible ball in Binder loss" in words


def test_the_paragraph_names_the_readings():
    content = make_content(pt.PartitionPosterior([[0, 0, 0, 1, 1, 1]] * 40 + [[0, 0, 1, 1, 2, 2]] * 20))
    assert "in Wasserstein distance under variation of information: two readings, 67 % and 33 %." in describe_method(
        content
    )
    assert any("Balocchi and Wade" in text for text in references(content))


def test_a_pair_is_kept_as_often_as_the_draws_that_hold_both_keep_it():
    draws = [[0, 0, 1], [0, 1, -1], [-1, 0, 0], [0, 0, -1]]
    posterior = pt.PartitionPosterior(draws, weights=[0.4, 0.3, 0.2, 0.1], missing=-1)
    pairs, must = np.array([[0, 1], [0, 1], [0, 2], [1, 2]]), np.array([True, False, True, True])
    found = kept_probabilities(posterior, pairs, must)
    assert found == pytest.approx([0.5 / 0.8, 0.3 / 0.8, 0.0, 0.2 / 0.6])
    never = pt.PartitionPosterior([[0, -1, 0], [-1, 0, 0]], missing=-1)
    assert np.isnan(kept_probabilities(never, pairs[:1], must[:1])).all()
