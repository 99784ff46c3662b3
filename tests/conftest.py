"""What all tests share: property tests draw the same examples every time."""

from hypothesis import settings

settings.register_profile("gainful", derandomize=True, deadline=None)
settings.load_profile("gainful")
