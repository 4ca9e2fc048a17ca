"""scikit-learn estimators, one per file."""

from .bregman_kmeans import BregmanKMeans
from .fuzzy_c_means import FuzzyCMeans
from .k_dissimilarities import KDissimilarities
from .mixture import BayesianMixture

__all__ = ["BayesianMixture", "BregmanKMeans", "FuzzyCMeans", "KDissimilarities"]
