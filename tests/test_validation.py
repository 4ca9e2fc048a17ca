import math

import numpy as np
import pandas as pd
import psutil
import pytest

from partita import _validation as door
from partita._validation import magnitude


@pytest.mark.parametrize("count", [0, 151, 4140, 10**15 - 1])
def test_counts_that_can_be_read_are_written_out(count):
    assert magnitude(count) == str(count)


@pytest.mark.parametrize("count", [10**15, 2**64, 3**200, 10**400])
def test_larger_counts_are_told_by_a_power_of_ten_below_them(count):
    power = int(magnitude(count).removeprefix("more than 10^"))
    assert 10**power < count <= 10 ** (power + 1)


@pytest.mark.parametrize(
    ("check", "largest"),
    [
        (door.check_labels, 2147483647),
        (lambda value: door.check_count("n", value[1]), 2147483647),
        (lambda value: door.check_jobs(value[1]), 10000),
        (lambda value: door.check_count("n", value[1], most=door.MOST_DRAWS), 100000000),
        (lambda value: door.check_count("n", value[1], most=door.MOST_RUNS), 100000),
        (lambda value: door.check_rng(value[1]), 340282366920938463463374607431768211455),
    ],
    ids=["labels", "counts", "jobs", "draws", "runs", "seeds"],
)
def test_the_largest_number_passes_and_the_next_does_not(check, largest):
    check([0, largest])
    with pytest.raises(ValueError, match="must be at most"):
        check([0, largest + 1])


@pytest.mark.parametrize("least", [0, 1, 5])
def test_the_least_count_passes_and_the_one_below_does_not(least):
    assert door.check_count("n", np.int8(least), least=least) == least
    for wrong in (least - 1, float(least), True):
        with pytest.raises(ValueError, match=f"n must be a whole number of at least {least}: got"):
            door.check_count("n", wrong, least=least)


def test_at_least_one_is_counted_and_jobs_may_be_minus_one():
    assert door.check_count("n", 1) == 1
    assert door.check_jobs(-1) == -1
    for check, wrong in ((lambda n: door.check_count("n", n), 0), (door.check_jobs, 0), (door.check_jobs, -2)):
        with pytest.raises(ValueError, match="at least 1"):
            check(wrong)


def test_seeds_are_from_zero_on_and_generators_pass():
    rng = np.random.default_rng(0)
    assert door.check_rng(rng) is rng
    assert door.check_rng(0).random() == np.random.default_rng(0).random()
    with pytest.raises(ValueError, match="at least 0: got -1"):
        door.check_rng(-1)


def test_numbers_between_two_ends_include_both():
    assert [door.check_between("x", value, 0.2, 3) for value in (0.2, 3)] == [0.2, 3.0]
    for wrong in (0.19, 3.01, math.nan, "1"):
        with pytest.raises(ValueError, match=r"x must lie between 0\.2 and 3: got"):
            door.check_between("x", wrong, 0.2, 3)


@pytest.mark.parametrize(
    ("level", "hint"),
    [
        (0, ""), (1, ""), (1.0, ""), (True, ""), (-0.1, ""), (100, ""), (150, ""),
        (95, " Did you mean 0.95?"), (1.5, " Did you mean 0.015?"), (99.9, " Did you mean 0.999?"),
    ],
)  # fmt: skip
def test_levels_lie_strictly_between_and_only_percentages_are_guessed(level, hint):
    with pytest.raises(ValueError) as error:
        door.check_level(level)
    assert str(error.value) == f"level must lie strictly between 0 and 1: got {level!r}.{hint}"
    assert door.check_level(0.999) == 0.999


def test_bases_are_greater_than_one():
    assert door.check_base(1.5) == 1.5
    for wrong in (1, 1.0, 0.5, math.inf, True, "2"):
        with pytest.raises(ValueError, match="base must be a finite number greater than 1"):
            door.check_base(wrong)


def test_positive_numbers_are_above_zero():
    door.check_positive("x", 0.5)
    door.check_positive("x", 1e-300)
    for wrong in (0, 0.0, -1, math.nan, math.inf, True, 10**400, "1"):
        with pytest.raises(ValueError, match="x must be a positive number"):
            door.check_positive("x", wrong)


def test_numbers_keep_the_rule_they_are_given():
    assert door.check_number("x", 2, "be even", lambda value: value % 2 == 0) == 2.0
    for wrong in (3, math.inf):
        with pytest.raises(ValueError, match=f"x must be even: got {wrong}"):
            door.check_number("x", wrong, "be even", lambda value: value % 2 == 0)


def test_numbers_are_copied_where_they_are_changed():
    values = np.array([1.0, 2.0])
    assert door.check_numbers("x", values) is not values
    assert door.check_numbers("x", values, own=False) is values
    with pytest.raises(ValueError, match="x must be numbers: got"):
        door.check_numbers("x", ["a"])


def test_words_that_are_near_a_choice_are_suggested():
    assert door.check_choice("loss", "vi", ["vi", "binder"]) == "vi"
    with pytest.raises(ValueError) as error:
        door.check_choice("loss", "Bindr", ["vi", "binder"])
    assert str(error.value) == "loss must be one of binder, vi: got 'Bindr'. Did you mean 'binder'?"


