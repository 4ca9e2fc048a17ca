"""Kernels of component likelihoods.

One module so far:

    0  clusters
"""
