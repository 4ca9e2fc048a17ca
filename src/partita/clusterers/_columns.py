"""Mixtures that select columns: what they are made of, and which columns they find relevant."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .._kernels.constraints.chunklets import Chunklets
from .._typing import IntArray
from .._validation import check_number
from ..components import Auto, Component, Encoded, check_component
from ..samplers import collapsed, select_columns
from ..samplers.column_draws import ColumnDraws
from ..samplers.mixture_draws import MixtureDraws


def choose_component(model: Any) -> Component:
    """The component, with independent columns where some are to be selected."""
    chosen, select = check_component(model.component), model.select_columns
    if not isinstance(select, (bool, np.bool_)):
        rule = "be True, False or a probability strictly between 0 and 1"
        check_number("select_columns", select, rule, lambda value: 0 < value < 1)
    return replace(chosen, independent=True) if select and isinstance(chosen, Auto) else chosen


def make_problem(model: Any, encoded: Encoded, chunklets: Chunklets, uncounted: IntArray) -> collapsed.Problem:
    """Data and prior, as the sampler that the model needs reads them."""
    if not model.select_columns:
        return collapsed.make_problem(encoded, model.prior_, chunklets, uncounted)
    probability = None if isinstance(model.select_columns, (bool, np.bool_)) else float(model.select_columns)
    return select_columns.make_problem(encoded, model.prior_, chunklets, uncounted, probability)


def make_draws(problem: collapsed.Problem, chain: Any) -> MixtureDraws:
    """Draws with the problem they belong to."""
    if isinstance(problem, select_columns.ColumnProblem):
        return ColumnDraws(problem, chain)
    return MixtureDraws(problem, chain)


def column_inclusion(model: Any) -> Any:
    """Share of the draws in which each column is relevant, as a table in the order of the columns."""
    import pandas as pd

    names = getattr(model, "feature_names_in_", range(model._encoded.n_columns))
    places = sorted(j for block in model._encoded.blocks for j in block.columns)
    index = pd.Index([names[j] for j in places], name="column")
    return pd.DataFrame({"inclusion": relevant_columns(model).mean(axis=0).astype(float)}, index=index)


def relevant_columns(model: Any) -> Any:
    """1 for each draw and column, in the order of the table, where the column is relevant, else 0."""
    drawn = [j for block in model._encoded.blocks for j in block.columns]
    return model._draws.chain.relevant[:, np.argsort(drawn)]