def test_squares_of_numbers_can_be_written():
    X = np.array([[1.0, -1e150], [np.nan, np.inf]])
    door.check_squares(X)
    X[1, 0] = -1.1e150
    with pytest.raises(ValueError, match=r"at most 1e\+150: got -1\.1e\+150 in row 1, column 0"):
        door.check_squares(X)


def test_memory_is_asked_for_beyond_a_little(monkeypatch):
    class Free:
        available = 2**24 - 10

    monkeypatch.setattr(psutil, "virtual_memory", Free)
    door.check_memory(2**24, "A table", "Do less.")
    with pytest.raises(MemoryError) as error:
        door.check_memory(2**24 + 1, "A table", "Do less.")
    assert str(error.value) == "A table would take 0.0 GB and 0.0 GB are free. Do less."
    Free.available = 123 * 10**9
    door.check_memory(Free.available, "A table", "Do less.")
    for n_bytes, needed in (
        (123_460_000_001, "123.5"),
        (10**15 - 1, "1000000.0"),
        (10**15, "1000000"),
        (10**26, "more than 10^16"),
    ):
        with pytest.raises(MemoryError) as error:
            door.check_memory(n_bytes, "A table", "Do less.")
        assert str(error.value) == f"A table would take {needed} GB and 123.0 GB are free. Do less."


@pytest.mark.parametrize(("length", "shown"), [(78, 80), (79, 80), (200, 80), (3, 5)])
def test_values_are_shown_in_eighty_characters(length, shown):
    text = door.shorten("a" * length)
    assert len(text) == shown
    assert text.endswith("...") == (length > 78)
    assert door.shorten(10**5000) == "a int too long to print"


@pytest.mark.parametrize(
    ("draws", "got"),
    [
        (5, r"must be a \(n_draws, n_items\) array: got 0 dimension\(s\)\.$"),
        ([0, 1], r"must be a \(n_draws, n_items\) array: got 1 dimension\(s\)\. One clustering alone"),
        ([[[0]]], r"got 3 dimension\(s\)\.$"),
        (np.zeros((0, 3)), r"at least one draw of at least one item: got shape \(0, 3\)"),
        ([[0, 1], [0]], "must all label the same items: got 2 labels in draw 0 and 1 in draw 1"),
        ([[0, 1], [0, -1]], r"not be negative: got -1 for draw 1, item 1\. Noise .* Pass missing=-1\.$"),
        ([[0, 1.0], [0.5, 0]], r"be whole numbers: got 0\.5 for draw 1, item 0\.$"),
        ([[0, 1], [0, np.nan]], r"not have missing values: got nan for draw 1, item 1\.$"),
        ([[0, 1], [0, None]], r"must not have missing values: got nan for draw 1, item 1\.$"),
        ([[0, 1], [{}, 0]], r"must be whole numbers: got {} for draw 1, item 0\.$"),
        ([[0, 10**400]], "at most 2147483647: got a number too long to print"),
        ([[0, 1], [2**31, 2]], r"be at most 2147483647: got 2147483648 for draw 1, item 0\. Are these labels\?$"),
        ([["a", "b"]], r"must be whole numbers: got values of type <U1, such as .*'a'"),
        (np.ma.masked_equal([[0, 9]], 9), "must not have missing values: got masked ones"),
    ],
)
def test_what_is_wrong_with_draws_is_said_with_its_place(draws, got):
    with pytest.raises(ValueError, match=got):
        door.check_draws(draws)


@pytest.mark.parametrize(
    ("labels", "got"),
    [
        ([[0, 1]], r"labels must be a vector with one label per item: got 2 dimension\(s\)"),
        ([], "labels must label at least one item: got none"),
        ([0, 1], "labels must label the same 3 items: got 2 labels"),
        ([0, 1, -1], r"labels must not be negative: got -1 for item 2\. Noise is not a cluster: .* of its own\.$"),
    ],
)
def test_what_is_wrong_with_labels_is_said_with_its_place(labels, got):
    with pytest.raises(ValueError, match=got):
        door.check_labels(labels, n_items=3)


def test_partitions_of_other_items_are_not_compared():
    assert [list(labels) for labels in door.check_same_items(a=[5, 5, 2], b=[0, 1, 0])] == [[0, 0, 1], [0, 1, 0]]
    with pytest.raises(ValueError, match="a and b must label the same items: got 3 and 2 labels"):
        door.check_same_items(a=[5, 5, 2], b=[0, 1])


@pytest.mark.parametrize(
    ("draws", "dtype"),
    [
        ([[7, 7, 3], [0, 1, 1]], np.uint8),
        ([np.arange(256) + 5], np.uint8),
        ([np.arange(257)], np.uint16),
        ([[2000, 2000, 5], [5, 2000, 9]], np.uint8),
        ([[0.0, 70000.0, 70000.0]], np.uint8),
        (np.array([[3, 3, 900]], ">i4"), np.uint8),
    ],
)
def test_draws_are_canonical_in_the_smallest_type(draws, dtype):
    rows = door.check_draws(draws)
    assert rows.dtype == dtype
    for row, given in zip(rows, np.asarray(draws), strict=True):
        codes = {}
        assert list(row) == [codes.setdefault(label, len(codes)) for label in given]


