#include "program.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "logarithm.h"

namespace gainful {

namespace {

constexpr size_t AT_ONCE = 2048;  // places that are worked on together, and then still are near the processor

// Numbers of a register, or one number for every place.
struct Operand {
    const double* array;
    double number;
    double at(size_t i) const { return array ? array[i] : number; }
};

// A loop for each kind of operands, so that none has to ask what they are: the compiler takes several places at once.
template <class Use>
void unary(double* out, size_t size, Operand a, Use use) {
    if (a.array) {
        for (size_t i = 0; i < size; ++i) out[i] = use(a.array[i]);
    } else {
        std::fill_n(out, size, use(a.number));
    }
}

template <class Use>
void binary(double* out, size_t size, Operand a, Operand b, Use use) {
    if (a.array && b.array) {
        for (size_t i = 0; i < size; ++i) out[i] = use(a.array[i], b.array[i]);
    } else if (a.array) {
        unary(out, size, a, [&use, y = b.number](double x) { return use(x, y); });
    } else {
        unary(out, size, b, [&use, x = a.number](double y) { return use(x, y); });
    }
}

void choose_places(double* out, size_t size, Operand which, Operand a, Operand b) {
    if (which.array && a.array && b.array) {
        for (size_t i = 0; i < size; ++i) out[i] = which.array[i] != 0 ? a.array[i] : b.array[i];
    } else if (which.array && a.array) {
        binary(out, size, which, a, [y = b.number](double holds, double x) { return holds != 0 ? x : y; });
    } else if (which.array) {
        binary(out, size, which, b, [x = a.number](double holds, double y) { return holds != 0 ? x : y; });
    } else {
        unary(out, size, which.number != 0 ? a : b, [](double x) { return x; });
    }
}

double truth(bool holds) { return holds ? 1.0 : 0.0; }

// As NumPy adds up: eight sums side by side, of halves of what is long.
double pairwise(const double* x, size_t size) {
    if (size < 8) {
        double sum = -0.0;
        for (size_t i = 0; i < size; ++i) sum += x[i];
        return sum;
    }
    if (size <= 128) {
        double sums[8];
        for (size_t k = 0; k < 8; ++k) sums[k] = x[k];
        size_t i = 8;
        for (; i < size - size % 8; i += 8) {
            for (size_t k = 0; k < 8; ++k) sums[k] += x[i + k];
        }
        double sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
        for (; i < size; ++i) sum += x[i];
        return sum;
    }
    size_t half = size / 2;
    half -= half % 8;
    return pairwise(x, half) + pairwise(x + half, size - half);
}

// As pairwise, of whole numbers, which any order adds up to the same.
double counted(const double* x, size_t size) {
    double sums[4] = {0, 0, 0, 0};
    size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        for (size_t k = 0; k < 4; ++k) sums[k] += x[i + k];
    }
    for (; i < size; ++i) sums[0] += x[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// As NumPy: what is not a number stays so. Two choices, each of which is one instruction.
double larger(double a, double b) {
    const double most = a > b ? a : b;
    return a != a ? a : most;
}
double smaller(double a, double b) {
    const double least = a < b ? a : b;
    return a != a ? a : least;
}

}  // namespace

// Memory for one run, used again for each block.
template <class Number>
class ProgramRoom {
public:
    void clear() { piece_ = used_ = 0; }

    Number* take(size_t size) {
        while (piece_ < pieces_.size() && used_ + size > sizes_[piece_]) {
            ++piece_;
            used_ = 0;
        }
        if (piece_ == pieces_.size()) {
            sizes_.push_back(std::max<size_t>(size, 256));
            pieces_.push_back(std::make_unique_for_overwrite<Number[]>(sizes_.back()));
        }
        Number* place = pieces_[piece_].get() + used_;
        used_ += size;
        return place;
    }

private:
    std::vector<std::unique_ptr<Number[]>> pieces_;
    std::vector<size_t> sizes_;
    size_t piece_ = 0, used_ = 0;
};

struct Program::Work {
    struct List {
        const int64_t* offsets = nullptr;  // of this block, beginning with 0
        const double* rank = nullptr;
        const double* grade = nullptr;
        size_t size = 0;
    };
    ProgramRoom<double> numbers;
    ProgramRoom<int64_t> places;
    std::vector<const double*> registers;
    std::vector<List> lists;
    std::vector<int32_t> order;

