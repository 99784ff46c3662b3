// Where bytes come from. A source is used by one thread at a time.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>

#include "platform.h"

namespace gainful {

class Source {
public:
    virtual ~Source() = default;
    // Bytes put into the buffer, 0 at the end.
    virtual size_t read(char* buffer, size_t size) = 0;
    // Starts again from the beginning; false where that cannot be done.
    virtual bool rewind() = 0;
    // True where read may wait for as long as it likes (a pipe, a terminal), so that nobody must wait for it to end.
    virtual bool may_block() const = 0;
    // Nothing will be read any more.
    virtual void finish() {}
    // How many bytes there are, 0 where that is not known.
    virtual uint64_t size() const { return 0; }
};

[[noreturn]] inline void throw_errno() { throw std::system_error(errno, std::generic_category()); }

// A regular file. The descriptor is duplicated: the caller may close its own while a job still reads. The file's
// offset is neither used nor moved.
class FileSource final : public Source {
public:
    explicit FileSource(int descriptor) : descriptor_(platform::duplicate(descriptor)) {
        if (descriptor_ < 0) throw_errno();
        size_ = platform::file_size(descriptor_);
        platform::reads_in_order(descriptor_);
    }
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;
    ~FileSource() override { finish(); }

    size_t read(char* buffer, size_t size) override {
        const int64_t got = platform::read_at(descriptor_, buffer, size, offset_);
        if (got < 0) throw_errno();
        offset_ += static_cast<uint64_t>(got);
        return static_cast<size_t>(got);
    }

    bool rewind() override {
        offset_ = 0;
        return true;
    }

    bool may_block() const override { return false; }

    // The file is closed, though the source may be kept for long.
    void finish() override {
        if (descriptor_ >= 0) platform::close_file(descriptor_);
        descriptor_ = -1;
    }

    uint64_t size() const override { return size_; }

private:
    int descriptor_;
    uint64_t offset_ = 0;
    uint64_t size_ = 0;
};

}  // namespace gainful
