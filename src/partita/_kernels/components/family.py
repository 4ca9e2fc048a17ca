"""The functions of a component family, chosen by the type of its statistics when a kernel is compiled.

A *part* is a NamedTuple that holds the data of some columns, their hyperparameters and ``rows``, the sufficient
statistics of one cluster per row with what is derived from them; the last row is the empty cluster. A *model* is a
part, or a tuple of parts that are independent within a cluster. A family registers plain Python functions for the type
of its part; numba compiles those of the family in use, and no others, as pieces of the kernel that calls them. There
arrays are lean (`_kernels/_lean.py`): they are read and written by index.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from numba import types

from .._jit import inner_options
from .._pieces import overload_as_piece


class Family(NamedTuple):
    """What a family must know about one cluster; each function is described below, where kernels call it."""

    set_prior: Callable[..., None]
    update_stats: Callable[..., None]
    log_predictive: Callable[..., None]
    log_marginal: Callable[..., float]
    sample_hyper: Callable[..., float]
    log_conditional: Callable[..., None]
    redraw_item: Callable[..., bool]
    draw_latent: Callable[..., None]


FAMILIES: dict[type, Family] = {}


def fixed_hyper(part, active, n_clusters, rng):
    """Hyperparameters that are given are not drawn; their log density is 0."""
    return 0.0


def no_item_latent(part, i, k, rng):
    """Nothing is drawn for an item but its cluster."""
    return False


def no_latent(part, labels, weights, active, n_clusters, empty, rng):
    """Nothing is drawn beside the partition and the hyperparameters."""


def register(
    part: type,
    set_prior: Any,
    update_stats: Any,
    log_predictive: Any,
    log_marginal: Any,
    sample_hyper: Any = fixed_hyper,
    *,
    log_conditional: Any = None,
    redraw_item: Any = no_item_latent,
    draw_latent: Any = no_latent,
) -> None:
    """Let kernels find the functions of the family whose statistics are a ``part``.

    A family that draws something for each item beside its cluster gives the last three too.
    """
    log_conditional = log_conditional or log_predictive
    FAMILIES[part] = Family(
        set_prior, update_stats, log_predictive, log_marginal, sample_hyper, log_conditional, redraw_item, draw_latent
    )


def parts(model: Any) -> tuple[Any, ...]:
    """The parts of a model."""
    return (model,) if hasattr(model, "_fields") else model


def for_each_part(nothing: Any = None) -> Callable[[Any], Any]:
    """Call the function of the same name of each part's family, in Python and in kernels; add up what they return.

    ``nothing`` is what no part at all would return.
    """

    def decorate(described: Any) -> Any:
        name = described.__name__

        @wraps(described)
        def generic(model, *rest):
            returned = [getattr(FAMILIES[type(part)], name)(part, *rest) for part in parts(model)]
            return None if nothing is None else sum(returned)

        def choose(model, *rest):
            if isinstance(model, types.BaseNamedTuple):
                return getattr(FAMILIES[model.instance_class], name)
            return _over_tuple(generic, len(model), nothing)

        overload_as_piece(generic, **inner_options)(choose)
        return generic

    return decorate


def _over_tuple(generic: Any, n_parts: int, nothing: Any) -> Any:
    """The function for a tuple of parts: the first, then the others."""
    if n_parts == 0:
        return lambda model, *rest: nothing
    if nothing is not None:
        return lambda model, *rest: generic(model[0], *rest) + generic(model[1:], *rest)

    def each(model, *rest):
        generic(model[0], *rest)
        generic(model[1:], *rest)

    return each


@for_each_part()
def set_prior(model):
    """Fill the empty row and all constants from the hyperparameters."""


@for_each_part()
def update_stats(model, source, target, i, weight):
    """Let row ``target`` hold what row ``source`` holds and item ``i`` counted ``weight`` times (negative: removed)."""


@for_each_part()
def log_predictive(model, i, rows, n_rows, out):
    """Add to ``out[t]`` the log density of item ``i`` given the items of the cluster in row ``rows[t]``."""


@for_each_part(nothing=0.0)
def log_marginal(model, k):
    """Log marginal likelihood of the items in row ``k``, but for factors of single items."""


@for_each_part(nothing=0.0)
def sample_hyper(model, active, n_clusters, rng):
    """Draw the hyperparameters given the clusters, renew the clusters' rows and return their log density.

    The empty row and the constants are left to `set_prior`.
    """


@for_each_part()
def log_conditional(model, i, rows, n_rows, out):
    """The same as `log_predictive`, given what is drawn for the item beside its cluster."""


@for_each_part(nothing=0)
def redraw_item(model, i, k, rng):
    """Draw what is drawn for item ``i`` beside its cluster, given that it joins row ``k``; whether it changed."""


@for_each_part()
def draw_latent(model, labels, weights, active, n_clusters, empty, rng):
    """Draw what families draw beside the partition: missing entries, precisions of items; the rows follow."""


def copy_row(model, source, target):
    """Let row ``target`` hold what row ``source`` holds."""
    for part in parts(model):
        part.rows[target] = part.rows[source]


@overload_as_piece(copy_row, **inner_options)
def _copy_row(model, source, target):
    if not isinstance(model, types.BaseNamedTuple):
        return _over_tuple(copy_row, len(model), None)

    def copy(model, source, target):
        for t in range(model.rows.shape[1]):
            model.rows[target, t] = model.rows[source, t]

    return copy