@pytest.mark.parametrize("missing", [-1, math.nan, 9])
def test_items_left_out_of_a_draw_are_labeled_minus_one(missing):
    rows = door.check_draws([[missing, 4, 4, 2], [1, missing, 0, 1]], missing=missing)
    assert rows.dtype == np.int8
    assert rows.tolist() == [[-1, 0, 0, 1], [0, -1, 1, 0]]
    for wrong, got in (
        ([[0, 1], [missing, missing]], "got draw 1, which leaves out all"),
        ([[0, missing], [1, missing]], "got none that holds item 1"),
    ):
        with pytest.raises(ValueError, match=got):
            door.check_draws(wrong, missing=missing)


@pytest.mark.parametrize(("n_clusters", "dtype"), [(127, np.int8), (128, np.int8), (129, np.int16)])
def test_draws_with_items_left_out_are_in_the_smallest_signed_type(n_clusters, dtype):
    rows = door.check_draws([[*range(n_clusters), -1], [*range(n_clusters), 0]], missing=-1)
    assert rows.dtype == dtype
    assert rows[0].tolist() == [*range(n_clusters), -1]


def test_items_count_as_often_as_their_weights_say():
    assert door.check_item_weights(None, 2) is None
    assert door.check_item_weights([0, 0.5], 2).tolist() == [0.0, 0.5]
    for wrong, got in (
        ([1], "must be 2 numbers, one per item"),
        (["a", "b"], "must be 2 numbers, one per item"),
        ([0, 0], r"not all zero: got array\(\[0, 0\]\)"),
        ([1, -1], r"not negative and not all zero: got array\(\[-1\]\)"),
        ([1, np.inf], "must be finite weights"),
    ):
        with pytest.raises(ValueError, match=got):
            door.check_item_weights(wrong, 2)
    with pytest.raises(ValueError, match=r"got array\(\[-1, -2, -3\]\)\.$"):
        door.check_item_weights([-1, -2, -3, -4], 4)


def test_names_of_items_are_distinct_and_written_as_they_are():
    assert door.check_names([1, "b"], 2) == ("1", "b")
    for wrong, got in (
        (5, "one name per item, 2 in all: got 5"),
        (["a"], "one name per item, 2 in all: got 1"),
        (["a", "a"], "must be distinct: got 'a' twice"),
        (["a", ""], "not empty"),
        (["a", ".chain"], "got '.chain'"),
        (["a", ".12"], "got '.12'"),
        (["a", "b\0"], "not empty"),
    ):
        with pytest.raises(ValueError, match=got):
            door.check_names(wrong, 2)


def test_tables_have_rows_and_columns():
    assert door.as_table([[1, 2]]).shape == (1, 2)
    assert np.isnan(door.as_table(np.ma.masked_equal([[1, 9]], 9))).tolist() == [[False, True]]
    assert door.as_table(pd.DataFrame({"x": pd.array([1, None], dtype="Int64")}))[0, 0] == 1
    for wrong, got in (
        ([1.0, 2.0], r"rows and columns: got 1 dimension\(s\)"),
        (np.zeros((0, 2)), r"got 0 sample\(s\) \(shape=\(0, 2\)\)"),
        (np.zeros((2, 0)), r"got 0 feature\(s\) \(shape=\(2, 0\)\)"),
        (np.array([[1j]]), "real numbers: got complex128"),
        ([[1], [1, 2]], "rows of equal length"),
    ):
        with pytest.raises(ValueError, match=got):
            door.as_table(wrong)


def test_items_are_named_by_an_index_that_says_more_than_their_places():
    assert door.item_names(pd.DataFrame({"x": [1, 2]}, index=["a", "b"])) == ["a", "b"]
    assert door.item_names(pd.DataFrame({"x": [1, 2]}, index=[1, 0])) == ["1", "0"]
    assert door.item_names(pd.DataFrame({"x": [1, 2]}, index=["a", "a"])) is None
    assert door.item_names(pd.DataFrame({"x": [1, 2]})) is None
    assert door.item_names(np.zeros((2, 1))) is None
    assert door.item_names([[1]]) is None


def test_words_among_numbers_are_found():
    assert door.unmasked(np.array([["1", "2.5"]])).tolist() == [["1", "2.5"]]
    with pytest.raises(ValueError, match=r"X must hold numbers: got .*'a'"):
        door.unmasked(np.array([["1", "a"]]))


def test_only_what_a_computer_can_hold_is_finite():
    assert door.is_finite(1)
    assert door.is_finite(np.float32(2.5))
    assert not any(map(door.is_finite, (10**400, math.nan, math.inf, True, "1", None)))
    assert door.is_number("1.5")
    assert not door.is_number("x")
    assert not door.is_number(None)
