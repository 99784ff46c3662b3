// What one worker counts while it reads, and how the shares of all workers become one.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fault.h"
#include "hash.h"

namespace gainful {

class Tally {
public:
    // The block that the calls which follow speak of.
    void start(uint64_t block) { block_ = block; }
    uint64_t block() const { return block_; }

    void tag(std::string_view text, uint64_t) {
        if (tag_block_ && *tag_block_ < block_) return;
        tag_block_ = block_;
        tag_ = text;
    }

    void fault(FaultKind kind, uint64_t line, uint64_t other, std::string_view text) {
        faults.note(kind, place_of(block_, line), other, text);
    }

    // A line of a run from which on there is a tag, or none: the same must hold for all lines.
    void tagged(bool has_tag, uint64_t line, std::string_view text) {
        First& first = firsts_[has_tag];
        const Place place = place_of(block_, line);
        if (place < first.place) first = {place, std::string(text.substr(0, 80))};
    }

    // The first line that differs from the file's first in whether it has a tag becomes a fault.
    void compare_widths() {
        const bool tag_later = firsts_[false].place < firsts_[true].place;
        const First& later = firsts_[tag_later];
        if (later.place != NOWHERE) faults.note(FaultKind::uneven, later.place, tag_later ? 5 : 6, later.text);
    }

    void add(const Tally& more) {
        digest.add(more.digest);
        faults.add(more.faults);
        rows += more.rows;
        for (size_t i = 0; i < 2; ++i) {
            if (more.firsts_[i].place < firsts_[i].place) firsts_[i] = more.firsts_[i];
        }
        if (more.tag_block_ && (!tag_block_ || *more.tag_block_ < *tag_block_)) {
            tag_block_ = more.tag_block_;
            tag_ = more.tag_;
        }
    }

    const std::string& first_tag() const { return tag_; }

    Digest digest;
    Faults faults;
    uint64_t rows = 0;

private:
    static constexpr Place NOWHERE = ~Place{0};
    struct First {
        Place place = NOWHERE;
        std::string text;
    };

    uint64_t block_ = 0;
    std::optional<uint64_t> tag_block_;
    std::string tag_;
    First firsts_[2];  // lines without a tag, and with one
};

// Lines of each block, from which places become lines of the file.
class LineCounts {
public:
    void set(uint64_t block, uint64_t lines) {
        std::lock_guard lock(mutex_);
        if (counts_.size() <= block) counts_.resize(block + 1);
        counts_[block] = static_cast<uint32_t>(lines);
    }

    // The line of the file, from 1. Called when all blocks are read.
    uint64_t line(Place place) const {
        uint64_t line = (place & 0xFFFFFFFF) + 1;
        for (uint64_t block = 0; block < place >> 32; ++block) line += counts_[block];
        return line;
    }

private:
    std::mutex mutex_;
    std::vector<uint32_t> counts_;
};

}  // namespace gainful
