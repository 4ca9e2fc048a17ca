"""Samplers of posteriors over partitions, one per file."""
