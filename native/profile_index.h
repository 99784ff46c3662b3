// Many profiles by term, against which documents are scored as they arrive.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "highest_scores.h"
#include "sparse.h"

namespace gainful {

// The profiles are scored in stretches, so that what a stretch weighs stays in the cache while documents go by.
class ProfileIndex {
public:
    struct Profile {
        std::span<const int32_t> terms;
        std::span<const double> weights;
    };

    explicit ProfileIndex(std::span<const Profile> profiles);

    size_t size() const { return profiles_; }

    // A row of scores for each document, a column for each profile.
    void score(const SparseRows& documents, unsigned threads, double* scores) const;

    // Scores at theta or more, a theta for each profile, and above the floor: what would be delivered.
    struct Reached {
        std::vector<int64_t> document;
        std::vector<int64_t> profile;
        std::vector<double> score;
        std::vector<int64_t> higher;  // how many earlier documents of the history score higher; −1 where it is not known
    };

    // With `highest`, the documents join the histories of which it keeps the highest scores, under the number that each
    // profile has there.
    Reached reach(const SparseRows& documents, std::span<const double> theta, double floor, unsigned threads,
                  HighestScores* highest, std::span<const int64_t> numbers) const;

private:
    // visit(document, first profile, its score and those of the next ones, how many) for documents start to stop:
    // stretch by stretch, and in each the documents in their order.
    template <class Visit>
    void each_stretch(const SparseRows& documents, size_t start, size_t stop, Visit visit) const;

    size_t profiles_, width_;      // of a stretch
    std::vector<int64_t> starts_;  // of each term's postings, and the end of the last
    std::vector<int32_t> profile_;
    std::vector<double> weight_;
    std::vector<int32_t> column_;  // of each term that most profiles have: it has no postings; −1 for all others
    size_t columns_ = 0;
    std::vector<double> dense_;  // by stretch, by column, a weight for each profile
};

void bind_profile_index(nanobind::module_& m);

}  // namespace gainful
