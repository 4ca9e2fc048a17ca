"""Kernels of Gaussian point processes.

Modules import only from layers with a smaller number:

    0  gaussian, walsh
    1  hill_climb, label_gains, partition_likelihood
    2  gray_codes, local_search
    3  label_gibbs
"""
