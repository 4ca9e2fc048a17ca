"""scikit-learn estimators, one per file.

Modules import only from layers with a smaller number:

    0  _alternation, _chunklets, _decision, _points, _sampling, fuzzy_c_means
    1  _export, least_cost, locality_preserving
    2  _fitting, bregman_kmeans, cost_table, generalized_bayes, k_dissimilarities, mixture
    3  _seeds, coarsening, prior_sensitivity, prior_tables
    4  cop_k_means, locally_adaptive, locally_weighted, mpc_k_means
"""

from .bregman_kmeans import BregmanKMeans
from .coarsening import CoarseningCurve, calibrate_coarsening
from .cop_k_means import COPKMeans
from .cost_table import cost_table
from .fuzzy_c_means import FuzzyCMeans
from .generalized_bayes import GeneralizedBayesClustering
from .k_dissimilarities import KDissimilarities
from .locality_preserving import LocalityPreservingProjection
from .locally_adaptive import LocallyAdaptiveClustering
from .locally_weighted import LocallyWeightedClustering
from .mixture import BayesianMixture
from .mpc_k_means import MPCKMeans
from .prior_sensitivity import compare_priors
from .prior_tables import sample_prior_tables

__all__ = [
    "BayesianMixture",
    "BregmanKMeans",
    "COPKMeans",
    "CoarseningCurve",
    "FuzzyCMeans",
    "GeneralizedBayesClustering",
    "KDissimilarities",
    "LocalityPreservingProjection",
    "LocallyAdaptiveClustering",
    "LocallyWeightedClustering",
    "MPCKMeans",
    "calibrate_coarsening",
    "compare_priors",
    "cost_table",
    "sample_prior_tables",
]
