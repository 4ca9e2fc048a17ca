"""Kernels of the posterior similarity matrix.

One module so far:

    0  similarity
"""
