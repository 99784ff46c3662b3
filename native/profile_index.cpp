#include "profile_index.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>

#include "pool.h"
#include "py_sparse.h"
#include "py_values.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace gainful {

namespace {

constexpr size_t WEIGHTS_AT_ONCE = 1 << 17;  // they fit into the second cache
constexpr size_t FEWEST_DOCUMENTS = 16, MOST_DOCUMENTS = 256;  // that a thread takes in one turn
constexpr size_t PORTION = 1024;  // documents whose pairs are held at once

// Documents that a thread takes in one turn: the more, the less often the weights are read from memory.
size_t turn_of(size_t documents, unsigned threads) {
    return std::clamp((documents + threads - 1) / threads, FEWEST_DOCUMENTS, MOST_DOCUMENTS);
}

// A term's weights in the profiles of a stretch, and its weight in a document.
struct WeightColumn {
    const double* held;
    double weight;
};

// Products are added one column after the other, whatever is computed together.
void add_columns(std::span<const WeightColumn> columns, double* scores, size_t count) {
    size_t at = 0;
    for (; at + 4 <= columns.size(); at += 4) {
        const double *a = columns[at].held, *b = columns[at + 1].held, *c = columns[at + 2].held,
                     *d = columns[at + 3].held;
        const double x = columns[at].weight, y = columns[at + 1].weight, z = columns[at + 2].weight,
                     w = columns[at + 3].weight;
        for (size_t i = 0; i < count; ++i) {
            double score = scores[i];
            score += a[i] * x;
            score += b[i] * y;
            score += c[i] * z;
            score += d[i] * w;
            scores[i] = score;
        }
    }
    for (; at < columns.size(); ++at) {
        const double* a = columns[at].held;
        const double x = columns[at].weight;
        for (size_t i = 0; i < count; ++i) scores[i] += a[i] * x;
    }
}

}  // namespace

ProfileIndex::ProfileIndex(std::span<const Profile> profiles) : profiles_(profiles.size()) {
    size_t known = 0;
    for (const auto& [terms, weights] : profiles) {
        check_vector(terms, weights);
        if (!terms.empty()) known = std::max(known, static_cast<size_t>(terms.back()) + 1);
    }
    std::vector<size_t> counts(known);
    for (const auto& [terms, weights] : profiles) {
        for (int32_t term : terms) ++counts[term];
    }
    starts_.assign(known + 1, 0);
    column_.assign(known, -1);
    for (size_t term = 0; term < known; ++term) {
        const bool dense = 2 * counts[term] > profiles_;
        if (dense) column_[term] = static_cast<int32_t>(columns_++);
        starts_[term + 1] = starts_[term] + (dense ? 0 : counts[term]);
    }
    profile_.resize(starts_.back());
    weight_.resize(starts_.back());
    width_ = std::max<size_t>(1, std::min(profiles_, WEIGHTS_AT_ONCE / std::max<size_t>(columns_, 1)));
    dense_.assign((profiles_ + width_ - 1) / width_ * width_ * columns_, 0.0);
    std::vector<int64_t> next(starts_.begin(), starts_.end());
    for (size_t profile = 0; profile < profiles_; ++profile) {
        const auto& [terms, weights] = profiles[profile];
        for (size_t at = 0; at < terms.size(); ++at) {
            const int32_t term = terms[at];
            if (column_[term] >= 0) {
                const size_t column = profile / width_ * columns_ + column_[term];
                dense_[column * width_ + profile % width_] = weights[at];
            } else {
                profile_[next[term]] = static_cast<int32_t>(profile);
                weight_[next[term]++] = weights[at];
            }
        }
    }
}

template <class Visit>
void ProfileIndex::each_stretch(const SparseRows& documents, size_t start, size_t stop, Visit visit) const {
    const int64_t base = documents.offsets[start];
    std::vector<int64_t> next(documents.offsets[stop] - base);  // posting of each term of each document
    for (size_t at = 0; at < next.size(); ++at) {
        const size_t term = documents.terms[base + at];
        next[at] = term + 1 < starts_.size() ? starts_[term] : 0;
    }
    std::vector<double> scores(width_);
    std::vector<WeightColumn> columns;
    for (size_t first = 0; first < profiles_; first += width_) {
        const size_t count = std::min(width_, profiles_ - first);
        const int32_t last = static_cast<int32_t>(first + count);
        const double* dense = dense_.data() + first * columns_;
        for (size_t document = start; document < stop; ++document) {
            std::fill(scores.begin(), scores.end(), 0.0);
            columns.clear();
            for (int64_t at = documents.offsets[document]; at < documents.offsets[document + 1]; ++at) {
                const size_t term = documents.terms[at];
                if (term + 1 >= starts_.size()) break;
                const double weight = documents.weights[at];
                if (column_[term] >= 0) {
                    columns.push_back({dense + column_[term] * width_, weight});
                    continue;
                }
                int64_t& posting = next[at - base];
                const int64_t end = starts_[term + 1];
                if (posting == end || profile_[posting] >= last) continue;
                add_columns(columns, scores.data(), count);  // the order of terms is the order of sums
                columns.clear();
                do {
                    scores[profile_[posting] - first] += weight_[posting] * weight;
                } while (++posting < end && profile_[posting] < last);
            }
            add_columns(columns, scores.data(), count);
            visit(document, first, scores.data(), count);
        }
    }
}

void ProfileIndex::score(const SparseRows& documents, unsigned threads, double* scores) const {
    check(documents);
    const size_t turn = turn_of(documents.size(), threads);
    std::atomic<size_t> next{0};
    in_threads(threads, [&](unsigned, const std::atomic<bool>& stop) {
        while (!stop) {
            const size_t first = next.fetch_add(turn);
            if (first >= documents.size()) return;
            each_stretch(documents, first, std::min(first + turn, documents.size()),
                         [&](size_t document, size_t profile, const double* found, size_t count) {
                             std::copy_n(found, count, scores + document * profiles_ + profile);
                         });
        }
    });
}

