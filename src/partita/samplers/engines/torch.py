"""The array engine with torch: on a GPU where there is one."""

from __future__ import annotations

from collections.abc import Sequence

from ..._typing import FloatArray
from ...components.natural import NaturalForm
from .array import ArrayEngine
from .threads import ThreadsEngine


def torch_engine(forms: Sequence[NaturalForm], weights: FloatArray | None) -> ArrayEngine:
    """Items in torch's arrays, in double precision, on the GPU if torch sees one."""
    try:
        import torch
        from array_api_compat import torch as namespace
    except ImportError as error:
        raise ImportError("engine='torch' needs torch: pip install 'partita[torch]'.") from error
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return ArrayEngine(forms, weights, namespace, device, ThreadsEngine.without_rows(forms))
