"""Kernels of component likelihoods.

One module:

    0  family
"""
