// The Python module: names, keywords and exceptions; no work of its own.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <future>
#include <limits>
#include <thread>

#include "abort_sentence.h"
#include "arrow.h"
#include "calibration.h"
#include "delimited.h"
#include "platform.h"
#include "py_found.h"
#include "py_job.h"
#include "py_mapping.h"
#include "py_program.h"
#include "py_rows.h"
#include "py_sparse.h"
#include "py_stream.h"
#include "py_values.h"
#include "profile_index.h"
#include "sparse.h"
#include "table.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace gainful {

namespace {

template <class Word, size_t count>
Word choose(const char* name, const std::string& word, const std::pair<const char*, Word> (&words)[count]) {
    std::string allowed;
    for (const auto& [text, value] : words) {
        if (word == text) return value;
        allowed += (allowed.empty() ? "" : ", ") + std::string(text);
    }
    throw nb::value_error((std::string(name) + " must be one of " + allowed + "; got '" + word + "'").c_str());
}

Ties ties_of(const std::string& word) {
    return choose<Ties>("ties", word, {{"docid", Ties::docid}, {"ascending", Ties::ascending}, {"input", Ties::input},
                                       {"reverse", Ties::reverse}, {"best", Ties::best}, {"worst", Ties::worst},
                                       {"expected", Ties::expected}});
}

// Of judgments, where a document has one grade.
Duplicates one_of_duplicates(const std::string& word) {
    return choose<Duplicates>(
        "duplicates", word,
        {{"error", Duplicates::error}, {"first", Duplicates::first}, {"best", Duplicates::best}});
}

Duplicates duplicates_of(const std::string& word) {
    return choose<Duplicates>("duplicates", word,
                              {{"error", Duplicates::error}, {"first", Duplicates::first}, {"best", Duplicates::best},
                               {"counted", Duplicates::counted}, {"once", Duplicates::once}});
}

Rules rules_of(const std::string& ties, const std::string& duplicates, bool drop_self, bool narrow, uint32_t top) {
    return {ties_of(ties), duplicates_of(duplicates), drop_self, narrow, top};
}

constexpr uint64_t LONG = 100'000;  // rows that may take a moment

// What the work gives, done without the GIL; work that may take long is done beside this thread, which looks out for
// Ctrl-C and then has the work stop.
template <class Work>
auto interruptible(bool may_take_long, const Work& work) {
    using Result = decltype(work(std::declval<const std::atomic<bool>&>()));
    std::atomic<bool> cancelled{false};
    if (!may_take_long) {
        nb::gil_scoped_release release;
        return work(cancelled);
    }
    std::packaged_task<Result()> task([&] { return work(cancelled); });
    std::future<Result> result = task.get_future();
    platform::JoiningThread thread(std::move(task));
    for (;;) {
        {
            nb::gil_scoped_release release;
            if (result.wait_for(std::chrono::milliseconds(100)) == std::future_status::ready) {
                thread.join();
                break;
            }
        }
        if (PyErr_CheckSignals() != 0) {
            nb::python_error raised;
            cancelled = true;
            nb::gil_scoped_release release;
            thread.join();
            throw raised;
        }
    }
    return result.get();
}

ArrowArrayStream& stream_of(nb::handle capsule) {
    void* stream = PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream");
    if (!stream) throw nb::python_error();
    if (!static_cast<ArrowArrayStream*>(stream)->release) throw nb::value_error("the stream has been read already");
    return *static_cast<ArrowArrayStream*>(stream);
}

bool may_take_long(const Source& source) { return source.size() == 0 || source.size() > 64 * LONG; }

std::shared_ptr<Rows> read_rows(nb::handle object, const std::string& kind_word, long long threads, size_t block) {
    const Kind kind = choose<Kind>("kind", kind_word, {{"qrels", Kind::qrels}, {"run", Kind::run}});
    const unsigned count = threads_of(threads);
    std::unique_ptr<Source> source = make_source(object);
    try {
        return interruptible(may_take_long(*source), [&](const std::atomic<bool>& cancelled) {
            return std::make_shared<Rows>(Rows::read(*source, kind, count, block, cancelled));
        });
    } catch (PythonRaised&) {
        raise_from(*source);
    }
}

std::shared_ptr<Rows> read_table(nb::handle object, const std::string& separator, std::array<size_t, 3> places,
                                 bool header, bool ranked, size_t columns, bool counting, long long threads,
                                 size_t block) {
    if (separator.size() > 1) throw nb::value_error("a separator is one character, or none for any blanks");
    const Layout layout{separator.empty() ? char{0} : separator[0], places, header, ranked, columns, counting};
    const unsigned count = threads_of(threads);
    std::unique_ptr<Source> source = make_source(object);
    try {
        return interruptible(may_take_long(*source), [&](const std::atomic<bool>& cancelled) {
            return std::make_shared<Rows>(Rows::read(*source, layout, count, block, cancelled));
        });
    } catch (PythonRaised&) {
        raise_from(*source);
    }
}

nb::list row_topics(const Rows& rows) {
    nb::list list;
    std::vector<nb::object> names(rows.topics.size());
    for (const Chunk& chunk : rows.chunks) {
        for (size_t s = 0; s < chunk.segments.size(); ++s) {
            const uint32_t topic = chunk.segments[s].topic;
            if (!names[topic].is_valid()) names[topic] = bytes_of(rows.topics[topic]);
            for (size_t i = chunk.segments[s].start; i < chunk.segment_end(s); ++i) list.append(names[topic]);
        }
    }
    return list;
}

nb::list row_documents(const Rows& rows) {
    nb::list list;
    for (const Chunk& chunk : rows.chunks) {
        for (size_t i = 0; i < chunk.size(); ++i) list.append(bytes_of(chunk.document(i)));
    }
    return list;
}

nb::object row_values(const Rows& rows) {
    std::vector<double> all;
    all.reserve(rows.size);
    for (const Chunk& chunk : rows.chunks) all.insert(all.end(), chunk.values.begin(), chunk.values.end());
    return array_of(std::move(all));
}

void bind_rows(nb::module_& m) {
    nb::class_<Rows>(m, "Rows", "A table of (topic, document, value) held in native memory.")
        .def_static("read", &read_rows, "source"_a, nb::kw_only(), "kind"_a, "threads"_a, "_block"_a = 0)
        .def_static("read_table", &read_table, "source"_a, nb::kw_only(), "separator"_a, "places"_a, "header"_a,
                    "ranked"_a, "columns"_a, "counting"_a, "threads"_a, "_block"_a = 0)
        .def_static("of_lists", [](nb::handle topics, nb::handle documents, nb::handle values) {
            return std::make_shared<Rows>(rows_of_lists(topics, documents, values));
        }, "topics"_a, "documents"_a, "values"_a)
        .def_static("of_mapping", [](nb::handle nested) {
            return std::make_shared<Rows>(rows_of_mapping(nested));
        }, "nested"_a)
        .def_static("of_stream", [](nb::handle capsule, const std::string& topic, const std::string& document,
                                    const std::string& value, std::optional<long long> threads) {
            ArrowArrayStream& stream = stream_of(capsule);
            const unsigned count = threads ? threads_of(*threads) : 0;
            nb::gil_scoped_release release;
            return std::make_shared<Rows>(read_arrow(stream, {topic, document, value}, count));
        }, "capsule"_a, "topic"_a, "document"_a, "value"_a, nb::kw_only(), "threads"_a = nb::none())
        .def("__len__", [](const Rows& rows) { return rows.size; })
        .def_prop_ro("topics", &row_topics)
        .def_prop_ro("documents", &row_documents)
        .def_prop_ro("values", &row_values)
        .def("take_values", [](Rows& rows) { return array_of(rows.take_values()); })
        .def_prop_ro("tag", [](const Rows& rows) { return bytes_of(rows.tag); })
        .def_prop_ro("digest", [](const Rows& rows) { return rows.digest.hex(); });
}

void bind_index(nb::module_& m) {
    nb::class_<PyIndex>(m, "Index", "Judgments, indexed for matching; used for many runs.")
        .def("__init__", [](PyIndex* self, const Rows& rows, const std::string& duplicates) {
            const Duplicates rule = one_of_duplicates(duplicates);
            new (self) PyIndex(interruptible(rows.size > LONG, [&](const std::atomic<bool>& cancelled) {
                return std::make_shared<const Index>(rows, rule, cancelled);
            }));
        }, "rows"_a, nb::kw_only(), "duplicates"_a)
        .def("__len__", [](const PyIndex& self) { return self.core->size(); })
        .def_prop_ro("topics", [](const PyIndex& self) {
            nb::list list;
            for (size_t i = 0; i < self.core->topics(); ++i) list.append(bytes_of(self.core->names()[i]));
            return list;
        })
        .def_prop_ro("offsets", [](nb::handle_t<PyIndex> self) {
            return view_of<int64_t>(nb::cast<PyIndex&>(self).core->offsets(), self);
        })
        .def_prop_ro("grade", [](nb::handle_t<PyIndex> self) {
            return view_of<double>(nb::cast<PyIndex&>(self).core->grade(), self);
        })
        .def("documents", [](const PyIndex& self, int64_t start, int64_t stop) {
            nb::list list;
            const auto size = static_cast<int64_t>(self.core->size());
            for (int64_t i = std::max<int64_t>(start, 0); i < std::min(stop, size); ++i) {
                list.append(bytes_of(self.core->document(static_cast<size_t>(i))));
            }
            return list;
        }, "start"_a, "stop"_a)
        .def_prop_ro("dropped", [](const PyIndex& self) { return self.core->dropped(); })
        .def_prop_ro("grades", [](const PyIndex& self) {
            std::array<double, 2> range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
            for (double grade : self.core->grade()) {
                if (grade >= 0) range[0] = std::min(range[0], grade);
                range[1] = std::max(range[1], grade);
            }
            return std::array<double, 2>{range[0] + 0.0, range[1] + 0.0};  // no zero below zero
        })
        .def("first_beyond", [](const PyIndex& self, double largest) {
            const std::vector<double>& grades = self.core->grade();
            const auto beyond = std::find_if_not(grades.begin(), grades.end(),
                                                 [largest](double grade) { return std::fabs(grade) <= largest; });
            return beyond == grades.end() ? std::optional<size_t>() : static_cast<size_t>(beyond - grades.begin());
        }, "largest"_a)
        .def_prop_ro("longest", [](const PyIndex& self) {
            int64_t longest = 0;
            for (size_t t = 0; t < self.core->topics(); ++t) {
                longest = std::max(longest, self.core->offsets()[t + 1] - self.core->offsets()[t]);
            }
            return longest;
        })
        .def_prop_ro("digest", [](const PyIndex& self) { return self.core->digest(); });
}

// A job can be part of a cycle: an exception of its source has a traceback, which has frames, which hold the job.
int traverse_job(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<Job>(self)->raised());
    return 0;
}

