#include "py_stream.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "arrow.h"

namespace nb = nanobind;

namespace gainful {

namespace {

struct Column {
    std::string name, format, text;
    std::vector<int64_t> offsets;  // of text; large strings, so that no size overflows
    std::vector<double> numbers;
    size_t length = 0;
};

// One batch; every structure handed out shares it, and the last one released frees it.
using Table = std::shared_ptr<std::vector<Column>>;

struct Held {
    Table table;
    std::string format, name;
    const void* buffers[3] = {nullptr, nullptr, nullptr};
    std::vector<ArrowSchema*> schemas;
    std::vector<ArrowArray*> arrays;
};

// The interface is plain C: whoever holds a structure calls its release, a parent also for children still its own.
void release_schema(ArrowSchema* schema) {
    std::unique_ptr<Held> held(static_cast<Held*>(schema->private_data));
    for (ArrowSchema* child : held->schemas) {
        if (child->release) child->release(child);
        delete child;
    }
    schema->release = nullptr;
}

void release_array(ArrowArray* array) {
    std::unique_ptr<Held> held(static_cast<Held*>(array->private_data));
    for (ArrowArray* child : held->arrays) {
        if (child->release) child->release(child);
        delete child;
    }
    array->release = nullptr;
}

void fill_schema(ArrowSchema& schema, const Table& table, const std::string& format, const std::string& name) {
    auto held = std::make_unique<Held>();
    held->table = table;
    held->format = format;
    held->name = name;
    schema = {held->format.c_str(), held->name.c_str(), nullptr, 0, 0, nullptr, nullptr, release_schema, held.get()};
    held.release();
}

void fill_array(ArrowArray& array, const Table& table, size_t length) {
    auto held = std::make_unique<Held>();
    held->table = table;
    array = {static_cast<int64_t>(length), 0, 0, 1, 0, held->buffers, nullptr, nullptr, release_array, held.get()};
    held.release();
}

int describe(const Table& table, ArrowSchema* out) try {
    fill_schema(*out, table, "+s", "");
    auto& children = static_cast<Held*>(out->private_data)->schemas;
    for (const Column& column : *table) {
        children.push_back(new ArrowSchema{});
        fill_schema(*children.back(), table, column.format, column.name);
    }
    out->n_children = static_cast<int64_t>(children.size());
    out->children = children.data();
    return 0;
} catch (const std::bad_alloc&) {
    return ENOMEM;
}

int hand_out(const Table& table, ArrowArray* out) try {
    fill_array(*out, table, table->empty() ? 0 : table->front().length);
    auto& children = static_cast<Held*>(out->private_data)->arrays;
    for (const Column& column : *table) {
        children.push_back(new ArrowArray{});
        ArrowArray& child = *children.back();
        fill_array(child, table, column.length);
        auto& buffers = static_cast<Held*>(child.private_data)->buffers;
        const bool text = !column.offsets.empty();
        child.n_buffers = text ? 3 : 2;
        buffers[1] = text ? static_cast<const void*>(column.offsets.data()) : column.numbers.data();
        buffers[2] = text ? column.text.data() : nullptr;
    }
    out->n_children = static_cast<int64_t>(children.size());
    out->children = children.data();
    return 0;
} catch (const std::bad_alloc&) {
    return ENOMEM;
}

struct Streamed {
    Table table;
    bool taken = false;  // there is one batch
};

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
    return describe(static_cast<Streamed*>(stream->private_data)->table, out);
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
    auto& streamed = *static_cast<Streamed*>(stream->private_data);
    if (streamed.taken) {
        *out = ArrowArray{};  // no release: the end
        return 0;
    }
    streamed.taken = true;
    return hand_out(streamed.table, out);
}

const char* last_error(ArrowArrayStream*) { return nullptr; }

void release_stream(ArrowArrayStream* stream) {
    delete static_cast<Streamed*>(stream->private_data);
    stream->release = nullptr;
}

void release_capsule(PyObject* capsule) {
    auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, "arrow_array_stream"));
    if (stream->release) stream->release(stream);
    delete stream;
}

Column column_of(nb::handle described) {
    Column column;
    column.name = nb::cast<nb::str>(described[0]).c_str();
    const std::string format = nb::cast<nb::str>(described[1]).c_str();
    const nb::list values = nb::cast<nb::list>(described[2]);
    column.length = values.size();
    if (format == "u" || format == "z") {
        column.format = format == "u" ? "U" : "Z";
        column.offsets.reserve(values.size() + 1);
        column.offsets.push_back(0);
        for (nb::handle value : values) {
            Py_ssize_t size = 0;
            const char* text = nullptr;
            if (format == "u") {
                text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
            } else {
                char* bytes = nullptr;
                if (PyBytes_AsStringAndSize(value.ptr(), &bytes, &size) == 0) text = bytes;
            }
            if (!text) throw nb::python_error();
            column.text.append(text, static_cast<size_t>(size));
            column.offsets.push_back(static_cast<int64_t>(column.text.size()));
        }
    } else if (format == "g") {
        column.format = "g";
        column.numbers.reserve(values.size());
        for (nb::handle value : values) {
            const double number = PyFloat_AsDouble(value.ptr());
            if (number == -1.0 && PyErr_Occurred()) throw nb::python_error();
            column.numbers.push_back(number);
        }
    } else {
        throw nb::value_error(("format must be u, z or g; got '" + format + "'").c_str());
    }
    return column;
}

}  // namespace

nb::object arrow_stream(nb::list columns) {
    auto table = std::make_shared<std::vector<Column>>();
    for (nb::handle described : columns) table->push_back(column_of(described));
    for (const Column& column : *table) {
        if (column.length != table->front().length) throw nb::value_error("columns of different length");
    }
    auto streamed = std::make_unique<Streamed>(Streamed{table});
    auto stream = std::make_unique<ArrowArrayStream>();
    *stream = {get_schema, get_next, last_error, release_stream, streamed.get()};
    PyObject* capsule = PyCapsule_New(stream.get(), "arrow_array_stream", release_capsule);
    if (!capsule) throw nb::python_error();
    streamed.release();
    stream.release();
    return nb::steal(capsule);
}

}  // namespace gainful
