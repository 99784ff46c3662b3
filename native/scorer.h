// Judgments, and measures as programs: ready for many runs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "found.h"
#include "index.h"
#include "program.h"

namespace gainful {

// The outputs of a program of measures are their values, then whether each had nothing to measure.
class Scorer {
public:
    // of_judgments: what follows from the judgments alone, which the program reads as columns.
    Scorer(std::shared_ptr<const Index> index, std::shared_ptr<const BestFirst> best_first, const Program& of_judgments,
           const Program& program);

    // False where the formulas on arrays have to be asked.
    bool usable() const { return usable_; }

    size_t topics() const { return index_->topics(); }
    size_t outputs() const { return program_.outputs(); }
    size_t measures() const { return outputs() / 2; }

    // Outputs × judged topics of a run without a document.
    const std::vector<double>& of_nothing() const { return of_nothing_; }

    // Some of the judged topics: output o of topic t goes to out[o · topics + t]. numbers: which topics they are.
    Program::Outcome run(size_t topics, FlatList hits, const double* retrieved, const uint32_t* numbers, double* out) const;

    // All judged topics; throws std::invalid_argument where the run was matched with other judgments.
    Program::Outcome run(const Found& found, double* out) const;

private:
    FlatList pool(size_t start = 0) const {
        return {index_->offsets().data() + start, best_first_->rank.data(), best_first_->grade.data()};
    }

    std::shared_ptr<const Index> index_;
    std::shared_ptr<const BestFirst> best_first_;
    const Program& program_;
    std::vector<double> columns_, of_nothing_;
    bool usable_ = false;
};

}  // namespace gainful
