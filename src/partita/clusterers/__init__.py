"""scikit-learn estimators, one per file."""

from .cop_k_means import COPKMeans
from .fuzzy_c_means import FuzzyCMeans
from .locality_preserving import LocalityPreservingProjection
from .locally_adaptive import LocallyAdaptiveClustering
from .locally_weighted import LocallyWeightedClustering
from .mixture import BayesianMixture
from .mpc_k_means import MPCKMeans

__all__ = [
    "BayesianMixture",
    "COPKMeans",
    "FuzzyCMeans",
    "LocalityPreservingProjection",
    "LocallyAdaptiveClustering",
    "LocallyWeightedClustering",
    "MPCKMeans",
]
