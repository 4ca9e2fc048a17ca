"""Searches for probable partitions, and tables of partitions in which the best is found."""
