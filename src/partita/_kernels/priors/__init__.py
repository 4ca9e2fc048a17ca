"""Kernels of priors on partitions."""
