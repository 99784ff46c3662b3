// Measures as a program: a few operations on flat arrays, run over a block of topics at a time.
//
// A register holds a number for each topic, or for each place of a list. What is true is 1, what is false 0. Sums have the
// bits of NumPy's, which adds in pairs (`add.reduceat`), so that a program and the formula on arrays give the same numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gainful {

enum class Operation : uint8_t {
    // place by place, of numbers of one list or of topics
    add, subtract, multiply, divide, maximum, minimum,
    greater_equal, greater, less_equal, less, equal, not_equal, logical_and, logical_or,
    logical_not, negative, sqrt, floor, ceil, round, abs, exp2, log2, where,
    // given
    retrieved, column, rank, grade, table,
    // from topics to places, and along a list
    each, count, total, most, running, seen, surviving, following, at,
    // another list: its first ranks, some of its places, its documents best first
    cut, only, sorted,
};

Operation operation_of(std::string_view name);

inline bool makes_list(Operation operation) { return operation >= Operation::cut; }

// An operand is the number of a register, or −1 − n for constant n. `list` is what the result has a number for each place
// of, or the new list; −1: each topic. The list itself comes from `of`.
struct Step {
    Operation operation;
    int32_t list, of, out, a, b, c;
};

constexpr int32_t NONE_GIVEN = INT32_MIN;  // an operand that is left out

// Topics one after the other: hits of topic t are offsets[t] to offsets[t + 1].
struct FlatList {
    const int64_t* offsets;
    const double* rank;
    const double* grade;
};

struct Records {
    size_t topics;
    FlatList hits, pool;
    const double* retrieved;
    const double* columns;     // one after the other
    size_t column_size;        // numbers in a column
    const uint32_t* numbers;   // which of the judged topics these are, for pool and columns; null: all, in order
};

class Program {
public:
    // Throws std::invalid_argument where a step refers to what is not there.
    Program(std::vector<Step> steps, std::vector<double> constants, std::vector<std::vector<double>> tables,
            std::vector<int32_t> outputs);

    // Lists 0 and 1 are the hits and the pool.
    static constexpr int32_t HITS = 0, POOL = 1, TOPICS = -1;

    enum class Outcome { done, beyond_table, not_here };

    // Output o of topic t goes to out[o · step + t]. beyond_table: a rank is larger than tables are long.
    // not_here: the formula on arrays has to be asked.
    Outcome run(const Records& records, double* out, size_t step) const;

    size_t outputs() const { return outputs_.size(); }
    int32_t columns() const { return columns_; }

private:
    struct Work;
    Outcome run_block(const Records& records, size_t start, size_t stop, Work& work) const;
    void check();

    std::vector<Step> steps_;
    std::vector<double> constants_;
    std::vector<std::vector<double>> tables_;
    std::vector<int32_t> outputs_;
    int32_t registers_ = 0, lists_ = 2, columns_ = 0;
    int64_t longest_ = 0;
    bool uses_pool_ = false;
};

}  // namespace gainful
