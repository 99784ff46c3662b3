// Ranks of the hits of one topic. Only the hits are ordered; the other documents are counted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace gainful {

// best, worst and expected need grades: hits are ranked by document id, and then moved within their tie group by who
// knows them.
enum class Ties { docid, ascending, input, reverse, best, worst, expected };

// Whether equal scores rank by the places of their rows.
inline bool by_place(Ties ties) { return ties == Ties::input || ties == Ties::reverse; }

// Whether a document ranks before another of the same score: by id, or by place where the rule says so. A document that
// is given twice has one id, and its places decide.
template <class Place>
bool ranks_before(Ties ties, int ids, Place place, Place other) {
    if (ties == Ties::input) return place < other;
    if (ties == Ties::reverse) return other < place;
    if (ids == 0) return place < other;
    return ties == Ties::ascending ? ids < 0 : ids > 0;
}

// A retrieved document that is judged.
struct Hit {
    int32_t row;   // in the judgments
    int32_t at;    // in the topic's documents, as given
    int32_t rank;  // from 1
    int32_t first, last;  // ranks of the documents with the same score
};

class Order {
public:
    // hits come by ascending `at`, and leave in rank order with their ranks set.
    // falling: scores never rise. given: documents of equal scores rank as they stand.
    // before(i, j): document i ranks before document j, their scores being equal.
    template <class Before>
    void rank(std::span<const double> scores, bool falling, bool given, std::span<Hit> hits, Before before) {
        if (hits.empty()) return;
        if (falling) {
            rank_falling(scores, given, hits, before);
        } else {
            rank_any(scores, hits, before);
        }
        auto by_rank = [](const Hit& a, const Hit& b) { return a.rank < b.rank; };
        if (!std::is_sorted(hits.begin(), hits.end(), by_rank)) std::sort(hits.begin(), hits.end(), by_rank);
    }

    // Whether the last list had a document that equals a hit in 32 bits and not in 64; known where scores did not fall.
    bool close() const { return close_; }

private:
    // Places are ranks; only groups of equal scores that hold a hit need a second look.
    template <class Before>
    void rank_falling(std::span<const double> scores, bool given, std::span<Hit> hits, Before before) {
        for (size_t h = 0; h < hits.size();) {
            size_t start = static_cast<size_t>(hits[h].at), end = start + 1;
            while (start > 0 && scores[start - 1] == scores[end - 1]) --start;
            while (end < scores.size() && scores[end] == scores[start]) ++end;
            const size_t from = h;
            for (; h < hits.size() && static_cast<size_t>(hits[h].at) < end; ++h) {
                hits[h].rank = hits[h].at + 1;
                hits[h].first = static_cast<int32_t>(start) + 1;
                hits[h].last = static_cast<int32_t>(end);
            }
            if (end - start == 1 || given) continue;
            members_.resize(end - start);
            for (size_t i = start; i < end; ++i) members_[i - start] = static_cast<int32_t>(i);
            rank_group(members_, hits.subspan(from, h - from), before);
        }
    }

    // Each document is placed between the scores of the hits.
    template <class Before>
    void rank_any(std::span<const double> scores, std::span<Hit> hits, Before before) {
        auto score = [&](const Hit& hit) { return scores[static_cast<size_t>(hit.at)]; };
        std::sort(hits.begin(), hits.end(), [&](const Hit& a, const Hit& b) { return score(a) > score(b); });
        levels_.clear();
        for (const Hit& hit : hits) {
            if (levels_.empty() || levels_.back() != score(hit)) levels_.push_back(score(hit));
        }
        const size_t count = levels_.size();
        narrow_.assign(count + 2, std::numeric_limits<float>::quiet_NaN());  // of the level above, at each level
        for (size_t level = 0; level < count; ++level) narrow_[level + 1] = static_cast<float>(levels_[level]);
        close_ = false;
        for (size_t level = 1; level < count; ++level) close_ |= narrow_[level] == narrow_[level + 1];
        equal_.assign(count + 1, 0);
        above_.assign(count + 1, 0);
        for (double x : scores) {
            size_t level = level_of(x);
            bool same = level < count && levels_[level] == x;
            equal_[level] += same;
            above_[level] += !same;
            const auto narrow = static_cast<float>(x);
            close_ |= int{!same} & (int{narrow == narrow_[level]} | int{narrow == narrow_[level + 1]});
        }
        int32_t rank = 1;
        bool tied = false;
        size_t h = 0;
        for (size_t level = 0; level < count; ++level) {
            rank += above_[level];
            for (; h < hits.size() && score(hits[h]) == levels_[level]; ++h) {
                hits[h].rank = hits[h].first = rank;
                hits[h].last = rank + equal_[level] - 1;
            }
            rank += equal_[level];
            tied = tied || equal_[level] > 1;
        }
        if (tied) rank_ties(scores, hits, before);
    }

    template <class Before>
    void rank_ties(std::span<const double> scores, std::span<Hit> hits, Before before) {
        starts_.assign(levels_.size() + 1, 0);
        for (size_t level = 0; level < levels_.size(); ++level) starts_[level + 1] = starts_[level] + equal_[level];
        members_.resize(static_cast<size_t>(starts_.back()));
        for (size_t i = 0; i < scores.size(); ++i) {
            size_t level = level_of(scores[i]);
            if (level < levels_.size() && levels_[level] == scores[i]) {
                members_[static_cast<size_t>(starts_[level]++)] = static_cast<int32_t>(i);
            }
        }
        for (size_t level = 0, h = 0; level < levels_.size(); ++level) {
            const size_t from = h, size = static_cast<size_t>(equal_[level]);
            while (h < hits.size() && hits[h].first == hits[from].first) ++h;
            if (size == 1) continue;
            std::span<const int32_t> members(members_.data() + starts_[level] - equal_[level], size);
            rank_group(members, hits.subspan(from, h - from), before);
        }
    }

    // Documents of one score: each is placed between the hits among them.
    template <class Before>
    void rank_group(std::span<const int32_t> members, std::span<Hit> hits, Before before) {
        auto index = [](int32_t i) { return static_cast<size_t>(i); };
        std::sort(hits.begin(), hits.end(),
                  [&](const Hit& a, const Hit& b) { return before(index(a.at), index(b.at)); });
        counts_.assign(hits.size() + 1, 0);
        for (int32_t member : members) {
            auto later = std::partition_point(
                hits.begin(), hits.end(), [&](const Hit& hit) { return !before(index(member), index(hit.at)); });
            ++counts_[static_cast<size_t>(later - hits.begin())];
        }
        int32_t rank = hits.front().first;
        for (size_t h = 0; h < hits.size(); ++h) hits[h].rank = rank += counts_[h];
    }

    // How many levels are above x. The loop has no branch to guess, as scores here come in any order.
    size_t level_of(double x) const {
        const double* base = levels_.data();
        size_t size = levels_.size();
        while (size > 1) {
            size_t half = size / 2;
            base = base[half - 1] > x ? base + half : base;
            size -= half;
        }
        return static_cast<size_t>(base - levels_.data()) + (size == 1 && *base > x);
    }

    std::vector<double> levels_;  // distinct scores of the hits, highest first
    std::vector<float> narrow_;   // the same in 32 bits, one place further on; nothing before and after them
    bool close_ = false;
    std::vector<int32_t> equal_, above_, starts_, members_, counts_;
};

}  // namespace gainful
