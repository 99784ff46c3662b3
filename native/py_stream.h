// Columns → an Arrow stream, so that any library of data frames takes our results without our knowing it.
#pragma once

#include <nanobind/nanobind.h>

namespace gainful {

// A PyCapsule "arrow_array_stream" of one batch. Each column is (name, format, values): format "u" for a list of
// str, "z" for a list of bytes, "g" for a list of float.
nanobind::object arrow_stream(nanobind::list columns);

}  // namespace gainful
