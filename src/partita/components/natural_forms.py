"""Which families have a natural form, by the type of their block."""

from __future__ import annotations

from .base import Block
from .categorical import CategoryBlock
from .exponential import TimeBlock
from .gaussian import DiagonalBlock, FullBlock, SphericalBlock
from .natural import NaturalForm
from .natural_counts import CategoryForm, CountForm, TimeForm
from .natural_gaussian import DiagonalForm, FullForm, SphericalForm
from .poisson import CountBlock

FORMS: dict[type[Block], type[NaturalForm]] = {
    FullBlock: FullForm,
    DiagonalBlock: DiagonalForm,
    SphericalBlock: SphericalForm,
    CategoryBlock: CategoryForm,
    CountBlock: CountForm,
    TimeBlock: TimeForm,
}


def why_no_natural_form(block: Block) -> str | None:
    """Why a block cannot be brought into natural form, or None where it can."""
    if type(block) not in FORMS:
        return f"columns of kind {block.kind!r}"
    if isinstance(block, FullBlock) and len(block.missing):
        return "missing entries under a covariance matrix"
    return None


def natural_form(block: Block) -> NaturalForm:
    """The natural form of a block that has one."""
    return FORMS[type(block)](block)
