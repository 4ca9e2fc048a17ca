import math
from itertools import product
from types import SimpleNamespace

import naive
import numpy as np
import pytest
from sklearn import metrics

import partita as pt
from partita.losses import LOSSES, check_loss

PAIRS = [pair for n in range(1, 6) for pair in product(naive.all_partitions(n), repeat=2)]

DEFINITIONS = [
    (pt.VariationOfInformation(), naive.variation_of_information),
    (pt.VariationOfInformation(a=0.3), lambda c, e: naive.variation_of_information(c, e, 0.3)),
    (pt.VariationOfInformation(base=math.e), lambda c, e: naive.variation_of_information(c, e) * math.log(2)),
    (pt.VariationOfInformationBound(), naive.variation_of_information),
    (pt.Binder(), naive.binder),
    (pt.Binder(a=1.7), lambda c, e: naive.binder(c, e, 1.7)),
    (pt.AdjustedRand(), naive.adjusted_rand),
    (pt.InformationDistance(), lambda c, e: max(naive.entropy(c), naive.entropy(e)) - naive.mutual_information(c, e)),
    (pt.Misclassification(), naive.misclassification),
    (pt.ZeroOne(), lambda c, e: float((c != e).any())),
]


@pytest.mark.parametrize(("loss", "definition"), DEFINITIONS, ids=[repr(loss) for loss, _ in DEFINITIONS])
def test_loss_follows_its_definition(loss, definition):
    for truth, estimate in PAIRS:
        assert loss.between(truth, estimate) == pytest.approx(definition(truth, estimate), abs=1e-12)


def test_normalized_losses_divide_by_joint_and_by_larger_entropy():
    for truth, estimate in PAIRS:
        information = naive.mutual_information(truth, estimate)
        joint = naive.entropy(naive.meet(truth, estimate))
        larger = max(naive.entropy(truth), naive.entropy(estimate))
        nvi = 1 - information / joint if joint else 0.0
        nid = 1 - information / larger if larger else 0.0
        assert pt.NormalizedVariationOfInformation().between(truth, estimate) == pytest.approx(nvi, abs=1e-12)
        assert pt.NormalizedInformationDistance().between(truth, estimate) == pytest.approx(nid, abs=1e-12)


def test_adjusted_rand_is_scikit_learns():
    for truth, estimate in PAIRS[::17]:
        ari = metrics.adjusted_rand_score(truth, estimate)
        assert pt.AdjustedRand().between(truth, estimate) == pytest.approx(1 - ari, abs=1e-12)


def test_normalized_information_distance_is_scikit_learns_nmi_with_max():
    for truth, estimate in PAIRS[::17]:
        nmi = metrics.normalized_mutual_info_score(truth, estimate, average_method="max")
        # scikit-learn calls a trivial partition unlike any other; so do we, and like itself.
        assert pt.NormalizedInformationDistance().between(truth, estimate) == pytest.approx(1 - nmi, abs=1e-9)


def test_paper_example_of_four_items():
    c, other = [0, 0, 1, 1], [0, 1, 2, 1]
    assert pt.VariationOfInformation().between(c, other) == 1.5
    assert pt.Binder().between(c, other) == 0.375


def test_asymmetry_weighs_the_two_mistakes():
    together, apart = [0, 0, 0], [0, 1, 2]
    assert pt.Binder(a=1.5).between(truth=together, estimate=apart) == pytest.approx(1.5 * 2 / 3)
    assert pt.Binder(a=1.5).between(truth=apart, estimate=together) == pytest.approx(0.5 * 2 / 3)
    assert pt.VariationOfInformation(a=1.5).between(together, apart) == pytest.approx(1.5 * math.log2(3))
    assert pt.VariationOfInformation(a=1.5).between(apart, together) == pytest.approx(0.5 * math.log2(3))


