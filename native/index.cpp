#include "index.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace gainful {

void Index::enter(const Table& table, uint64_t key, uint32_t row) {
    Slot* slots = slots_.data() + table.start;
    size_t at = key & table.mask;
    while (slots[at].row != NONE) at = (at + 1) & table.mask;
    slots[at] = {static_cast<uint32_t>(key >> 32), row};
    const uint64_t bit = key >> 40 & table.filter_mask;
    filter_[table.filter + (bit >> 6)] |= uint64_t{1} << (bit & 63);
}

// Which rows of a topic stay. Leaves the topic's table (the last one in slots_) filled with positions in the topic.
std::vector<bool> Index::keep(const Entry* entries, size_t count, Duplicates duplicates, std::string_view topic,
                              std::vector<uint64_t>& keys, Faults& faults,
                              const std::atomic<bool>& cancelled) {
    const Table& table = tables_.back();
    Slot* slots = slots_.data() + table.start;
    std::vector<bool> stays(count, true);
    keys.resize(count);
    for (uint32_t i = 0; i < count; ++i) {
        if (i % OFTEN == 0) check(cancelled);
        const Entry& entry = entries[i];
        const uint64_t key = keys[i] = key_of(entry.document);
        size_t at = key & table.mask;
        while (slots[at].row != NONE &&
               (slots[at].part != static_cast<uint32_t>(key >> 32) || entries[slots[at].row].document != entry.document)) {
            at = (at + 1) & table.mask;
        }
        if (slots[at].row == NONE) {
            slots[at] = {static_cast<uint32_t>(key >> 32), i};
        } else if (duplicates == Duplicates::best && entry.value > entries[slots[at].row].value) {
            stays[slots[at].row] = false;
            slots[at].row = i;
        } else {
            stays[i] = false;
            if (duplicates == Duplicates::error) {
                faults.note(FaultKind::duplicate, entry.row, entries[slots[at].row].row, pair_text(topic, entry.document));
            }
        }
    }
    return stays;
}

Index::Index(const Rows& rows, Duplicates duplicates, const std::atomic<bool>& cancelled) : digest_(rows.digest.hex()) {
    if (rows.size == 0) throw Fault{FaultKind::empty, 0, 0, "", 1};
    if (rows.size > static_cast<uint64_t>(std::numeric_limits<int32_t>::max())) {
        throw std::length_error("more than 2147483647 judgments");
    }
    // Rows by topic, in the order given within the topic.
    std::vector<size_t> counts(rows.topics.size());
    for (const Chunk& chunk : rows.chunks) {
        for (size_t s = 0; s < chunk.segments.size(); ++s) {
            counts[chunk.segments[s].topic] += chunk.segment_end(s) - chunk.segments[s].start;
        }
    }
    std::vector<uint32_t> order;
    for (uint32_t topic = 0; topic < counts.size(); ++topic) {
        if (counts[topic]) order.push_back(topic);
    }
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        check(cancelled);
        return topic_before(rows.topics[a], rows.topics[b]);
    });
    std::vector<size_t> next(counts.size());
    size_t total = 0, slots = 0, bytes = 0;
    for (uint32_t topic : order) {
        next[topic] = total;
        total += counts[topic];
        slots += std::bit_ceil(2 * counts[topic]);
    }
    std::vector<Entry> entries(total);
    for (const Chunk& chunk : rows.chunks) {
        check(cancelled);
        for (size_t s = 0; s < chunk.segments.size(); ++s) {
            size_t& at = next[chunk.segments[s].topic];
            for (size_t i = chunk.segments[s].start; i < chunk.segment_end(s); ++i) {
                entries[at++] = {chunk.document(i), chunk.values[i], chunk.first_row + i};
            }
        }
        bytes += chunk.bytes.size();
    }

    Faults faults;
    std::vector<uint64_t> keys;
    grade_.reserve(total);
    documents_.reserve(total, bytes);
    slots_.resize(slots, Slot{0, NONE});
    offsets_.push_back(0);
    const Entry* entry = entries.data();
    uint64_t start = 0;
    for (uint32_t topic : order) {
        const size_t count = counts[topic], room = std::bit_ceil(2 * count);
        topics_.put(rows.topics[topic], rows.topics.key(topic));
        const size_t bits = std::max<size_t>(64, 8 * room);
        tables_.push_back({start, room - 1, filter_.size(), bits - 1});
        filter_.resize(filter_.size() + bits / 64);
        std::vector<bool> stays = keep(entry, count, duplicates, rows.topics[topic], keys, faults, cancelled);
        std::fill_n(slots_.begin() + static_cast<std::ptrdiff_t>(start), room, Slot{0, NONE});
        for (size_t i = 0; i < count; ++i) {
            if (i % OFTEN == 0) check(cancelled);
            if (!stays[i]) continue;
            enter(tables_.back(), keys[i], static_cast<uint32_t>(grade_.size()));
            grade_.push_back(entry[i].value);
            documents_.push(entry[i].document);
        }
        offsets_.push_back(static_cast<int64_t>(grade_.size()));
        entry += count;
        start += room;
    }
    if (faults.any()) throw faults.resolve([&](Place row) { return rows.line(row); });
    dropped_ = total - grade_.size();
}

BestFirst::BestFirst(const Index& index) : rank(index.size()), grade(index.grade()) {
    for (size_t t = 0; t < index.topics(); ++t) {
        const int64_t first = index.offsets()[t], last = index.offsets()[t + 1];
        std::stable_sort(grade.begin() + first, grade.begin() + last, std::greater<>());
        for (int64_t i = first; i < last; ++i) rank[static_cast<size_t>(i)] = static_cast<double>(i - first + 1);
    }
}

}  // namespace gainful
