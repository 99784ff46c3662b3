// Lists and mappings of Python → Rows.
#pragma once

#include <nanobind/nanobind.h>

#include "rows.h"

namespace gainful {

Rows rows_of_lists(nanobind::handle topics, nanobind::handle documents, nanobind::handle values);
Rows rows_of_mapping(nanobind::handle nested);

// Calls use(key, value) for each entry, in order. Both are held while it runs.
template <class Use>
void each_item(nanobind::handle mapping, Use use) {
    namespace nb = nanobind;
    if (PyDict_CheckExact(mapping.ptr())) {
        const Py_ssize_t size = PyDict_GET_SIZE(mapping.ptr());
        PyObject *key, *value;
        for (Py_ssize_t at = 0; PyDict_Next(mapping.ptr(), &at, &key, &value);) {
            nb::object held_key = nb::borrow(key), held_value = nb::borrow(value);
            use(held_key, held_value);
            if (PyDict_GET_SIZE(mapping.ptr()) != size) {
                PyErr_SetString(PyExc_RuntimeError, "dictionary changed size during iteration");
                throw nb::python_error();
            }
        }
        return;
    }
    nb::object items = nb::steal(PyMapping_Items(mapping.ptr()));
    if (!items.is_valid()) throw nb::python_error();
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items.ptr()); ++i) {
        nb::object item = nb::borrow(PyList_GET_ITEM(items.ptr(), i));
        if (!PyTuple_Check(item.ptr()) || PyTuple_GET_SIZE(item.ptr()) != 2) {
            throw nb::type_error("items() must give pairs");
        }
        use(nb::borrow(PyTuple_GET_ITEM(item.ptr(), 0)), nb::borrow(PyTuple_GET_ITEM(item.ptr(), 1)));
    }
}

inline bool is_mapping(nanobind::handle object) {
    return PyDict_Check(object.ptr()) || PyObject_HasAttrString(object.ptr(), "items");
}

}  // namespace gainful
