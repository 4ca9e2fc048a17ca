"""Experimental: perturbations that cluster the data again, and normalizing constants (Koepke 2008, chapter 7).

Names may change.

Modules import only from layers with a smaller number:

    0  path_sampling, recluster
    1  sweep_sampling
"""

from .path_sampling import PathEstimate, path_sampling
from .recluster import recluster
from .sweep_sampling import SweepEstimate, sweep_sampling

__all__ = ["PathEstimate", "SweepEstimate", "path_sampling", "recluster", "sweep_sampling"]
