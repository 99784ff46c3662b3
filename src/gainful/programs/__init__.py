"""Measures recorded once as programs, which the native core runs without NumPy, and from which GPU kernels are written."""
