"""Clusterers in scikit-learn's grammar, one per file."""

from .fuzzy_c_means import FuzzyCMeans

__all__ = ["FuzzyCMeans"]
