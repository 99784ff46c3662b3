#include "expected_thetas.h"

#include <algorithm>
#include <cmath>

namespace gainful {

namespace {

constexpr size_t REMEMBERED = 512;  // ranks whose rarity is computed once for many profiles
constexpr size_t STEEP = 20;        // rank down to which scores say how they would rise above the highest

struct TooFew {};  // a score that is left out decides

}  // namespace

ThetaFinder::ThetaFinder(const PlaceCurve& curve, const Aims& aims, size_t documents)
    : curve_(curve), aims_(aims), documents_(static_cast<double>(documents)) {
    const size_t ranks = std::min(documents, REMEMBERED);
    rarities_.reserve(ranks);
    for (size_t rank = 0; rank < ranks; ++rank) rarities_.push_back(rarity(static_cast<double>(rank)));
}

double ThetaFinder::rarity(double higher) const { return -std::log((higher + 0.5) / (documents_ + 1)); }

std::optional<std::pair<double, double>> ThetaFinder::thetas(std::span<const double> ordered, size_t held,
                                                             bool complete) const {
    const auto [intercept, slope, first, shared, second, nearness, usual, far, least_place] = curve_;
    const auto [needed, won, lost, optimism, floor] = aims_;
    const size_t known = ordered.size();
    const auto score = [&](size_t rank) {  // its value
        if (rank >= known) throw TooFew();
        return ordered[rank];
    };
    const auto near_of = [&](size_t rank) {  // what counts of it: below `far` all are alike
        if (rank >= known && !complete) throw TooFew();
        return nearness * std::log(std::max(rank < known ? ordered[rank] : 0.0, far) / usual);
    };
    const auto logit = [&](size_t rank) {
        double place = rank < rarities_.size() ? rarities_[rank] : rarity(static_cast<double>(rank));
        if (rank >= known && !complete) throw TooFew();
        if (nearness != 0) place = std::max(place + near_of(rank), least_place);
        const double odds = intercept + slope * place;
        if (optimism == 0) return std::pair(odds, odds);
        return std::pair(odds, odds + optimism * std::sqrt(first + place * (2 * shared + place * second)));
    };
    const auto first_below = [&]() -> size_t {  // the first rank whose log-odds are too low
        const auto enough = [&](size_t rank) { return logit(rank).second >= needed; };
        if (optimism != 0) {  // with their errors added, log-odds need not fall with the rank
            size_t rank = 0;
            while (rank < held && enough(rank)) ++rank;
            return rank;
        }
        size_t low = 0, high = 1;
        while (high <= held && enough(high - 1)) {
            low = high;
            high *= 2;
        }
        high = std::min(high - 1, held);
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if (enough(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    };
    // The rank above that one, not a whole number as a rule, and the score there, at which the log-odds are just enough.
    // Between two ranks scores lie on a straight line; above the highest they go on as before it, by the logarithm of
    // the rank.
    const auto met = [&](size_t below) {
        const double top = score(0);
        double rise = 0;
        if (!below) {
            const size_t last = std::min(STEEP, held - 1);
            rise = last ? (top - score(last)) / std::log((static_cast<double>(last) + 0.5) / 0.5) : 0.0;
            rise = std::max(rise, 1e-6 * std::max(std::abs(top), 1e-3));  // equal scores, too, can be closed out
        }
        // Where both are left out their values do not count: what lies between them is no higher than the floor.
        const bool far_down = below > known && complete && floor >= 0;
        const double upper = below && !far_down ? score(below - 1) : 0.0, lower = below && !far_down ? score(below) : 0.0;
        const auto at = [&](double step) {
            if (!below) return std::pair(0.5 * std::exp(-step) - 0.5, top + rise * step);
            return std::pair(static_cast<double>(below) - step, lower + (upper - lower) * step);
        };
        const auto odds = [&](double step) {
            const auto [rank, value] = at(step);
            const double rare = below ? rarity(rank) : std::log(2 * (documents_ + 1)) + step;
            const double place = rare + nearness * std::log(std::max(value, far) / usual);
            const double error = optimism != 0 ? std::sqrt(first + place * (2 * shared + place * second)) : 0.0;
            return intercept + slope * place + optimism * error;
        };
        double low = 0, high = 1;
        if (!below) {
            const double nearest = nearness * std::log(std::max(top, far) / usual);
            high = (needed - intercept) / slope - (std::log(2 * (documents_ + 1)) + nearest);
        }
        double under = odds(low) - needed, over = odds(high) - needed;
        for (int step = 0; step < 50; ++step) {  // false position: the end that stays counts half, so that both move
            if (high - low <= 1e-12 * high || over <= 0) break;
            const double middle = low + (high - low) * std::min(std::max(under / (under - over), 0.001), 0.999);
            const double value = odds(middle) - needed;
            if (value >= 0) {
                high = middle, over = value, under /= 2;
            } else {
                low = middle, under = value, over /= 2;
            }
        }
        return at(high);
    };
    // The first rank after that one down to which all deliveries together are expected to be worth nothing, or the last.
    const auto worthless = [&](double after) {
        const double scale = std::max(won, -lost);  // a sum of huge numbers would overflow
        const double gain = won / scale, loss = lost / scale;
        double worth = 0;
        for (size_t rank = 0; rank < held; ++rank) {
            const double probability = 0.5 * (1 + std::tanh(0.5 * logit(rank).first));
            worth += gain * probability + loss * (1 - probability);
            if (worth <= 0 && static_cast<double>(rank) > after) return rank;
        }
        return held - 1;
    };
    const auto delivered = [&](size_t rank) {  // never below the floor
        if (rank >= known && complete && floor >= 0) return floor;
        return std::max(score(rank), floor);
    };
    if (!held || (known ? ordered[0] <= floor : complete && floor >= 0)) {
        return std::pair(floor, floor);  // whatever exceeds it is the best so far
    }
    try {
        const size_t below = first_below();
        if (below == held) return std::pair(delivered(held - 1), delivered(worthless(static_cast<double>(held) - 1)));
        const auto [rank, best] = met(below);
        return std::pair(std::max(best, floor), delivered(worthless(rank)));
    } catch (const TooFew&) {
        return std::nullopt;
    }
}

}  // namespace gainful
