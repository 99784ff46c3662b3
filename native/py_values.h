// Python objects → ids and numbers. All of this needs the GIL.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace gainful {

namespace nb = nanobind;

// The bytes of an ASCII string are its text; no copy is needed.
inline std::string_view ascii_text(PyObject* text) {
    return {static_cast<const char*>(PyUnicode_DATA(text)), static_cast<size_t>(PyUnicode_GET_LENGTH(text))};
}

// str becomes UTF-8 with escaped bytes as they were, bytes stay, whole numbers become decimal text. The view lasts
// until the object or the scratch space is gone. False where the object can be no id; throws what Python raised
// otherwise.
bool as_id(PyObject* object, std::string& scratch, std::string_view& id);

// False where the object is no number. Text is none, even of digits.
bool as_value(PyObject* object, double& value);

inline std::string type_text(const char* role, PyObject* object) {
    const char* name = Py_TYPE(object)->tp_name;
    std::string_view short_name = name;
    if (size_t dot = short_name.rfind('.'); dot != short_name.npos) short_name.remove_prefix(dot + 1);
    return std::string(role) + "\t" + std::string(short_name);
}

// A number of threads that was given; 1 or more, and never more than 256.
inline unsigned threads_of(long long threads) {
    if (threads < 1) throw nb::value_error(("threads must be 1 or more; got " + std::to_string(threads)).c_str());
    return static_cast<unsigned>(std::min<long long>(threads, 256));
}

inline nb::bytes bytes_of(std::string_view text) { return nb::bytes(text.data(), text.size()); }

// A read-only view of the object's own memory, which it keeps alive.
template <class T, class Stored>
auto view_of(const std::vector<Stored>& values, nb::handle owner) {
    static const Stored nothing{};
    const Stored* data = values.empty() ? &nothing : values.data();
    return nb::ndarray<nb::numpy, const T, nb::ndim<1>>(reinterpret_cast<const T*>(data), {values.size()}, owner);
}

}  // namespace gainful
