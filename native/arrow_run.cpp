// A run in an Arrow stream, judged as it comes.
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "arrow_cells.h"
#include "pool.h"
#include "sinks.h"

namespace gainful {

namespace {

constexpr int64_t SPAN_ROWS = 1 << 16;
constexpr int64_t ENOUGH = 1 << 14;   // rows of a turn: with fewer, threads mostly wait for the lock
constexpr int64_t LARGEST = 1 << 20;  // rows of a topic that are kept until it ends

// Neighbouring rows of a batch.
struct Span {
    std::shared_ptr<const Batch> batch;
    int64_t start, stop;
};

// Threads take turns to ask for rows of whole topics; whoever needs another batch waits for it, and it may have to be
// decoded, while the others judge theirs.
class WholeTopics {
public:
    WholeTopics(ArrowArrayStream& stream, const Columns& columns) : stream_(stream), columns_(columns) {}

    // Nothing at the end. Spans follow each other, and so do numbers.
    std::vector<Span> next(uint64_t& number) {
        std::lock_guard lock(mutex_);
        std::vector<Span> spans = std::exchange(carry_, {});
        for (int64_t rows = 0; !gave_up && more();) {
            const Span span{batch_, start_, std::min(start_ + SPAN_ROWS, batch_->length)};
            start_ = span.stop;
            rows += span.stop - span.start;
            if (rows < ENOUGH) {
                spans.push_back(span);
                continue;
            }
            const int64_t last = last_topic(span);
            if (last > span.start) {
                spans.push_back({span.batch, span.start, last});
                carry_ = {{span.batch, last, span.stop}};
                break;
            }
            if (!spans.empty() && name_at(span, last) != name_at(spans.back(), spans.back().stop - 1)) {
                carry_ = {span};
                break;
            }
            spans.push_back(span);
            gave_up = rows > LARGEST;
        }
        number = number_++;
        return spans;
    }

    std::atomic<bool> gave_up{false};  // a topic is too large to be kept, or an id is

private:
    bool more() {
        while (!ended_ && (!batch_ || start_ >= batch_->length)) {
            auto batch = std::make_shared<Batch>();
            check(stream_, stream_.get_next(&stream_, batch.get()));
            ended_ = batch->release == nullptr;
            if (!ended_ && columns_.too_long(*batch)) gave_up = true;  // rows are not kept; whoever reads them says why
            batch_ = std::move(batch);
            start_ = 0;
        }
        return !ended_;
    }

    std::string name_at(const Span& span, int64_t i) const {
        Ids topics = columns_.ids(0, *span.batch);
        return topics.null(i) ? std::string() : std::string(topics.at(i));
    }

    // Where the last topic of a span begins.
    int64_t last_topic(const Span& span) const {
        const std::string name = name_at(span, span.stop - 1);
        Ids topics = columns_.ids(0, *span.batch);
        int64_t i = span.stop - 1;
        while (i > span.start && !topics.null(i - 1) && topics.at(i - 1) == name) --i;
        return i;
    }

    std::mutex mutex_;
    ArrowArrayStream& stream_;
    const Columns& columns_;
    std::shared_ptr<const Batch> batch_;
    int64_t start_ = 0;
    bool ended_ = false;
    std::vector<Span> carry_;  // of a topic that may go on
    uint64_t number_ = 0;
};

// Ids that are numbers become text, which must stay where it is until the topic is judged.
class Texts {
public:
    explicit Texts(size_t ids) { memory_.reserve(ids * LONGEST); }
    std::string_view keep(std::string_view text) {
        const size_t start = memory_.size();
        memory_.append(text);
        return {memory_.data() + start, text.size()};
    }

private:
    static constexpr size_t LONGEST = 20;
    std::string memory_;
};

// False where a row has a fault.
bool feed(const std::vector<Span>& spans, const Columns& columns, DirectSink& sink) {
    std::string topic;
    uint64_t line = 0;
    size_t rows = 0;
    for (const Span& span : spans) rows += static_cast<size_t>(span.stop - span.start);
    const bool numbers = columns.numbers(1);
    Texts texts(numbers ? rows : 0);
    for (const Span& span : spans) {
        Ids topics = columns.ids(0, *span.batch), documents = columns.ids(1, *span.batch);
        const Cells values = columns.values(*span.batch);
        const bool full = topics.never_null() && documents.never_null() && values.never_null();
        for (int64_t i = span.start; i < span.stop; ++i, ++line) {
            if (!full && (topics.null(i) || documents.null(i) || values.null(i))) return false;
            const double score = values.number(i);
            if (std::isnan(score)) return false;
            if (!topics.again(i)) {
                const std::string_view name = topics.at(i);
                if (is_missing(name)) return false;
                if (line == 0 || name != topic) sink.topic(name);
                topic = name;
            }
            const std::string_view document = documents.at(i);
            if (is_missing(document)) return false;
            sink.row(numbers ? texts.keep(document) : document, score, line);
        }
    }
    sink.finish();
    return true;
}

}  // namespace

std::optional<Found> judge_arrow(const Index& index, ArrowArrayStream& stream, const ColumnNames& names, Rules rules,
                                 unsigned threads) {
    const Ended ended{stream};
    const Columns columns(stream, names);
    std::vector<Outcome> outcomes(index.topics());
    std::vector<std::atomic<bool>> closed(index.topics());
    std::atomic<bool> hopeless{false};
    std::vector<DirectSink> sinks;
    for (unsigned i = 0; i < threads; ++i) sinks.emplace_back(index, rules, i, outcomes, closed, hopeless);
    WholeTopics topics(stream, columns);
    in_threads(threads, [&](unsigned i, const std::atomic<bool>& stop) {
        uint64_t number = 0;
        for (std::vector<Span> spans; !stop && !hopeless && !(spans = topics.next(number)).empty();) {
            sinks[i].start(number);
            if (!feed(spans, columns, sinks[i])) hopeless = true;
        }
    });
    if (hopeless || topics.gave_up) return std::nullopt;
    std::vector<const TopicJudge*> judges;
    uint64_t rows = 0;
    for (const DirectSink& sink : sinks) {
        if (sink.judge().faults.any()) return std::nullopt;
        judges.push_back(&sink.judge());
        rows += sink.rows;
    }
    if (rows == 0) return std::nullopt;
    return gather(sinks, judges, outcomes, [](Place place) { return place; });
}

}  // namespace gainful
