"""scikit-learn estimators, one per file."""

from .bregman_kmeans import BregmanKMeans
from .cost_table import cost_table
from .fuzzy_c_means import FuzzyCMeans
from .generalized_bayes import GeneralizedBayesClustering
from .k_dissimilarities import KDissimilarities
from .mixture import BayesianMixture

__all__ = [
    "BayesianMixture",
    "BregmanKMeans",
    "FuzzyCMeans",
    "GeneralizedBayesClustering",
    "KDissimilarities",
    "cost_table",
]
