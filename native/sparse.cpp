#include "sparse.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

#include "py_sparse.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace gainful {

namespace {

constexpr size_t FEW_PER_TERM = 20;      // looking a term's postings up costs as much as so many products

[[noreturn]] void refuse(const std::string& reason) { throw std::invalid_argument(reason); }

// Terms that were met, which come out in rising order without being sorted.
class TermSet {
public:
    explicit TermSet(size_t terms) : words_((terms + 63) / 64) {}

    void add(int32_t term) {
        uint64_t& word = words_[term / 64];
        const uint64_t bit = uint64_t{1} << (term % 64);
        count_ += !(word & bit);
        word |= bit;
    }

    // The terms, and what `values` holds of each.
    SparseVector with(const double* values) const {
        SparseVector vector;
        vector.first.reserve(count_);
        vector.second.reserve(count_);
        for (size_t at = 0; at < words_.size(); ++at) {
            for (uint64_t left = words_[at]; left; left &= left - 1) {
                const size_t term = 64 * at + std::countr_zero(left);
                vector.first.push_back(static_cast<int32_t>(term));
                vector.second.push_back(values[term]);
            }
        }
        return vector;
    }

private:
    std::vector<uint64_t> words_;
    size_t count_ = 0;
};

// Memory that is zero without being touched.
std::unique_ptr<double[], decltype(&std::free)> zeros(size_t count) {
    auto* memory = static_cast<double*>(std::calloc(std::max<size_t>(count, 1), sizeof(double)));
    if (!memory) throw std::bad_alloc();
    return {memory, &std::free};
}

// The root t of t + slope · sigmoid(t) + base = 0, from a first guess: Newton's steps, kept between bounds.
// The left side rises by at least as much as t, so the root is no farther away than the left side's value.
// A last step of a millionth leaves an error of about its square.
double logistic_root(double slope, double base, double guess) {
    double t = guess, share = 1 / (1 + std::exp(-t));
    double value = t + slope * share + base;
    double low = value > 0 ? t - value : t, high = value > 0 ? t : t - value;
    for (int step = 0; step < 60 && low < high; ++step) {
        double next = t - value / (1 + slope * share * (1 - share));
        if (!(next > low && next < high)) next = low + (high - low) / 2;
        if (std::abs(next - t) <= 1e-6 * std::max(1.0, std::abs(t))) return next;
        t = next;
        share = 1 / (1 + std::exp(-t));
        value = t + slope * share + base;
        (value > 0 ? high : low) = t;
    }
    return t;
}

}  // namespace

void check_vector(std::span<const int32_t> terms, std::span<const double> weights) {
    if (terms.size() != weights.size()) refuse("a vector needs as many weights as terms");
    for (size_t i = 0; i < terms.size(); ++i) {
        if (terms[i] < 0) refuse("terms must be 0 or more; got " + std::to_string(terms[i]));
        if (i && terms[i] <= terms[i - 1]) refuse("the terms of a vector must rise");
        if (!std::isfinite(weights[i])) refuse("weights must be finite");
    }
}

void check(const SparseRows& rows) {
    if (rows.offsets.empty() || rows.offsets[0] != 0) refuse("offsets must begin with 0");
    if (rows.terms.size() != rows.weights.size()) refuse("a vector needs as many weights as terms");
    if (rows.offsets.back() != static_cast<int64_t>(rows.terms.size())) refuse("offsets must end at the number of terms");
    for (size_t i = 0; i < rows.size(); ++i) {
        if (rows.offsets[i + 1] < rows.offsets[i]) refuse("offsets must not fall");
    }
    for (size_t i = 0; i < rows.size(); ++i) {
        const size_t start = rows.offsets[i], length = rows.offsets[i + 1] - start;
        check_vector(rows.terms.subspan(start, length), rows.weights.subspan(start, length));
    }
}

void VectorStore::append(const SparseRows& rows) {
    check(rows);
    std::unique_lock lock(mutex_);
    if (size() + rows.size() > INT32_MAX) refuse("a store holds at most 2,147,483,647 documents");
    const int64_t base = static_cast<int64_t>(terms_.size());
    const int32_t top = rows.terms.empty() ? -1 : *std::max_element(rows.terms.begin(), rows.terms.end());
    if (top >= static_cast<int64_t>(postings_.size())) postings_.resize(top + 1);
    for (size_t i = 0; i < rows.size(); ++i) {
        const int32_t document = static_cast<int32_t>(size());
        for (int64_t at = rows.offsets[i]; at < rows.offsets[i + 1]; ++at) {
            Postings& postings = postings_[rows.terms[at]];
            postings.documents.push_back(document);
            postings.weights.push_back(rows.weights[at]);
        }
        offsets_.push_back(base + rows.offsets[i + 1]);
    }
    terms_.insert(terms_.end(), rows.terms.begin(), rows.terms.end());
    weights_.insert(weights_.end(), rows.weights.begin(), rows.weights.end());
}

