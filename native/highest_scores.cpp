#include "highest_scores.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <tuple>

#include "pool.h"
#include "py_sparse.h"
#include "py_values.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace gainful {

namespace {

constexpr size_t PROFILES_AT_ONCE = 256;  // that a thread takes in one turn

}  // namespace

HighestScores::HighestScores(size_t depth) : depth_(depth) {
    if (depth == 0) throw std::invalid_argument("depth must be 1 or more");
}

void HighestScores::keep(int64_t number, std::span<const double> scores) {
    List& list = lists_[number];
    list.depth = std::max(list.depth, depth_);
    list.scores.clear();
    std::copy_if(scores.begin(), scores.end(), std::back_inserter(list.scores), [](double score) { return score > 0; });
    list.complete = list.scores.size() <= list.depth;
    if (!list.complete) {
        std::nth_element(list.scores.begin(), list.scores.begin() + list.depth, list.scores.end(), std::greater<>());
        list.scores.resize(list.depth);
    }
    list.scores.shrink_to_fit();
    std::sort(list.scores.begin(), list.scores.end(), std::greater<>());
    list.bound = list.complete ? 0.0 : list.scores.back();
}

void HighestScores::drop(int64_t number) { lists_.erase(number); }

void HighestScores::clear() {
    for (auto& [number, list] : lists_) list = List{.depth = list.depth};
}

int64_t HighestScores::higher(int64_t number, double score) const {
    const List* list = of(number);
    if (!list || score < list->bound) return -1;
    return std::lower_bound(list->scores.begin(), list->scores.end(), score, std::greater<>()) - list->scores.begin();
}

void HighestScores::add(int64_t number, double score) {
    const auto place = lists_.find(number);
    if (place == lists_.end() || !(score > place->second.bound)) return;
    List& list = place->second;
    list.scores.insert(std::upper_bound(list.scores.begin(), list.scores.end(), score, std::greater<>()), score);
    if (list.scores.size() > list.depth) {
        list.bound = list.scores.back();
        list.scores.pop_back();
        list.complete = false;
    }
}

void HighestScores::thetas(const ThetaFinder& finder, std::span<const int64_t> numbers, size_t held, unsigned threads,
                           double* best, double* zero) {
    const auto set = [&](size_t i) {
        best[i] = zero[i] = std::numeric_limits<double>::quiet_NaN();
        const auto place = lists_.find(numbers[i]);
        if (place == lists_.end() || place->second.bound == std::numeric_limits<double>::infinity()) return;
        List& list = place->second;
        if (const auto both = finder.thetas(list.scores, held, list.complete)) {
            std::tie(best[i], zero[i]) = *both;
        } else {
            list = List{.depth = list.complete ? list.depth : 2 * list.depth};
        }
    };
    std::atomic<size_t> next{0};
    in_threads(threads, [&](unsigned, const std::atomic<bool>& stop) {
        for (size_t first; !stop && (first = next.fetch_add(PROFILES_AT_ONCE)) < numbers.size();) {
            for (size_t i = first; i < std::min(first + PROFILES_AT_ONCE, numbers.size()); ++i) set(i);
        }
    });
}

// ---- for Python --------------------------------------------------------------------------------------------

namespace {

nb::tuple thetas_of(const Given<double>& scores, size_t documents, const PlaceCurve& curve, const Aims& aims) {
    const auto ordered = span_of(scores);
    const auto thetas = ThetaFinder(curve, aims, documents).thetas(ordered, ordered.size(), true).value();
    return nb::make_tuple(thetas.first, thetas.second);
}

nb::tuple kept_thetas_of(HighestScores& highest, const Given<int64_t>& numbers, size_t held, size_t documents,
                         const PlaceCurve& curve, const Aims& aims, long long threads) {
    const unsigned count = threads_of(threads);
    std::vector<double> best(numbers.size()), zero(numbers.size());
    {
        nb::gil_scoped_release release;
        std::lock_guard lock(highest.mutex);
        highest.thetas(ThetaFinder(curve, aims, documents), span_of(numbers), held, count, best.data(), zero.data());
    }
    return nb::make_tuple(array_of(std::move(best)), array_of(std::move(zero)));
}

}  // namespace

void bind_highest_scores(nb::module_& m) {
    nb::class_<PlaceCurve>(m, "PlaceCurve", "The probability of relevance by the place of a score.")
        .def(nb::init<double, double, double, double, double, double, double, double, double>(), nb::kw_only(),
             "intercept"_a, "slope"_a, "first"_a, "shared"_a, "second"_a, "nearness"_a, "usual"_a, "far"_a,
             "least_place"_a);
    nb::class_<Aims>(m, "Aims", "What a threshold is to reach.")
        .def(nb::init<double, double, double, double, double>(), nb::kw_only(), "needed"_a, "won"_a, "lost"_a,
             "optimism"_a, "floor"_a);
    m.def("expected_thetas", &thetas_of, "scores"_a, "documents"_a, "curve"_a, "aims"_a);
    nb::class_<HighestScores>(m, "HighestScores", "The highest scores that each of many profiles gives to its history.")
        .def(nb::init<size_t>(), "depth"_a)
        .def("__contains__", [](HighestScores& highest, int64_t number) {
            std::lock_guard lock(highest.mutex);
            return highest.bound(number) < std::numeric_limits<double>::infinity();
        }, "number"_a)
        .def("keep", [](HighestScores& highest, int64_t number, const Given<double>& scores) {
            std::lock_guard lock(highest.mutex);
            highest.keep(number, span_of(scores));
        }, "number"_a, "scores"_a)
        .def("drop", [](HighestScores& highest, int64_t number) {
            std::lock_guard lock(highest.mutex);
            highest.drop(number);
        }, "number"_a)
        .def("clear", [](HighestScores& highest) {
            std::lock_guard lock(highest.mutex);
            highest.clear();
        })
        .def("expected_thetas", &kept_thetas_of, "numbers"_a, "held"_a, "documents"_a, "curve"_a, "aims"_a,
             nb::kw_only(), "threads"_a);
}

}  // namespace gainful
