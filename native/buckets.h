// Rows of a run whose topics are scattered over the file, packed and put into buckets by topic. What does not fit into
// the memory allowed goes to one temporary file that has no name, and so is gone whatever happens to the process.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "fault.h"
#include "hash.h"

namespace gainful {

inline constexpr size_t MEMORY = size_t{96} << 20;

struct PackedRow {
    uint32_t topic;
    std::string_view document;
    double score;
    Place place;
};

// A page is read on its own: its first row spells out the block, later rows only how many lines they are further on.
//
//     topic in bucket × 2 + (block follows), [block, 8 bytes], lines further on, score, size of id, id
//
// Whole numbers take 7 bits a byte.
struct Page {
    std::unique_ptr<char[]> data;
    uint32_t size = 0, room = 0;
    uint64_t block = 0;
    uint64_t line = 0;
};

// The temporary file, made when first needed.
class Spill {
public:
    explicit Spill(std::string folder) : folder_(std::move(folder)) {}
    Spill(const Spill&) = delete;
    Spill& operator=(const Spill&) = delete;
    ~Spill();

    uint64_t write(const char* data, size_t size);  // where it is
    void read(uint64_t at, char* data, size_t size) const;

private:
    void open();

    const std::string folder_;
    std::once_flag opened_;
    int descriptor_ = -1;
    std::atomic<uint64_t> end_{0};
};

class Buckets {
public:
    Buckets(size_t topics, unsigned threads, size_t memory, std::string folder);

    size_t count() const { return mask_ + 1; }

    // Adds rows for one thread; close() hands in what is left.
    class Writer {
    public:
        explicit Writer(Buckets& buckets) : buckets_(buckets), pages_(buckets.count()) {}
        void add(uint32_t topic, std::string_view document, double score, uint64_t block, uint64_t line);
        void close();

    private:
        Buckets& buckets_;
        std::vector<Page> pages_;
    };

    // The rows of one bucket; their ids stay where they are until the object is gone.
    class Content {
    public:
        Content(Buckets& buckets, size_t bucket);
        template <class Use>
        void each(Use use) const;
        // Topics of a bucket differ in the bits above these.
        unsigned shift() const { return shift_; }

    private:
        size_t bucket_;
        unsigned shift_;
        std::vector<Page> pages_;
        std::vector<char> spilled_;
        std::vector<std::string_view> parts_;
    };

private:
    struct Extent {
        uint64_t at;
        uint32_t size;
    };
    struct Bucket {
        std::mutex mutex;
        std::vector<Page> pages;
        std::vector<Extent> extents;
    };

    void renew(size_t bucket, Page& page, size_t least);
    void take(size_t bucket, Page& page);

    size_t mask_;
    unsigned shift_;
    size_t page_;
    const size_t memory_;
    std::atomic<size_t> used_{0};
    std::vector<Bucket> buckets_;
    Spill spill_;
};

inline char* put_number(char* at, uint64_t number) {
    for (; number >= 128; number >>= 7) *at++ = static_cast<char>(number | 128);
    *at++ = static_cast<char>(number);
    return at;
}

inline const char* get_number(const char* at, uint64_t& number) {
    number = static_cast<unsigned char>(*at++);
    if (number < 128) return at;
    number &= 127;
    for (unsigned shift = 7;; shift += 7) {
        auto byte = static_cast<unsigned char>(*at++);
        number |= static_cast<uint64_t>(byte & 127) << shift;
        if (byte < 128) return at;
    }
}

inline void Buckets::Writer::add(uint32_t topic, std::string_view document, double score, uint64_t block,
                                 uint64_t line) {
    constexpr size_t LARGEST_HEAD = 5 + 8 + 10 + 8 + 5;
    const size_t bucket = topic & buckets_.mask_;
    Page& page = pages_[bucket];
    const size_t most = LARGEST_HEAD + document.size();
    if (page.size + most > page.room) buckets_.renew(bucket, page, most);
    const bool spell = page.size == 0 || page.block != block;
    char* at = page.data.get() + page.size;
    at = put_number(at, static_cast<uint64_t>(topic >> buckets_.shift_) << 1 | spell);
    if (spell) {
        std::memcpy(at, &block, 8);
        at += 8;
        page.block = block;
        page.line = 0;
    }
    at = put_number(at, line - page.line);
    page.line = line;
    std::memcpy(at, &score, 8);
    at = put_number(at + 8, document.size());
    std::memcpy(at, document.data(), document.size());
    page.size = static_cast<uint32_t>(at + document.size() - page.data.get());
}

template <class Use>
void Buckets::Content::each(Use use) const {
    for (std::string_view part : parts_) {
        uint64_t block = 0, line = 0;
        for (const char *at = part.data(), *end = at + part.size(); at < end;) {
            uint64_t head, further, size;
            PackedRow row;
            at = get_number(at, head);
            if (head & 1) {
                std::memcpy(&block, at, 8);
                at += 8;
                line = 0;
            }
            at = get_number(at, further);
            line += further;
            std::memcpy(&row.score, at, 8);
            at = get_number(at + 8, size);
            row.topic = static_cast<uint32_t>(head >> 1 << shift_ | bucket_);
            row.document = {at, size};
            row.place = place_of(block, line);
            at += size;
            use(row);
        }
    }
}

}  // namespace gainful
