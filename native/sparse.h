// Sparse vectors for filtering: documents seen, scored by one profile; many profiles, scoring documents that arrive.
//
// A vector is a list of terms in rising order with a weight each. A score is the sum of products over the terms that
// two vectors share, added in the order of the terms: both classes give the same bits for the same pair.
#pragma once

#include <cstdint>
#include <shared_mutex>
#include <span>
#include <utility>
#include <vector>

namespace nanobind {
class module_;
}

namespace gainful {

// Some vectors, one after the other: those of vector i are offsets[i] to offsets[i + 1].
struct SparseRows {
    std::span<const int64_t> offsets;
    std::span<const int32_t> terms;
    std::span<const double> weights;

    size_t size() const { return offsets.size() - 1; }
};

// Throws std::invalid_argument, with the reason, unless the rows are as they must be.
void check(const SparseRows& rows);
void check_vector(std::span<const int32_t> terms, std::span<const double> weights);

using SparseVector = std::pair<std::vector<int32_t>, std::vector<double>>;

// Documents in the order of their arrival, by document and by term.
class VectorStore {
public:
    size_t size() const { return offsets_.size() - 1; }
    void append(const SparseRows& rows);

    // Scores of documents start to stop; only those that share a term with the profile are touched.
    void score(std::span<const int32_t> terms, std::span<const double> weights, size_t start, size_t stop,
               double* scores) const;

    // The sum of documents, each times its coefficient, and of a vector that is none of them.
    SparseVector mix(std::span<const int64_t> documents, std::span<const double> coefficients,
                     std::span<const int32_t> terms, std::span<const double> weights) const;

    // Logistic regression: the weights w that minimise ½(|w|² + b²) + Σ costs[i] · log(1 + exp(−labels[i] · (w·xᵢ + b))),
    // where xᵢ are the documents and, last, a vector that is none of them. The bias b is not returned.
    // By coordinate descent on the dual, in the order given, until no coordinate moves by more than `tolerance` of
    // its range in one pass, or after `passes`.
    SparseVector separate(std::span<const int64_t> documents, std::span<const int32_t> terms,
                          std::span<const double> weights, std::span<const double> labels,
                          std::span<const double> costs, size_t passes, double tolerance) const;

    SparseRows row(size_t document) const;

private:
    struct Postings {
        std::vector<int32_t> documents;
        std::vector<double> weights;
    };

    mutable std::shared_mutex mutex_;  // one thread may append while others, without the GIL, score
    std::vector<int64_t> offsets_{0};
    std::vector<int32_t> terms_;
    std::vector<double> weights_;
    std::vector<Postings> postings_;  // of each term
};

void bind_sparse(nanobind::module_& m);

}  // namespace gainful
