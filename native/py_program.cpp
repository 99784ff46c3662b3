#include "py_program.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "program.h"
#include "logarithm.h"
#include "py_mapping.h"
#include "scorer.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace gainful {

namespace {

using ProgramNumbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ProgramPlaces = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ProgramMatrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ProgramValues = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

constexpr int64_t MANY_PLACES = 100'000;  // places that may take a moment

Step step_of(nb::handle given) {
    const nb::tuple fields = nb::cast<nb::tuple>(given);
    if (fields.size() != 7) throw nb::value_error("a step has seven fields");
    auto number = [&](size_t i) { return fields[i].is_none() ? NONE_GIVEN : nb::cast<int32_t>(fields[i]); };
    return {operation_of(nb::cast<std::string>(fields[0])), number(1), number(2), number(3), number(4), number(5), number(6)};
}

Program program_of(nb::list given, std::vector<double> constants, const std::vector<ProgramNumbers>& columns,
                   std::vector<int32_t> outputs) {
    std::vector<Step> steps;
    for (nb::handle step : given) steps.push_back(step_of(step));
    std::vector<std::vector<double>> tables;
    for (const ProgramNumbers& column : columns) tables.emplace_back(column.data(), column.data() + column.size());
    return Program(std::move(steps), std::move(constants), std::move(tables), std::move(outputs));
}

// Arrays that do not fit together are refused, as the program reads them without another look.
FlatList flat(const ProgramPlaces& offsets, const ProgramNumbers& rank, const ProgramNumbers& grade, size_t topics) {
    const int64_t* at = offsets.data();
    bool sound = offsets.size() == topics + 1 && at[0] == 0 && at[topics] == static_cast<int64_t>(rank.size()) &&
                 rank.size() == grade.size();
    for (size_t t = 0; sound && t < topics; ++t) sound = at[t] <= at[t + 1];
    if (!sound) throw nb::value_error("arrays of a ranking do not fit together");
    return {at, rank.data(), grade.data()};
}

bool run_on_arrays(const Program& program, const ProgramPlaces& offsets, const ProgramNumbers& rank, const ProgramNumbers& grade,
         const ProgramPlaces& pool_offsets, const ProgramNumbers& pool_rank, const ProgramNumbers& pool_grade, const ProgramNumbers& retrieved,
         const ProgramMatrix& columns, const ProgramValues& out) {
    const size_t topics = retrieved.size();
    const Records records{topics, flat(offsets, rank, grade, topics), flat(pool_offsets, pool_rank, pool_grade, topics),
                          retrieved.data(), columns.data(), topics, nullptr};
    if (out.shape(0) != program.outputs() || out.shape(1) != topics ||
        static_cast<int32_t>(columns.shape(0)) < program.columns() || columns.shape(1) != topics) {
        throw nb::value_error("values do not fit the program");
    }
    if (records.hits.offsets[topics] + records.pool.offsets[topics] < MANY_PLACES) {
        return program.run(records, out.data(), topics) == Program::Outcome::done;
    }
    nb::gil_scoped_release release;
    return program.run(records, out.data(), topics) == Program::Outcome::done;
}

// A run and what measures say of it: their values, and where there was nothing to measure.
struct ScoredRun {
    std::optional<JudgedDicts> dicts;
    std::shared_ptr<Found> found_;  // made of the dicts on first use
    size_t topics, measures;
    std::vector<double> values;
    std::vector<uint8_t> undefined;

    const std::shared_ptr<Found>& found() {
        if (!found_) found_ = std::make_shared<Found>(dicts->found(topics));
        return found_;
    }
    bool close() const { return found_ ? !found_->close_topic.empty() : !dicts->kept.close.empty(); }
};

class PyScorer {
public:
    PyScorer(nb::object index, const Program& of_judgments, nb::object program)
        : held_index_(std::move(index)), held_program_(std::move(program)), index_(nb::cast<PyIndex&>(held_index_)),
          core_(index_.core, index_.best_first(), of_judgments, nb::cast<const Program&>(held_program_)) {}

    bool usable() const { return core_.usable(); }

