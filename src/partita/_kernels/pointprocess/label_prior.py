"""What the label prior says about the numbers of points of all clusters together.

Its type says whether they are known, or anything is said at all; functions are chosen by it when a kernel is compiled.
"""

from typing import Any, NamedTuple

from .._jit import by_type, inner_options


class IndependentLabels(NamedTuple):
    """A label prior that says nothing about all counts together."""

    n_labels: int


class KnownSizes(NamedTuple):
    """A label prior under which the counts are these, in some order."""

    sizes: Any  # (n_labels,)


class TabulatedCounts(NamedTuple):
    """A label prior with a log probability for every way to share the points among the labels."""

    log_p: Any  # ((n_points + 1) ** (n_labels - 1),)


def _always(prior, counts):
    return True


def _as_sizes(prior, counts):
    sizes = prior.sizes
    for k in range(sizes.size):
        balance = 0
        for j in range(sizes.size):
            balance += (counts[j] == sizes[k]) - (sizes[j] == sizes[k])
        if balance != 0:
            return False
    return True


@by_type({IndependentLabels: _always, KnownSizes: _as_sizes, TabulatedCounts: _always}.__getitem__, **inner_options)
def are_possible(prior, counts):
    """Whether clusters may have these numbers of points."""


def _no_more(prior, counts, order, n_points):
    return 0.0


def _by_order(prior, counts, order, n_points):
    code, n_labels = 0, counts.size
    for k in range(n_labels):
        if order[k] < n_labels - 1:
            code += counts[k] * (n_points + 1) ** order[k]
    return prior.log_p[code]


@by_type({IndependentLabels: _no_more, KnownSizes: _no_more, TabulatedCounts: _by_order}.__getitem__, **inner_options)
def log_counts(prior, counts, order, n_points):
    """Log probability of possible counts, beyond independent labels, when slot k carries label ``order[k]``."""


def _no_gain(prior, counts, a, b, order, n_points):
    return 0.0


def _count_gain(prior, counts, a, b, order, n_points):
    before = log_counts(prior, counts, order, n_points)
    counts[a] -= 1
    counts[b] += 1
    after = log_counts(prior, counts, order, n_points)
    counts[a] += 1
    counts[b] -= 1
    return after - before


@by_type({IndependentLabels: _no_gain, KnownSizes: _no_gain, TabulatedCounts: _count_gain}.__getitem__, **inner_options)
def count_gain(prior, counts, a, b, order, n_points):
    """Change in the log prior of all counts together when a point goes from slot a to slot b."""


@by_type(lambda kind: (lambda prior: True) if kind is KnownSizes else (lambda prior: False), **inner_options)
def are_known(prior):
    """Whether the sizes of clusters are known."""
