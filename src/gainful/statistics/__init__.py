"""Arithmetic of comparisons: arrays in, numbers out; nothing here knows systems, topics or files by name.

draws ──▶ flips, bootstrap, families, interaction      what chance would have made of these differences
paired, power, anova, intervals, corrections, letters  what follows from them
blocks                                                 sums that are the same to the bit, on all cores
"""
