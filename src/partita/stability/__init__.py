"""Stability of a finished clustering under perturbation of its distances, compared with null baselines.

Nothing is clustered again: each item's distances to the clusters are multiplied by random scales, the scales are
integrated out, and what is left is the averaged assignment matrix, the probability that an item is nearest to each
cluster.

Modules import only from layers with a smaller number:

    0  _validation, monte_carlo, openmp, soft_indices
    1  baselines, indices, linkage, scale_distributions
    2  result, tuning
    3  assess, matching
"""

from .assess import assess_stability
from .indices import between_stability, clusterwise_stability, heatmap_order, matching_matrix, pointwise_stability
from .linkage import center_distances, cluster_distances
from .matching import compare_certainty, matched_stability
from .monte_carlo import SampledAssignment, sampled_assignment
from .result import StabilityResult
from .scale_distributions import Exponential, LocationExponential, SampledScales, ScaleDistribution, ShiftedGamma
from .soft_indices import SoftIndex, soft_adjusted_rand, soft_variation_of_information

__all__ = [
    "Exponential",
    "LocationExponential",
    "SampledAssignment",
    "SampledScales",
    "ScaleDistribution",
    "ShiftedGamma",
    "SoftIndex",
    "StabilityResult",
    "assess_stability",
    "between_stability",
    "center_distances",
    "cluster_distances",
    "clusterwise_stability",
    "compare_certainty",
    "heatmap_order",
    "matched_stability",
    "matching_matrix",
    "pointwise_stability",
    "sampled_assignment",
    "soft_adjusted_rand",
    "soft_variation_of_information",
]
