// A run as dicts in dicts → Found, without a table in between.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <vector>

#include "found.h"
#include "index.h"

namespace gainful {

// The judged documents of one topic by the hash that Python keeps in each str, so that walking a dict needs only the
// head of each key, neither its text nor a look-up.
class StrTable {
public:
    StrTable(const Index& index, size_t topic);

    // Calls use(row) for each judged document whose str has this hash, until use says yes.
    template <class Use>
    void find(Py_hash_t hash, Use use) const {
        for (size_t at = static_cast<size_t>(hash) & mask_; slots_[at].row >= 0; at = (at + 1) & mask_) {
            if (slots_[at].hash == hash && use(slots_[at].row)) return;
        }
    }

private:
    struct Slot {
        Py_hash_t hash;
        int32_t row;
    };
    std::vector<Slot> slots_;
    size_t mask_;
};

// The judgments as Python sees them: the tables above are made when a topic is first met in a dict.
struct PyIndex {
    explicit PyIndex(std::shared_ptr<const Index> judgments) : core(std::move(judgments)), tables(core->topics()) {}
    PyIndex(const PyIndex&) = delete;
    PyIndex& operator=(const PyIndex&) = delete;

    const std::shared_ptr<const Index> core;
    std::vector<std::unique_ptr<const StrTable>> tables;

    const StrTable& table(size_t topic) {
        if (!tables[topic]) tables[topic] = std::make_unique<const StrTable>(*core, topic);
        return *tables[topic];
    }

    // Made once for all programs that score runs.
    const std::shared_ptr<const BestFirst>& best_first() {
        if (!best_first_) best_first_ = std::make_shared<const BestFirst>(*core);
        return best_first_;
    }

private:
    std::shared_ptr<const BestFirst> best_first_;
};

// A run in dicts, judged: topics that are judged, in the order of the run.
struct JudgedDicts {
    nanobind::object held;          // the run, and with it the keys
    std::vector<PyObject*> keys;    // of the topics
    std::vector<uint32_t> numbers;  // among the judged topics
    std::vector<Outcome> outcomes;
    Kept kept;
    std::vector<std::string> extra;
    uint64_t rows = 0;

    Found found(size_t topics) const;
};

// Nothing where the mapping holds anything but what is usual (str keys, numbers that are no NaN): it then has to go
// through Rows, which handles it or says what is wrong.
std::optional<JudgedDicts> judge_dicts(PyIndex& index, nanobind::handle nested, Ties ties, bool narrow);

}  // namespace gainful
