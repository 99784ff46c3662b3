// The thresholds of the expected utility, from a calibrated curve and the highest scores of a profile.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gainful {

// P(relevant | place) = 1 / (1 + exp(−(intercept + slope · place))), and the covariance of intercept and slope;
// place = −log((documents with a higher score + ½) / (documents + 1)) + nearness · log(max(score, far) / usual),
// at least `least_place` unless nearness is 0.
struct PlaceCurve {
    double intercept, slope, first, shared, second;
    double nearness, usual, far, least_place;
};

// needed    log-odds of relevance from which a document is worth its delivery
// won, lost  what delivering a relevant document adds, and another one
// optimism  standard errors that are added to the curve
// floor     scores at or below it are never delivered
struct Aims {
    double needed, won, lost, optimism, floor;
};

class ThetaFinder {
public:
    // documents: seen, whether they are held or not
    ThetaFinder(const PlaceCurve& curve, const Aims& aims, size_t documents);

    // theta_opt and theta_zero. `ordered` are the highest of `held` scores, highest first; if there are fewer, those that
    // are left out are zero or less where they are `complete`, and no higher than the last one in any case. Nothing
    // where that is too little to know.
    std::optional<std::pair<double, double>> thetas(std::span<const double> ordered, size_t held, bool complete) const;

private:
    double rarity(double higher) const;  // of a score that so many documents exceed

    PlaceCurve curve_;
    Aims aims_;
    double documents_;
    std::vector<double> rarities_;  // of the first ranks
};

}  // namespace gainful
