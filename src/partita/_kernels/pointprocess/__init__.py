"""Kernels of Gaussian point processes.

Modules import only from layers with a smaller number:

    0  covariances, label_prior, walsh
    1  gaussian
    2  hill_climb, label_gains, partition_likelihood
    3  local_search
"""
