#include "py_mapping.h"

#include <bit>
#include <cmath>

#include "judge.h"
#include "py_rows.h"
#include "py_values.h"

namespace gainful {

StrTable::StrTable(const Index& index, size_t topic) {
    const auto start = static_cast<size_t>(index.offsets()[topic]), stop = static_cast<size_t>(index.offsets()[topic + 1]);
    const size_t room = std::bit_ceil(2 * (stop - start));
    mask_ = room - 1;
    slots_.assign(room, Slot{0, -1});
    for (size_t row = start; row < stop; ++row) {
        std::string_view id = index.document(row);
        nb::object text =
            nb::steal(PyUnicode_DecodeUTF8(id.data(), static_cast<Py_ssize_t>(id.size()), "surrogateescape"));
        if (!text.is_valid()) throw nb::python_error();
        const Py_hash_t hash = PyObject_Hash(text.ptr());
        size_t at = static_cast<size_t>(hash) & mask_;
        while (slots_[at].row >= 0) at = (at + 1) & mask_;
        slots_[at] = {hash, static_cast<int32_t>(row)};
    }
}

namespace {

// A dict that nobody else can change: what is borrowed from it stays. Nothing where the keys do not make a dict.
nb::object copy_of(nb::handle mapping) {
    if (PyDict_CheckExact(mapping.ptr())) {
        nb::object copy = nb::steal(PyDict_Copy(mapping.ptr()));
        if (!copy.is_valid()) throw nb::python_error();
        return copy;
    }
    nb::object items = nb::steal(PyMapping_Items(mapping.ptr()));
    nb::object copy = items.is_valid() ? nb::steal(PyDict_New()) : nb::object();
    if (!copy.is_valid()) throw nb::python_error();
    if (PyDict_MergeFromSeq2(copy.ptr(), items.ptr(), 1) != 0) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
        PyErr_Clear();
        return {};
    }
    return PyDict_GET_SIZE(copy.ptr()) == PyList_GET_SIZE(items.ptr()) ? copy : nb::object();
}

// Strings that stand for one sequence of bytes only, and can be compared as text in place of bytes: all but those with
// escaped bytes in them. Those that may be missing ids, as they begin with a blank or are empty, are none of them.
bool usual_key(PyObject* key) {
    if (!PyUnicode_CheckExact(key)) return false;
    if (PyUnicode_GET_LENGTH(key) == 0 || PyUnicode_READ_CHAR(key, 0) <= ' ') return false;
    if (PyUnicode_IS_ASCII(key) || PyUnicode_KIND(key) == PyUnicode_1BYTE_KIND) return true;
    for (Py_ssize_t i = 0, size = PyUnicode_GET_LENGTH(key); i < size; ++i) {
        if (Py_UNICODE_IS_SURROGATE(PyUnicode_READ_CHAR(key, i))) return false;
    }
    return true;
}

bool key_after(PyObject* a, PyObject* b) {
    if (PyUnicode_IS_ASCII(a) && PyUnicode_IS_ASCII(b)) return ascii_text(a) > ascii_text(b);
    return PyUnicode_Compare(a, b) > 0;  // order of characters is order of UTF-8 bytes
}

enum class Walk { fine, foreign, unusual };

class DictJudge {
public:
    DictJudge(PyIndex& index, Ties ties, bool narrow)
        : index_(index), ties_(ties), narrow_(narrow) {}

    bool topic(PyObject* name, nb::handle documents);
    JudgedDicts finish(nb::object held);

private:
    bool documents(nb::handle dict, std::optional<uint32_t> topic);
    Walk walk(PyObject* dict, bool mine);
    void match(const StrTable& judged);
    void rank(uint32_t topic);

    PyIndex& index_;
    const Ties ties_;
    const bool narrow_;
    JudgedDicts judged_;
    std::vector<Hit> found_;
    std::vector<PyObject*> keys_, values_;
    std::vector<double> scores_;
    Order order_;
    std::string scratch_;
};

// The documents of one dict into keys_ and scores_. Numbers other than float and int may run Python code, which may
// change the dict; they are only read from a copy of ours.
Walk DictJudge::walk(PyObject* dict, bool mine) {
    constexpr size_t AHEAD = 8;
    keys_.clear();
    values_.clear();
    PyObject *key, *value;
    for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &key, &value);) {
        keys_.push_back(key);
        values_.push_back(value);
    }
    const size_t size = keys_.size();
    scores_.resize(size);
    for (size_t i = 0; i < size; ++i) {
        if (i + AHEAD < size) {  // keys and values lie anywhere; fetching some ahead hides most of the waiting
            platform::prefetch(keys_[i + AHEAD]);
            platform::prefetch(reinterpret_cast<PyASCIIObject*>(keys_[i + AHEAD]) + 1);  // the text begins there
            platform::prefetch(values_[i + AHEAD]);
        }
        value = values_[i];
        if (PyFloat_Check(value)) {
            scores_[i] = PyFloat_AS_DOUBLE(value);
        } else if (PyLong_CheckExact(value) || mine) {
            if (!as_value(value, scores_[i])) return Walk::unusual;
        } else {
            return Walk::foreign;
        }
        if (std::isnan(scores_[i]) || !usual_key(keys_[i])) return Walk::unusual;
    }
    return Walk::fine;
}

