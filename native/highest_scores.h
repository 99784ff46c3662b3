// The highest scores that each of many profiles gives to the documents of its history, kept as documents arrive.
#pragma once

#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "expected_thetas.h"

namespace nanobind {
class module_;
}

namespace gainful {

class HighestScores {
public:
    // depth: how many scores of each profile, to begin with; 1 or more
    explicit HighestScores(size_t depth);

    // Keep those of a profile from now on; these are all its scores.
    void keep(int64_t number, std::span<const double> scores);
    void drop(int64_t number);
    void clear();

    // The score above which all are kept; infinite where none are.
    double bound(int64_t number) const {
        const List* list = of(number);
        return list ? list->bound : std::numeric_limits<double>::infinity();
    }
    // How many scores are higher; −1 where that is not known.
    int64_t higher(int64_t number, double score) const;
    // Adds one score of a profile.
    void add(int64_t number, double score);

    // theta_opt and theta_zero of each profile, which is there once. NaN where too few scores are kept, or none: those few
    // are dropped, and twice as many will be kept the next time if there were more.
    void thetas(const ThetaFinder& finder, std::span<const int64_t> numbers, size_t held, unsigned threads, double* best,
                double* zero);

    std::mutex mutex;  // held by whoever calls any of these: some calls are made without the GIL

private:
    // The highest ones, highest first; there may be more that equal the bound.
    struct List {
        std::vector<double> scores = {};
        double bound = std::numeric_limits<double>::infinity();
        size_t depth = 0;
        bool complete = false;  // all above zero are there
    };

    const List* of(int64_t number) const {
        const auto place = lists_.find(number);
        return place == lists_.end() ? nullptr : &place->second;
    }

    size_t depth_;
    std::unordered_map<int64_t, List> lists_;  // by number; of a state these may be far apart
};

void bind_highest_scores(nanobind::module_& m);

}  // namespace gainful
