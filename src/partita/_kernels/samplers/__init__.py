"""Kernels of Markov chains over partitions."""
