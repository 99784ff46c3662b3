#include "rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "delimited.h"
#include "in_order.h"
#include "lines.h"
#include "pool.h"
#include "tally.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace gainful {

namespace {

// Chunks are small, and made by several threads: the C library keeps their memory unless it is told to give it back.
void give_back() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}  // namespace

std::vector<double> Rows::take_values() {
    constexpr size_t AT_ONCE = size_t{1} << 20;
    std::vector<double> values;
    values.reserve(size);
    size_t given_back = 0;
    for (Chunk& chunk : chunks) {
        values.insert(values.end(), chunk.values.begin(), chunk.values.end());
        chunk = {};
        if (values.size() >= given_back + AT_ONCE) {
            give_back();
            given_back = values.size();
        }
    }
    chunks.clear();
    size = lines = 0;
    return values;
}

uint64_t Rows::line(uint64_t row) const {
    if (!has_lines) return 0;
    auto after = std::upper_bound(chunks.begin(), chunks.end(), row,
                                  [](uint64_t r, const Chunk& chunk) { return r < chunk.first_row; });
    const Chunk& chunk = *(after - 1);
    uint64_t i = row - chunk.first_row;
    return chunk.first_line + (chunk.lines.empty() ? i : chunk.lines[i]) + 1;
}

void Rows::append(Part part, uint64_t part_lines) {
    Chunk& chunk = part.chunk;
    std::vector<uint32_t> numbers(part.topics.size());
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = topics.put(part.topics[i], part.topics.key(i));
    for (Chunk::Segment& segment : chunk.segments) segment.topic = numbers[segment.topic];
    digest.add(part.digest);
    chunk.first_row = size;
    chunk.first_line = lines;
    size += chunk.size();
    lines += part_lines;
    if (chunk.size()) chunks.push_back(std::move(chunk));
}

namespace {

struct BlockRows {
    uint64_t number = 0;
    uint64_t lines = 0;
    Part part;
};

class Joiner {
public:
    void add(BlockRows block) {
        const uint64_t number = block.number;
        order_.add(number, std::move(block), [this](BlockRows next) {
            counts.set(next.number, next.lines);
            rows.append(std::move(next.part), next.lines);
        });
    }

    Rows rows;
    LineCounts counts;

private:
    InOrder<BlockRows> order_;
};

class Collector : public Tally {
public:
    void start(BlockRows& rows) {
        Tally::start(rows.number);
        part_ = &rows.part;
    }
    void topic(std::string_view name) { part_->topic(name); }
    void row(std::string_view document, double value, uint64_t line) { part_->row(document, value, line); }

private:
    Part* part_ = nullptr;
};

// `parse` takes a block and the collector, and gives the number of lines.
template <class Parse>
void collect(Reader& reader, Collector& collector, Joiner& joiner, const std::atomic<bool>& stop, const Parse& parse) {
    Block block;
    while (!stop && reader.next(block)) {
        BlockRows rows;
        rows.number = block.number;
        collector.start(rows);
        if (block.too_long) {
            collector.fault(FaultKind::too_long, 0, 0, {});
            rows.lines = 1;
        } else {
            rows.part.reserve(block.size / 24, block.size / 3);
            rows.lines = parse(block, collector);
            rows.part.shrink();
        }
        joiner.add(std::move(rows));
    }
}

// Every line of the source, parsed by `parse`.
template <class Parse>
Rows read_lines(Source& source, unsigned threads, size_t block, const std::atomic<bool>& cancelled, const Parse& parse) {
    std::atomic<uint64_t> bytes{0};
    Reader reader(source, Cut::lines, block, bytes);
    if (auto line = reader.open()) throw Fault{FaultKind::binary, *line, 0, "", 1};
    if (source.size() && source.size() < 2 * BLOCK && !block) threads = 1;

    Joiner joiner;
    std::vector<Collector> collectors(threads);
    in_threads(threads, [&](unsigned i, const std::atomic<bool>& stop) {
        collect(reader, collectors[i], joiner, stop, [&](const Block& lines, Collector& collector) {
            check(cancelled);
            return parse(lines, collector);
        });
    });
    Tally tally;
    for (const Collector& part : collectors) tally.add(part);
    tally.compare_widths();
    if (tally.faults.any()) throw tally.faults.resolve([&](Place place) { return joiner.counts.line(place); });
    Rows rows = std::move(joiner.rows);
    if (rows.size == 0) throw Fault{FaultKind::empty, 0, 0, "", 1};
    rows.tag = tally.first_tag();
    return rows;
}

// Throws where the ranks of a topic, which are stored as their negatives, are not 1, 2, 3, … in some order.
void check_ranks(const Rows& rows) {
    std::vector<uint64_t> counts(rows.topics.size());
    auto each = [&rows](const auto& use) {
        for (const Chunk& chunk : rows.chunks) {
            for (size_t s = 0; s < chunk.segments.size(); ++s) {
                for (size_t i = chunk.segments[s].start; i < chunk.segment_end(s); ++i) {
                    use(chunk.segments[s].topic, -chunk.values[i], chunk.first_row + i);
                }
            }
        }
    };
    each([&](uint32_t topic, double, uint64_t) { ++counts[topic]; });
    std::vector<uint64_t> starts(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), uint64_t{0});
    std::vector<bool> met(rows.size);
    Faults faults;
    each([&](uint32_t topic, double rank, uint64_t row) {
        const bool sound = rank >= 1 && rank <= static_cast<double>(counts[topic]) && rank == std::floor(rank);
        if (sound && !met[starts[topic] + static_cast<uint64_t>(rank) - 1]) {
            met[starts[topic] + static_cast<uint64_t>(rank) - 1] = true;
        } else {
            faults.note(FaultKind::rank, row, counts[topic], rows.topics[topic]);
        }
    });
    if (faults.any()) throw faults.resolve([&](Place row) { return rows.line(row); });
}

}  // namespace

Rows Rows::read(Source& source, Kind kind, unsigned threads, size_t block, const std::atomic<bool>& cancelled) {
    if (kind == Kind::run) {
        return read_lines(source, threads, block, cancelled, [](const Block& lines, Collector& collector) {
            return LineParser<Kind::run, Collector>(lines.text(), collector).run();
        });
    }
    return read_lines(source, threads, block, cancelled, [](const Block& lines, Collector& collector) {
        return LineParser<Kind::qrels, Collector>(lines.text(), collector).run();
    });
}

Rows Rows::read(Source& source, const Layout& layout, unsigned threads, size_t block,
                const std::atomic<bool>& cancelled) {
    Rows rows = read_lines(source, threads, block, cancelled, [&layout](const Block& lines, Collector& collector) {
        return TableParser<Collector>(lines, layout, collector).run();
    });
    if (layout.counting) check_ranks(rows);
    return rows;
}

}  // namespace gainful
