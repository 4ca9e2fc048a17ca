"""Kernels of k-means-like clusterers.

Modules do not import from each other:

    0  chunklets, fuzzy_c_means, icm, lloyd, weighted_means
"""
