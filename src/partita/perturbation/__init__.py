"""Is it real? A finished clustering under perturbation of its distances, against a null.

Nothing is clustered again: each item's distances to the clusters are multiplied by random scales, the scales are
integrated out, and what is left is the probability that the item would be assigned to each cluster.
"""

from .indices import between_stability, clusterwise_stability, heatmap_order, matching_matrix, pointwise_stability
from .linkage import center_distances, cluster_distances
from .matching import certainty_table, matched_stability
from .monte_carlo import SampledAssignment, sampled_assignment
from .priors import Exponential, LocationExponential, Prior, SampledScales, ShiftedGamma
from .report import StabilityReport
from .stability import stability

__all__ = [
    "Exponential",
    "LocationExponential",
    "Prior",
    "SampledAssignment",
    "SampledScales",
    "ShiftedGamma",
    "StabilityReport",
    "between_stability",
    "center_distances",
    "certainty_table",
    "cluster_distances",
    "clusterwise_stability",
    "heatmap_order",
    "matched_stability",
    "matching_matrix",
    "pointwise_stability",
    "sampled_assignment",
    "stability",
]
