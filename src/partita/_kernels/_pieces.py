"""Functions that only kernels call, compiled as pieces of the kernel that calls them.

numba makes of every function a library of its own, optimized and turned into machine code before the caller links it
and optimizes it once more; and it compiles a function anew for callers with other options. For a function that nothing
calls from Python that is most of its compile time, for nothing. A piece is lowered once and stays as it is; the kernel
that links it is optimized as a whole. What numba itself adds to a kernel (``np.zeros``) is made a piece, too.

This reaches into numba's compiler, so it is used with versions it was tried with; with others functions are compiled
numba's way, to the same results.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import NativeLowering, NopythonRewrites
from numba.core.typing.templates import builtin_registry
from numba.core.untyped_passes import InlineClosureLikes
from numba.extending import overload

TRIED = "0.68."
IDLE = (InlineClosureLikes, NopythonRewrites)  # our pieces define no functions, and loop where others add arrays


class Whole(JITCodeLibrary):
    """A kernel's code: optimized once, as a whole.

    numba would optimize every function by itself first, and the whole twice, to find references that need not be
    counted; kernels that count some do so outside of their loops.
    """

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave that to the whole."""
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """All of LLVM's passes, once."""
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


class Piece(JITCodeLibrary):
    """A function's code for kernels to link: neither optimized nor executable by itself."""

    def finalize(self) -> None:
        """Link what this piece calls."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave that to the kernel."""

    def get_pointer_to_function(self, name: str) -> int:
        """No address: there is no machine code."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """Who would place the function's environment in machine code."""
        return self

    def set_env(self, env_name: str, env: Any) -> None:
        """Nothing to place it in."""


@register_pass(mutates_CFG=False, analysis_only=True)
class LowerIntoPiece(AnalysisPass):
    """Let the lowering that follows write into a piece."""

    _name = "lower_into_piece"
    library: type[JITCodeLibrary] = Piece

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Create it; it needs no entry for callers in C."""
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.flags.no_cfunc_wrapper = True
        return False


@register_pass(mutates_CFG=False, analysis_only=True)
class LowerIntoWhole(LowerIntoPiece):
    """Let the lowering that follows write into a kernel."""

    _name = "lower_into_whole"
    library = Whole


def passes_with(lowering: Any, state: Any) -> list[Any]:
    """The usual passes with one before the lowering; for pieces of ours, without those that are idle there."""
    passes = DefaultPassBuilder.define_nopython_pipeline(state)
    idle = IDLE if lowering is LowerIntoPiece and not is_of_numba(state) else ()
    kept = [(p, why) for p, why in passes.passes if p not in idle]
    at = next(i for i, (p, _) in enumerate(kept) if p is NativeLowering)
    passes.passes = [*kept[:at], (lowering, lowering.__doc__), *kept[at:]]
    passes._finalized = False
    passes.finalize()
    return [passes]


def is_of_numba(state: Any) -> bool:
    """Whether the function that is compiled is one of numba's own."""
    return bool(state.func_id.modname.startswith("numba."))


class PieceCompiler(CompilerBase):
    """numba's compiler, ending in a piece."""

    def define_pipelines(self) -> list[Any]:
        """The passes."""
        return passes_with(LowerIntoPiece, self.state)


class KernelCompiler(Compiler):
    """numba's compiler, to which numba's own functions are pieces."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Compile a kernel. numba compiles in one thread at a time, so nobody else sees the difference."""
        with _numba_as_pieces(), _collecting_later():
            return super().compile_extra(func)

    def define_pipelines(self) -> list[Any]:
        """The passes, whatever calls this kernel."""
        return passes_with(LowerIntoWhole, self.state)


class ApartCompiler(KernelCompiler):
    """The same, told that no array lies in another."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Compile a kernel."""
        self.state.flags.noalias = True
        return super().compile_extra(func)


@contextmanager
def _numba_as_pieces() -> Iterator[None]:
    """For a while, compile functions of numba's own modules as pieces."""
    usual, as_pieces = Compiler.define_pipelines, PieceCompiler.define_pipelines

    def define_pipelines(self: Any) -> list[Any]:
        return (as_pieces if is_of_numba(self.state) else usual)(self)

    compiler: Any = Compiler
    compiler.define_pipelines = define_pipelines
    try:
        yield
    finally:
        compiler.define_pipelines = usual


@contextmanager
def _collecting_later() -> Iterator[None]:
    """For a while, look for no garbage: compilers make many objects that are needed to the end."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class _WhoeverCalls(dict[Any, Any]):
    """Implementations of a function by what numba looks them up with, but for the options of who calls it."""

    def __getitem__(self, key: Any) -> Any:
        """The implementation for a context and types of arguments."""
        return super().__getitem__(key[:3])

    def __setitem__(self, key: Any, made: Any) -> None:
        """Keep it."""
        super().__setitem__(key[:3], made)


def is_tried(version: str) -> bool:
    """Whether pieces were tried with this version of numba."""
    return version.startswith(TRIED)


def kernel_options(version: str) -> dict[str, Any]:
    """What to give this version of numba for a kernel."""
    return {"pipeline_class": KernelCompiler} if is_tried(version) else {}


def apart_options(version: str) -> dict[str, Any]:
    """The same for a kernel whose arrays lie apart."""
    return {"pipeline_class": ApartCompiler} if is_tried(version) else {}


def overload_as_piece(function: Any, version: str = numba.__version__, **options: Any) -> Callable[[Any], Any]:
    """Let kernels call a function, compiled as the decorated one says; ``options`` leave none to be the caller's."""

    def register(choose: Any) -> Any:
        given: Any = {**options, "pipeline_class": PieceCompiler} if is_tried(version) else options
        overload(function, jit_options=given, strict=False)(choose)
        if is_tried(version):
            builtin_registry.functions[-1]._impl_cache = _WhoeverCalls()
        return choose

    return register
