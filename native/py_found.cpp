#include "py_found.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <stdexcept>

#include "found.h"
#include "py_mapping.h"
#include "py_values.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace gainful {

namespace {

template <class T, class Class, class Stored>
auto column(std::vector<Stored> Class::* member) {
    return [member](nb::handle_t<Class> self) { return view_of<T>(nb::cast<Class&>(self).*member, self); };
}

void bind_top(nb::module_& m) {
    nb::class_<Top>(m, "Top", "The first documents of each topic in order, in the Index's order of topics.")
        .def_prop_ro("offsets", column<int64_t>(&Top::offsets))
        .def_prop_ro("score", column<double>(&Top::score))
        .def_prop_ro("row", column<int32_t>(&Top::row))
        .def_prop_ro("first", column<int32_t>(&Top::first))
        .def_prop_ro("last", column<int32_t>(&Top::last))
        .def("documents", [](const Top& self, int64_t start, int64_t stop) {
            nb::list list;
            const auto size = static_cast<int64_t>(self.documents.size());
            for (int64_t i = std::max<int64_t>(start, 0); i < std::min(stop, size); ++i) {
                list.append(bytes_of(self.documents[static_cast<size_t>(i)]));
            }
            return list;
        }, "start"_a, "stop"_a);
}

nb::list absent_topics(const Found& found) {
    nb::list topics;
    for (size_t t = 0; t < found.present.size(); ++t) {
        if (!found.present[t]) topics.append(t);
    }
    return topics;
}

nb::list lengths_of_lists(const Found& found) {
    nb::list lengths;
    for (size_t t = 0; t < found.present.size(); ++t) {
        if (found.present[t]) lengths.append(found.retrieved[t]);
    }
    return lengths;
}

size_t topics_straddled(const Found& found, int32_t rank) {
    size_t topics = 0;
    for (size_t t = 0; t + 1 < found.offsets.size(); ++t) {
        for (auto i = static_cast<size_t>(found.offsets[t]); i < static_cast<size_t>(found.offsets[t + 1]); ++i) {
            if (found.first[i] <= rank && found.last[i] > rank) {
                ++topics;
                break;
            }
        }
    }
    return topics;
}

double judged_share(const Found& found, const PyIndex& index, int32_t cutoff) {
    const std::vector<double>& grades = index.core->grade();
    int64_t there = 0, judged = 0;
    for (int64_t retrieved : found.retrieved) there += std::min<int64_t>(retrieved, cutoff);
    for (size_t i = 0; i < found.rank.size(); ++i) {
        const auto row = static_cast<size_t>(found.row[i]);
        if (row >= grades.size()) throw std::invalid_argument(OTHER_JUDGMENTS);
        judged += found.rank[i] <= cutoff && grades[row] >= 0;
    }
    return there ? static_cast<double>(judged) / static_cast<double>(there) : 0.0;
}

}  // namespace

void bind_found(nb::module_& m) {
    bind_top(m);
    nb::class_<Found>(m, "Found", "What one run holds of the judged documents, in the Index's order of topics.")
        .def_prop_ro("offsets", column<int64_t>(&Found::offsets))
        .def_prop_ro("row", column<int32_t>(&Found::row))
        .def_prop_ro("rank", column<int32_t>(&Found::rank))
        .def_prop_ro("first", column<int32_t>(&Found::first))
        .def_prop_ro("last", column<int32_t>(&Found::last))
        .def_prop_ro("retrieved", column<int64_t>(&Found::retrieved))
        .def_prop_ro("present", column<bool>(&Found::present))
        .def_prop_ro("extra", [](const Found& self) {
            nb::list list;
            for (const std::string& topic : self.extra) list.append(bytes_of(topic));
            return list;
        })
        .def_prop_ro("close_topic", column<int32_t>(&Found::close_topic))
        .def_prop_ro("close_first", column<int32_t>(&Found::close_first))
        .def_prop_ro("close_last", column<int32_t>(&Found::close_last))
        .def_prop_ro("top", [](const Found& self) -> const Top& { return self.top; }, nb::rv_policy::reference_internal)
        .def_ro("dropped", &Found::dropped)
        .def_ro("rows", &Found::rows)
        .def_prop_ro("tag", [](const Found& self) { return bytes_of(self.tag); })
        .def_ro("digest", &Found::digest)
        .def_prop_ro("absent", &absent_topics)
        .def_prop_ro("lengths", &lengths_of_lists)
        .def("straddled", &topics_straddled, "rank"_a)
        .def("judged_share", &judged_share, "index"_a, "cutoff"_a);
}

}  // namespace gainful
