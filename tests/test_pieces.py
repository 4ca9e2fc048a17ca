"""Functions that only kernels call are compiled as pieces of them."""

import gc
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit
from numba.core.compiler import Compiler
from numba.core.errors import TypingError

from partita._kernels._jit import SharedKernel, by_type, inlined, inner, inner_options, kernel
from partita._kernels._pieces import (
    ApartCompiler,
    KernelCompiler,
    Piece,
    PieceCompiler,
    Whole,
    apart_options,
    kernel_options,
    overload_as_piece,
)


@inner
def halve(x):
    return x / 2


@inlined
def quarter(x):
    return halve(halve(x))


@SharedKernel
def double(x):
    return 2 * x


def add_halves(values):
    total = 0.0
    for x in values:
        total += halve(x) + quarter(x) + double(x)
    return total


def template_of(function):
    """What numba keeps of a function that kernels call."""
    target = njit(lambda: None).targetdescr.typing_context
    target.refresh()
    return target._lookup_global(function).templates[0]


def test_a_kernel_made_of_pieces_computes_the_same():
    values = np.arange(10.0)
    assert njit(add_halves)(values) == add_halves(values) == 123.75


def test_a_piece_has_no_machine_code_and_a_kernel_has():
    piece, whole = njit(halve, pipeline_class=PieceCompiler), njit(halve, pipeline_class=KernelCompiler)
    for dispatcher in (piece, whole):
        dispatcher.compile("float64(float64)")
    (made,), (machine,) = piece.overloads.values(), whole.overloads.values()
    assert isinstance(made.library, Piece)
    assert made.library.get_pointer_to_function(made.fndesc.llvm_cpython_wrapper_name) == 0
    assert machine.library.get_pointer_to_function(machine.fndesc.llvm_cpython_wrapper_name) != 0


def test_a_kernel_is_optimized_once_as_a_whole():
    whole = njit(add_halves, pipeline_class=KernelCompiler)
    whole(np.arange(3.0))
    (made,) = whole.overloads.values()
    assert isinstance(made.library, Whole)
    text = made.library.get_llvm_str()
    assert "halve" not in text.split("define", 1)[1].replace("add_halves", "")  # all that it calls is inside


class Meters(NamedTuple):
    length: float


class Feet(NamedTuple):
    length: float


def from_meters(data, factor):
    return data.length * factor


def from_feet(data, factor):
    return 0.3048 * data.length * factor


@by_type({Meters: from_meters, Feet: from_feet}.__getitem__, **inner_options)
def meters(data, factor):
    """Length in meters, times a factor."""


def test_functions_are_chosen_by_type_in_python_and_in_kernels():
    @njit
    def both(one, other):
        return meters(one, 2.0) + meters(other, 1.0)

    assert both(Meters(1.0), Feet(10.0)) == meters(Meters(1.0), 2.0) + meters(Feet(10.0), 1.0) == 5.048
    assert meters.__doc__ == "Length in meters, times a factor."


def test_a_type_without_a_function_is_not_compiled():
    class Miles(NamedTuple):
        length: float

    with pytest.raises(KeyError):
        meters(Miles(1.0), 1.0)
    with pytest.raises(KeyError, match="Miles"):
        njit(lambda data: meters(data, 1.0))(Miles(1.0))


def test_a_piece_is_compiled_once_whoever_calls_it():
    njit(add_halves)(np.arange(3.0))
    njit(add_halves, fastmath=True)(np.arange(3.0))
    assert len(template_of(halve)._impl_cache) == 1


def test_functions_of_numba_are_pieces_of_our_kernels_alone():
    usual = Compiler.define_pipelines

    def zeros(n):
        return np.zeros(n, np.int16).sum()

    assert kernel(zeros)(3) == njit(zeros)(3) == 0
    assert Compiler.define_pipelines is usual
    with pytest.raises(TypingError, match="unknown"):
        kernel(lambda n: n + unknown)(3)  # noqa: F821
    assert Compiler.define_pipelines is usual


def test_a_shared_kernel_is_a_piece_to_kernels():
    njit(add_halves)(np.arange(3.0))
    assert double(3) == 6
    assert double.py_func(3) == 6
    assert double.__name__ == "double"
    ((dispatcher, _),) = template_of(double)._impl_cache.values()
    (made,) = dispatcher.overloads.values()
    assert isinstance(made.library, Piece)


def test_arrays_that_lie_apart_are_read_once():
    def twice(source, target):
        first = source[0]
        target[0] = first + 1
        return first + source[0]

    together = np.ones(1)
    assert njit(twice, pipeline_class=KernelCompiler)(together, together) == 3.0
    apart = njit(twice, pipeline_class=ApartCompiler)
    assert apart(np.ones(1), np.zeros(1)) == 2.0
    assert apart(together, together) == 4.0  # what was promised does not hold here


@pytest.mark.parametrize("collects", [True, False])
def test_garbage_is_looked_for_after_compiling_as_before(collects):
    seen = []

    def once(x):
        return x + 1

    @overload_as_piece(once)
    def choose(x):
        seen.append(gc.isenabled())
        return lambda x: x + 1

    before = gc.isenabled()
    (gc.enable if collects else gc.disable)()
    try:
        assert njit(lambda x: once(x) * 2, pipeline_class=KernelCompiler)(3) == 8
        assert gc.isenabled() == collects
    finally:
        (gc.enable if before else gc.disable)()
    assert seen[0] is False


@pytest.mark.parametrize("version", ["0.61.2", "0.680.1", "1.0.0"])
def test_versions_that_were_not_tried_compile_in_the_usual_way(version):
    def third(x):
        return x / 3

    assert kernel_options(version) == apart_options(version) == {}
    assert kernel_options("0.68.1") == {"pipeline_class": KernelCompiler}
    assert apart_options("0.68.1") == {"pipeline_class": ApartCompiler}
    overload_as_piece(third, version)(lambda x: third)
    assert njit(lambda x: third(x) + 1)(6.0) == 3.0
    ((dispatcher, _),) = template_of(third)._impl_cache.values()
    (made,) = dispatcher.overloads.values()
    assert not isinstance(made.library, Piece)
