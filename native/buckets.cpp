#include "buckets.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <system_error>

#include "platform.h"
#include "source.h"

namespace gainful {

namespace {

constexpr size_t BUCKETS = 256;
constexpr size_t LARGEST_PAGE = size_t{16} << 10;

}  // namespace

Spill::~Spill() {
    if (descriptor_ >= 0) platform::close_file(descriptor_);
}

void Spill::open() {
    descriptor_ = platform::temporary_file(folder_);
    if (descriptor_ < 0) throw_errno();
}

uint64_t Spill::write(const char* data, size_t size) {
    std::call_once(opened_, [this] { open(); });
    const uint64_t start = end_.fetch_add(size);
    for (uint64_t at = start; size > 0;) {
        const int64_t done = platform::write_at(descriptor_, data, size, at);
        if (done < 0) throw_errno();
        data += done;
        at += static_cast<uint64_t>(done);
        size -= static_cast<size_t>(done);
    }
    return start;
}

void Spill::read(uint64_t at, char* data, size_t size) const {
    while (size > 0) {
        const int64_t done = platform::read_at(descriptor_, data, size, at);
        if (done < 0) throw_errno();
        if (done == 0) throw std::system_error(EIO, std::generic_category());
        data += done;
        at += static_cast<uint64_t>(done);
        size -= static_cast<size_t>(done);
    }
}

Buckets::Buckets(size_t topics, unsigned threads, size_t memory, std::string folder)
    : mask_(std::min(BUCKETS, std::bit_ceil(std::max<size_t>(topics, 1))) - 1),
      shift_(static_cast<unsigned>(std::countr_one(mask_))),
      // Pages that are being filled may take a quarter of the memory.
      page_(std::clamp<size_t>(memory / 4 / ((mask_ + 1) * threads), 64, LARGEST_PAGE)),
      memory_(memory),
      buckets_(mask_ + 1),
      spill_(std::move(folder)) {}

// Hands in a page and gives an empty one with room for a row of `least` bytes.
void Buckets::renew(size_t bucket, Page& page, size_t least) {
    if (page.size) take(bucket, page);
    if (page.room >= least) return;
    used_ -= page.room;
    page.room = static_cast<uint32_t>(std::max(page_, least));
    page.data = std::make_unique_for_overwrite<char[]>(page.room);
    used_ += page.room;
}

// Keeps the page while there is memory; else writes it out, and its room is used again.
void Buckets::take(size_t bucket, Page& page) {
    Bucket& into = buckets_[bucket];
    if (used_ + page_ <= memory_) {
        std::lock_guard lock(into.mutex);
        into.pages.push_back(std::move(page));
        page = Page{};
    } else {
        const uint64_t at = spill_.write(page.data.get(), page.size);
        std::lock_guard lock(into.mutex);
        into.extents.push_back({at, page.size});
        page.size = 0;
    }
}

void Buckets::Writer::close() {
    for (size_t bucket = 0; bucket < pages_.size(); ++bucket) {
        if (pages_[bucket].size) buckets_.take(bucket, pages_[bucket]);
    }
    pages_.clear();
}

Buckets::Content::Content(Buckets& buckets, size_t bucket)
    : bucket_(bucket), shift_(buckets.shift_), pages_(std::move(buckets.buckets_[bucket].pages)) {
    for (const Page& page : pages_) parts_.emplace_back(page.data.get(), page.size);
    size_t total = 0;
    const std::vector<Extent>& extents = buckets.buckets_[bucket].extents;
    for (const Extent& extent : extents) total += extent.size;
    spilled_.resize(total);
    char* at = spilled_.data();
    for (const Extent& extent : extents) {
        buckets.spill_.read(extent.at, at, extent.size);
        parts_.emplace_back(at, extent.size);
        at += extent.size;
    }
}

}  // namespace gainful
