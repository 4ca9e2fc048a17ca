"""Label vectors, one partition per row."""

from .._jit import inner, plain_kernel
from .._lean import lean


@inner
def canonical_row(labels, number, seen_in, name, out):
    """Write labels to ``out``, clusters numbered by first appearance; return how many there are.

    A negative label, of an item left out, is written as -1. ``seen_in`` and ``name`` are scratch arrays with an entry
    per label; the first holds the ``number`` of no row but those before.
    """
    n_clusters = 0
    for i in range(labels.size):
        label = labels[i]
        if label < 0:
            out[i] = -1
            continue
        if seen_in[label] != number:
            seen_in[label] = number
            name[label] = n_clusters
            n_clusters += 1
        out[i] = name[label]
    return n_clusters


@plain_kernel
def canonical_rows(rows, first, seen_in, name):
    """Number the clusters of each row 0, 1, ... by first appearance, in place; return the most clusters of a row.

    Rows are numbered from ``first`` on. ``seen_in`` holds lower numbers; it and ``name`` are written to.
    """
    rows, seen_in, name = lean((rows, seen_in, name))
    most = 0
    for r in range(rows.shape[0]):
        most = max(most, canonical_row(rows[r], first + r, seen_in, name, rows[r]))
    return most
