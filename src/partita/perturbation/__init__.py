"""Is it real? A finished clustering under perturbation of its distances, against a null.

Nothing is clustered again: each item's distances to the clusters are multiplied by random scales, the scales are
integrated out, and what is left is the probability that the item would be assigned to each cluster.
"""

from .priors import Exponential, LocationExponential, Prior, SampledScales, ShiftedGamma

__all__ = ["Exponential", "LocationExponential", "Prior", "SampledScales", "ShiftedGamma"]