int clear_job(PyObject* self) {
    if (nb::inst_ready(self)) nb::inst_ptr<Job>(self)->forget_raised();
    return 0;
}

PyType_Slot job_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_job)},
                           {Py_tp_clear, reinterpret_cast<void*>(clear_job)},
                           {0, nullptr}};

void bind_job(nb::module_& m) {
    nb::class_<Crew>(m, "Crew", "Threads that judge runs, one after the other.")
        .def("__init__", [](Crew* self, long long threads) { new (self) Crew(threads_of(threads)); }, "threads"_a);
    nb::class_<Job>(m, "Job", nb::type_slots(job_slots),
                    "One run being judged by native threads; starts at once, or when a crew comes to it.")
        .def("__init__", [](Job* self, const PyIndex& index, nb::handle source, const std::string& ties,
                            const std::string& duplicates, long long threads, bool drop_self, bool narrow, uint32_t top,
                            std::shared_ptr<Crew> crew, size_t block, size_t memory) {
            std::error_code none;
            std::filesystem::path folder = std::filesystem::temp_directory_path(none);
            RunSettings settings{rules_of(ties, duplicates, drop_self, narrow, top), threads_of(threads), block, memory,
                                 none ? "/tmp" : folder.string()};
            new (self) Job(index.core, source, settings, std::move(crew));
        }, "index"_a, "source"_a, nb::kw_only(), "ties"_a, "duplicates"_a, "threads"_a, "drop_self"_a = false,
           "narrow"_a = false, "top"_a = 0, "crew"_a = nb::none(), "_block"_a = 0, "_memory"_a = 0)
        .def_prop_ro("bytes_read", &Job::bytes_read)
        .def("wait", &Job::wait, "seconds"_a)
        .def("cancel", &Job::cancel)
        .def("result", &Job::result);
}

