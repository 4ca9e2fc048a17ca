"""What the columns of a table are taken for: as declared on the command line, and in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from ..components import Component

SHORT = {"gaussian": "gaussian-diagonal"}  # of one column every covariance is the same
ALIKE = 0.3  # share of variance from which rows of labels are taken for draws of one posterior
PLURAL = {"number": "numbers", "category": "categories", "count": "counts"}


def say_if_draws(table: pd.DataFrame) -> list[str]:
    """A sentence where a table looks like draws of partitions, or like clusterings side by side, and not like data."""
    import numpy as np

    from ..posterior._validation import row_agreement

    values = table.to_numpy()[:2000, :2000]
    if values.dtype.kind not in "iuf" or min(values.shape) < 5 or not (values == np.floor(values)).all():
        return []
    for rows, more in ((values, ""), (values.T, " --by columns")):
        labeled = all(np.unique(row).size == row.max() - row.min() + 1 and row.min() in (-1, 0, 1) for row in rows)
        if labeled and rows.shape[1] >= 20 and row_agreement(rows) > ALIKE:
            return [f"This looks like clusterings, not like data: did you mean partita summarize{more}?"]
    return []


def parse_columns(declared: Sequence[str]) -> dict[str, str]:
    """Names of components by column, from ``NAME=COMPONENT``."""
    pairs = {}
    for text in declared:
        name, is_declared, kind = text.rpartition("=")
        if not is_declared or not name or not kind:
            raise ValueError(f"column must be NAME=COMPONENT, such as mass=gaussian: got {text!r}.")
        pairs[name] = kind
    return pairs


def make_component(component: str, declared: dict[str, str], table: pd.DataFrame) -> Component:
    """The component by its name, or a product where columns are declared."""
    from .._validation import check_choice
    from ..components import COMPONENTS, Auto, Product, check_component

    if not declared:
        return check_component(component)
    for name in declared:
        if name not in table:
            there = ", ".join(map(str, table.columns))
            raise ValueError(f"column must be among those in use, {there}: got {name!r}.")
    names = [*SHORT, *(name for name in COMPONENTS if name not in ("auto", "product"))]
    chosen = {name: check_choice(f"column {name}", kind, names) for name, kind in declared.items()}
    columns = {name: COMPONENTS[SHORT.get(kind, kind)] for name, kind in chosen.items()}
    return Auto(columns) if component == "auto" else Product(columns)


def describe_columns(component: Component, table: pd.DataFrame) -> dict[str, str]:
    """What each column is taken for, or why it is left out, by name."""
    columns = component.describe(table) if hasattr(component, "describe") else ()
    found = {str(column.name): _in_words(column) for column in columns}
    if not columns or "declared" in found.values():
        kinds = {j: block.kind for block in component.encode(table).blocks for j in block.columns}
        encoded = {str(name): kinds.get(j, "left out") for j, name in enumerate(table.columns)}
        found = encoded | {name: kind for name, kind in found.items() if kind != "declared"}
    return found


def _in_words(column: Any) -> str:
    return f"{column.kind}: {column.reason}" if column.kind == "left out" and column.reason else str(column.kind)


def say_columns(kinds: dict[str, str]) -> list[str]:
    """A sentence for each kind, with the names of its columns, and one for each column left out."""
    by_kind: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        by_kind.setdefault(kind, []).append(name)
    taken = [
        f"Taken for {PLURAL.get(kind, kind)}: {', '.join(names)}."
        for kind, names in by_kind.items()
        if not kind.startswith("left out")
    ]
    return taken + [f"Column {name!r} is {kind}." for name, kind in kinds.items() if kind.startswith("left out")]
