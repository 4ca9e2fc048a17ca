"""Kernels that search for partitions and say how certain they are."""
