// Sparse vectors between Python and the core: arrays that were given, and results that become arrays. Needs the GIL.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sparse.h"

namespace gainful {

template <class T>
using Given = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <class T>
std::span<const T> span_of(const Given<T>& array) {
    return {array.data(), array.size()};
}

inline SparseRows rows_of(const Given<int64_t>& offsets, const Given<int32_t>& terms, const Given<double>& weights) {
    return {span_of(offsets), span_of(terms), span_of(weights)};
}

template <class T>
nanobind::object array_of(std::vector<T>&& values) {
    auto held = std::make_unique<std::vector<T>>(std::move(values));
    static T nothing{};
    T* data = held->empty() ? &nothing : held->data();
    const size_t size = held->size();
    nanobind::capsule owner(held.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    using Array = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;
    return nanobind::cast(Array(data, {size}, owner), nanobind::rv_policy::reference);
}

}  // namespace gainful
