#include "judge.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace gainful {

void Seen::start(size_t documents) {
    // Mostly empty: a slot that is taken costs a branch guessed wrong, an empty one next to nothing.
    size_t room = std::max<size_t>(1024, std::bit_ceil(4 * documents));
    base_ = next_;
    next_ += documents;
    if (room > slots_.size() || next_ > 0xFFFFFFFF) {
        slots_.assign(std::max(room, slots_.size()), 0);
        base_ = 1;
        next_ = 1 + documents;
    }
    mask_ = room - 1;
}

// Finds the hits and whether scores fall; false as soon as a document is met again.
bool TopicJudge::match(uint32_t topic) {
    const size_t count = documents_.size();
    seen_.start(count);
    uint32_t* slots = seen_.slots();
    const size_t mask = seen_.mask();
    const uint32_t base = seen_.base();
    found_.clear();
    falling_ = true;
    double before = count ? scores_[0] : 0;
    for (size_t i = 0; i < count; ++i) {
        const Document& document = documents_[i];
        size_t at = document.hash & mask;
        for (; slots[at] >= base; at = (at + 1) & mask) {
            const Document& other = documents_[slots[at] - base];
            if (other.hash == document.hash && same_id(other.name(), document.name())) return false;
        }
        slots[at] = base + static_cast<uint32_t>(i);
        int32_t row = index_.find(topic, document.name(), document.hash);
        if (row >= 0) found_.push_back({row, static_cast<int32_t>(i), 0, 0, 0});
        falling_ &= scores_[i] <= before;
        before = scores_[i];
    }
    return true;
}

// The rare way: sorts, so that equal documents stand together in the order given.
void TopicJudge::drop_repeated(uint32_t topic, bool ordered) {
    const size_t count = documents_.size();
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    auto earlier = [&](uint32_t a, uint32_t b) {
        return ordered ? a < b : documents_[a].place < documents_[b].place;
    };
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        if (documents_[a].hash != documents_[b].hash) return documents_[a].hash < documents_[b].hash;
        int names = documents_[a].name().compare(documents_[b].name());
        return names != 0 ? names < 0 : earlier(a, b);
    });
    std::vector<uint32_t> kept;
    for (size_t i = 0; i < count;) {
        const uint32_t first = order[i];
        uint32_t stays = first;
        for (++i; i < count && documents_[order[i]].name() == documents_[first].name(); ++i) {
            if (rules_.duplicates == Duplicates::error) {
                faults.note(FaultKind::duplicate, documents_[order[i]].place, documents_[first].place,
                            pair_text(index_.names()[topic], documents_[first].name()));
            } else if (rules_.duplicates == Duplicates::best && scores_[order[i]] > scores_[stays]) {
                stays = order[i];
            }
        }
        kept.push_back(stays);
    }
    std::sort(kept.begin(), kept.end(), earlier);
    std::vector<Document> documents;
    std::vector<double> scores;
    for (uint32_t i : kept) {
        documents.push_back(documents_[i]);
        scores.push_back(scores_[i]);
    }
    documents_.swap(documents);
    scores_.swap(scores);
}

void TopicJudge::rank(bool ordered) {
    if (rules_.ties == Ties::docid) {
        order_.rank(scores_, falling_, false, found_,
                    [this](size_t a, size_t b) { return documents_[a].name() > documents_[b].name(); });
    } else {
        order_.rank(scores_, falling_, ordered, found_,
                    [this](size_t a, size_t b) { return documents_[a].place < documents_[b].place; });
    }
}

void TopicJudge::drop_self(std::string_view topic) {
    size_t kept = 0;
    for (size_t i = 0; i < documents_.size(); ++i) {
        if (documents_[i].name() == topic) continue;
        documents_[kept] = documents_[i];
        scores_[kept++] = scores_[i];
    }
    documents_.resize(kept);
    scores_.resize(kept);
}

void TopicJudge::judge(uint32_t topic, bool ordered) {
    if (rules_.drop_self) drop_self(index_.names()[topic]);
    if (documents_.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
        throw std::length_error("more than 2147483647 documents in a topic");
    }
    if (!match(topic)) {
        drop_repeated(topic, ordered);
        ordered = true;
        match(topic);
    }
    rank(ordered);
    Outcome& outcome = outcomes_[topic];
    outcome = {hits_.size(), static_cast<int64_t>(documents_.size()), static_cast<uint32_t>(found_.size()), worker_, true};
    hits_.insert(hits_.end(), found_.begin(), found_.end());
    documents_.clear();
    scores_.clear();
}

Found assemble(const std::vector<Outcome>& outcomes, const std::vector<const std::vector<Hit>*>& hits) {
    Found found;
    const size_t topics = outcomes.size();
    size_t total = 0;
    found.offsets.resize(topics + 1);
    found.retrieved.resize(topics);
    found.present.resize(topics);
    for (size_t t = 0; t < topics; ++t) {
        total += outcomes[t].count;
        found.offsets[t + 1] = static_cast<int64_t>(total);
        found.retrieved[t] = outcomes[t].retrieved;
        found.present[t] = outcomes[t].present;
    }
    for (auto* column : {&found.row, &found.rank, &found.first, &found.last}) column->resize(total);
    size_t at = 0;
    for (const Outcome& outcome : outcomes) {
        if (outcome.count == 0) continue;
        const Hit* hit = hits[outcome.worker]->data() + outcome.start;
        for (uint32_t i = 0; i < outcome.count; ++i, ++hit, ++at) {
            found.row[at] = hit->row;
            found.rank[at] = hit->rank;
            found.first[at] = hit->first;
            found.last[at] = hit->last;
        }
    }
    return found;
}

std::vector<std::string> sorted_topics(std::vector<std::string> topics) {
    std::sort(topics.begin(), topics.end(), topic_before);
    topics.erase(std::unique(topics.begin(), topics.end()), topics.end());
    return topics;
}

}  // namespace gainful
