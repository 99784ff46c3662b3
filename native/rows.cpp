#include "rows.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <system_error>

#include "lines.h"
#include "pool.h"
#include "tally.h"

namespace gainful {

uint64_t Rows::line(uint64_t row) const {
    if (!has_lines) return 0;
    auto after = std::upper_bound(chunks.begin(), chunks.end(), row,
                                  [](uint64_t r, const Chunk& chunk) { return r < chunk.first_row; });
    const Chunk& chunk = *(after - 1);
    uint64_t i = row - chunk.first_row;
    return chunk.first_line + (chunk.lines.empty() ? i : chunk.lines[i]) + 1;
}

void RowsBuilder::flush() {
    if (chunk_.size() == 0) return;
    chunk_.first_row = chunk_.first_line = rows_.size;
    rows_.size += chunk_.size();
    rows_.chunks.push_back(chunk_);  // a copy, which takes no more room than it needs
    chunk_.values.clear();
    chunk_.ends.clear();
    chunk_.bytes.clear();
    chunk_.segments.clear();
}

namespace {

// The rows of one block; topics are numbered within the block until all blocks are there.
struct BlockRows {
    uint64_t number = 0;
    uint64_t line_count = 0;
    Chunk chunk;
    Names topics;
};

class Collector : public Tally {
public:
    void start(BlockRows& rows) {
        Tally::start(rows.number);
        rows_ = &rows;
        uneven_ = false;
    }

    void topic(std::string_view name) {
        hash_ = hash_id(name);
        uint32_t number = rows_->topics.put(name, hash_);
        rows_->chunk.segments.push_back({static_cast<uint32_t>(rows_->chunk.size()), number});
    }

    void row(std::string_view document, double value, uint64_t line) {
        Chunk& chunk = rows_->chunk;
        if (!uneven_ && line != chunk.size()) spell_lines();
        if (uneven_) chunk.lines.push_back(static_cast<uint32_t>(line));
        chunk.bytes.insert(chunk.bytes.end(), document.begin(), document.end());
        chunk.ends.push_back(static_cast<uint32_t>(chunk.bytes.size()));
        chunk.values.push_back(value);
        digest.add(hash_, hash_id(document), value);
    }

private:
    // Up to here row i was on line i; a line without a row ended that.
    void spell_lines() {
        uneven_ = true;
        Chunk& chunk = rows_->chunk;
        chunk.lines.resize(chunk.size());
        for (uint32_t i = 0; i < chunk.lines.size(); ++i) chunk.lines[i] = i;
    }

    BlockRows* rows_ = nullptr;
    uint64_t hash_ = 0;
    bool uneven_ = false;
};

template <Kind kind>
void collect(Reader& reader, Collector& collector, std::vector<std::unique_ptr<BlockRows>>& blocks, std::mutex& mutex,
             const std::atomic<bool>& stop) {
    Block block;
    while (!stop && reader.next(block)) {
        auto rows = std::make_unique<BlockRows>();
        rows->number = block.number;
        collector.start(*rows);
        if (block.too_long) {
            collector.fault(FaultKind::too_long, 0, 0, {});
            rows->line_count = 1;
        } else {
            size_t guess = block.size / 24;
            rows->chunk.values.reserve(guess);
            rows->chunk.ends.reserve(guess);
            rows->chunk.bytes.reserve(block.size / 3);
            rows->line_count = LineParser<kind, Collector>(block.text(), collector).run();
        }
        rows->chunk.values.shrink_to_fit();
        rows->chunk.ends.shrink_to_fit();
        rows->chunk.bytes.shrink_to_fit();
        std::lock_guard lock(mutex);
        blocks.push_back(std::move(rows));
    }
}

}  // namespace

Rows Rows::read(Source& source, Kind kind, unsigned threads, size_t block) {
    std::atomic<uint64_t> bytes{0};
    Reader reader(source, Cut::lines, block, bytes);
    if (auto line = reader.open()) throw Fault{FaultKind::binary, *line, 0, "", 1};
    if (source.size() && source.size() < 2 * BLOCK && !block) threads = 1;

    std::vector<std::unique_ptr<BlockRows>> blocks;
    std::mutex mutex;
    std::vector<Collector> collectors(threads);
    in_threads(threads, [&](unsigned i, const std::atomic<bool>& stop) {
        if (kind == Kind::run) {
            collect<Kind::run>(reader, collectors[i], blocks, mutex, stop);
        } else {
            collect<Kind::qrels>(reader, collectors[i], blocks, mutex, stop);
        }
    });
    std::sort(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) { return a->number < b->number; });

    Rows rows;
    Tally tally;
    LineCounts counts;
    for (const Collector& part : collectors) tally.add(part);
    uint64_t lines = 0;
    for (std::unique_ptr<BlockRows>& part : blocks) {
        counts.set(part->number, part->line_count);
        std::vector<uint32_t> numbers(part->topics.size());
        for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = rows.topics.put(part->topics[i], part->topics.hash(i));
        for (Chunk::Segment& segment : part->chunk.segments) segment.topic = numbers[segment.topic];
        part->chunk.first_line = lines;
        part->chunk.first_row = rows.size;
        rows.size += part->chunk.size();
        lines += part->line_count;
        if (part->chunk.size()) rows.chunks.push_back(std::move(part->chunk));
        part.reset();
    }
    if (tally.faults.any()) throw tally.faults.resolve([&](Place place) { return counts.line(place); });
    if (rows.size == 0) throw Fault{FaultKind::empty, 0, 0, "", 1};
    rows.tag = tally.first_tag();
    rows.digest = tally.digest;
    return rows;
}

}  // namespace gainful
