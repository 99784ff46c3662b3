// A logistic curve over one number, of the highest posterior probability: how probably a document is relevant, by its place.
#pragma once

#include <array>
#include <span>

namespace nanobind {
class module_;
}

namespace gainful {

// What is believed of intercept and slope: their means, and the inverse of their covariance.
struct CurvePrior {
    double intercept, slope;
    double first, shared, second;
};

// Intercept and slope, and their covariance at the summit: of the intercept, of both, of the slope.
using FittedCurve = std::array<double, 5>;

// The curve that maximises prior · Π P(label | place)^weight, by Newton's method; labels are from 0 to 1.
// A slope that comes out below `least_slope` is set to it, and the intercept fitted anew.
FittedCurve fit_curve(std::span<const double> places, std::span<const double> labels, std::span<const double> weights,
                      const CurvePrior& prior, double least_slope);

void bind_calibration(nanobind::module_& m);

}  // namespace gainful
