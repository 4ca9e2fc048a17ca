"""A function of a user's own, called from kernels by its address, so that no kernel is compiled again for it."""

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def row_address(function):
    """Address of a compiled function of a row of numbers, and the object that must live as long as it is called."""

    @numba.cfunc(types.float64(types.CPointer(types.float64), types.intp))
    def called(row, size):
        return function(numba.carray(row, size))

    return called.address, called


@intrinsic
def call_row(typing_context, address, row):
    """What the function at ``address`` gives for a lean row of numbers."""

    def emit(context, builder, signature, arguments):
        array = cgutils.create_struct_proxy(signature.args[1])(context, builder, arguments[1])
        number, pointer = ir.DoubleType(), array.data.type
        called = ir.FunctionType(number, [pointer, ir.IntType(64)])
        target = builder.inttoptr(arguments[0], called.as_pointer())
        return builder.call(target, [array.data, builder.extract_value(array.shape, 0)])

    return types.float64(types.int64, row), emit