@pytest.mark.parametrize("name", LOSSES)
def test_per_draw_is_between_for_each_draw_and_expected_their_weighted_mean(name):
    rng = np.random.default_rng(3)
    loss, weights = check_loss(name), rng.random(40)
    draws, labels = naive.random_draws(rng, 40, 9, 4), rng.integers(3, size=9)
    post = pt.PartitionPosterior(draws, weights)
    one_by_one = [loss.between(draw, labels) for draw in draws]
    assert loss.per_draw(labels, post) == pytest.approx(one_by_one)
    if name != "vi-bound":
        assert loss.expected(labels, post) == pytest.approx(np.average(one_by_one, weights=weights))
        assert loss.expected(labels, post.collapse()) == pytest.approx(loss.expected(labels, post))


def test_vi_bound_follows_its_definition_and_lies_below_the_expected_vi():
    rng = np.random.default_rng(4)
    for _ in range(100):
        draws, labels = naive.random_draws(rng, 12, 7, 4), rng.integers(3, size=7)
        post = pt.PartitionPosterior(draws)
        bound = pt.VariationOfInformationBound().expected(labels, post)
        assert bound == pytest.approx(naive.expected_vi_bound(labels, draws))
        assert bound <= pt.VariationOfInformation().expected(labels, post) + 1e-12


def test_vi_bound_may_be_negative_but_is_a_loss_between_two_partitions():
    extremes = pt.PartitionPosterior([[0] * 64, range(64)])
    bound = pt.VariationOfInformationBound()
    assert bound.expected([0] * 64, extremes) == pytest.approx(naive.expected_vi_bound(np.zeros(64), extremes.draws))
    assert bound.expected([0] * 64, extremes) == pytest.approx(-1.0447, abs=5e-5)
    assert bound.between([0] * 64, range(64)) == 6


@pytest.mark.parametrize("name", LOSSES)
def test_no_loss_between_partitions_is_negative(name):
    rng = np.random.default_rng(6)
    post = pt.PartitionPosterior(naive.random_draws(rng, 100, 50, 11))
    assert min(check_loss(name).per_draw(draw, post).min() for draw in post.draws) >= 0


def test_vi_bound_reference_value():
    post = pt.PartitionPosterior([[0, 0, 0, 0], [0, 1, 2, 3]])
    assert pt.VariationOfInformationBound().expected([0, 0, 1, 1], post) == pytest.approx(0.8301, abs=5e-5)
    assert pt.VariationOfInformationBound(base=math.e).expected([0, 0, 1, 1], post) == pytest.approx(
        0.8301 * math.log(2), abs=5e-5
    )


def test_misclassification_agrees_with_scipy_on_large_tables():
    from scipy.optimize import linear_sum_assignment

    rng = np.random.default_rng(5)
    for n_truth, n_estimate in [(3, 20), (20, 3), (15, 15), (1, 6), (60, 60)]:
        truth, estimate = rng.integers(n_truth, size=200), rng.integers(n_estimate, size=200)
        table = metrics.cluster.contingency_matrix(truth, estimate)
        agree = table[linear_sum_assignment(table, maximize=True)].sum()
        assert pt.Misclassification().between(truth, estimate) == pytest.approx(1 - agree / 200)


