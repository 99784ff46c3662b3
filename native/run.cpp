#include "run.h"

#include <algorithm>
#include <array>
#include <optional>

#include "buckets.h"
#include "lines.h"
#include "pool.h"
#include "reader.h"
#include "sinks.h"
#include "tally.h"

namespace gainful {

namespace {

// Topics in any order: rows are packed and judged when all have been read. Each row has its own topic to look up, in
// memory that has to be fetched first; a few rows wait in a queue until it is there.
class ScatterSink : public RunSink {
public:
    ScatterSink(const Index& index, Buckets& buckets) : RunSink(index), writer_(buckets) {}

    void topic(std::string_view name) {
        topic_ = name;
        key_ = key_of(name);
        index_.names().prefetch(key_);
    }

    void row(std::string_view document, double score, uint64_t line) {
        Waiting& place = queue_[next_++ % queue_.size()];
        if (next_ > queue_.size()) pack(place);
        place = {topic_, key_, document, score, line};
    }

    void finish() {
        const size_t count = std::min(next_, queue_.size());
        for (size_t i = next_ - count; i < next_; ++i) pack(queue_[i % queue_.size()]);
        next_ = 0;
    }
    void close() { writer_.close(); }

private:
    struct Waiting {
        std::string_view topic;
        uint64_t key;
        std::string_view document;
        double score;
        uint64_t line;
    };

    void pack(const Waiting& row) {
        std::optional<uint32_t> topic = look_up(row.topic, row.key);
        count(hash_id(row.document), row.score);
        if (topic) writer_.add(*topic, row.document, row.score, block(), row.line);
    }

    Buckets::Writer writer_;
    std::string_view topic_;
    uint64_t key_ = 0;
    std::array<Waiting, 8> queue_;
    size_t next_ = 0;
};

class RunJudge {
public:
    RunJudge(const Index& index, Source& source, const RunSettings& settings, Progress& progress)
        : index_(index), source_(source), settings_(settings), progress_(progress) {}

    // Nothing where a topic is met again after it ended.
    std::optional<Found> directly();
    Found scattered();

private:
    template <class Sink>
    void read(Reader& reader, Sink& sink, LineCounts& counts, const std::atomic<bool>& stop,
              const std::atomic<bool>& other_stop);
    void judge_bucket(const Buckets::Content& content, TopicJudge& judge);

    template <class Sink>
    Found finish(const std::vector<Sink>& sinks, const std::vector<const TopicJudge*>& judges,
                 const LineCounts& counts, const std::vector<Outcome>& outcomes) const {
        check(progress_.cancelled);
        return gather(sinks, judges, outcomes, [&](Place place) { return counts.line(place); });
    }

    const Index& index_;
    Source& source_;
    const RunSettings& settings_;
    Progress& progress_;
};

template <class Sink>
void RunJudge::read(Reader& reader, Sink& sink, LineCounts& counts, const std::atomic<bool>& stop,
                    const std::atomic<bool>& other_stop) {
    Block block;
    while (!stop && !other_stop && reader.next(block)) {
        check(progress_.cancelled);
        sink.start(block.number);
        uint64_t lines = 1;
        if (block.too_long) {
            sink.fault(FaultKind::too_long, 0, 0, {});
        } else {
            lines = LineParser<Kind::run, Sink>(block.text(), sink).run();
            sink.finish();
        }
        counts.set(block.number, lines);
    }
}

std::optional<Found> RunJudge::directly() {
    progress_.bytes_read = 0;
    Reader reader(source_, Cut::topics, settings_.block, progress_.bytes_read);
    if (auto line = reader.open()) throw Fault{FaultKind::binary, *line, 0, "", 1};
    std::vector<Outcome> outcomes(index_.topics());
    std::vector<std::atomic<bool>> closed(index_.topics());
    std::atomic<bool> scattered{false};
    LineCounts counts;
    std::vector<DirectSink> sinks;
    for (unsigned i = 0; i < settings_.threads; ++i) {
        sinks.emplace_back(index_, settings_.rules, i, outcomes, closed, scattered);
    }
    in_threads(settings_.threads, [&](unsigned i, const std::atomic<bool>& stop) {
        read(reader, sinks[i], counts, stop, scattered);
    });
    if (scattered || reader.gave_up()) return std::nullopt;
    std::vector<const TopicJudge*> judges;
    for (const DirectSink& sink : sinks) judges.push_back(&sink.judge());
    return finish(sinks, judges, counts, outcomes);
}

// Groups the rows of a bucket by topic, then judges each.
void RunJudge::judge_bucket(const Buckets::Content& content, TopicJudge& judge) {
    auto local = [&](uint32_t topic) { return topic >> content.shift(); };
    std::vector<size_t> starts(local(static_cast<uint32_t>(index_.topics())) + 2);
    content.each([&](const PackedRow& row) { ++starts[local(row.topic) + 1]; });
    for (size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    std::vector<PackedRow> rows(starts.back());
    content.each([&](const PackedRow& row) { rows[starts[local(row.topic)]++] = row; });
    for (size_t i = 0; i < rows.size();) {
        const uint32_t topic = rows[i].topic;
        bool ordered = true;
        for (Place before = 0; i < rows.size() && rows[i].topic == topic; ++i) {
            const PackedRow& row = rows[i];
            ordered = ordered && row.place >= before;
            before = row.place;
            judge.add(row.document, key_of(row.document), row.score, row.place);
        }
        judge.judge(topic, ordered);
        check(progress_.cancelled);
    }
}

Found RunJudge::scattered() {
    progress_.bytes_read = 0;
    Reader reader(source_, Cut::lines, settings_.block, progress_.bytes_read);
    if (auto line = reader.open()) throw Fault{FaultKind::binary, *line, 0, "", 1};
    const unsigned threads = settings_.threads;
    Buckets buckets(index_.topics(), threads, settings_.memory ? settings_.memory : MEMORY, settings_.folder);
    LineCounts counts;
    std::vector<ScatterSink> sinks;
    std::vector<TopicJudge> judges;
    std::vector<Outcome> outcomes(index_.topics());
    for (unsigned i = 0; i < threads; ++i) {
        sinks.emplace_back(index_, buckets);
        judges.emplace_back(index_, settings_.rules, i, outcomes);
    }
    const std::atomic<bool> never{false};
    in_threads(threads, [&](unsigned i, const std::atomic<bool>& stop) {
        read(reader, sinks[i], counts, stop, never);
        sinks[i].close();
    });
    std::atomic<size_t> next{0};
    in_threads(threads, [&](unsigned i, const std::atomic<bool>& stop) {
        for (size_t bucket; !stop && (bucket = next++) < buckets.count();) {
            judge_bucket(Buckets::Content(buckets, bucket), judges[i]);
        }
    });
    std::vector<const TopicJudge*> pointers;
    for (const TopicJudge& judge : judges) pointers.push_back(&judge);
    return finish(sinks, pointers, counts, outcomes);
}

}  // namespace

Found judge_run(const Index& index, Source& source, const RunSettings& settings, Progress& progress) {
    RunSettings chosen = settings;
    chosen.rules.cancelled = &progress.cancelled;
    if (source.size() && source.size() < 2 * BLOCK && !settings.block) chosen.threads = 1;
    RunJudge judge(index, source, chosen, progress);
    if (source.rewind()) {
        if (std::optional<Found> found = judge.directly()) return std::move(*found);
        if (!source.rewind()) throw std::system_error(ESPIPE, std::generic_category());
    }
    return judge.scattered();  // also what comes but once: by the time a topic is met again it could not be read again
}

}  // namespace gainful
