"""Functions that only kernels call are compiled as pieces of them."""

import numpy as np
import pytest
from numba import njit
from numba.extending import register_jitable

from partita._kernels._pieces import Piece, PieceCompiler, piece_options


@register_jitable(pipeline_class=PieceCompiler)
def halve(x):
    return x / 2


def add_halves(values):
    total = 0.0
    for x in values:
        total += halve(x)
    return total


def test_a_kernel_made_of_pieces_computes_the_same():
    values = np.arange(10.0)
    assert njit(add_halves)(values) == add_halves(values) == 22.5


def test_a_piece_has_no_machine_code_and_a_kernel_has():
    piece, kernel = njit(halve, pipeline_class=PieceCompiler), njit(halve)
    for dispatcher in (piece, kernel):
        dispatcher.compile("float64(float64)")
    (made,), (whole,) = piece.overloads.values(), kernel.overloads.values()
    assert isinstance(made.library, Piece)
    assert made.library.get_pointer_to_function(made.fndesc.llvm_cpython_wrapper_name) == 0
    assert whole.library.get_pointer_to_function(whole.fndesc.llvm_cpython_wrapper_name) != 0


@pytest.mark.parametrize("version", ["0.61.2", "0.680.1", "1.0.0"])
def test_versions_that_were_not_tried_compile_in_the_usual_way(version):
    assert piece_options(version) == {}
    assert piece_options("0.68.1") == {"pipeline_class": PieceCompiler}
