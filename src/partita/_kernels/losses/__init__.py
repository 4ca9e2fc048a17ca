"""Kernels of losses between partitions.

One module so far:

    0  contingency
"""
