#include "table.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include "pool.h"

namespace gainful {

namespace {

// Neighbouring rows of one topic.
struct Piece {
    uint32_t chunk, start, end;
};

// Some judged topics, and the pieces of each in the order given: as many as are held in bounded memory, one topic at least.
struct Pieces {
    uint32_t first, last;        // from first to before last
    std::vector<size_t> starts;  // by topic, from the first one on
    std::vector<Piece> pieces;
};

using Numbers = std::vector<std::optional<uint32_t>>;

// How many pieces each judged topic has.
std::vector<uint32_t> piece_counts(const Rows& rows, const Numbers& numbers, size_t topics) {
    std::vector<uint32_t> counts(topics);
    for (const Chunk& chunk : rows.chunks) {
        for (const Chunk::Segment& segment : chunk.segments) {
            if (numbers[segment.topic]) ++counts[*numbers[segment.topic]];
        }
    }
    return counts;
}

Pieces pieces_from(uint32_t first, const std::vector<uint32_t>& counts, const Rows& rows, const Numbers& numbers) {
    constexpr size_t MOST = size_t{1} << 20;
    Pieces result{first, first, {0}, {}};
    std::vector<size_t>& starts = result.starts;
    while (result.last < counts.size() && (result.last == first || starts.back() + counts[result.last] <= MOST)) {
        starts.push_back(starts.back() + counts[result.last++]);
    }
    result.pieces.resize(starts.back());
    std::vector<size_t> next(starts.begin(), starts.end() - 1);
    for (uint32_t c = 0; c < rows.chunks.size(); ++c) {
        const Chunk& chunk = rows.chunks[c];
        for (size_t s = 0; s < chunk.segments.size(); ++s) {
            const Chunk::Segment& segment = chunk.segments[s];
            const auto& number = numbers[segment.topic];
            if (!number || *number < first || *number >= result.last) continue;
            result.pieces[next[*number - first]++] = {c, segment.start, static_cast<uint32_t>(chunk.segment_end(s))};
        }
    }
    return result;
}

}  // namespace

Found judge_table(const Index& index, const Rows& rows, Rules rules, unsigned threads) {
    std::vector<Outcome> outcomes(index.topics());
    Numbers numbers(rows.topics.size());
    std::vector<std::string> extra;
    for (size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = index.names().find(rows.topics[i], rows.topics.key(i));
        if (numbers[i]) {
            outcomes[*numbers[i]].present = true;  // even if it holds no documents
        } else {
            extra.emplace_back(rows.topics[i]);
        }
    }
    const std::vector<uint32_t> counts = piece_counts(rows, numbers, index.topics());

    if (rows.size < 10000) threads = 1;
    std::vector<TopicJudge> judges;
    for (unsigned i = 0; i < threads; ++i) judges.emplace_back(index, rules, i, outcomes);
    for (uint32_t first = 0; first < index.topics();) {
        const Pieces some = pieces_from(first, counts, rows, numbers);
        std::atomic<uint32_t> next{first};
        in_threads(threads, [&](unsigned worker, const std::atomic<bool>& stop) {
            TopicJudge& judge = judges[worker];
            for (uint32_t topic; !stop && (topic = next++) < some.last;) {
                const size_t start = some.starts[topic - some.first], end = some.starts[topic - some.first + 1];
                if (start == end) continue;
                for (size_t p = start; p < end; ++p) {
                    const Piece& piece = some.pieces[p];
                    const Chunk& chunk = rows.chunks[piece.chunk];
                    for (size_t i = piece.start; i < piece.end; ++i) {
                        std::string_view document = chunk.document(i);
                        judge.add(document, key_of(document), chunk.values[i], chunk.first_row + i);
                    }
                }
                judge.judge(topic, true);
            }
        });
        first = some.last;
    }

    Faults faults;
    std::vector<const Kept*> kept;
    for (const TopicJudge& judge : judges) {
        faults.add(judge.faults);
        kept.push_back(&judge.kept());
    }
    if (faults.any()) throw faults.resolve([&](Place row) { return rows.line(row); });
    Found found = assemble(outcomes, kept);
    found.extra = sorted_topics(std::move(extra));
    found.rows = rows.size;
    found.tag = rows.tag;
    found.digest = rows.digest.hex();
    return found;
}

}  // namespace gainful
