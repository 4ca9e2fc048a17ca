"""Kernels of component likelihoods.

Modules that do not import each other:

    0  family, products
"""
