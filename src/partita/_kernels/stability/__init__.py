"""Kernels of stability under perturbation.

Modules import only from layers with a smaller number:

    0  linkage, matching, mc_assignment, sorted_distances
    1  location_exponential, shifted_gamma, stability_curve
"""
