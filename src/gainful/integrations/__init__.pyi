from .package_replacement import install_as as install_as
