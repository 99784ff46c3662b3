// A source → blocks of whole lines, handed out in turn to any number of workers.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "source.h"

namespace gainful {

inline constexpr size_t LINE_LIMIT = size_t{1} << 20;  // longer lines are a fault, and are never held whole
inline constexpr size_t ID_LIMIT = size_t{4} << 10;    // of a topic's or a document's id
inline constexpr size_t HEAD = 512;                    // bytes that must look like text
inline constexpr size_t BLOCK = size_t{256} << 10;     // fits the second-level cache beside the tables
inline constexpr size_t SLOW_BLOCK = 8 * BLOCK;        // of what Python reads: its lock may be long in coming
inline constexpr size_t TOPIC_BLOCKS = 32;             // a topic larger than so many blocks is not kept in one
inline constexpr size_t PADDING = 64;  // readable bytes after the data, so that words can be loaded across the end

// Whole lines, the last one closed with a newline even where the file lacks it. The memory belongs to the worker and
// is used again for the next block.
struct Block {
    uint64_t number = 0;
    bool too_long = false;  // stands for one line over the limit; there is no data
    std::vector<char> memory;
    size_t size = 0;

    std::string_view text() const { return {memory.data(), size}; }
};

// What the lines hold: topic, iteration, document, grade; or topic, Q0, document, rank, score, tag.
enum class Kind { qrels, run };

// Whether an id is empty or nothing but blanks: no line of text can hold such an id, and no other input may.
inline bool is_missing(std::string_view id) {
    return id.empty() || (static_cast<unsigned char>(id[0]) <= ' ' && id.find_first_not_of(" \t\r\n") == id.npos);
}

// How blocks are cut.
enum class Cut {
    lines,   // after the last whole line
    topics,  // before the first line of the last topic, so that a topic is whole inside one block
};

// One worker reads at a time. As long as another one waits for a block it hands over what it has read and reads on, so that a
// slow source (one that is decompressed) never waits for a worker to wake up; else it keeps the block, and another may read.
class Reader {
public:
    Reader(Source& source, Cut cut, size_t block, std::atomic<uint64_t>& bytes_read)
        : source_(source), cut_(cut), block_(block ? block : source.may_block() ? SLOW_BLOCK : BLOCK), bytes_read_(bytes_read) {}

    // Must be called once, before the workers start. Gives the line of the first byte that no text file has.
    std::optional<uint64_t> open();

    // The next block, or false at the end. Safe to call from many threads.
    bool next(Block& block);

    // A topic was too large to be kept in one block: cutting by topics ended before the end of the source.
    bool gave_up() const { return gave_up_; }

private:
    struct Waiting {
        Block& block;
        bool served = false;
        std::condition_variable woken = {};
    };

    void end_turn();
    bool read(Block& block);
    size_t fill(Block& block, size_t upto);
    bool emit(Block& block, size_t cut);
    bool skip_long_line(Block& block);

    Source& source_;
    const Cut cut_;
    const size_t block_;
    std::atomic<uint64_t>& bytes_read_;
    std::mutex mutex_;  // of the next two; all else is for the worker that reads
    bool reading_ = false;
    std::deque<Waiting*> waiting_;
    std::vector<char> carry_;  // what was read beyond the last cut
    uint64_t number_ = 0;
    bool ended_ = false;    // the source has no more
    bool in_long_ = false;  // in the middle of a line over the limit
    bool gave_up_ = false;
    bool failed_ = false;  // the source threw; nobody asks it again
};

// Where the lines of the last topic begin in whole lines of text; 0 if there is no other topic before it.
size_t last_topic(std::string_view text);

}  // namespace gainful
