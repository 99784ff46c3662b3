#include "py_rows.h"

#include <cmath>
#include <utility>

#include "py_values.h"

namespace gainful {

namespace {

// One row after the other; what cannot be used is noted with its place.
class Taker {
public:
    explicit Taker(Rows& rows) : rows_(rows) {}

    // In a mapping there is no line to tell, so that the text of a fault names the topic and the document too.
    void row(Place place, std::string_view topic, PyObject* document, PyObject* value, bool mapping) {
        std::string_view id;
        double number;
        if (!as_id(document, document_, id)) {
            std::string text = type_text("document", document);
            return faults.note(FaultKind::type, place, 0, mapping ? pair_text(text, topic) : text);
        }
        if (!as_value(value, number)) {
            std::string text = type_text("value", value);
            return faults.note(FaultKind::type, place, 0, mapping ? pair_text(text, pair_text(topic, id)) : text);
        }
        if (is_missing(topic) || is_missing(id)) {
            return faults.note(FaultKind::null, place, 0, missing_text(is_missing(topic), topic, id));
        }
        if (std::isnan(number)) return faults.note(FaultKind::nan, place, 0, pair_text(topic, id));
        if (part_.full()) finish();
        part_.topic(topic);
        part_.row(id, number, part_.chunk.size());
    }

    void finish() {
        part_.shrink();
        const size_t size = part_.chunk.size();
        rows_.append(std::exchange(part_, Part{}), size);
    }

    Faults faults;

private:
    Rows& rows_;
    Part part_;
    std::string document_;
};

nb::object as_sequence(nb::handle object) {
    nb::object fast = nb::steal(PySequence_Fast(object.ptr(), "expected a sequence"));
    if (!fast.is_valid()) throw nb::python_error();
    return fast;
}

// Held, as converting it may run Python code that changes the list.
nb::object item(const nb::object& sequence, Py_ssize_t i) {
    if (i >= PySequence_Fast_GET_SIZE(sequence.ptr())) throw nb::value_error("the columns are not equally long");
    return nb::borrow(PySequence_Fast_GET_ITEM(sequence.ptr(), i));
}

}  // namespace

Rows rows_of_lists(nb::handle topics, nb::handle documents, nb::handle values) {
    const nb::object columns[] = {as_sequence(topics), as_sequence(documents), as_sequence(values)};
    const Py_ssize_t size = PySequence_Fast_GET_SIZE(columns[0].ptr());
    for (const nb::object& column : columns) {
        if (PySequence_Fast_GET_SIZE(column.ptr()) != size) throw nb::value_error("the columns are not equally long");
    }
    Rows rows;
    Taker taker(rows);
    std::string scratch;
    for (Py_ssize_t i = 0; i < size; ++i) {
        const Place place = static_cast<Place>(i) + 1;
        nb::object topic = item(columns[0], i), document = item(columns[1], i), value = item(columns[2], i);
        std::string_view name;
        if (as_id(topic.ptr(), scratch, name)) {
            taker.row(place, name, document.ptr(), value.ptr(), false);
        } else {
            taker.faults.note(FaultKind::type, place, 0, type_text("topic", topic.ptr()));
        }
    }
    taker.finish();
    if (taker.faults.any()) throw taker.faults.resolve([](Place row) { return row; });
    if (rows.size == 0) throw Fault{FaultKind::empty, 0, 0, "", 1};
    return rows;
}

Rows rows_of_mapping(nb::handle nested) {
    if (!is_mapping(nested)) throw Fault{FaultKind::type, 0, 0, type_text("mapping", nested.ptr()), 1};
    Rows rows;
    rows.has_lines = false;
    Taker taker(rows);
    std::string scratch;
    Place place = 0;  // there are no lines, but the first fault is the one to tell
    each_item(nested, [&](const nb::object& topic, const nb::object& inner) {
        std::string_view name;
        if (!as_id(topic.ptr(), scratch, name)) {
            return taker.faults.note(FaultKind::type, ++place, 0, type_text("topic", topic.ptr()));
        }
        if (!is_mapping(inner)) {
            return taker.faults.note(FaultKind::type, ++place, 0, pair_text(type_text("mapping", inner.ptr()), name));
        }
        if (is_missing(name)) {
            return taker.faults.note(FaultKind::null, ++place, 0, missing_text(true, name, {}));
        }
        rows.topics.put(name);
        each_item(inner, [&](const nb::object& document, const nb::object& value) {
            taker.row(++place, name, document.ptr(), value.ptr(), true);
        });
    });
    taker.finish();
    if (taker.faults.any()) throw taker.faults.resolve([](Place) { return uint64_t{0}; });
    if (rows.topics.size() == 0) throw Fault{FaultKind::empty, 0, 0, "", 1};
    return rows;
}

}  // namespace gainful
