#include "py_program.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "program.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace gainful {

namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Places = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

constexpr int64_t LONG = 100'000;  // places that may take a moment

Step step_of(nb::handle given) {
    const nb::tuple fields = nb::cast<nb::tuple>(given);
    if (fields.size() != 7) throw nb::value_error("a step has seven fields");
    auto number = [&](size_t i) { return fields[i].is_none() ? NONE_GIVEN : nb::cast<int32_t>(fields[i]); };
    return {operation_of(nb::cast<std::string>(fields[0])), number(1), number(2), number(3), number(4), number(5), number(6)};
}

Program program_of(nb::list given, std::vector<double> constants, const std::vector<Numbers>& columns,
                   std::vector<int32_t> outputs) {
    std::vector<Step> steps;
    for (nb::handle step : given) steps.push_back(step_of(step));
    std::vector<std::vector<double>> tables;
    for (const Numbers& column : columns) tables.emplace_back(column.data(), column.data() + column.size());
    return Program(std::move(steps), std::move(constants), std::move(tables), std::move(outputs));
}

// Arrays that do not fit together are refused, as the program reads them without another look.
FlatList flat(const Places& offsets, const Numbers& rank, const Numbers& grade, size_t topics) {
    const int64_t* at = offsets.data();
    bool sound = offsets.size() == topics + 1 && at[0] == 0 && at[topics] == static_cast<int64_t>(rank.size()) &&
                 rank.size() == grade.size();
    for (size_t t = 0; sound && t < topics; ++t) sound = at[t] <= at[t + 1];
    if (!sound) throw nb::value_error("arrays of a ranking do not fit together");
    return {at, rank.data(), grade.data()};
}

bool run(const Program& program, const Places& offsets, const Numbers& rank, const Numbers& grade,
         const Places& pool_offsets, const Numbers& pool_rank, const Numbers& pool_grade, const Numbers& retrieved,
         const Matrix& columns, const Values& out) {
    const size_t topics = retrieved.size();
    const Records records{topics, flat(offsets, rank, grade, topics), flat(pool_offsets, pool_rank, pool_grade, topics),
                          retrieved.data(), columns.data(), topics, nullptr};
    if (out.shape(0) != program.outputs() || out.shape(1) != topics ||
        static_cast<int32_t>(columns.shape(0)) < program.columns() || columns.shape(1) != topics) {
        throw nb::value_error("values do not fit the program");
    }
    if (records.hits.offsets[topics] + records.pool.offsets[topics] < LONG) {
        return program.run(records, out.data(), topics) == Program::Outcome::done;
    }
    nb::gil_scoped_release release;
    return program.run(records, out.data(), topics) == Program::Outcome::done;
}

}  // namespace

void bind_program(nb::module_& m) {
    nb::class_<Program>(m, "Program", "Measures as operations on flat arrays.")
        .def("__init__", [](Program* self, nb::list steps, std::vector<double> constants,
                            const std::vector<Numbers>& tables, std::vector<int32_t> outputs) {
            new (self) Program(program_of(std::move(steps), std::move(constants), tables, std::move(outputs)));
        }, "steps"_a, "constants"_a, "tables"_a, "outputs"_a)
        .def("run", &run, "offsets"_a, "rank"_a, "grade"_a, "pool_offsets"_a, "pool_rank"_a, "pool_grade"_a,
             "retrieved"_a, "columns"_a, "out"_a,
             "Values × topics into out; False where a program cannot say, and arrays have to be asked.");
}

}  // namespace gainful
