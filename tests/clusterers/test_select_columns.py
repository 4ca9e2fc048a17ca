"""Mixtures that select columns: what they find, and that they predict as the model says."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import logsumexp
from test_exact import log_likelihood

import partita as pt
from partita.components.columns import only_columns

SHORT = dict(n_chains=2, n_draws=60, n_warmup=60, n_jobs=1, random_state=0)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(2)
    kind = np.repeat([0, 1], [30, 20])
    return pd.DataFrame(
        {
            "noise": rng.normal(size=50),
            "length": rng.normal(size=50) + 5 * kind,
            "other": rng.normal(size=50),
            "sort": np.where(rng.random(50) < 0.9, np.where(kind, "a", "b"), "c"),
            "eggs": rng.poisson(3, size=50),
        }
    )


@pytest.fixture(scope="module")
def fitted(table):
    return pt.BayesianMixture("product", select_columns=True, **SHORT).fit(table)


def test_columns_in_which_clusters_differ_are_found(fitted):
    inclusion = fitted.column_inclusion_["inclusion"]
    assert list(inclusion.index) == ["noise", "length", "other", "sort", "eggs"]
    assert inclusion[["length", "sort"]].min() > 0.9
    assert inclusion[["noise", "other", "eggs"]].max() < 0.5
    assert fitted.n_clusters_ == 2
    assert fitted.component_posterior_ is fitted.posterior_


def test_nothing_is_selected_unasked(table):
    assert pt.BayesianMixture("product", **SHORT).fit(table).column_inclusion_ is None


def test_the_default_component_takes_numbers_apart(table):
    model = pt.BayesianMixture(select_columns=0.2, **SHORT).fit(table[["noise", "length", "other"]])
    assert model.column_inclusion_["inclusion"].idxmax() == "length"


def test_densities_are_those_of_the_definition(fitted, table):
    """p(new row | draw) is a ratio of joint probabilities, summed over the clusters that the row may join."""
    rows = table.head(3)
    draws, both = fitted._draws, pd.concat([table, rows.head(1)], ignore_index=True)
    relevant = draws.relevant(7)
    encoded = fitted._encoded
    with_row = [
        block.__class__(
            block.columns, block.kind, np.vstack([block.x, block.encode_rows(_entries(block, both))]), *rest
        )
        for block, rest in ((block, list(vars(block).values())[3:]) for block in encoded.blocks)
    ]
    more = encoded._replace(blocks=tuple(with_row))
    start = encoded.hyper
    hyper = fitted._draws.chain.hyper[7]

    def log_joint(which, labels, given, kept):
        part, places = only_columns(which, kept)
        pieces = np.split(given[places], np.cumsum([block.hyper.size for block in part.blocks])[:-1])
        for block, piece in zip(part.blocks, pieces, strict=True):
            block.hyper[:] = piece
        return log_likelihood(part, labels)

    labels, prior = draws.labels(7), fitted.prior_
    fixed = type(prior)(float(fitted.concentration_[7]))
    log_old = fixed.log_probability(labels) + log_joint(encoded, labels, hyper, relevant)
    log_new = [
        fixed.log_probability(np.append(labels, k)) + log_joint(more, np.append(labels, k), hyper, relevant)
        for k in range(labels.max() + 2)
    ]
    shared = log_joint(more, np.zeros(51, int), start, ~relevant) - log_joint(
        encoded, np.zeros(50, int), start, ~relevant
    )
    eggs = int(rows["eggs"].iloc[0])
    expected = logsumexp(log_new) - log_old + shared - float(np.log(np.arange(1, eggs + 1)).sum())
    assert draws.log_densities(rows, [7])[0, 0] == pytest.approx(expected)


def _entries(block, both):
    return both.tail(1).to_numpy()[:, list(block.columns)]


def test_rows_are_scored_placed_and_drawn(fitted, table):
    assert fitted.score_samples(table.head(4)) == pytest.approx(
        logsumexp(fitted._draws.log_densities(table.head(4), range(120)), axis=0) - np.log(120)
    )
    assert fitted.predict_proba(table).sum(axis=1) == pytest.approx(1.0)
    assert (fitted.predict(table) == fitted.labels_).mean() > 0.95
    rows, labels = fitted.sample(40)
    assert list(rows.columns) == list(table.columns)
    assert rows.notna().all(axis=None)
    assert set(labels) <= {-1, 0, 1}
    assert rows.groupby(labels)["length"].mean().loc[[0, 1]].diff().abs().iloc[1] > 3
    assert all(drawn.notna().all(axis=None) for drawn in fitted.sample_tables(2, n_rows=20))


def test_the_tree_holds_the_selection_and_the_densities(fitted):
    tree = fitted.to_arviz(n_tables=0)
    assert tree["posterior"]["relevant"].mean(("chain", "draw")).values == pytest.approx(
        fitted.column_inclusion_["inclusion"].to_numpy()
    )
    values = tree["log_likelihood"]["x"].values.reshape(120, 50)
    assert np.isfinite(values).all()
    assert np.abs(values[7] - fitted._draws.leave_one_out(7)).max() < 1e-8


def test_a_run_cut_short_goes_on(table, tmp_path):
    X = table[["noise", "length"]]
    settings = dict(select_columns=True, checkpoint=tmp_path / "run.db", **SHORT)
    whole = pt.BayesianMixture("gaussian-diagonal", **settings).fit(X)
    again = pt.BayesianMixture("gaussian-diagonal", resume=True, **settings).fit(X)
    assert (again.posterior_.draws == whole.posterior_.draws).all()
    assert again.column_inclusion_.equals(whole.column_inclusion_)


@pytest.mark.parametrize("wrong", [0.0, 1.0, 2, "yes", None])
def test_probabilities_outside_the_unit_interval_are_refused(wrong, table):
    with pytest.raises((TypeError, ValueError), match="select_columns must"):
        pt.BayesianMixture("product", select_columns=wrong, **SHORT).fit(table)


def test_joint_columns_are_refused(table):
    with pytest.raises(ValueError, match="independent within a cluster"):
        pt.BayesianMixture("gaussian-full", select_columns=True, **SHORT).fit(table[["noise", "length"]])


def test_what_knows_nothing_of_selections_says_so(fitted, table):
    with pytest.raises(ValueError, match="select_columns must be False"):
        fitted.overlap()
    with pytest.raises(ValueError, match="select_columns must be False"):
        pt.sample_prior_tables(fitted, table)
    with pytest.raises(ValueError, match="sampler must be 'collapsed' with select_columns"):
        pt.BayesianMixture("product", select_columns=True, sampler="blocked", **SHORT).fit(table)


def test_figure_and_report_name_the_columns(fitted, table, tmp_path):
    title = pt.plot.plot_inclusion(fitted).get_title(loc="left").replace("\n", " ")
    assert title.startswith("2 of 5 columns are relevant with probability above one half: ")
    pt.write_report(fitted, tmp_path / "page.html", data=table)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Which columns matter" in page
    assert title in page
    pt.write_report(fitted.posterior_, tmp_path / "page.html")
    assert "Which columns matter" not in (tmp_path / "page.html").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="model must be a mixture fitted with select_columns"):
        pt.plot.plot_inclusion(fitted.posterior_)