ProfileIndex::Reached ProfileIndex::reach(const SparseRows& documents, std::span<const double> theta, double floor,
                                          unsigned threads, HighestScores* highest,
                                          std::span<const int64_t> numbers) const {
    check(documents);
    if (theta.size() != profiles_) throw std::invalid_argument("every profile needs a theta");
    if (highest && numbers.size() != profiles_) throw std::invalid_argument("every profile needs a number");
    struct Pair {
        size_t profile;
        double score;
    };
    std::vector<double> least(profiles_);  // from which on a score is of interest
    std::vector<std::vector<Pair>> found;  // of each document of a portion: all pairs of a large batch would be too many
    Reached all;
    for (size_t begin = 0; begin < documents.size(); begin += PORTION) {
        const size_t end = std::min(begin + PORTION, documents.size());
        for (size_t profile = 0; profile < profiles_; ++profile) {
            least[profile] = highest ? std::min(theta[profile], highest->bound(numbers[profile])) : theta[profile];
        }
        found.assign(end - begin, {});
        const size_t turn = turn_of(end - begin, threads);
        std::atomic<size_t> next{begin};
        in_threads(threads, [&](unsigned, const std::atomic<bool>& stop) {
            for (size_t first; !stop && (first = next.fetch_add(turn)) < end;) {
                each_stretch(documents, first, std::min(first + turn, end),
                             [&](size_t document, size_t profile, const double* scores, size_t count) {
                                 for (size_t i = 0; i < count; ++i) {
                                     if (scores[i] >= least[profile + i] && scores[i] > floor) {
                                         found[document - begin].push_back({profile + i, scores[i]});
                                     }
                                 }
                             });
            }
        });
        for (size_t document = begin; document < end; ++document) {
            for (const auto& [profile, score] : found[document - begin]) {
                if (score >= theta[profile]) {
                    all.document.push_back(static_cast<int64_t>(document));
                    all.profile.push_back(static_cast<int64_t>(profile));
                    all.score.push_back(score);
                    if (highest) all.higher.push_back(highest->higher(numbers[profile], score));
                }
                if (highest) highest->add(numbers[profile], score);
            }
        }
    }
    return all;
}

// ---- for Python --------------------------------------------------------------------------------------------

namespace {

using Matrix = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void index_of(ProfileIndex* self, const std::vector<Given<int32_t>>& terms, const std::vector<Given<double>>& weights) {
    if (terms.size() != weights.size()) throw nb::value_error("every profile needs terms and weights");
    std::vector<ProfileIndex::Profile> profiles;
    profiles.reserve(terms.size());
    for (size_t i = 0; i < terms.size(); ++i) profiles.push_back({span_of(terms[i]), span_of(weights[i])});
    new (self) ProfileIndex(profiles);
}

void matrix_of(const ProfileIndex& index, const Given<int64_t>& offsets, const Given<int32_t>& terms,
               const Given<double>& weights, const Matrix& out, long long threads) {
    const SparseRows documents = rows_of(offsets, terms, weights);
    const unsigned count = threads_of(threads);
    if (offsets.size() != out.shape(0) + 1 || out.shape(1) != index.size()) {
        throw nb::value_error("out must have a row for each document and a column for each profile");
    }
    nb::gil_scoped_release release;
    index.score(documents, count, out.data());
}

nb::tuple reached_of(const ProfileIndex& index, const Given<int64_t>& offsets, const Given<int32_t>& terms,
                     const Given<double>& weights, const Given<double>& theta, double floor, long long threads) {
    const unsigned count = threads_of(threads);
    ProfileIndex::Reached reached;
    {
        nb::gil_scoped_release release;
        reached = index.reach(rows_of(offsets, terms, weights), span_of(theta), floor, count, nullptr, {});
    }
    return nb::make_tuple(array_of(std::move(reached.document)), array_of(std::move(reached.profile)),
                          array_of(std::move(reached.score)));
}

nb::tuple arrived_of(const ProfileIndex& index, const Given<int64_t>& offsets, const Given<int32_t>& terms,
                     const Given<double>& weights, const Given<double>& theta, double floor, long long threads,
                     HighestScores& highest, const Given<int64_t>& numbers) {
    const unsigned count = threads_of(threads);
    ProfileIndex::Reached reached;
    {
        nb::gil_scoped_release release;
        std::lock_guard lock(highest.mutex);
        reached = index.reach(rows_of(offsets, terms, weights), span_of(theta), floor, count, &highest, span_of(numbers));
    }
    return nb::make_tuple(array_of(std::move(reached.document)), array_of(std::move(reached.profile)),
                          array_of(std::move(reached.score)), array_of(std::move(reached.higher)));
}

}  // namespace

void bind_profile_index(nb::module_& m) {
    nb::class_<ProfileIndex>(m, "ProfileIndex", "Sparse vectors of profiles, indexed by term.")
        .def("__init__", &index_of, "terms"_a, "weights"_a)
        .def("__len__", &ProfileIndex::size)
        .def("score", &matrix_of, "offsets"_a, "terms"_a, "weights"_a, nb::kw_only(), "out"_a.noconvert(), "threads"_a)
        .def("reach", &reached_of, "offsets"_a, "terms"_a, "weights"_a, "theta"_a, nb::kw_only(), "floor"_a,
             "threads"_a)
        .def("arrive", &arrived_of, "offsets"_a, "terms"_a, "weights"_a, "theta"_a, nb::kw_only(), "floor"_a,
             "threads"_a, "highest"_a, "numbers"_a);
}

}  // namespace gainful
