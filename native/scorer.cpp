#include "scorer.h"

#include <stdexcept>
#include <utility>

namespace gainful {

namespace {

constexpr int64_t TOGETHER = 1 << 16;  // hits whose ranks and grades are laid side by side

}  // namespace

Scorer::Scorer(std::shared_ptr<const Index> index, std::shared_ptr<const BestFirst> best_first, const Program& of_judgments,
               const Program& program)
    : index_(std::move(index)), best_first_(std::move(best_first)), program_(program),
      columns_(of_judgments.outputs() * index_->topics()), of_nothing_(program.outputs() * index_->topics()) {
    if (of_judgments.columns() > 0 || static_cast<size_t>(program.columns()) > of_judgments.outputs()) {
        throw std::invalid_argument("programs do not fit each other");
    }
    const size_t topics = index_->topics();
    const std::vector<int64_t> none(topics + 1);
    const std::vector<double> nothing(topics);
    const FlatList empty{none.data(), nothing.data(), nothing.data()};
    const Records judged{topics, pool(), pool(), nothing.data(), nullptr, topics, nullptr};
    const Records unanswered{topics, empty, pool(), nothing.data(), columns_.data(), topics, nullptr};
    usable_ = of_judgments.run(judged, columns_.data(), topics) == Program::Outcome::done &&
              program_.run(unanswered, of_nothing_.data(), topics) == Program::Outcome::done;
}

Program::Outcome Scorer::run(size_t topics, FlatList hits, const double* retrieved, const uint32_t* numbers,
                             double* out) const {
    const Records records{topics, hits, pool(), retrieved, columns_.data(), index_->topics(), numbers};
    return program_.run(records, out, topics);
}

Program::Outcome Scorer::run(const Found& found, double* out) const {
    if (found.offsets.size() != topics() + 1) throw std::invalid_argument(OTHER_JUDGMENTS);
    const std::vector<double>& grades = index_->grade();
    std::vector<int64_t> offsets;
    std::vector<double> rank, grade;
    const std::vector<double> retrieved(found.retrieved.begin(), found.retrieved.end());
    for (size_t start = 0, stop; start < topics(); start = stop) {
        const int64_t begin = found.offsets[start];
        stop = start + 1;
        while (stop < topics() && found.offsets[stop + 1] - begin <= TOGETHER) ++stop;
        offsets.resize(stop - start + 1);
        for (size_t t = start; t <= stop; ++t) offsets[t - start] = found.offsets[t] - begin;
        const auto size = static_cast<size_t>(offsets.back());
        rank.resize(size);
        grade.resize(size);
        for (size_t i = 0; i < size; ++i) {
            const size_t at = static_cast<size_t>(begin) + i;
            const auto row = static_cast<size_t>(found.row[at]);
            if (row >= grades.size()) throw std::invalid_argument(OTHER_JUDGMENTS);
            rank[i] = found.rank[at];
            grade[i] = grades[row];
        }
        const Records records{stop - start, {offsets.data(), rank.data(), grade.data()}, pool(start), retrieved.data() + start,
                              columns_.data() + start, topics(), nullptr};
        const Program::Outcome outcome = program_.run(records, out + start, topics());
        if (outcome != Program::Outcome::done) return outcome;
    }
    return Program::Outcome::done;
}

}  // namespace gainful