    void clear() {
        numbers.clear();
        places.clear();
    }
    double* room(size_t size) { return numbers.take(size); }
    int64_t* offsets(size_t topics) { return places.take(topics + 1); }
};

Program::Outcome Program::run(const Records& records, double* out, size_t step) const {
    Work work;
    work.registers.resize(static_cast<size_t>(registers_));
    work.lists.resize(static_cast<size_t>(lists_));
    for (size_t start = 0, stop; start < records.topics; start = stop) {
        stop = start + 1;
        auto size = [&](size_t end) {
            return static_cast<size_t>(records.hits.offsets[end] - records.hits.offsets[start]) + (end - start) +
                   (uses_pool_ && !records.numbers
                        ? static_cast<size_t>(records.pool.offsets[end] - records.pool.offsets[start]) : 0);
        };
        while (stop < records.topics && size(stop + 1) <= AT_ONCE) ++stop;
        work.clear();
        const Outcome outcome = run_block(records, start, stop, work);
        if (outcome != Outcome::done) return outcome;
        for (size_t o = 0; o < outputs_.size(); ++o) {
            const int32_t from = outputs_[o];
            double* to = out + o * step + start;
            if (from < 0) {
                std::fill_n(to, stop - start, constants_[static_cast<size_t>(-1 - from)]);
            } else {
                std::copy_n(work.registers[static_cast<size_t>(from)], stop - start, to);
            }
        }
    }
    return Outcome::done;
}

Program::Outcome Program::run_block(const Records& records, size_t start, size_t stop, Work& work) const {
    const size_t topics = stop - start;
    auto number = [&](size_t t) { return records.numbers ? records.numbers[start + t] : start + t; };
    {
        int64_t* offsets = work.offsets(topics);
        const FlatList& hits = records.hits;
        for (size_t t = 0; t <= topics; ++t) offsets[t] = hits.offsets[start + t] - hits.offsets[start];
        work.lists[HITS] = {offsets, hits.rank + hits.offsets[start], hits.grade + hits.offsets[start],
                            static_cast<size_t>(offsets[topics])};
    }
    if (uses_pool_) {
        const FlatList& pool = records.pool;
        int64_t* offsets = work.offsets(topics);
        offsets[0] = 0;
        for (size_t t = 0; t < topics; ++t) {
            offsets[t + 1] = offsets[t] + pool.offsets[number(t) + 1] - pool.offsets[number(t)];
        }
        const auto size = static_cast<size_t>(offsets[topics]);
        if (records.numbers) {
            double* rank = work.room(size);
            double* grade = work.room(size);
            for (size_t t = 0; t < topics; ++t) {
                const int64_t from = pool.offsets[number(t)], to = pool.offsets[number(t) + 1];
                std::copy(pool.rank + from, pool.rank + to, rank + offsets[t]);
                std::copy(pool.grade + from, pool.grade + to, grade + offsets[t]);
            }
            work.lists[POOL] = {offsets, rank, grade, size};
        } else {
            work.lists[POOL] = {offsets, pool.rank + pool.offsets[start], pool.grade + pool.offsets[start], size};
        }
    }
    auto operand = [&](int32_t a) {
        if (a >= 0) return Operand{work.registers[static_cast<size_t>(a)], 0.0};
        return Operand{nullptr, a == NONE_GIVEN ? 0.0 : constants_[static_cast<size_t>(-1 - a)]};
    };
    auto list_of = [&](int32_t list) -> const Work::List& { return work.lists[static_cast<size_t>(list)]; };

    for (const Step& step : steps_) {
        if (makes_list(step.operation)) {
            const Work::List& from = list_of(step.of);
            Work::List& made = work.lists[static_cast<size_t>(step.out)];
            int64_t* offsets = work.offsets(topics);
            const Operand by = operand(step.a);
            offsets[0] = 0;
            if (step.operation == Operation::cut) {  // ranks rise within a topic
                for (size_t t = 0; t < topics; ++t) {
                    const double* first = from.rank + from.offsets[t];
                    const double* last = from.rank + from.offsets[t + 1];
                    const double depth = by.at(t);
                    const double* end = first;
                    if (last - first <= 16) {
                        while (end < last && *end <= depth) ++end;
                    } else {
                        end = std::partition_point(first, last, [depth](double rank) { return rank <= depth; });
                    }
                    offsets[t + 1] = offsets[t] + (end - first);
                }
                if (static_cast<size_t>(offsets[topics]) == from.size || topics == 1) {  // nothing has to be moved
                    made = {offsets, from.rank, from.grade, static_cast<size_t>(offsets[topics])};
                    continue;
                }
            } else if (step.operation == Operation::only) {
                for (size_t t = 0; t < topics; ++t) {
                    int64_t kept = 0;
                    for (int64_t i = from.offsets[t]; i < from.offsets[t + 1]; ++i) kept += by.array[i] != 0;
                    offsets[t + 1] = offsets[t] + kept;
                }
            } else {
                std::copy_n(from.offsets, topics + 1, offsets);
            }
            const auto size = static_cast<size_t>(offsets[topics]);
            double* rank = work.room(size);
            double* grade = work.room(size);
            for (size_t t = 0; t < topics; ++t) {
                const int64_t begin = from.offsets[t];
                if (step.operation == Operation::cut) {
                    const int64_t kept = offsets[t + 1] - offsets[t];
                    std::copy_n(from.rank + begin, kept, rank + offsets[t]);
                    std::copy_n(from.grade + begin, kept, grade + offsets[t]);
                } else if (step.operation == Operation::only) {
                    int64_t at = offsets[t];
                    for (int64_t i = begin; i < from.offsets[t + 1]; ++i) {
                        if (by.array[i] == 0) continue;
                        rank[at] = from.rank[i];
                        grade[at++] = from.grade[i];
                    }
                } else {
                    const auto count = static_cast<size_t>(offsets[t + 1] - offsets[t]);
                    work.order.resize(count);
                    for (size_t i = 0; i < count; ++i) work.order[i] = static_cast<int32_t>(i);
                    const double* worth = by.array + begin;
                    std::stable_sort(work.order.begin(), work.order.end(), [worth](int32_t a, int32_t b) {
                        return worth[a] > worth[b];
                    });
                    for (size_t i = 0; i < count; ++i) {
                        rank[offsets[t] + static_cast<int64_t>(i)] = static_cast<double>(i + 1);
                        grade[offsets[t] + static_cast<int64_t>(i)] = from.grade[begin + work.order[i]];
                    }
                }
            }
            made = {offsets, rank, grade, size};
            continue;
        }
        const size_t size = step.list == TOPICS ? topics : list_of(step.list).size;
        const double*& place = work.registers[static_cast<size_t>(step.out)];
        switch (step.operation) {  // what needs no room
            case Operation::retrieved: place = records.retrieved + start; continue;
            case Operation::rank: place = list_of(step.list).rank; continue;
            case Operation::grade: place = list_of(step.list).grade; continue;
            case Operation::column:
                if (!records.numbers) {
                    place = records.columns + static_cast<size_t>(step.a) * records.column_size + start;
                    continue;
                }
                break;
            default: break;
        }
        double* out = work.room(size);
        place = out;
        const bool by_number = step.operation == Operation::column || step.operation == Operation::table;
        const Operand a = by_number ? Operand{nullptr, 0.0} : operand(step.a), b = operand(step.b);
        switch (step.operation) {
            case Operation::add: binary(out, size, a, b, [](double x, double y) { return x + y; }); break;
            case Operation::subtract: binary(out, size, a, b, [](double x, double y) { return x - y; }); break;
            case Operation::multiply: binary(out, size, a, b, [](double x, double y) { return x * y; }); break;
            case Operation::divide: binary(out, size, a, b, [](double x, double y) { return x / y; }); break;
            case Operation::maximum: binary(out, size, a, b, [](double x, double y) { return larger(x, y); }); break;
            case Operation::minimum: binary(out, size, a, b, [](double x, double y) { return smaller(x, y); }); break;
            case Operation::greater_equal: binary(out, size, a, b, [](double x, double y) { return truth(x >= y); }); break;
            case Operation::greater: binary(out, size, a, b, [](double x, double y) { return truth(x > y); }); break;
            case Operation::less_equal: binary(out, size, a, b, [](double x, double y) { return truth(x <= y); }); break;
            case Operation::less: binary(out, size, a, b, [](double x, double y) { return truth(x < y); }); break;
            case Operation::equal: binary(out, size, a, b, [](double x, double y) { return truth(x == y); }); break;
            case Operation::not_equal: binary(out, size, a, b, [](double x, double y) { return truth(x != y); }); break;
            case Operation::logical_and:
                binary(out, size, a, b, [](double x, double y) { return truth((x != 0) & (y != 0)); });
                break;
            case Operation::logical_or:
                binary(out, size, a, b, [](double x, double y) { return truth((x != 0) | (y != 0)); });
                break;
            case Operation::logical_not: unary(out, size, a, [](double x) { return truth(x == 0); }); break;
            case Operation::negative: unary(out, size, a, [](double x) { return -x; }); break;
            case Operation::sqrt: unary(out, size, a, [](double x) { return std::sqrt(x); }); break;
            case Operation::floor: unary(out, size, a, [](double x) { return std::floor(x); }); break;
            case Operation::ceil: unary(out, size, a, [](double x) { return std::ceil(x); }); break;
            case Operation::round: unary(out, size, a, [](double x) { return std::nearbyint(x); }); break;
            case Operation::abs: unary(out, size, a, [](double x) { return std::fabs(x); }); break;
            case Operation::exp2: {  // exact for whole numbers; of others NumPy knows the bits
                bool whole = true;
                unary(out, size, a, [&whole](double x) {
                    const bool near = (x >= -1000) & (x <= 1000);
                    const int64_t power = static_cast<int64_t>(near ? x : 0.0);
                    whole &= near & (static_cast<double>(power) == x);
                    return std::bit_cast<double>((power + 1023) << 52);
                });
                if (!whole) return Outcome::not_here;
                break;
            }
            case Operation::log2: unary(out, size, a, log2_of); break;
            case Operation::where: choose_places(out, size, a, b, operand(step.c)); break;
            case Operation::column: {
                const double* column = records.columns + static_cast<size_t>(step.a) * records.column_size;
                for (size_t t = 0; t < topics; ++t) out[t] = column[number(t)];
                break;
            }
            case Operation::table: {
                const std::vector<double>& table = tables_[static_cast<size_t>(step.a)];
                const double* rank = list_of(step.list).rank;
                const auto length = static_cast<double>(table.size());
                bool within = true;
                for (size_t i = 0; i < size; ++i) within &= (rank[i] >= 1) & (rank[i] <= length);
                if (!within) return Outcome::beyond_table;
                bool whole = true;
                for (size_t i = 0; i < size; ++i) {
                    const auto place = static_cast<int64_t>(rank[i]);
                    whole &= static_cast<double>(place) == rank[i];
                    out[i] = table[static_cast<size_t>(place) - 1];
                }
                if (!whole) return Outcome::not_here;
                break;
            }
            case Operation::each: {
                const int64_t* offsets = list_of(step.list).offsets;
                for (size_t t = 0; t < topics; ++t) std::fill(out + offsets[t], out + offsets[t + 1], a.at(t));
                break;
            }
            case Operation::count: {
                const int64_t* offsets = list_of(step.of).offsets;
                for (size_t t = 0; t < topics; ++t) {
                    double sum = 0;
                    if (step.b == NONE_GIVEN) {
                        sum = static_cast<double>(offsets[t + 1] - offsets[t]);
                    } else {
                        sum = counted(b.array + offsets[t], static_cast<size_t>(offsets[t + 1] - offsets[t]));
                    }
                    out[t] = sum;
                }
                break;
            }
            case Operation::total: case Operation::most: {
                const Work::List& list = list_of(step.of);
                const double* x = a.array;
                if (step.b != NONE_GIVEN) {
                    double* chosen = work.room(list.size);
                    binary(chosen, list.size, b, a, [](double holds, double number) { return holds != 0 ? number : 0.0; });
                    x = chosen;
                } else if (!x) {
                    double* same = work.room(list.size);
                    std::fill_n(same, list.size, a.number);
                    x = same;
                }
                for (size_t t = 0; t < topics; ++t) {
                    const int64_t first = list.offsets[t], last = list.offsets[t + 1];
                    double result = first < last ? x[first] : 0.0;
                    if (first < last && step.operation == Operation::total) {
                        if (last - first > 1) result += pairwise(x + first + 1, static_cast<size_t>(last - first - 1));
                    } else {
                        for (int64_t i = first + 1; i < last; ++i) result = larger(result, x[i]);
                    }
                    out[t] = result;
                }
                break;
            }
            case Operation::running: {
                const int64_t* offsets = list_of(step.list).offsets;
                for (size_t t = 0; t < topics; ++t) {
                    double so_far = -0.0;
                    for (int64_t i = offsets[t]; i < offsets[t + 1]; ++i) out[i] = so_far += a.array[i];
                }
                break;
            }
            case Operation::seen: {
                const int64_t* offsets = list_of(step.list).offsets;
                for (size_t t = 0; t < topics; ++t) {
                    int32_t so_far = 0;
                    for (int64_t i = offsets[t]; i < offsets[t + 1]; ++i) {
                        so_far += a.array[i] != 0;
                        out[i] = static_cast<double>(so_far);
                    }
                }
                break;
            }
            case Operation::surviving: {
                const int64_t* offsets = list_of(step.list).offsets;
                for (size_t t = 0; t < topics; ++t) {
                    double so_far = 1.0;
                    for (int64_t i = offsets[t]; i < offsets[t + 1]; ++i) {
                        out[i] = so_far;
                        so_far *= 1.0 - a.array[i];
                    }
                }
                break;
            }
            case Operation::following: {
                const Work::List& list = list_of(step.list);
                for (size_t t = 0; t < topics; ++t) {
                    for (int64_t i = list.offsets[t]; i < list.offsets[t + 1]; ++i) {
                        out[i] = i + 1 < list.offsets[t + 1] ? list.rank[i + 1] : a.at(t);
                    }
                }
                break;
            }
            case Operation::at: {
                const Work::List &from = list_of(step.of), &to = list_of(step.list);
                for (size_t t = 0; t < topics; ++t) {
                    int64_t reached = from.offsets[t];
                    for (int64_t i = to.offsets[t]; i < to.offsets[t + 1]; ++i) {
                        const double rank = to.rank[i] + b.number;
                        while (reached < from.offsets[t + 1] && from.rank[reached] <= rank) ++reached;
                        out[i] = reached > from.offsets[t] ? a.array[reached - 1] : 0.0;
                    }
                }
                break;
            }
            default: break;
        }
    }
    return Outcome::done;
}

}  // namespace gainful
