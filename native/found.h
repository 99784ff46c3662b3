// What one run holds of the judged documents.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index.h"
#include "order.h"

namespace gainful {

// The first documents of each topic, in order.
struct Top {
    std::vector<int64_t> offsets;
    Arena documents;
    std::vector<double> score;
    std::vector<int32_t> row;          // in the judgments; −1 where it is not judged
    std::vector<int32_t> first, last;  // ranks of the documents with the same score
};

// Documents that are tied in 32 bits and not in 64, with a hit among them.
struct Close {
    uint32_t topic;
    int32_t first, last;  // their ranks
};

struct Found {
    std::vector<int64_t> offsets;
    std::vector<int32_t> row, rank, first, last;
    std::vector<int64_t> retrieved;
    std::vector<uint8_t> present;
    std::vector<std::string> extra;
    std::vector<int32_t> close_topic, close_first, close_last;
    Top top;
    uint64_t dropped = 0;  // rows of judged topics whose document the topic had already
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
    uint64_t top_start = 0;
    uint32_t top_count = 0;
};

// What one worker keeps of the topics that it judged.
struct Kept {
    std::vector<Hit> hits;
    Top top;
    std::vector<Close> close;
    uint64_t dropped = 0;
};

// The shares of all workers, in the order of the judgments' topics.
Found assemble(const std::vector<Outcome>& outcomes, const std::vector<const Kept*>& workers);

// Topics in the order of topic_before, each once.
std::vector<std::string> sorted_topics(std::vector<std::string> topics);

}  // namespace gainful
