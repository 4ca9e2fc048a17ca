"""Kernels of Gaussian point processes.

Modules import only from layers with a smaller number:

    0  gaussian, walsh
    1  partition_likelihood
    2  hill_climb, label_gains
    3  local_search
"""
