"""Kernels of cluster costs in generalized Bayes.

Modules import only from layers with a smaller number:

    0  formula, user_function
    1  bregman, groups, pairwise
"""
