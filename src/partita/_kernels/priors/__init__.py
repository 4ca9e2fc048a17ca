"""Kernels of priors on partitions.

One module so far:

    0  eppf
"""
