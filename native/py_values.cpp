#include "py_values.h"

#include <charconv>

namespace gainful {

namespace {

bool encode(PyObject* text, std::string& out) {
    out.clear();
    const int kind = PyUnicode_KIND(text);
    const void* data = PyUnicode_DATA(text);
    for (Py_ssize_t i = 0, size = PyUnicode_GET_LENGTH(text); i < size; ++i) {
        const Py_UCS4 c = PyUnicode_READ(kind, data, i);
        auto tail = [&](int shift) { out += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
        if (c < 0x80) {
            out += static_cast<char>(c);
        } else if (c < 0x800) {
            out += static_cast<char>(0xC0 | c >> 6);
            tail(0);
        } else if (c >= 0xD800 && c <= 0xDFFF) {
            if (c < 0xDC80 || c > 0xDCFF) return false;  // not an escaped byte: there is no text for it
            out += static_cast<char>(c - 0xDC00);
        } else if (c < 0x10000) {
            out += static_cast<char>(0xE0 | c >> 12);
            tail(6);
            tail(0);
        } else {
            out += static_cast<char>(0xF0 | c >> 18);
            tail(12);
            tail(6);
            tail(0);
        }
    }
    return true;
}

// Wrong types and sizes are for us to tell; anything else that Python code raised is passed on.
bool not_usable() {
    if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_ValueError) &&
        !PyErr_ExceptionMatches(PyExc_OverflowError)) {
        throw nb::python_error();
    }
    PyErr_Clear();
    return false;
}

bool decimal(PyObject* number, std::string& scratch) {
    int overflow = 0;
    const long long small = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (!overflow) {
        char text[24];
        char* end = std::to_chars(text, text + sizeof text, small).ptr;
        scratch.assign(text, end);
        return true;
    }
    nb::object text = nb::steal(PyNumber_ToBase(number, 10));
    if (!text.is_valid()) return not_usable();
    scratch = ascii_text(text.ptr());
    return true;
}

}  // namespace

bool as_id(PyObject* object, std::string& scratch, std::string_view& id) {
    if (PyUnicode_Check(object)) {
        if (PyUnicode_READY(object) != 0) throw nb::python_error();
        if (PyUnicode_IS_ASCII(object)) {
            id = ascii_text(object);
            return true;
        }
        if (!encode(object, scratch)) return false;
    } else if (PyBytes_Check(object)) {
        id = {PyBytes_AS_STRING(object), static_cast<size_t>(PyBytes_GET_SIZE(object))};
        return true;
    } else if (PyBool_Check(object)) {
        return false;
    } else if (PyLong_CheckExact(object)) {
        if (!decimal(object, scratch)) return false;
    } else if (PyIndex_Check(object)) {
        nb::object number = nb::steal(PyNumber_Index(object));
        if (!number.is_valid()) return not_usable();
        if (!decimal(number.ptr(), scratch)) return false;
    } else {
        return false;
    }
    id = scratch;
    return true;
}

bool as_value(PyObject* object, double& value) {
    if (PyFloat_Check(object)) {
        value = PyFloat_AS_DOUBLE(object);
        return true;
    }
    value = PyFloat_AsDouble(object);
    return value != -1.0 || !PyErr_Occurred() || not_usable();
}

}  // namespace gainful
