"""Arrays inside kernels as an address and a shape.

numba hands an array of two dimensions to a function as nine words, a named tuple of eighteen arrays as a hundred and
fifty, and every function that takes one begins by putting it together: that was most of what there was to compile.
A kernel that begins with `lean` hands on a third of it. Its arrays are contiguous and know ``size``, ``shape``, ``len``
and elements and rows by indices that are not negative; loops need no more.
"""

import operator
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import StructModel
from numba.core.datamodel.registry import register_default
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
    signature,
)
from numba.extending import lower_builtin, lower_getattr
from numba.np.arrayobj import make_array

TUPLE: Any = types.BaseTuple


class LeanArray(types.Type):
    """The type of an array that is an address and a shape."""

    def __init__(self, dtype: Any, ndim: int, mutable: bool) -> None:
        self.dtype, self.ndim, self.mutable = dtype, ndim, mutable
        super().__init__(f"LeanArray({dtype}, {ndim}, mutable={mutable})")


@register_default(LeanArray)
class LeanArrayModel(StructModel):
    """What an array of this type consists of."""

    def __init__(self, manager: Any, given: LeanArray) -> None:
        shape = types.UniTuple(types.intp, given.ndim)
        super().__init__(manager, given, [("data", types.CPointer(given.dtype)), ("shape", shape)])


def lean_type(given: Any) -> Any:
    """The type that `lean` makes of a type."""
    if isinstance(given, types.Array) and given.layout == "C" and given.ndim > 0:
        return LeanArray(given.dtype, given.ndim, given.mutable)
    if isinstance(given, TUPLE):
        return types.BaseTuple.from_types([lean_type(t) for t in given.types], getattr(given, "instance_class", None))
    return given


def _make_lean(context, builder, given, value):
    """Turn a value into one of the lean type."""
    made = lean_type(given)
    if isinstance(made, LeanArray):
        array, lean_array = make_array(given)(context, builder, value), _struct(context, builder, made)
        lean_array.data, lean_array.shape = array.data, array.shape
        return lean_array._getvalue()
    if isinstance(given, TUPLE):
        members = zip(given.types, cgutils.unpack_tuple(builder, value), strict=True)
        return context.make_tuple(builder, made, [_make_lean(context, builder, *member) for member in members])
    return value


def _struct(context, builder, array_type, value=None):
    return cgutils.create_struct_proxy(array_type)(context, builder, value)


def lean(given: Any) -> Any:
    """An array, or a tuple with all its arrays, made lean; the same to Python. For arguments only: these stay alive."""
    return given


@infer_global(lean)
class _Lean(AbstractTemplate):
    def generic(self, args, kws):
        return signature(lean_type(args[0]), args[0])


@lower_builtin(lean, types.Any)
def _lean(context, builder, sig, args):
    made = _make_lean(context, builder, sig.args[0], args[0])
    return impl_ret_borrowed(context, builder, sig.return_type, made)


def _indexed(array: Any, index: Any) -> Any:
    """The type of the index as it is used, and of what it names; nothing where there are no such elements."""
    at = index.types if isinstance(index, TUPLE) else (index,)
    if not isinstance(array, LeanArray) or len(at) > array.ndim or not all(isinstance(t, types.Integer) for t in at):
        return None, None
    used = types.UniTuple(types.intp, len(at)) if isinstance(index, TUPLE) else types.intp
    left = array.ndim - len(at)
    return used, LeanArray(array.dtype, left, array.mutable) if left else array.dtype


@infer_global(operator.getitem)
class _Get(AbstractTemplate):
    def generic(self, args, kws):
        used, found = _indexed(*args)
        return found and signature(found, args[0], used)


@infer_global(operator.setitem)
class _Set(AbstractTemplate):
    def generic(self, args, kws):
        used, found = _indexed(*args[:2])
        if found is not None and found == args[0].dtype and args[0].mutable:
            return signature(types.none, args[0], used, found)
        return None


@infer_global(len)
class _Len(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.intp, args[0]) if isinstance(args[0], LeanArray) else None


@infer_getattr
class _Attributes(AttributeTemplate):
    key = LeanArray

    def resolve_size(self, array):
        return types.intp

    def resolve_shape(self, array):
        return types.UniTuple(types.intp, array.ndim)


def _place(context, builder, array_type, array, index_type, index):
    """The address of what an index names, and the shape that is left."""
    array = _struct(context, builder, array_type, array)
    shape = cgutils.unpack_tuple(builder, array.shape, array_type.ndim)
    at = cgutils.unpack_tuple(builder, index) if isinstance(index_type, TUPLE) else [index]
    offset = at[0]
    for d in range(1, array_type.ndim):
        offset = builder.mul(offset, shape[d], flags=["nsw"])
        if d < len(at):
            offset = builder.add(offset, at[d], flags=["nsw"])
    return builder.gep(array.data, [offset], inbounds=True), shape[len(at) :]


@lower_builtin(operator.getitem, LeanArray, types.Integer)
@lower_builtin(operator.getitem, LeanArray, types.UniTuple)
def _get(context, builder, sig, args):
    data, shape = _place(context, builder, sig.args[0], args[0], sig.args[1], args[1])
    if not shape:
        return context.unpack_value(builder, sig.return_type, data)
    row = _struct(context, builder, sig.return_type)
    row.data, row.shape = data, context.make_tuple(builder, types.UniTuple(types.intp, len(shape)), shape)
    return row._getvalue()


@lower_builtin(operator.setitem, LeanArray, types.Integer, types.Any)
@lower_builtin(operator.setitem, LeanArray, types.UniTuple, types.Any)
def _set(context, builder, sig, args):
    data, _ = _place(context, builder, sig.args[0], args[0], sig.args[1], args[1])
    context.pack_value(builder, sig.args[2], args[2], data)
    return context.get_dummy_value()


@lower_getattr(LeanArray, "shape")
def _shape(context, builder, array_type, array):
    return _struct(context, builder, array_type, array).shape


@lower_getattr(LeanArray, "size")
def _size(context, builder, array_type, array):
    size = context.get_constant(types.intp, 1)
    for n in cgutils.unpack_tuple(builder, _struct(context, builder, array_type, array).shape):
        size = builder.mul(size, n)
    return size


@lower_builtin(len, LeanArray)
def _len(context, builder, sig, args):
    return builder.extract_value(_struct(context, builder, sig.args[0], args[0]).shape, 0)