void DictJudge::match(const StrTable& judged) {
    found_.clear();
    for (size_t i = 0; i < keys_.size(); ++i) {
        PyObject* key = keys_[i];
        Py_hash_t hash = reinterpret_cast<PyASCIIObject*>(key)->hash;
        if (hash == -1) hash = PyObject_Hash(key);
        judged.find(hash, [&](int32_t row) {
            std::string_view id;
            if (!as_id(key, scratch_, id) || id != index_.core->document(static_cast<size_t>(row))) return false;
            found_.push_back({row, static_cast<int32_t>(i), 0, 0, 0});
            return true;
        });
    }
}

void DictJudge::rank(uint32_t topic) {
    bool falling = true;
    for (size_t i = 1; i < scores_.size(); ++i) falling &= scores_[i] <= scores_[i - 1];
    if (by_place(ties_)) {
        order_.rank(scores_, falling, ties_ == Ties::input, found_,
                    [this](size_t a, size_t b) { return ranks_before(ties_, 0, a, b); });
    } else if (ties_ == Ties::ascending) {
        order_.rank(scores_, falling, false, found_, [this](size_t a, size_t b) { return key_after(keys_[b], keys_[a]); });
    } else {
        order_.rank(scores_, falling, false, found_, [this](size_t a, size_t b) { return key_after(keys_[a], keys_[b]); });
    }
    if (!narrow_) note_close(topic, scores_, falling, order_.close(), found_, judged_.kept.close);
}

bool DictJudge::documents(nb::handle mapping, std::optional<uint32_t> topic) {
    nb::object copy;
    if (!PyDict_CheckExact(mapping.ptr())) {
        copy = copy_of(mapping);
        if (!copy.is_valid()) return false;
    }
    Walk result = walk(copy.is_valid() ? copy.ptr() : mapping.ptr(), copy.is_valid());
    if (result == Walk::foreign) {
        copy = copy_of(mapping);
        result = walk(copy.ptr(), true);
    }
    if (result != Walk::fine) return false;
    judged_.rows += scores_.size();
    if (topic) {
        if (narrow_) {
            for (double& score : scores_) score = static_cast<double>(static_cast<float>(score));
        }
        match(index_.table(*topic));
        rank(*topic);
    }
    return true;
}

bool DictJudge::topic(PyObject* name, nb::handle mapping) {
    std::string_view id;
    if (!usual_key(name) || !is_mapping(mapping) || !as_id(name, scratch_, id)) return false;
    std::optional<uint32_t> number = index_.core->names().find(id, key_of(id));
    if (!number) {
        judged_.extra.emplace_back(id);
        return documents(mapping, std::nullopt);
    }
    if (!documents(mapping, number)) return false;
    std::vector<Hit>& hits = judged_.kept.hits;
    judged_.keys.push_back(name);
    judged_.numbers.push_back(*number);
    judged_.outcomes.push_back(
        {hits.size(), static_cast<int64_t>(scores_.size()), static_cast<uint32_t>(found_.size()), 0, true});
    hits.insert(hits.end(), found_.begin(), found_.end());
    return true;
}

JudgedDicts DictJudge::finish(nb::object held) {
    judged_.held = std::move(held);
    judged_.extra = sorted_topics(std::move(judged_.extra));
    return std::move(judged_);
}

}  // namespace

Found JudgedDicts::found(size_t topics) const {
    std::vector<Outcome> of_topics(topics);
    for (size_t i = 0; i < numbers.size(); ++i) of_topics[numbers[i]] = outcomes[i];
    Found found = assemble(of_topics, {&kept});
    found.extra = extra;
    found.rows = rows;
    return found;
}

std::optional<JudgedDicts> judge_dicts(PyIndex& index, nb::handle nested, Ties ties, bool narrow) {
    if (!is_mapping(nested)) return std::nullopt;
    nb::object outer = copy_of(nested);
    if (!outer.is_valid() || PyDict_GET_SIZE(outer.ptr()) == 0) return std::nullopt;
    DictJudge judge(index, ties, narrow);
    PyObject *topic, *documents;
    for (Py_ssize_t at = 0; PyDict_Next(outer.ptr(), &at, &topic, &documents);) {
        if (!judge.topic(topic, documents)) return std::nullopt;
    }
    return judge.finish(std::move(outer));
}

}  // namespace gainful
