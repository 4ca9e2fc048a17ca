"""Kernels of losses between partitions."""
