// A table of (topic, document, value) in memory: 12 bytes a row beside the document's id.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fault.h"
#include "hash.h"
#include "names.h"
#include "reader.h"
#include "source.h"

namespace gainful {

// Rows come in chunks: nothing is moved when a table grows, and each block of a file becomes one.
struct Chunk {
    struct Segment {  // neighbouring rows of one topic
        uint32_t start;
        uint32_t topic;
    };
    std::vector<double> values;
    std::vector<uint32_t> ends;  // of the ids in bytes
    std::vector<char> bytes;
    std::vector<uint32_t> lines;  // of each row, from 0 in this chunk; empty where row i is on line i
    std::vector<Segment> segments;
    uint64_t first_row = 0;
    uint64_t first_line = 0;

    size_t size() const { return values.size(); }
    std::string_view document(size_t i) const {
        size_t start = i ? ends[i - 1] : 0;
        return {bytes.data() + start, ends[i] - start};
    }
    size_t segment_end(size_t s) const { return s + 1 < segments.size() ? segments[s + 1].start : size(); }
};

class Rows {
public:
    std::vector<Chunk> chunks;
    Names topics;  // also those of a mapping that hold no documents
    std::string tag;
    Digest digest;
    uint64_t size = 0;
    bool has_lines = true;  // rows have places worth telling: lines of a file, positions in a list

    // The line of a row, from 1; 0 where there are no lines.
    uint64_t line(uint64_t row) const;

    static Rows read(Source& source, Kind kind, unsigned threads, size_t block);
};

// Rows one by one, in order.
class RowsBuilder {
public:
    explicit RowsBuilder(Rows& rows) : rows_(rows) {}

    // The rows that follow belong to this topic.
    void topic(std::string_view name) {
        if (known_ && same_id(rows_.topics[topic_], name)) return;
        hash_ = hash_id(name);
        topic_ = rows_.topics.put(name, hash_);
        known_ = true;
        fresh_ = true;
    }

    void row(std::string_view document, double value) {
        if (chunk_.size() >= ROWS || chunk_.bytes.size() >= BYTES) flush();
        if (fresh_ || chunk_.size() == 0) {
            chunk_.segments.push_back({static_cast<uint32_t>(chunk_.size()), topic_});
            fresh_ = false;
        }
        chunk_.bytes.insert(chunk_.bytes.end(), document.begin(), document.end());
        chunk_.ends.push_back(static_cast<uint32_t>(chunk_.bytes.size()));
        chunk_.values.push_back(value);
        rows_.digest.add(hash_, hash_id(document), value);
    }

    void finish() { flush(); }

private:
    static constexpr size_t ROWS = 1 << 16, BYTES = 1 << 20;
    void flush();

    Rows& rows_;
    Chunk chunk_;
    uint32_t topic_ = 0;
    uint64_t hash_ = 0;
    bool known_ = false, fresh_ = false;
};

}  // namespace gainful
