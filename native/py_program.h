// Programs as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

namespace gainful {

void bind_program(nanobind::module_& m);

}  // namespace gainful
