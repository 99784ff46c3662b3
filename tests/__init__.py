"""The tests: a package, since some tools install one of this name, which would hide a folder that is none."""
