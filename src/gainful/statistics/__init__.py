"""Arithmetic of comparisons: arrays in, numbers out; nothing here knows systems, topics or files by name.

draws ──▶ flips, sign_flip_tail, resampling, families, interaction   what chance would have made of these differences
paired_tests (one file each), intervals, corrections                 what is asked of a comparison, by name
differences, weighted, power, anova, letters                         what else follows from scores
blocks                                                               sums that are the same to the bit, on all cores
"""
