"""Arithmetic of comparisons: arrays in, numbers out; nothing here knows systems, topics or files by name.

resampling ──▶ flips, sign_flip_tail, intervals, corrections, interaction   what chance would have made of these differences
paired_tests (one file each), intervals, corrections                        what is asked of a comparison, by name
differences, weighted, power, anova, letters                                what else follows from scores

Sums are the same to the bit in whatever blocks and on however many cores.
"""
