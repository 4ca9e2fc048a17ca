import pytest

from partita._validation import magnitude


@pytest.mark.parametrize("count", [0, 151, 4140, 10**15 - 1])
def test_counts_that_can_be_read_are_written_out(count):
    assert magnitude(count) == str(count)


@pytest.mark.parametrize("count", [10**15, 2**64, 3**200, 10**400])
def test_larger_counts_are_told_by_a_power_of_ten_below_them(count):
    power = int(magnitude(count).removeprefix("more than 10^"))
    assert 10**power < count <= 10 ** (power + 1)
