"""Arrays inside kernels as an address and a shape."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import njit, types
from numba.core.errors import TypingError

from partita._kernels._lean import LeanArray, lean, lean_type


class Pair(NamedTuple):
    first: Any
    second: Any


@njit
def visit(line, table, cube, out):
    """All ways to read and write, each at another place."""
    line, table, cube, out = lean((line, table, cube, out))
    out[0] = line[3] + table[1, 2] + cube[1, 2, 3]
    row, plane = table[1], cube[1]
    out[1] = row[0] + plane[2, 1] + plane[0][2] + cube[0, 1][3]
    row[2] += 0.5
    cube[1, 0, 1] -= 1
    out[2] = len(table) + 10 * table.size + 100 * cube.size + 1000 * plane.size
    n, m = row.size, cube.shape
    return n, m, table.shape, cube[1].shape


def test_elements_rows_and_shapes_are_those_of_the_array():
    rng = np.random.default_rng(0)
    line, table, cube, out = rng.normal(size=5), rng.normal(size=(2, 3)), rng.integers(9, size=(2, 3, 4)), np.zeros(3)
    before, cells = table.copy(), cube.copy()
    assert visit(line, table, cube, out) == (3, (2, 3, 4), (2, 3), (3, 4))
    assert out[0] == line[3] + before[1, 2] + cells[1, 2, 3]
    assert out[1] == before[1, 0] + cells[1, 2, 1] + cells[1, 0, 2] + cells[0, 1, 3]
    assert out[2] == 2 + 10 * 6 + 100 * 24 + 1000 * 12
    assert table[1, 2] == before[1, 2] + 0.5
    assert cube[1, 0, 1] == cells[1, 0, 1] - 1
    table[1, 2], cube[1, 0, 1] = before[1, 2], cells[1, 0, 1]
    assert (table == before).all()
    assert (cube == cells).all()


@pytest.mark.parametrize("kind", [np.bool_, np.uint8, np.int32, np.uint64, np.float32])
def test_numbers_of_every_kind_are_written_as_they_are(kind):
    @njit
    def copy(source, target):
        source, target = lean((source, target))
        for i in range(source.size):
            target[i] = source[i]

    source = np.array([0, 1, 1, 0, 1], kind)
    target = np.full(5, 7).astype(kind)
    copy(source, target)
    assert (target == source).all()


def test_tuples_keep_their_form_and_what_is_no_array():
    @njit
    def add(given):
        pair, (number, alone), several = lean(given)
        return pair.first[1] + pair.second.second[2] * pair.second.first + number + alone[0] + several[1][0]

    pair = Pair(np.array([1.0, 2.0]), Pair(10.0, np.array([1, 2, 3])))
    assert add((pair, (5, np.array([7.0])), (np.array([1.0]), np.array([100.0])))) == 2 + 30 + 5 + 7 + 100


def test_to_python_nothing_changes():
    pair = Pair(np.zeros(2), None)
    assert lean(pair) is pair


def test_arrays_that_are_not_contiguous_stay_as_they_are():
    @njit
    def total(table):
        table = lean(table)
        return table[1, 1] + table[0, 1]

    table = np.arange(12.0).reshape(3, 4)
    assert total(table[:, ::2]) == 6 + 2
    assert total(table.T) == 5 + 4
    assert lean_type(types.Array(types.float64, 2, "A")) == types.Array(types.float64, 2, "A")


@pytest.mark.parametrize("wrong", ["write", "slice", "too many", "number"])
def test_what_lean_arrays_cannot_do_is_not_compiled(wrong):
    @njit
    def use(table):
        table = lean(table)
        if wrong == "write":
            table[0, 0] = 1.0
        elif wrong == "slice":
            return table[0, 1:].size
        elif wrong == "too many":
            return table[0, 0, 0]
        elif wrong == "number":
            return table[0.0, 0]
        return 0

    table = np.zeros((2, 2))
    table.flags.writeable = wrong != "write"
    with pytest.raises(TypingError):
        use(table)


def test_types_differ_by_number_dimension_and_whether_they_are_written_to():
    known = {
        LeanArray(dtype, ndim, mutable)
        for dtype in (types.int64, types.float64)
        for ndim in (1, 2)
        for mutable in (False, True)
    }
    assert len(known) == 8
    assert lean_type(types.float64[:, ::1]) == LeanArray(types.float64, 2, True)
    assert lean_type(types.Array(types.int64, 1, "C", readonly=True)) == LeanArray(types.int64, 1, False)
