// What is wrong with the data. Faults are collected, not thrown, while reading goes on to count them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gainful {

enum class FaultKind : uint8_t {
    columns, value, nan, duplicate, too_long, binary, empty, type, null, quoted, blank, uneven, rank, id
};
inline constexpr const char* FAULT_NAMES[] = {"columns", "value", "nan",    "duplicate", "long",   "binary", "empty",
                                              "type",    "null",  "quoted", "blank",     "uneven", "rank",   "id"};

// Thrown where work was told to stop.
struct Cancelled {};

inline constexpr size_t OFTEN = size_t{1} << 16;  // documents between two looks at whether to go on

inline void check(const std::atomic<bool>& cancelled) {
    if (cancelled) throw Cancelled{};
}

// Where a row came from: in files the block's number above 32 bits of the line in it, which is turned into a line of
// the file when all blocks are counted; elsewhere the number of the row.
using Place = uint64_t;

inline Place place_of(uint64_t block, uint64_t line) { return block << 32 | line; }

// Thrown at the end, with lines resolved.
struct Fault {
    FaultKind kind;
    uint64_t line;
    uint64_t other;
    std::string text;
    uint64_t count;
};

// The fault with the lowest place, and how many there are of each kind.
class Faults {
public:
    // `other` is a number, except for duplicates, where it is the place of the first of the two.
    void note(FaultKind kind, Place place, uint64_t other, std::string_view text) {
        ++counts_[static_cast<size_t>(kind)];
        if (!any_ || place < place_) set(kind, place, other, text);
    }

    // `before` is what more's places lack.
    void add(const Faults& more, Place before = 0) {
        for (size_t i = 0; i < counts_.size(); ++i) counts_[i] += more.counts_[i];
        const Place place = more.place_ + before;
        if (more.any_ && (!any_ || place < place_)) set(more.kind_, place, more.other_, more.text_);
    }

    bool any() const { return any_; }

    template <class LineOf>
    Fault resolve(LineOf line_of) const {
        uint64_t other = kind_ == FaultKind::duplicate ? line_of(other_) : other_;
        return {kind_, line_of(place_), other, text_, counts_[static_cast<size_t>(kind_)]};
    }

private:
    void set(FaultKind kind, Place place, uint64_t other, std::string_view text) {
        any_ = true;
        kind_ = kind;
        place_ = place;
        other_ = other;
        text_ = text;
    }

    bool any_ = false;
    FaultKind kind_ = FaultKind::columns;
    Place place_ = 0;
    uint64_t other_ = 0;
    std::string text_;
    std::array<uint64_t, std::size(FAULT_NAMES)> counts_{};
};

inline std::string pair_text(std::string_view topic, std::string_view document) {
    std::string text(topic);
    text += '\t';
    text += document;
    return text;
}

// Of an id that is missing: whether it is the topic or the document, and what the row has of both.
inline std::string missing_text(bool topic, std::string_view name, std::string_view document) {
    return pair_text(topic ? "topic" : "document", pair_text(topic ? "" : name, topic ? document : ""));
}

}  // namespace gainful