    // The measures' values for every judged topic; nothing where the run is none of dicts, or arrays have to be asked.
    std::unique_ptr<ScoredRun> score(nb::handle nested) {
        std::optional<JudgedDicts> judged = judge_dicts(index_, nested, Ties::docid, false);
        if (!judged || judged->numbers.empty()) return nullptr;
        const size_t there = judged->numbers.size(), topics = core_.topics(), measures = core_.measures();
        judged->keys.clear();  // the scores keep nothing of the user's: what they hold is hidden from the garbage collector
        judged->held.reset();
        std::vector<double> outputs(2 * measures * there);
        if (!run(*judged, outputs)) return nullptr;
        auto scored = std::make_unique<ScoredRun>(
            ScoredRun{std::move(judged), nullptr, topics, measures, {}, std::vector<uint8_t>(measures * topics)});
        const std::vector<double>& of_nothing = core_.of_nothing();
        scored->values.assign(of_nothing.begin(), of_nothing.begin() + static_cast<ptrdiff_t>(measures * topics));
        const double* undefined = of_nothing.data() + measures * topics;
        for (size_t i = 0; i < measures * topics; ++i) scored->undefined[i] = undefined[i] != 0;
        for (size_t m = 0; m < measures; ++m) {
            for (size_t i = 0; i < there; ++i) {
                const size_t at = m * topics + scored->dicts->numbers[i];
                scored->values[at] = outputs[m * there + i];
                scored->undefined[at] = outputs[(measures + m) * there + i] != 0;
            }
        }
        return scored;
    }

    // The measures' values for every judged topic; nothing where arrays have to be asked.
    std::unique_ptr<ScoredRun> score_found(std::shared_ptr<Found> found) {
        const size_t topics = core_.topics(), measures = core_.measures(), size = measures * topics;
        std::vector<double> outputs(2 * size);
        Program::Outcome outcome;
        {
            nb::gil_scoped_release release;
            outcome = core_.run(*found, outputs.data());
        }
        if (outcome == Program::Outcome::beyond_table) {
            too_deep_ = *std::max_element(found->rank.begin(), found->rank.end());
        }
        if (outcome != Program::Outcome::done) return nullptr;
        auto scored = std::make_unique<ScoredRun>(
            ScoredRun{std::nullopt, std::move(found), topics, measures, {}, std::vector<uint8_t>(size)});
        for (size_t i = 0; i < size; ++i) scored->undefined[i] = outputs[size + i] != 0;
        outputs.resize(size);
        scored->values = std::move(outputs);
        return scored;
    }

    // {topic: {name: value}} of the judged topics in the run, whose scores are compared in 32 bits; nothing as above.
    nb::object by_topic(nb::handle nested, nb::tuple names) {
        std::optional<JudgedDicts> judged = judge_dicts(index_, nested, Ties::docid, true);
        if (!judged) return nb::none();
        const size_t there = judged->numbers.size(), each = core_.outputs();
        if (names.size() != each) throw nb::value_error("as many names as values");
        std::vector<double> outputs(each * there);
        if (!run(*judged, outputs)) return nb::none();
        nb::object of_topics = checked(PyDict_New());
        for (size_t i = 0; i < there; ++i) {
            nb::object of_topic = checked(PyDict_New());
            for (size_t m = 0; m < each; ++m) {
                const nb::object value = checked(PyFloat_FromDouble(outputs[m * there + i]));
                set(of_topic, PyTuple_GET_ITEM(names.ptr(), static_cast<Py_ssize_t>(m)), value.ptr());
            }
            set(of_topics, judged->keys[i], of_topic.ptr());
        }
        return of_topics;
    }

    // The last rank of a run that tables do not reach; 0 where there was none.
    double too_deep() const { return too_deep_; }

private:
    static nb::object checked(PyObject* made) {
        if (!made) throw nb::python_error();
        return nb::steal(made);
    }
    static void set(const nb::object& dict, PyObject* key, PyObject* value) {
        if (PyDict_SetItem(dict.ptr(), key, value) != 0) throw nb::python_error();
    }

