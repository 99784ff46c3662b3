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

struct Layout;  // delimited.h

// Rows come in chunks: nothing is moved when a table grows, and each block of a file becomes one.
struct Chunk {
    struct Segment {  // neighbouring rows of one topic
        uint32_t start;
        uint32_t topic;
    };
    std::vector<double> values;
    std::vector<uint32_t> ends;  // of the ids in bytes
    Bytes bytes;
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

// Some rows on their own, made by one thread; topics are numbered within them until all parts come together.
class Part {
public:
    // The rows that follow belong to this topic.
    [[gnu::noinline]] void topic(std::string_view name) {
        if (topics.size() && same_id(topics[topic_], name)) return;
        hash_ = hash_id(name);
        topic_ = topics.put(name);
        chunk.segments.push_back({static_cast<uint32_t>(chunk.size()), topic_});
    }

    // Lines rise, and count from 0 in this part.
    void row(std::string_view document, double value, uint64_t line) {
        if (line != chunk.size() || !chunk.lines.empty()) spell_line(line);
        chunk.bytes.append(document);
        chunk.ends.push_back(static_cast<uint32_t>(chunk.bytes.size()));
        chunk.values.push_back(value);
        digest.add(hash_, hash_id(document), value);
    }

    void reserve(size_t rows, size_t bytes) {
        chunk.values.reserve(rows);
        chunk.ends.reserve(rows);
        chunk.bytes.reserve(bytes);
    }
    void shrink() {
        chunk.values.shrink_to_fit();
        chunk.ends.shrink_to_fit();
        chunk.bytes.shrink();
        chunk.lines.shrink_to_fit();
        chunk.segments.shrink_to_fit();
    }
    // Large enough to be handed in.
    bool full() const { return chunk.size() >= (1 << 16) || chunk.bytes.size() >= (1 << 20); }

    Chunk chunk;
    Names topics;
    Digest digest;

private:
    // Up to here row i was on line i; a line without a row ended that.
    void spell_line(uint64_t line) {
        while (chunk.lines.size() < chunk.size()) chunk.lines.push_back(static_cast<uint32_t>(chunk.lines.size()));
        chunk.lines.push_back(static_cast<uint32_t>(line));
    }

    uint32_t topic_ = 0;
    uint64_t hash_ = 0;
};

class Rows {
public:
    std::vector<Chunk> chunks;
    Names topics;  // also those of a mapping that hold no documents
    std::string tag;
    Digest digest;
    uint64_t size = 0;
    uint64_t lines = 0;
    bool has_lines = true;  // rows have places worth telling: lines of a file, positions in a list

    // Adds rows that come after all that are here, and how many lines they took.
    void append(Part part, uint64_t part_lines);

    // The values of all rows, which are given up: their memory is free again, also for the system.
    std::vector<double> take_values();

    // The line of a row, from 1; 0 where there are no lines.
    uint64_t line(uint64_t row) const;

    // Throws Fault; Cancelled where it is told to stop.
    static Rows read(Source& source, Kind kind, unsigned threads, size_t block, const std::atomic<bool>& cancelled);
    static Rows read(Source& source, const Layout& layout, unsigned threads, size_t block,
                     const std::atomic<bool>& cancelled);
};

}  // namespace gainful
