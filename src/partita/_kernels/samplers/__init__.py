"""Kernels of Markov chains over partitions.

Modules import only from layers with a smaller number:

    0  assignment, choose_labels, cluster_rows, columns, concentration, label_functions, prior
    1  gibbs, predictive, split_merge
    2  collapsed, cost_gibbs, merge_then_split
    3  fixed_k
"""