    bool run(const JudgedDicts& judged, std::vector<double>& outputs) {
        const size_t topics = judged.numbers.size(), size = judged.kept.hits.size();
        std::vector<int64_t> offsets(topics + 1);
        std::vector<double> numbers(2 * size + topics);
        double *rank = numbers.data(), *grade = rank + size, *retrieved = grade + size;
        const double* grades = index_.core->grade().data();
        for (size_t i = 0; i < size; ++i) {
            rank[i] = judged.kept.hits[i].rank;
            grade[i] = grades[judged.kept.hits[i].row];
        }
        for (size_t t = 0; t < topics; ++t) {
            offsets[t + 1] = offsets[t] + judged.outcomes[t].count;
            retrieved[t] = static_cast<double>(judged.outcomes[t].retrieved);
        }
        const Program::Outcome outcome =
            core_.run(topics, {offsets.data(), rank, grade}, retrieved, judged.numbers.data(), outputs.data());
        if (outcome == Program::Outcome::beyond_table) too_deep_ = *std::max_element(rank, rank + size);
        return outcome == Program::Outcome::done;
    }

    nb::object held_index_, held_program_;
    PyIndex& index_;
    Scorer core_;
    double too_deep_ = 0;
};

template <class T, class Stored>
auto scored_matrix(std::vector<Stored>& values, const ScoredRun& scored, nb::handle owner) {
    return nb::ndarray<nb::numpy, T, nb::ndim<2>>(reinterpret_cast<T*>(values.data()), {scored.measures, scored.topics}, owner);
}

}  // namespace

void bind_program(nb::module_& m) {
    nb::class_<Program>(m, "Program", "Measures as operations on flat arrays.")
        .def("__init__", [](Program* self, nb::list steps, std::vector<double> constants,
                            const std::vector<ProgramNumbers>& tables, std::vector<int32_t> outputs) {
            new (self) Program(program_of(std::move(steps), std::move(constants), tables, std::move(outputs)));
        }, "steps"_a, "constants"_a, "tables"_a, "outputs"_a)
        .def("run", &run_on_arrays, "offsets"_a, "rank"_a, "grade"_a, "pool_offsets"_a, "pool_rank"_a, "pool_grade"_a,
             "retrieved"_a, "columns"_a, "out"_a,
             "Values × topics into out; False where a program cannot say, and arrays have to be asked.");
    nb::class_<ScoredRun>(m, "ScoredRun", "Values of measures for one run, and where there was nothing to measure.")
        .def_prop_ro("found", [](ScoredRun& self) { return self.found(); })
        .def_prop_ro("values", [](nb::handle_t<ScoredRun> self) {
            auto& scored = nb::cast<ScoredRun&>(self);
            return scored_matrix<double>(scored.values, scored, self);
        })
        .def_prop_ro("undefined", [](nb::handle_t<ScoredRun> self) {
            auto& scored = nb::cast<ScoredRun&>(self);
            return scored_matrix<bool>(scored.undefined, scored, self);
        })
        .def("row", [](const ScoredRun& self, size_t measure) {
            if (measure >= self.measures) throw nb::index_error();
            const double* values = self.values.data() + measure * self.topics;
            nb::list row;
            for (size_t t = 0; t < self.topics; ++t) row.append(values[t]);
            return row;
        }, "measure"_a)
        .def("undefined_topics", [](const ScoredRun& self, size_t measure) {
            if (measure >= self.measures) throw nb::index_error();
            const uint8_t* undefined = self.undefined.data() + measure * self.topics;
            nb::list topics;
            for (size_t t = 0; t < self.topics; ++t) {
                if (undefined[t]) topics.append(t);
            }
            return topics;
        }, "measure"_a)
        .def_prop_ro("close", &ScoredRun::close);
    nb::class_<PyScorer>(m, "Scorer", "Judgments, and measures as programs: ready for many runs.")
        .def(nb::init<nb::object, const Program&, nb::object>(), "index"_a, "of_judgments"_a, "program"_a)
        .def_prop_ro("usable", &PyScorer::usable)
        .def("score", &PyScorer::score, "nested"_a)
        .def("score_found", &PyScorer::score_found, "found"_a)
        .def("by_topic", &PyScorer::by_topic, "nested"_a, "names"_a)
        .def_prop_ro("too_deep", &PyScorer::too_deep);
    m.def("log2", [](const ProgramNumbers& x, const nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>& out) {
        if (x.size() != out.size()) throw nb::value_error("as many logarithms as numbers");
        std::transform(x.data(), x.data() + x.size(), out.data(), log2_of);
    }, "x"_a, "out"_a, "Logarithms to the base 2, with the bits that programs have.");
}

}  // namespace gainful
