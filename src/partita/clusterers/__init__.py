"""scikit-learn estimators, one per file."""

from .fuzzy_c_means import FuzzyCMeans
from .mixture import BayesianMixture

__all__ = ["BayesianMixture", "FuzzyCMeans"]
