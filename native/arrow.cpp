#include "arrow.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "arrow_cells.h"
#include "in_order.h"
#include "pool.h"

namespace gainful {

namespace {

constexpr int64_t SLICE = 1 << 15;

// Some rows of a batch; a thread takes one at a time.
struct Slice {
    std::shared_ptr<const Batch> batch;
    int64_t start, stop;
    uint64_t number;  // of the slice in the stream
};

// What became of a slice.
struct Taken {
    uint64_t lines = 0;
    Part part;
    Faults faults;  // places count from 1 in the slice
};

// Threads take turns to ask for the next slice; whoever finds none left of the last batch waits for the next one, which
// may have to be decoded, while the others work on theirs.
class Slices {
public:
    explicit Slices(ArrowArrayStream& stream) : stream_(stream) {}

    std::optional<Slice> next() {
        std::lock_guard lock(mutex_);
        while (!ended_ && (!batch_ || start_ >= batch_->length)) {
            auto batch = std::make_shared<Batch>();
            check(stream_, stream_.get_next(&stream_, batch.get()));
            ended_ = batch->release == nullptr;
            batch_ = std::move(batch);
            start_ = 0;
        }
        if (ended_) return std::nullopt;
        const int64_t stop = std::min(start_ + SLICE, batch_->length);
        return Slice{batch_, std::exchange(start_, stop), stop, count_++};
    }

private:
    std::mutex mutex_;
    ArrowArrayStream& stream_;
    std::shared_ptr<const Batch> batch_;
    int64_t start_ = 0;
    uint64_t count_ = 0;
    bool ended_ = false;
};

Taken take(const Slice& slice, const Columns& columns) {
    const ArrowArray& batch = *slice.batch;
    Ids topics = columns.ids(0, batch), documents = columns.ids(1, batch);
    const Cells values = columns.values(batch);
    Taken taken;
    Part& part = taken.part;
    const auto size = static_cast<size_t>(slice.stop - slice.start);
    taken.lines = size;
    const bool full = topics.never_null() && documents.never_null() && values.never_null();
    part.reserve(size, 8 * size);
    for (int64_t i = slice.start; i < slice.stop; ++i) {
        const auto row = static_cast<uint64_t>(i - slice.start);
        if (!full && (topics.null(i) || documents.null(i) || values.null(i))) {
            const size_t lacking = topics.null(i) ? 0 : documents.null(i) ? 1 : 2;
            taken.faults.note(FaultKind::null, row + 1, 0, Columns::ROLES[lacking]);
            continue;
        }
        const double number = values.number(i);
        if (std::isnan(number)) {
            std::string text(topics.at(i));
            taken.faults.note(FaultKind::nan, row + 1, 0, pair_text(text, documents.at(i)));
            continue;
        }
        const bool same_topic = topics.again(i);
        if (documents.at(i).size() > ID_LIMIT || (!same_topic && topics.at(i).size() > ID_LIMIT)) {
            taken.faults.note(FaultKind::id, row + 1, 0, {});
            continue;
        }
        const bool no_topic = !same_topic && is_missing(topics.at(i));
        if (no_topic || is_missing(documents.at(i))) {
            const std::string name(topics.at(i));
            taken.faults.note(FaultKind::null, row + 1, 0, missing_text(no_topic, name, documents.at(i)));
            continue;
        }
        if (!same_topic) part.topic(topics.at(i));
        part.row(documents.at(i), number, row);
    }
    part.shrink();
    return taken;
}

}  // namespace

std::vector<std::string> arrow_columns(ArrowArrayStream& stream) {
    Held<ArrowSchema> schema;
    check(stream, stream.get_schema(&stream, &schema));
    std::vector<std::string> names;
    for (int64_t i = 0; i < schema.n_children; ++i) {
        names.emplace_back(schema.children[i]->name ? schema.children[i]->name : "");
    }
    return names;
}

Rows read_arrow(ArrowArrayStream& stream, const ColumnNames& names, unsigned threads) {
    Ended ended{stream};
    const Columns columns(stream, names);
    Slices slices(stream);
    Rows rows;
    Faults faults;
    InOrder<Taken> order;
    const unsigned most = threads ? threads : std::max(1u, std::thread::hardware_concurrency());
    in_threads(most, [&](unsigned, const std::atomic<bool>& stop) {
        for (std::optional<Slice> slice; !stop && (slice = slices.next());) {
            order.add(slice->number, take(*slice, columns), [&](Taken taken) {
                faults.add(taken.faults, rows.lines);
                rows.append(std::move(taken.part), taken.lines);
            });
        }
    });
    if (faults.any()) throw faults.resolve([](Place row) { return row; });
    if (rows.size == 0) throw Fault{FaultKind::empty, 0, 0, "", 1};
    return rows;
}

}  // namespace gainful
