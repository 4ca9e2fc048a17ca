"""How many clusters? Methods that judge a clustering, and rules that choose among several.

Modules import only from layers with a smaller number:

    0  clustering, rules
    1  fits
    2  subsample
    3  methods
    4  select
"""

from .select import Selection, select_n_clusters

__all__ = ["Selection", "select_n_clusters"]