std::shared_ptr<Found> judge_mapping(PyIndex& index, nb::handle nested, const std::string& ties_word, bool narrow,
                                     uint32_t top) {
    const Rules rules{ties_of(ties_word), Duplicates::error, false, narrow, top};
    if (top == 0) {
        if (std::optional<JudgedDicts> judged = judge_dicts(index, nested, rules.ties, narrow)) {
            return std::make_shared<Found>(judged->found(index.core->topics()));
        }
    }
    auto found = std::make_shared<Found>(judge_table(*index.core, rows_of_mapping(nested), rules, 1));
    found->digest.clear();
    return found;
}

void bind_functions(nb::module_& m) {
    m.def("judge_stream", [](const PyIndex& index, nb::handle capsule, const ColumnNames& names,
                             const std::string& ties, const std::string& duplicates, long long threads,
                             bool drop_self, bool narrow, uint32_t top) -> std::shared_ptr<Found> {
        ArrowArrayStream& stream = stream_of(capsule);
        const Rules rules = rules_of(ties, duplicates, drop_self, narrow, top);
        const unsigned count = threads_of(threads);
        nb::gil_scoped_release release;
        std::optional<Found> found = judge_arrow(*index.core, stream, names, rules, count);
        return found ? std::make_shared<Found>(std::move(*found)) : nullptr;
    }, "index"_a, "capsule"_a, "names"_a, nb::kw_only(), "ties"_a, "duplicates"_a, "threads"_a, "drop_self"_a = false,
       "narrow"_a = false, "top"_a = 0,
       "A run in an Arrow stream whose topics stand together, judged as it comes; None where it must be read whole.");
    m.def("judge_rows", [](const PyIndex& index, const Rows& rows, const std::string& ties,
                           const std::string& duplicates, long long threads, bool drop_self, bool narrow, uint32_t top) {
        Rules rules = rules_of(ties, duplicates, drop_self, narrow, top);
        const unsigned count = threads_of(threads);
        return interruptible(rows.size > LONG, [&](const std::atomic<bool>& cancelled) {
            rules.cancelled = &cancelled;
            return std::make_shared<Found>(judge_table(*index.core, rows, rules, count));
        });
    }, "index"_a, "rows"_a, nb::kw_only(), "ties"_a, "duplicates"_a, "threads"_a, "drop_self"_a = false,
       "narrow"_a = false, "top"_a = 0);
    m.def("judge_mapping", &judge_mapping, "index"_a, "nested"_a, nb::kw_only(), "ties"_a, "narrow"_a = false,
          "top"_a = 0);
    m.def("say_on_abort", &say_on_abort, "sentence"_a, "descriptor"_a, "code"_a,
          "What an abort in this thread writes, and the exit code it ends with; an empty sentence takes it back.");
    m.def("arrow_stream", &arrow_stream, "columns"_a, "Columns as the capsule of an Arrow stream.");
    m.def("columns", [](nb::handle capsule) {
        ArrowArrayStream& stream = stream_of(capsule);
        std::vector<std::string> names;
        {
            nb::gil_scoped_release release;
            names = arrow_columns(stream);
        }
        return names;
    }, "capsule"_a, "Names of an Arrow stream's columns; the capsule can still be read.");
}

