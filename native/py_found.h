// What a run holds of the judged documents, as Python sees it.
#pragma once

#include <nanobind/nanobind.h>

namespace gainful {

void bind_found(nanobind::module_& m);

}  // namespace gainful
