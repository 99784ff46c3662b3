#include <nanobind/nanobind.h>
NB_MODULE(_native, m) { m.def("hello", [] { return 1; }); }
