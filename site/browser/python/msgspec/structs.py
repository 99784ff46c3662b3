"""Records of msgspec, none of which is made here."""

from dataclasses import replace

__all__ = ["replace"]