void VectorStore::score(std::span<const int32_t> terms, std::span<const double> weights, size_t start, size_t stop,
                        double* scores) const {
    check_vector(terms, weights);
    std::shared_lock lock(mutex_);
    if (start > stop || stop > size()) refuse("documents start to stop must be in the store");
    std::fill(scores, scores + (stop - start), 0.0);
    const size_t held_terms = static_cast<size_t>(offsets_[stop] - offsets_[start]);
    if (held_terms < terms.size() * FEW_PER_TERM) {  // few documents for so many terms: document by document
        auto profile = zeros(postings_.size());
        for (size_t i = 0; i < terms.size() && static_cast<size_t>(terms[i]) < postings_.size(); ++i) {
            profile[terms[i]] = weights[i];
        }
        for (size_t document = start; document < stop; ++document) {
            double score = 0;
            for (int64_t at = offsets_[document]; at < offsets_[document + 1]; ++at) {
                score += profile[terms_[at]] * weights_[at];
            }
            scores[document - start] = score;
        }
        return;
    }
    for (size_t i = 0; i < terms.size(); ++i) {
        if (static_cast<size_t>(terms[i]) >= postings_.size()) break;
        const Postings& postings = postings_[terms[i]];
        const int32_t* documents = postings.documents.data();
        const double* held = postings.weights.data();
        const double weight = weights[i];
        const size_t count = postings.documents.size();
        size_t at = start ? std::lower_bound(documents, documents + count, static_cast<int32_t>(start)) - documents : 0;
        const size_t end = stop == size() ? count
                                          : std::lower_bound(documents + at, documents + count,
                                                             static_cast<int32_t>(stop)) - documents;
        for (; at < end; ++at) scores[documents[at] - start] += weight * held[at];
    }
}

SparseVector VectorStore::mix(std::span<const int64_t> documents, std::span<const double> coefficients,
                              std::span<const int32_t> terms, std::span<const double> weights) const {
    check_vector(terms, weights);
    if (documents.size() != coefficients.size()) refuse("every document needs a coefficient");
    std::shared_lock lock(mutex_);
    const size_t known = std::max<size_t>(postings_.size(), terms.empty() ? 0 : terms.back() + 1);
    auto sums = zeros(known);
    TermSet met(known);
    auto add = [&](int32_t term, double value) {
        met.add(term);
        sums[term] += value;
    };
    for (size_t i = 0; i < terms.size(); ++i) add(terms[i], weights[i]);
    for (size_t i = 0; i < documents.size(); ++i) {
        if (documents[i] < 0 || documents[i] >= static_cast<int64_t>(size())) refuse("a document is not in the store");
        for (int64_t at = offsets_[documents[i]]; at < offsets_[documents[i] + 1]; ++at) {
            add(terms_[at], coefficients[i] * weights_[at]);
        }
    }
    return met.with(sums.get());
}

