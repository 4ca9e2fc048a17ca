"""How many clusters? Methods that judge a clustering, and rules that choose among several."""

from .select import Selection, select_n_clusters

__all__ = ["Selection", "select_n_clusters"]
