"""Kernels of searches for the Bayes estimate and of certainty.

Modules import only from layers with a smaller number:

    0  bound, certainty, reallocation
"""
