#include "calibration.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace nb = nanobind;
using namespace nb::literals;

namespace gainful {

namespace {

constexpr int MOST_STEPS = 100;
constexpr double NEAR = 1e-6;  // a step so short is the last

// Where a search stands: minus the logarithm of the posterior probability, but for a constant, its first derivatives
// by intercept and slope, and its second ones.
struct Standing {
    double value, down, up, a, b, c;
};

Standing standing(std::span<const double> places, std::span<const double> labels, std::span<const double> weights,
                  const CurvePrior& prior, double intercept, double slope) {
    const double ahead = intercept - prior.intercept, along = slope - prior.slope;
    Standing at{prior.first * ahead * ahead / 2 + prior.second * along * along / 2 + prior.shared * ahead * along,
                prior.first * ahead + prior.shared * along,
                prior.shared * ahead + prior.second * along,
                prior.first,
                prior.shared,
                prior.second};
    for (size_t i = 0; i < places.size(); ++i) {
        const double logit = intercept + slope * places[i];
        const double far = std::exp(-std::abs(logit));  // of both sides of the curve the one without overflow
        const double share = logit >= 0 ? 1 / (1 + far) : far / (1 + far);
        const double surprise = weights[i] * (share - labels[i]);
        const double spread = weights[i] * (share * (1 - share));
        at.value += weights[i] * (std::max(logit, 0.0) + std::log1p(far) - labels[i] * logit);
        at.down += surprise;
        at.up += surprise * places[i];
        at.a += spread;
        at.b += spread * places[i];
        at.c += spread * places[i] * places[i];
    }
    return at;
}

}  // namespace

FittedCurve fit_curve(std::span<const double> places, std::span<const double> labels, std::span<const double> weights,
                      const CurvePrior& prior, double least_slope) {
    if (places.size() != labels.size() || places.size() != weights.size()) {
        throw std::invalid_argument("every place needs a label and a weight");
    }
    double intercept = prior.intercept, slope = prior.slope;
    Standing at{};
    for (bool free : {true, false}) {
        at = standing(places, labels, weights, prior, intercept, slope);
        for (int step = 0; step < MOST_STEPS; ++step) {
            const double determinant = at.a * at.c - at.b * at.b;
            const double move = free ? (at.c * at.down - at.b * at.up) / determinant : at.down / at.a;
            const double turn = free ? (at.a * at.up - at.b * at.down) / determinant : 0.0;
            if (!(std::max(std::abs(move), std::abs(turn)) >= NEAR)) {  // the error that it leaves is about its square
                intercept -= move;
                slope -= turn;
                break;
            }
            // A whole step can lead too far, and the next one back again.
            const double most = at.value + 1e-12 * (1 + std::abs(at.value));
            double part = 1;
            Standing there = standing(places, labels, weights, prior, intercept - move, slope - turn);
            while (there.value > most) {
                part /= 2;
                there = standing(places, labels, weights, prior, intercept - part * move, slope - part * turn);
            }
            intercept -= part * move;
            slope -= part * turn;
            at = there;
        }
        if (slope >= least_slope) break;
        slope = least_slope;  // and the intercept that goes with it
    }
    const double determinant = at.a * at.c - at.b * at.b;
    return {intercept, slope, at.c / determinant, -at.b / determinant, at.a / determinant};
}

void bind_calibration(nb::module_& m) {
    using Given = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    m.def("fit_curve",
          [](const Given& places, const Given& labels, const Given& weights, double intercept, double slope,
             double first, double shared, double second, double least_slope) {
              const auto span = [](const Given& array) { return std::span(array.data(), array.size()); };
              const FittedCurve fitted = fit_curve(span(places), span(labels), span(weights),
                                                   {intercept, slope, first, shared, second}, least_slope);
              return nb::make_tuple(fitted[0], fitted[1], fitted[2], fitted[3], fitted[4]);
          },
          "places"_a, "labels"_a, "weights"_a, nb::kw_only(), "intercept"_a, "slope"_a, "first"_a, "shared"_a,
          "second"_a, "least_slope"_a);
}

}  // namespace gainful
