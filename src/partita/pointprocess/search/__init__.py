"""Searches for probable partitions, and tables of partitions in which the best is found.

Modules import only from layers with a smaller number:

    0  gray_codes, local_search, partition_table, pseed
    1  pseed_fast
"""