SparseVector VectorStore::separate(std::span<const int64_t> documents, std::span<const int32_t> terms,
                                   std::span<const double> weights, std::span<const double> labels,
                                   std::span<const double> costs, size_t passes, double tolerance) const {
    check_vector(terms, weights);
    const size_t count = documents.size() + 1;
    if (labels.size() != count || costs.size() != count) refuse("every vector needs a label and a cost");
    for (size_t i = 0; i < count; ++i) {
        if (labels[i] != 1 && labels[i] != -1) refuse("labels must be 1 or -1");
        if (!(costs[i] >= 0 && std::isfinite(costs[i]))) refuse("costs must be 0 or more and finite");
    }
    std::shared_lock lock(mutex_);
    struct Example {
        const int32_t* terms;
        const double* weights;
        size_t length;
        double norm;  // of the vector with a 1 added for the bias, squared
        double dual;
    };
    std::vector<Example> examples;
    examples.reserve(count);
    const size_t known = std::max<size_t>(postings_.size(), terms.empty() ? 0 : terms.back() + 1);
    TermSet met(known);
    auto add = [&](const int32_t* term, const double* weight, size_t length) {
        double norm = 1;
        for (size_t i = 0; i < length; ++i) {
            norm += weight[i] * weight[i];
            met.add(term[i]);
        }
        examples.push_back({term, weight, length, norm, 0.0});
    };
    for (int64_t document : documents) {
        if (document < 0 || document >= static_cast<int64_t>(size())) refuse("a document is not in the store");
        const int64_t start = offsets_[document];
        add(terms_.data() + start, weights_.data() + start, offsets_[document + 1] - start);
    }
    add(terms.data(), weights.data(), terms.size());
    auto plane = zeros(known);
    double bias = 0;
    for (size_t pass = 0; pass < passes; ++pass) {
        double farthest = 0;
        for (size_t i = 0; i < count; ++i) {
            if (costs[i] == 0) continue;
            Example& example = examples[i];
            double margin = bias;
            for (size_t j = 0; j < example.length; ++j) margin += plane[example.terms[j]] * example.weights[j];
            const double before = example.dual, cost = costs[i];
            const double guess = before > 0 && before < cost ? std::log(before / (cost - before)) : 0.0;
            const double root = logistic_root(example.norm * cost, labels[i] * margin - example.norm * before, guess);
            example.dual = cost / (1 + std::exp(-root));
            const double step = (example.dual - before) * labels[i];
            for (size_t j = 0; j < example.length; ++j) plane[example.terms[j]] += step * example.weights[j];
            bias += step;
            farthest = std::max(farthest, std::abs(example.dual - before) / cost);
        }
        if (farthest <= tolerance) break;
    }
    return met.with(plane.get());
}

SparseRows VectorStore::row(size_t document) const {
    if (document >= size()) refuse("a document is not in the store");
    const size_t start = offsets_[document], length = offsets_[document + 1] - start;
    return {std::span(offsets_).subspan(document, 2), std::span(terms_).subspan(start, length),
            std::span(weights_).subspan(start, length)};
}

// ---- for Python --------------------------------------------------------------------------------------------

namespace {

nb::object scores_of(const VectorStore& store, const Given<int32_t>& terms, const Given<double>& weights, size_t start,
                     size_t stop) {
    std::vector<double> scores;
    {
        if (start > stop || stop > store.size()) refuse("documents start to stop must be in the store");
        nb::gil_scoped_release release;
        scores.resize(stop - start);
        store.score(span_of(terms), span_of(weights), start, stop, scores.data());
    }
    return array_of(std::move(scores));
}

nb::tuple mixed_of(const VectorStore& store, const Given<int64_t>& documents, const Given<double>& coefficients,
                   const Given<int32_t>& terms, const Given<double>& weights) {
    SparseVector mixed;
    {
        nb::gil_scoped_release release;
        mixed = store.mix(span_of(documents), span_of(coefficients), span_of(terms), span_of(weights));
    }
    return nb::make_tuple(array_of(std::move(mixed.first)), array_of(std::move(mixed.second)));
}

nb::tuple separated_of(const VectorStore& store, const Given<int64_t>& documents, const Given<int32_t>& terms,
                       const Given<double>& weights, const Given<double>& labels, const Given<double>& costs,
                       size_t passes, double tolerance) {
    SparseVector learned;
    {
        nb::gil_scoped_release release;
        learned = store.separate(span_of(documents), span_of(terms), span_of(weights), span_of(labels), span_of(costs),
                                 passes, tolerance);
    }
    return nb::make_tuple(array_of(std::move(learned.first)), array_of(std::move(learned.second)));
}

}  // namespace

void bind_sparse(nb::module_& m) {
    nb::class_<VectorStore>(m, "VectorStore", "Sparse vectors of documents, in the order of their arrival.")
        .def(nb::init<>())
        .def("__len__", &VectorStore::size)
        .def("append", [](VectorStore& store, const Given<int64_t>& offsets, const Given<int32_t>& terms,
                          const Given<double>& weights) { store.append(rows_of(offsets, terms, weights)); },
             "offsets"_a, "terms"_a, "weights"_a)
        .def("score", &scores_of, "terms"_a, "weights"_a, "start"_a, "stop"_a)
        .def("mix", &mixed_of, "documents"_a, "coefficients"_a, "terms"_a, "weights"_a)
        .def("separate", &separated_of, "documents"_a, "terms"_a, "weights"_a, "labels"_a, "costs"_a, nb::kw_only(),
             "passes"_a, "tolerance"_a)
        .def("vector", [](const VectorStore& store, size_t document) {
            const SparseRows row = store.row(document);
            return nb::make_tuple(array_of(std::vector<int32_t>(row.terms.begin(), row.terms.end())),
                                  array_of(std::vector<double>(row.weights.begin(), row.weights.end())));
        }, "document"_a);
}

}  // namespace gainful
