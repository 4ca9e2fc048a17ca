"""Sentences, by the numbers in them."""

import numpy as np
import pandas as pd
import pytest

import partita as pt
from partita.decide.words import (
    _range,
    count_clusters,
    distance,
    inclusion_in_words,
    loss_in_words,
    loss_name,
    n_clusters_in_words,
    partition_in_words,
    percentages,
    plural,
    size_range,
)


def labels_of(*sizes):
    return np.repeat(np.arange(len(sizes)), sizes)


@pytest.mark.parametrize(("count", "expected"), [(0, "0 items"), (1, "1 item"), (2, "2 items")])
def test_one_is_not_plural(count, expected):
    assert plural(count, "item") == expected


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ([1 / 3, 1 / 3, 1 / 3], [34, 33, 33]),
        ([0.005, 0.995], [1, 99]),
        ([0.29, 0.71], [29, 71]),  # though a hundred times 0.29 is less than 29
        ([0.126, 0.126, 0.748], [13, 12, 75]),
        ([1.0], [100]),
    ],
)
def test_percentages_add_up_to_a_hundred(shares, expected):
    assert percentages(np.array(shares)) == expected


def test_losses_are_named_in_full_and_in_bits_where_they_are():
    assert loss_in_words(pt.VariationOfInformation(), "0.5") == "variation of information is 0.5 bits"
    assert loss_in_words(pt.VariationOfInformation(base=3), "0.5") == "variation of information is 0.5"
    assert loss_in_words(pt.InformationDistance(), "1") == "information distance is 1 bits"
    assert loss_in_words(pt.Binder(), "0.1") == "Binder loss is 0.1"

    class Own:
        pass

    assert loss_in_words(Own(), "2") == "Own is 2"
    assert loss_name(pt.Binder()) == "binder"
    assert distance(pt.VariationOfInformation(), 1.256) == "1.26 bits"
    assert distance(pt.VariationOfInformation(base=3), 1.256) == "vi 1.26"
    assert distance(pt.Binder(), 0.123456) == "binder 0.123"


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [([3], "1 cluster of 3 items"), ([1, 1], "2 clusters of 1 item"), ([2, 5], "2 clusters of 2 to 5 items")],
)
def test_sizes_reach_from_the_smallest_to_the_largest(sizes, expected):
    assert size_range(labels_of(*sizes)) == expected


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([1], "1 item forms 1 cluster of 1 item."),
        ([6], "6 items form 1 cluster of 6 items."),
        ([2, 4], "6 items form 2 clusters of 4 and 2 items."),
        ([2, 4, 3], "9 items form 3 clusters of 4, 3 and 2 items."),
        ([2] * 8, "16 items form 8 clusters of 2, 2, 2, 2, 2, 2, 2 and 2 items."),
        ([2] * 9, "18 items form 9 clusters of 2 items."),
        ([9, 10, 1], "20 items form 2 clusters of 10 and 9 items, and 1 item apart."),
        ([9, 9, 1, 1], "20 items form 2 clusters of 9 and 9 items, and 2 items apart."),  # a tenth
        ([8, 9, 1, 1, 1], "20 items form 5 clusters of 9, 8, 1, 1 and 1 items."),  # more than a tenth
        ([100, 97, 3], "200 items form 2 clusters of 100 and 97 items, and 3 items apart."),
        ([100, 96, 4], "200 items form 3 clusters of 100, 96 and 4 items."),  # a fiftieth is a cluster
        ([98, 2], "100 items form 2 clusters of 98 and 2 items."),
        ([19, 1], "20 items form 1 cluster of 19 items, and 1 item apart."),
        ([1, 1, 1], "3 items form 3 clusters of 1, 1 and 1 items."),
    ],
)
def test_a_partition_is_told_by_its_sizes_and_few_items_apart(sizes, expected):
    assert partition_in_words(labels_of(*sizes)) == expected


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ([0.5, 0.2], "0 of 2 columns are relevant with probability above one half"),
        ([0.6], "1 of 1 column is relevant with probability above one half: c0"),
        ([0.6, 0.1, 0.9], "2 of 3 columns are relevant with probability above one half: c2, c0"),
        ([0.9] * 8, "8 of 8 columns are relevant with probability above one half: c0, c1, c2, c3, c4, c5, c6, c7"),
        ([0.9] * 9, "9 of 9 columns are relevant with probability above one half: c0, c1, c2, c3, c4, c5, c6, c7, ..."),
    ],
)
def test_columns_more_likely_relevant_than_not_are_named(shares, expected):
    assert inclusion_in_words(pd.Series(shares, index=[f"c{i}" for i in range(len(shares))])) == expected


def test_numbers_of_clusters_have_the_weight_of_their_draws():
    post = pt.PartitionPosterior([[0, 1, 1], [0, 1, 2], [0, 0, 1]], weights=[0.5, 0.2, 0.3])
    numbers, probabilities = count_clusters(post)
    assert numbers.tolist() == [2, 3]
    assert probabilities == pytest.approx([0.8, 0.2])


@pytest.mark.parametrize(
    ("probabilities", "expected"),
    [
        ([0.96, 0.04], "3 clusters with probability 0.96"),
        ([0.95, 0.05], "3 clusters with probability 0.95"),
        ([0.94, 0.06], "3 clusters with probability 0.94; 3 to 4 with 0.95 or more"),
        ([0.02, 0.5, 0.46, 0.02], "4 clusters with probability 0.50; 4 to 5 with 0.95 or more"),
        ([1.0], "3 clusters with probability 1.00"),
    ],
)
def test_the_shortest_range_that_holds_enough_is_told(probabilities, expected):
    assert n_clusters_in_words(np.arange(3, 3 + len(probabilities)), np.array(probabilities)) == expected


def test_of_equally_short_ranges_the_one_that_holds_more_is_taken():
    assert _range(np.array([0.3, 0.3, 0.4]), 0.6) == (1, 2)
    assert _range(np.array([0.4, 0.3, 0.3]), 0.6) == (0, 1)
    assert _range(np.array([0.1, 0.8, 0.1]), 1.0) == (0, 2)
