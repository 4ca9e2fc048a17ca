"""Functions that only kernels call, compiled as pieces of the kernel that calls them.

numba makes of every function a library of its own, optimized and turned into machine code before the caller links it
and optimizes it once more. For a function that nothing calls from Python that is most of its compile time, for nothing.
A piece stays as it was lowered; the kernel that links it is optimized as a whole.

This reaches into numba's compiler, so it is used with versions it was tried with; with others functions are compiled
numba's way, to the same results.
"""

from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import NativeLowering


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

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Create the piece."""
        state.library = Piece(state.targetctx.codegen(), state.func_id.func_qualname)
        return False


class PieceCompiler(CompilerBase):
    """numba's compiler, ending in a piece."""

    def define_pipelines(self) -> list[Any]:
        """The usual passes, with one before the lowering."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        at = next(i for i, (p, _) in enumerate(passes.passes) if p is NativeLowering)
        passes.passes.insert(at, (LowerIntoPiece, "lower into a piece"))
        passes._finalized = False
        passes.finalize()
        return [passes]


TRIED = "0.68."


def piece_options(version: str) -> dict[str, Any]:
    """What to give this version of numba for a function that only kernels call."""
    return {"pipeline_class": PieceCompiler} if version.startswith(TRIED) else {}


as_piece = piece_options(numba.__version__)
