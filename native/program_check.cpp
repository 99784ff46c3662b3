// Programs as they are given: names of operations, and what a step may ask for.
#include <algorithm>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <utility>

#include "program.h"

namespace gainful {

namespace {

constexpr std::pair<std::string_view, Operation> OPERATIONS[] = {
    {"add", Operation::add}, {"subtract", Operation::subtract}, {"multiply", Operation::multiply},
    {"divide", Operation::divide}, {"maximum", Operation::maximum}, {"minimum", Operation::minimum},
    {"greater_equal", Operation::greater_equal}, {"greater", Operation::greater},
    {"less_equal", Operation::less_equal}, {"less", Operation::less}, {"equal", Operation::equal},
    {"not_equal", Operation::not_equal}, {"logical_and", Operation::logical_and},
    {"logical_or", Operation::logical_or}, {"logical_not", Operation::logical_not},
    {"negative", Operation::negative}, {"sqrt", Operation::sqrt}, {"floor", Operation::floor},
    {"ceil", Operation::ceil}, {"round", Operation::round}, {"abs", Operation::abs}, {"exp2", Operation::exp2},
    {"log2", Operation::log2},
    {"where", Operation::where}, {"retrieved", Operation::retrieved}, {"column", Operation::column},
    {"rank", Operation::rank}, {"grade", Operation::grade}, {"table", Operation::table}, {"each", Operation::each},
    {"count", Operation::count}, {"total", Operation::total}, {"most", Operation::most},
    {"running", Operation::running}, {"seen", Operation::seen}, {"surviving", Operation::surviving}, {"following", Operation::following},
    {"at", Operation::at}, {"cut", Operation::cut}, {"only", Operation::only}, {"sorted", Operation::sorted},
};

}  // namespace

Operation operation_of(std::string_view name) {
    for (const auto& [text, operation] : OPERATIONS) {
        if (text == name) return operation;
    }
    throw std::invalid_argument("no operation " + std::string(name));
}

Program::Program(std::vector<Step> steps, std::vector<double> constants, std::vector<std::vector<double>> tables,
                 std::vector<int32_t> outputs)
    : steps_(std::move(steps)), constants_(std::move(constants)), tables_(std::move(tables)), outputs_(std::move(outputs)) {
    check();
}

// What a step asks for must be there before it, so that no program reads beside its memory.
void Program::check() {
    auto wrong = [] { throw std::invalid_argument("a step refers to what is not there"); };
    std::vector<int32_t> level;  // of each register: its list, or TOPICS
    auto is_list = [&](int32_t list) {
        if (list < 0 || list >= lists_) wrong();
    };
    auto fits = [&](int32_t operand, int32_t of) {
        if (operand == NONE_GIVEN) wrong();
        if (operand < 0) {
            if (static_cast<size_t>(-1 - operand) >= constants_.size()) wrong();
        } else if (static_cast<size_t>(operand) >= level.size() || level[static_cast<size_t>(operand)] != of) {
            wrong();
        }
    };
    auto is_array = [&](int32_t operand, int32_t of) {
        if (operand < 0) wrong();
        fits(operand, of);
    };
    auto takes_none = [&](std::initializer_list<int32_t> operands) {
        for (int32_t operand : operands) {
            if (operand != NONE_GIVEN) wrong();
        }
    };
    longest_ = std::numeric_limits<int64_t>::max();
    for (const auto& table : tables_) longest_ = std::min(longest_, static_cast<int64_t>(table.size()));
    for (const Step& step : steps_) {
        if (step.list == POOL || step.of == POOL) uses_pool_ = true;
        switch (step.operation) {
            case Operation::cut:
                is_list(step.of), fits(step.a, TOPICS), takes_none({step.b, step.c});
                break;
            case Operation::only: case Operation::sorted:
                is_list(step.of), is_array(step.a, step.of), takes_none({step.b, step.c});
                break;
            case Operation::retrieved:
                if (step.list != TOPICS) wrong();
                takes_none({step.a, step.b, step.c});
                break;
            case Operation::column:
                if (step.list != TOPICS || step.a < 0 || step.a == INT32_MAX) wrong();
                takes_none({step.b, step.c});
                columns_ = std::max(columns_, step.a + 1);
                break;
            case Operation::rank: case Operation::grade:
                is_list(step.list), takes_none({step.a, step.b, step.c});
                break;
            case Operation::table:
                is_list(step.list);
                if (step.a < 0 || static_cast<size_t>(step.a) >= tables_.size()) wrong();
                takes_none({step.b, step.c});
                break;
            case Operation::each:
                is_list(step.list), fits(step.a, TOPICS), takes_none({step.b, step.c});
                break;
            case Operation::count: case Operation::total: case Operation::most:
                is_list(step.of);
                if (step.list != TOPICS) wrong();
                takes_none({step.c});
                if (step.operation == Operation::count) takes_none({step.a});
                if (step.operation == Operation::total) is_array(step.a, step.of);
                if (step.operation == Operation::most) fits(step.a, step.of);
                if (step.b != NONE_GIVEN) is_array(step.b, step.of);
                break;
            case Operation::running: case Operation::seen: case Operation::surviving:
                is_list(step.list), is_array(step.a, step.list), takes_none({step.b, step.c});
                break;
            case Operation::following:
                is_list(step.list), fits(step.a, TOPICS), takes_none({step.b, step.c});
                break;
            case Operation::at:  // a: numbers of the list `of`, b: how far ahead
                is_list(step.list), is_list(step.of), is_array(step.a, step.of);
                if (step.b >= 0) wrong();
                fits(step.b, TOPICS), takes_none({step.c});
                break;
            default:
                if (step.list != TOPICS) is_list(step.list);
                fits(step.a, step.list);
                if (step.operation < Operation::logical_not || step.operation == Operation::where) fits(step.b, step.list);
                else takes_none({step.b});
                if (step.operation == Operation::where) fits(step.c, step.list);
                else takes_none({step.c});
        }
        if (makes_list(step.operation)) {
            if (step.out != lists_++) wrong();
        } else {
            if (static_cast<size_t>(step.out) != level.size()) wrong();
            level.push_back(step.list);
        }
    }
    for (int32_t output : outputs_) fits(output, TOPICS);
    registers_ = static_cast<int32_t>(level.size());
}

}  // namespace gainful
