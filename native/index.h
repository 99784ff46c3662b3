// Judgments, indexed once and matched against many runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "names.h"
#include "rows.h"

namespace gainful {

// What is done with the second of two rows of the same topic and document. In a run both may keep their ranks: each counts
// as a hit (counted), or only the one that ranks first (once).
enum class Duplicates { error, first, best, counted, once };

inline constexpr const char* OTHER_JUDGMENTS = "the run was matched with other judgments";

class Index {
public:
    // Throws Fault; Cancelled where it is told to stop.
    Index(const Rows& rows, Duplicates duplicates, const std::atomic<bool>& cancelled);

    size_t topics() const { return topics_.size(); }
    size_t size() const { return grade_.size(); }
    const Names& names() const { return topics_; }
    const std::vector<int64_t>& offsets() const { return offsets_; }
    const std::vector<double>& grade() const { return grade_; }
    std::string_view document(size_t row) const { return documents_[row]; }
    const std::string& digest() const { return digest_; }
    uint64_t dropped() const { return dropped_; }  // rows whose document the topic had already

    // Nearly all documents asked for are not judged: some bits of their key are looked up first, in a filter that says no
    // to 15 of 16.
    struct Filter {
        const uint64_t* words;
        uint64_t mask;
        bool may_hold(uint64_t key) const {
            const uint64_t bit = key >> 40 & mask;
            return words[bit >> 6] >> (bit & 63) & 1;
        }
    };
    Filter filter(size_t topic) const { return {filter_.data() + tables_[topic].filter, tables_[topic].filter_mask}; }

    // The row of a judged document of a topic; −1 where it is not judged.
    int32_t find(size_t topic, std::string_view document, uint64_t key) const {
        const Table& table = tables_[topic];
        if (!filter(topic).may_hold(key)) return -1;
        const Slot* slots = slots_.data() + table.start;
        for (size_t at = key & table.mask; slots[at].row != NONE; at = (at + 1) & table.mask) {
            if (slots[at].part == static_cast<uint32_t>(key >> 32) && same_id(documents_[slots[at].row], document)) {
                return static_cast<int32_t>(slots[at].row);
            }
        }
        return -1;
    }

private:
    static constexpr uint32_t NONE = ~uint32_t{0};
    struct Slot {
        uint32_t part;  // upper half of the key
        uint32_t row;
    };
    struct Table {  // of one topic
        uint64_t start, mask;  // slots, at least half empty
        uint64_t filter, filter_mask;
    };
    struct Entry {
        std::string_view document;
        double value;
        uint64_t row;
    };

    void enter(const Table& table, uint64_t key, uint32_t row);
    std::vector<bool> keep(const Entry* entries, size_t count, Duplicates duplicates, std::string_view topic,
                           std::vector<uint64_t>& keys, Faults& faults, const std::atomic<bool>& cancelled);

    Names topics_;
    std::vector<int64_t> offsets_;
    std::vector<double> grade_;
    Arena documents_;
    std::vector<Slot> slots_;
    std::vector<uint64_t> filter_;
    std::vector<Table> tables_;
    std::string digest_;
    uint64_t dropped_ = 0;
};

// The grades of each topic's judged documents, best first, at ranks 1, 2, ….
struct BestFirst {
    explicit BestFirst(const Index& index);
    std::vector<double> rank, grade;
};

}  // namespace gainful
