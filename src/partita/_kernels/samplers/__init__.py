"""Kernels of Markov chains over partitions.

Modules import only from layers with a smaller number:

    0  assignment, cluster_rows, columns, concentration, counter_random, label_functions, prior
    1  choose_labels, gibbs, predictive, split_merge
    2  collapsed, cost_gibbs, merge_then_split
    3  fixed_k
"""
