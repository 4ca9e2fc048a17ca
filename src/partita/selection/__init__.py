"""Choice of the number of clusters: methods that give each number a value, and rules that choose by the values.

Modules import only from layers with a smaller number:

    0  clustering, recommend, rules
    1  fits
    2  subsample
    3  methods
    4  select
"""

from .select import Selection, select_n_clusters

__all__ = ["Selection", "select_n_clusters"]
