"""NumPy, imported when it is first asked for something; and the type of its arrays.

Most evaluations need no array: the core computes their values. Their command then starts in two thirds of the time.

>>> np.arange(3).sum().item()
3
"""

from typing import TYPE_CHECKING, Any

__all__ = ["NDArray", "is_numpy_number", "np"]

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    from types import ModuleType

    class _Later(ModuleType):
        def __getattr__(self, name: str) -> Any:
            import numpy

            value = self.__dict__[name] = getattr(numpy, name)
            return value

    np = _Later("numpy")

    class NDArray:
        """Any object, for whoever looks at annotations while the program runs."""

        def __class_getitem__(cls, _: object) -> Any:
            return Any


def is_numpy_number(value: Any) -> bool:
    """Whether a value is a number of NumPy's; to ask does not import it.

    >>> is_numpy_number(2.0), is_numpy_number(np.float32(2))
    (False, True)
    """
    return type(value).__module__ == "numpy" and isinstance(value, np.integer | np.floating)
