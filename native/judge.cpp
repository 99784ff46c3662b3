#include "judge.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <unordered_set>
#include <utility>

namespace gainful {

namespace {

float narrowed(double score) { return static_cast<float>(score); }

}  // namespace

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
//
// Most documents are the first in their slot and not judged. The others are noted on the way, without a branch that the
// processor would have to guess, and looked at afterwards.
bool TopicJudge::match(uint32_t topic) {
    const size_t count = documents_.size();
    const Document* documents = documents_.data();
    const double* scores = scores_.data();
    seen_.start(count);
    uint32_t* slots = seen_.slots();
    const size_t mask = seen_.mask();
    const uint32_t base = seen_.base();
    const Index::Filter judged = index_.filter(topic);
    crowded_.resize(count);
    maybe_judged_.resize(count);
    uint32_t *crowded = crowded_.data(), *maybe_judged = maybe_judged_.data();
    bool falling = true;
    double before = count ? scores[0] : 0;
    for (size_t i = 0; i < count; ++i) {
        if (i % OFTEN == 0 && rules_.cancelled) check(*rules_.cancelled);
        const auto number = static_cast<uint32_t>(i);
        const uint64_t key = documents[i].key;
        uint32_t& slot = slots[key & mask];
        const bool taken = slot >= base;
        slot = taken ? slot : base + number;
        *crowded = *maybe_judged = number;
        crowded += taken;
        maybe_judged += judged.may_hold(key);
        falling &= scores[i] <= before;
        before = scores[i];
    }
    falling_ = falling;
    for (const uint32_t* number = crowded_.data(); number != crowded; ++number) {
        if (*number % OFTEN == 0 && rules_.cancelled) check(*rules_.cancelled);
        const Document& document = documents[*number];
        size_t at = document.key & mask;
        for (; slots[at] >= base; at = (at + 1) & mask) {
            const Document& other = documents[slots[at] - base];
            if (other.key == document.key && same_id(other.name(), document.name())) {
                if (repeats_) break;
                return false;
            }
        }
        slots[at] = base + *number;
    }
    found_.clear();
    for (const uint32_t* number = maybe_judged_.data(); number != maybe_judged; ++number) {
        const int32_t row = index_.find(topic, documents[*number].name(), documents[*number].key);
        if (row >= 0) found_.push_back({row, static_cast<int32_t>(*number), 0, 0, 0});
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
        if (documents_[a].key != documents_[b].key) return documents_[a].key < documents_[b].key;
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
    if (rules_.duplicates != Duplicates::error) kept_.dropped += count - kept.size();
    documents_.swap(documents);
    scores_.swap(scores);
}

void TopicJudge::rank(bool ordered) {
    if (rules_.ties == Ties::docid && !repeats_) {  // the usual rule, without a look at others
        order_.rank(scores_, falling_, false, found_,
                    [this](size_t a, size_t b) { return documents_[a].name() > documents_[b].name(); });
    } else {
        order_.rank(scores_, falling_, ordered && rules_.ties == Ties::input, found_,
                    [this](size_t a, size_t b) { return by_rule(a, b); });
    }
    if (rules_.duplicates == Duplicates::once) credit_once();
}

bool TopicJudge::by_rule(size_t a, size_t b) const {
    const int ids = by_place(rules_.ties) ? 0 : documents_[a].name().compare(documents_[b].name());
    return ranks_before(rules_.ties, ids, documents_[a].place, documents_[b].place);
}

// Of the hits that are one document, only the first in rank order stays; the others keep their ranks as documents that
// nobody judged.
void TopicJudge::credit_once() {
    std::unordered_set<int32_t> credited;
    std::erase_if(found_, [&](const Hit& hit) { return !credited.insert(hit.row).second; });
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
    if (rules_.narrow) std::ranges::transform(scores_, scores_.begin(), narrowed);
    if (documents_.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
        throw std::length_error("more than 2147483647 documents in a topic");
    }
    if (!match(topic)) {
        drop_repeated(topic, ordered);
        ordered = true;
        match(topic);
    }
    rank(ordered);
    if (!rules_.narrow) note_close(topic, scores_, falling_, order_.close(), found_, kept_.close);
    Outcome& outcome = outcomes_[topic];
    outcome = {kept_.hits.size(), static_cast<int64_t>(documents_.size()), static_cast<uint32_t>(found_.size()), worker_,
               true, kept_.top.score.size(), 0};
    if (rules_.top) {
        keep_top();
        outcome.top_count = static_cast<uint32_t>(kept_.top.score.size() - outcome.top_start);
    }
    kept_.hits.insert(kept_.hits.end(), found_.begin(), found_.end());
    documents_.clear();
    scores_.clear();
}

// Rounding keeps the order, so that documents which are equal in 32 bits stand together: a hit's neighbours tell. Where
// scores are not in order a sorted copy is made, but only where some documents were seen to be close.
void note_close(uint32_t topic, const std::vector<double>& scores, bool sorted, bool close, const std::vector<Hit>& hits,
                std::vector<Close>& groups) {
    if (hits.empty() || (!sorted && !close)) return;
    std::vector<double> copy;
    if (!sorted) {
        copy = scores;
        std::sort(copy.begin(), copy.end(), std::greater<>());
    }
    const std::vector<double>& ordered = sorted ? scores : copy;
    int32_t before = 0;
    for (const Hit& hit : hits) {
        size_t first = static_cast<size_t>(hit.first) - 1, last = static_cast<size_t>(hit.last) - 1;
        const float score = narrowed(ordered[first]);
        while (first > 0 && narrowed(ordered[first - 1]) == score) --first;
        while (last + 1 < ordered.size() && narrowed(ordered[last + 1]) == score) ++last;
        const auto start = static_cast<int32_t>(first) + 1, end = static_cast<int32_t>(last) + 1;
        if ((start < hit.first || end > hit.last) && start != before) groups.push_back({topic, start, end});
        before = start;
    }
}

// Of two documents with the same score.
bool TopicJudge::first_of_tied(size_t a, size_t b) const {
    if (rules_.ties == Ties::best || rules_.ties == Ties::worst) {
        // Highest grades first, documents that nobody judged before negative grades; or the reverse.
        auto worth = [this](size_t i) {
            if (rows_[i] < 0) return std::pair(1, 0.0);
            const double grade = index_.grade()[static_cast<size_t>(rows_[i])];
            return std::pair(grade >= 0 ? 2 : 0, grade);
        };
        const auto first = worth(a), second = worth(b);
        if (first != second) return rules_.ties == Ties::best ? first > second : first < second;
    }
    return by_rule(a, b);
}

void TopicJudge::keep_top() {
    const size_t count = documents_.size(), kept = std::min<size_t>(count, rules_.top);
    rows_.assign(count, -1);
    for (const Hit& hit : found_) rows_[static_cast<size_t>(hit.at)] = hit.row;
    std::vector<int32_t>& order = order_of_top_;
    order.resize(count);
    std::iota(order.begin(), order.end(), 0);
    auto before = [this](int32_t a, int32_t b) {
        const auto i = static_cast<size_t>(a), j = static_cast<size_t>(b);
        return scores_[i] != scores_[j] ? scores_[i] > scores_[j] : first_of_tied(i, j);
    };
    auto score = [&](size_t place) { return scores_[static_cast<size_t>(order[place])]; };
    if (falling_) {  // only documents of one score need to be put in order
        for (size_t start = 0, end; start < kept; start = end) {
            for (end = start + 1; end < count && scores_[end] == scores_[start];) ++end;
            std::partial_sort(order.begin() + static_cast<long>(start), order.begin() + static_cast<long>(std::min(end, kept)),
                              order.begin() + static_cast<long>(end), before);
        }
    } else {
        std::partial_sort(order.begin(), order.begin() + static_cast<long>(kept), order.end(), before);
    }
    Top& top = kept_.top;
    for (size_t start = 0, end; start < kept; start = end) {
        for (end = start + 1; end < kept && score(end) == score(start);) ++end;
        size_t last = end;
        if (end == kept) {
            last = start + static_cast<size_t>(std::count(scores_.begin(), scores_.end(), score(start)));
        }
        for (size_t place = start; place < end; ++place) {
            const auto i = static_cast<size_t>(order[place]);
            top.documents.push(documents_[i].name());
            top.score.push_back(scores_[i]);
            top.row.push_back(rows_[i]);
            top.first.push_back(static_cast<int32_t>(start) + 1);
            top.last.push_back(static_cast<int32_t>(last));
        }
    }
}

namespace {

void add_top(Top& all, const Top& part, size_t start, size_t count) {
    for (size_t i = start; i < start + count; ++i) {
        all.documents.push(part.documents[i]);
        all.score.push_back(part.score[i]);
        all.row.push_back(part.row[i]);
        all.first.push_back(part.first[i]);
        all.last.push_back(part.last[i]);
    }
    all.offsets.push_back(static_cast<int64_t>(all.score.size()));
}

}  // namespace

Found assemble(const std::vector<Outcome>& outcomes, const std::vector<const Kept*>& workers) {
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
    found.top.offsets.push_back(0);
    for (const Outcome& outcome : outcomes) {
        add_top(found.top, workers[outcome.worker]->top, outcome.top_start, outcome.top_count);
        if (outcome.count == 0) continue;
        const Hit* hit = workers[outcome.worker]->hits.data() + outcome.start;
        for (uint32_t i = 0; i < outcome.count; ++i, ++hit, ++at) {
            found.row[at] = hit->row;
            found.rank[at] = hit->rank;
            found.first[at] = hit->first;
            found.last[at] = hit->last;
        }
    }
    std::vector<Close> close;
    for (const Kept* kept : workers) {
        found.dropped += kept->dropped;
        close.insert(close.end(), kept->close.begin(), kept->close.end());
    }
    std::sort(close.begin(), close.end(), [](const Close& a, const Close& b) {
        return std::pair(a.topic, a.first) < std::pair(b.topic, b.first);
    });
    for (const Close& group : close) {
        found.close_topic.push_back(static_cast<int32_t>(group.topic));
        found.close_first.push_back(group.first);
        found.close_last.push_back(group.last);
    }
    return found;
}

std::vector<std::string> sorted_topics(std::vector<std::string> topics) {
    std::sort(topics.begin(), topics.end(), topic_before);
    topics.erase(std::unique(topics.begin(), topics.end()), topics.end());
    return topics;
}

}  // namespace gainful
