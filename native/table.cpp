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

// The pieces of each judged topic, in the order given.
struct Pieces {
    std::vector<size_t> starts;  // by topic of the judgments
    std::vector<Piece> pieces;
};

Pieces by_topic(const Rows& rows, const std::vector<std::optional<uint32_t>>& numbers, size_t topics) {
    Pieces result;
    std::vector<size_t>& starts = result.starts;
    starts.resize(topics + 1);
    for (const Chunk& chunk : rows.chunks) {
        for (const Chunk::Segment& segment : chunk.segments) {
            if (numbers[segment.topic]) ++starts[*numbers[segment.topic] + 1];
        }
    }
    for (size_t t = 0; t < topics; ++t) starts[t + 1] += starts[t];
    result.pieces.resize(starts[topics]);
    std::vector<size_t> next(starts.begin(), starts.end() - 1);
    for (uint32_t c = 0; c < rows.chunks.size(); ++c) {
        const Chunk& chunk = rows.chunks[c];
        for (size_t s = 0; s < chunk.segments.size(); ++s) {
            const Chunk::Segment& segment = chunk.segments[s];
            if (!numbers[segment.topic]) continue;
            result.pieces[next[*numbers[segment.topic]]++] = {c, segment.start,
                                                              static_cast<uint32_t>(chunk.segment_end(s))};
        }
    }
    return result;
}

}  // namespace

Found judge_table(const Index& index, const Rows& rows, Rules rules, unsigned threads) {
    std::vector<Outcome> outcomes(index.topics());
    std::vector<std::optional<uint32_t>> numbers(rows.topics.size());
    std::vector<std::string> extra;
    for (size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = index.names().find(rows.topics[i], rows.topics.key(i));
        if (numbers[i]) {
            outcomes[*numbers[i]].present = true;  // even if it holds no documents
        } else {
            extra.emplace_back(rows.topics[i]);
        }
    }
    const Pieces all = by_topic(rows, numbers, index.topics());

    if (rows.size < 10000) threads = 1;
    std::vector<TopicJudge> judges;
    for (unsigned i = 0; i < threads; ++i) judges.emplace_back(index, rules, i, outcomes);
    std::atomic<uint32_t> next{0};
    in_threads(threads, [&](unsigned worker, const std::atomic<bool>& stop) {
        TopicJudge& judge = judges[worker];
        for (uint32_t topic; !stop && (topic = next++) < index.topics();) {
            if (all.starts[topic] == all.starts[topic + 1]) continue;
            for (size_t p = all.starts[topic]; p < all.starts[topic + 1]; ++p) {
                const Piece& piece = all.pieces[p];
                const Chunk& chunk = rows.chunks[piece.chunk];
                for (size_t i = piece.start; i < piece.end; ++i) {
                    std::string_view document = chunk.document(i);
                    judge.add(document, key_of(document), chunk.values[i], chunk.first_row + i);
                }
            }
            judge.judge(topic, true);
        }
    });

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
