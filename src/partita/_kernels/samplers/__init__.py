"""Kernels of Markov chains over partitions.

Modules import only from layers with a smaller number:

    0  concentration, predictive, units
    1  gibbs
    2  cost_gibbs, merge_then_split, split_merge
    3  chain, fixed_k
"""
