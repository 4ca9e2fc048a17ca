"""Kernels of posterior similarity.

One module so far:

    0  similarity
"""