def test_names_give_losses_and_near_names_are_suggested():
    assert check_loss("VI") == pt.VariationOfInformation()
    with pytest.raises(ValueError, match=r"loss must be one of .*: got 'bindr'. Did you mean 'binder'\?"):
        check_loss("bindr")
    with pytest.raises(TypeError, match="loss must be a loss or the name of one"):
        check_loss(pt.Binder)
    with pytest.raises(ValueError, match="Did you mean 'adjusted-rand'"):
        check_loss("adjusted_rand")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pt.Binder(a=3), "a must lie between 0 and 2: got 3."),
        (lambda: pt.VariationOfInformation(a=math.nan), "a must lie between 0 and 2: got nan."),
        (lambda: pt.VariationOfInformation(base=1), "base must be a finite number greater than 1: got 1."),
        (lambda: pt.VariationOfInformationBound(base="e"), "base must be a finite number greater than 1: got 'e'."),
        (lambda: pt.Binder(a="1"), "a must lie between 0 and 2: got '1'."),
        (lambda: pt.Binder(a=None), "a must lie between 0 and 2: got None."),
        (lambda: pt.Binder().between([0, 1], [0]), "truth and estimate must label the same items: got 2 and 1"),
        (
            lambda: pt.Binder().expected([0, 1], pt.PartitionPosterior([[0, 1, 2]])),
            "labels must label the same 3 items: got 2 labels.",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("loss", [pt.Binder(), pt.VariationOfInformationBound()], ids=repr)
def test_an_expectation_is_over_whatever_holds_draws(loss):
    draws = [[0, 0, 1], [0, 1, 1]]
    fitted = SimpleNamespace(fit=print, posterior_=pt.PartitionPosterior(draws))
    assert loss.expected([0, 0, 1], fitted) == loss.expected([0, 0, 1], draws)
    assert (loss.per_draw([0, 0, 1], fitted) == loss.per_draw([0, 0, 1], draws)).all()
    with pytest.raises(ValueError, match="posterior must be fitted and have draws, as posterior_: got"):
        loss.expected([0, 0, 1], pt.BayesianMixture())


class PerItem(pt.TableSumLoss):
    """A loss of one's own, whose formula depends on the number of items."""

    def phi(self, n_items):
        return np.arange(n_items + 1.0) ** 2 / n_items

    def combine(self, in_truth, in_estimate, in_both, n_items):
        return (in_truth + in_estimate - 2 * in_both) / n_items


@pytest.mark.parametrize("loss", [*map(check_loss, LOSSES), PerItem()], ids=lambda loss: type(loss).__name__)
def test_the_loss_of_a_draw_that_leaves_items_out_is_that_of_the_items_it_holds(loss):
    draws = np.array([[0, 0, 1, 1, 2], [0, -1, 1, 0, -1], [-1, 0, 1, 2, 2], [0, 0, 0, -1, 1]])
    labels = np.array([0, 1, 1, 2, 0])
    expected = [loss.between(draw[draw >= 0], labels[draw >= 0]) for draw in draws]
    assert loss.per_draw(labels, pt.PartitionPosterior(draws, missing=-1)) == pytest.approx(expected)


def test_the_vi_bound_leaves_out_items_that_no_draw_of_any_weight_holds():
    draws, weights = [[0, 0, 1, 1, -1], [0, 1, 1, 0, -1], [0, 0, 0, 0, 0]], [1, 3, 0]
    bound = pt.VariationOfInformationBound()
    without = bound.expected([0, 0, 1, 0], pt.PartitionPosterior([row[:4] for row in draws], weights))
    whole = bound.expected([0, 0, 1, 0, 1], pt.PartitionPosterior(draws, weights, missing=-1))
    assert whole == pytest.approx(without)


@pytest.mark.parametrize("phi", [np.arange(3.0), np.arange(5.0), np.arange(1.0, 5.0)])
def test_phi_has_a_value_for_each_count_and_none_at_zero(phi):
    class Wrong(pt.TableSumLoss):
        def phi(self, n_items):  # noqa: ARG002
            return phi

    with pytest.raises(ValueError, match="phi must be 4 numbers, the first of them 0: got"):
        Wrong().between([0, 0, 1], [0, 1, 1])


def test_a_function_of_the_table_sees_one_row_and_one_column_per_cluster():
    seen = []
    pt.TableLoss(lambda table: seen.append(table) or 0.0).between([0, 0, 1, 1, 2], [0, 1, 1, 1, 1])
    assert [table.tolist() for table in seen] == [[[1, 1], [0, 2], [0, 1]]]


def test_a_table_of_clusters_too_large_to_hold_is_refused(monkeypatch):
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=1000))
    monkeypatch.setattr("partita._validation.LITTLE", 0)
    with pytest.raises(MemoryError, match="The table of 20 by 20 clusters would take"):
        pt.Misclassification().between(range(20), range(20))
    assert pt.Misclassification().between([0, 1], [0, 1]) == 0
