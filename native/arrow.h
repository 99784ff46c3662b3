// Columns of an Arrow stream → Rows. The structures below are the Arrow C data interface, which is plain memory and
// needs no library: any frame that can hand out a stream is read in place.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "found.h"
#include "judge.h"
#include "rows.h"

extern "C" {

struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    int64_t flags;
    int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
    int (*get_next)(ArrowArrayStream*, ArrowArray*);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};
}

namespace gainful {

struct NoColumn : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Of the topic, the document and the value.
using ColumnNames = std::array<std::string, 3>;

// Names of the columns; the stream is not touched otherwise.
std::vector<std::string> arrow_columns(ArrowArrayStream& stream);

// Reads the stream to its end and releases it. threads: 0 for as many as there are. Throws NoColumn, Fault, or
// std::runtime_error with the words of whoever made the stream.
Rows read_arrow(ArrowArrayStream& stream, const ColumnNames& names, unsigned threads);

// The same, judged as it comes: nothing is kept but the hits. Gives nothing where something is in the way (a topic that
// is met again after it ended or is very large, a fault of any kind); `read_arrow` and `judge_table` say what it is.
std::optional<Found> judge_arrow(const Index& index, ArrowArrayStream& stream, const ColumnNames& names, Rules rules,
                                 unsigned threads);

}  // namespace gainful
