"""PyTorch and CuPy under the names of the array API, as far as measures and the dense backend use them.

NumPy, JAX and array-api-strict say themselves which functions go with their arrays; these two do not.
"""

from typing import Any

from gainful.errors import UsageError


def namespace_of(array: Any) -> Any:
    """The functions that go with an array of a library that does not say so itself."""
    if _is_tensor(array):
        import torch

        return Tensors(torch)
    if type(array).__module__.partition(".")[0] == "cupy":
        import cupy

        return CuPys(cupy)
    try:
        from array_api_compat import array_namespace
    except ImportError:
        raise UsageError(
            f"arrays of {type(array).__module__}.{type(array).__qualname__} need gainful[arrays]: "
            "pip install 'gainful[arrays]'"
        ) from None
    try:
        return array_namespace(array)
    except TypeError:
        raise UsageError(
            f"expected an array of NumPy, PyTorch, JAX, CuPy or the like; got {type(array).__qualname__}"
        ) from None


def _of(array: Any) -> Any:
    from gainful.judging.ranking import namespace

    return namespace(array)


def _is_tensor(array: Any) -> bool:
    return any(base.__module__ == "torch" and base.__name__ == "Tensor" for base in type(array).__mro__)


class Tensors:
    """Functions of PyTorch that are spelled or behave differently there; all others are taken as they are."""

    __name__ = "torch"

    def __init__(self, torch: Any) -> None:
        self.torch = torch

    def __getattr__(self, name: str) -> Any:
        return getattr(self.torch, name)

    def minimum(self, x: Any, y: Any) -> Any:
        """The smaller; one of the two may be a number."""
        return self._either(self.torch.minimum, x, y, "max")

    def maximum(self, x: Any, y: Any) -> Any:
        """The larger; one of the two may be a number."""
        return self._either(self.torch.maximum, x, y, "min")

    def _either(self, both: Any, x: Any, y: Any, bound: str) -> Any:
        if isinstance(y, int | float):
            return self.torch.clamp(x, **{bound: y})
        if isinstance(x, int | float):
            return self.torch.clamp(y, **{bound: x})
        return both(x, y)

    def astype(self, x: Any, dtype: Any) -> Any:
        """The numbers of an array in another type."""
        return x.to(dtype)

    def cumulative_sum(self, x: Any, *, axis: int = -1, dtype: Any = None) -> Any:
        """Sums so far."""
        return self.torch.cumsum(x, axis, dtype=dtype)

    def cumulative_prod(self, x: Any, *, axis: int = -1) -> Any:
        """Products so far."""
        return self.torch.cumprod(x, axis)

    def max(self, x: Any, *, axis: int | None = None) -> Any:
        """The largest."""
        return self.torch.amax(x) if axis is None else self.torch.amax(x, dim=axis)

    def sum(self, x: Any, *, axis: int | None = None, dtype: Any = None) -> Any:
        """The sum."""
        return self.torch.sum(x, dtype=dtype) if axis is None else self.torch.sum(x, dim=axis, dtype=dtype)

    def sort(self, x: Any, *, axis: int = -1, stable: bool = True) -> Any:
        """Smallest first."""
        return self.torch.sort(x, dim=axis, stable=stable).values

    def argsort(self, x: Any, *, axis: int = -1, stable: bool = True) -> Any:
        """Places of the numbers, smallest first; equal ones as they stand."""
        return self.torch.argsort(x, dim=axis, stable=stable)

    def take_along_axis(self, x: Any, places: Any, *, axis: int = -1) -> Any:
        """The numbers at these places of each line."""
        return self.torch.take_along_dim(x, places, dim=axis)

    def take(self, x: Any, places: Any, *, axis: int) -> Any:
        """Some columns of every line: one choice of places for all of them."""
        return self.torch.index_select(x, axis, places)

    def concat(self, arrays: Any, *, axis: int = 0) -> Any:
        """One after the other."""
        return self.torch.cat(tuple(arrays), dim=axis)

    def flip(self, x: Any, *, axis: int = -1) -> Any:
        """Last first."""
        return self.torch.flip(x, dims=(axis,))

    def expand_dims(self, x: Any, *, axis: int = -1) -> Any:
        """With one more axis."""
        return self.torch.unsqueeze(x, axis)

    def permute_dims(self, x: Any, axes: tuple[int, ...]) -> Any:
        """With its axes in another order."""
        return self.torch.permute(x, axes)

    def stack(self, arrays: Any, *, axis: int = 0) -> Any:
        """Side by side along a new axis."""
        return self.torch.stack(tuple(arrays), dim=axis)

    def nonzero(self, x: Any) -> Any:
        """Places where it holds, an array for each axis."""
        return self.torch.nonzero(x, as_tuple=True)

    def any(self, x: Any, *, axis: int) -> Any:
        """Whether it holds anywhere."""
        return self.torch.any(x, dim=axis)


class CuPys:
    """Functions of CuPy under the names of the array API; those that it has are taken as they are."""

    __name__ = "cupy"

    def __init__(self, cupy: Any) -> None:
        self.cupy = cupy
        self.bool = cupy.bool_

    def __getattr__(self, name: str) -> Any:
        return getattr(self.cupy, name)

    def astype(self, x: Any, dtype: Any) -> Any:
        """The numbers of an array in another type."""
        return x.astype(dtype)

    def argsort(self, x: Any, *, axis: int = -1, stable: bool = True) -> Any:  # noqa: ARG002 (it always is)
        """Places of the numbers, smallest first; equal ones as they stand."""
        return self.cupy.argsort(x, axis=axis)

    def concat(self, arrays: Any, *, axis: int = 0) -> Any:
        """One after the other."""
        return self.cupy.concatenate(tuple(arrays), axis=axis)

    def cumulative_sum(self, x: Any, *, axis: int = -1) -> Any:
        """Sums so far."""
        return self.cupy.cumsum(x, axis=axis)

    def cumulative_prod(self, x: Any, *, axis: int = -1) -> Any:
        """Products so far."""
        return self.cupy.cumprod(x, axis=axis)

    def permute_dims(self, x: Any, axes: tuple[int, ...]) -> Any:
        """With its axes in another order."""
        return self.cupy.transpose(x, axes)


# ---- what libraries spell differently --------------------------------------------------------------------


def type_name(array: Any) -> str:
    """float32, int64, …, whatever the library calls it."""
    return getattr(array.dtype, "name", None) or str(array.dtype).rpartition(".")[2]


def whole(x: Any) -> Any:
    """The numbers as integers, to index with."""
    xp = _of(x)
    if xp.__name__.startswith("jax"):
        return x.astype("int32")
    return x.astype("int64") if xp.__name__ in ("numpy", "cupy") else xp.astype(x, xp.int64)


def retyped(x: Any, dtype: Any) -> Any:
    """The numbers of an array in another type."""
    xp = _of(x)  # NumPy has the function from 2.1 on
    return x.astype(dtype) if xp.__name__ in ("numpy", "cupy") else xp.astype(x, dtype)


def ranks_like(array: Any, n: int) -> Any:
    """1, 2, … n as floats of the type of an array, on its device."""
    xp = _of(array)
    return xp.arange(1, n + 1, dtype=array.dtype, **on_device_of(array))


def on_device_of(array: Any) -> dict[str, Any]:
    """Keywords for a function that creates an array, so that it is on the device of this one."""
    kind = _of(array).__name__.partition(".")[0]
    return {} if kind in ("numpy", "jax", "cupy") else {"device": array.device}