// C++ exceptions → those of gainful._core.faults and of Python itself.
void translate(const std::exception_ptr& error, void*) {
    try {
        std::rethrow_exception(error);
    } catch (const Fault& fault) {
        nb::object type = nb::module_::import_("gainful._core.faults").attr("Fault");
        nb::object value = type(FAULT_NAMES[static_cast<size_t>(fault.kind)], fault.line, fault.other,
                                bytes_of(fault.text), fault.count);
        PyErr_SetObject(type.ptr(), value.ptr());
    } catch (const Cancelled&) {
        PyErr_SetNone(nb::module_::import_("gainful._core.faults").attr("Cancelled").ptr());
    } catch (const NoColumn& missing) {
        PyErr_SetObject(PyExc_KeyError, nb::str(missing.what()).ptr());
    } catch (const std::system_error& failure) {
        errno = failure.code().value();
        PyErr_SetFromErrno(PyExc_OSError);
    }
}

}  // namespace

}  // namespace gainful

NB_MODULE(_native, m) {
    m.doc() = "The native core: bytes and arrays in, arrays out.";
    nb::set_leak_warnings(false);  // an interpreter that ends in the middle of a job is no reason to speak
    nb::register_exception_translator(gainful::translate);
    gainful::bind_rows(m);
    gainful::bind_index(m);
    gainful::bind_found(m);
    gainful::bind_job(m);
    gainful::bind_functions(m);
    gainful::bind_sparse(m);
    gainful::bind_highest_scores(m);
    gainful::bind_profile_index(m);
    gainful::bind_calibration(m);
    gainful::bind_program(m);
}
