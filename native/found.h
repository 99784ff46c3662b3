// What one run holds of the judged documents.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index.h"
#include "order.h"

namespace gainful {

struct Found {
    std::vector<int64_t> offsets;
    std::vector<int32_t> row, rank, first, last;
    std::vector<int64_t> retrieved;
    std::vector<uint8_t> present;
    std::vector<std::string> extra;
    uint64_t rows = 0;
    std::string tag;
    std::string digest;
};

// What became of each topic; each is written by one worker only.
struct Outcome {
    uint64_t start = 0;  // of its hits among those of the worker
    int64_t retrieved = 0;
    uint32_t count = 0;
    uint32_t worker = 0;
    bool present = false;
};

// Hits of all workers, in the order of the judgments' topics.
Found assemble(const std::vector<Outcome>& outcomes, const std::vector<const std::vector<Hit>*>& hits);

// Topics in the order of topic_before, each once.
std::vector<std::string> sorted_topics(std::vector<std::string> topics);

}  // namespace gainful
