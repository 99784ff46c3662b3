// A run in a file → Found.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "found.h"
#include "judge.h"
#include "source.h"

namespace gainful {

struct RunSettings {
    Rules rules;
    unsigned threads;
    size_t block;        // 0 for the usual size
    size_t memory;       // 0 for the usual amount; for packed rows of scattered topics
    std::string folder;  // for the temporary file
};

// Seen from outside while the run is read.
struct Progress {
    std::atomic<uint64_t> bytes_read{0};
    std::atomic<bool> cancelled{false};
};

// Throws Fault, Cancelled, std::system_error, or what the source throws.
Found judge_run(const Index& index, Source& source, const RunSettings& settings, Progress& progress);

}  // namespace gainful
