// Whole lines of text → rows, handed to a sink:
//
//     sink.topic(name)                     the rows that follow belong to this topic
//     sink.row(document, value, line)      line counts from 0 in the block
//     sink.tag(text, line)                 the last column of the block's first row, in runs
//     sink.fault(kind, line, other, text)
//
// Neighbouring lines look alike: same topic and filler before the document, same tag after the score. So each line is
// first tried against the head and the tail of the line before, which leaves only the document, the rank and the score
// to be looked at. Any line that is not of ordinary form (single blanks, a plain number) takes the general way, which
// knows all of the format.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

#include "fault.h"
#include "hash.h"
#include "number.h"
#include "reader.h"

namespace gainful {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The first byte that is a space or lower, looking at eight at a time.
inline const char* to_space(const char* at) {
    constexpr uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;
    for (;; at += 8) {
        uint64_t word = load64(at);
        uint64_t low = (word - ones * 0x21) & ~word & tops;  // exact up to the first hit, which is all that is used
        if (low) return at + (std::countr_zero(low) >> 3);
    }
}

// Some bytes of the line before, compared with two loads when they are short, as they nearly always are. It may read
// up to 16 bytes beyond `at`, which the padding of a block allows.
class Likeness {
public:
    void set(const char* at, size_t size) {
        at_ = at;
        size_ = size;
        short_ = size <= 16;
        shift_ = size >= 8 ? size - 8 : 0;
        mask_ = size >= 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * size) - 1;
        first_ = load64(at) & mask_;
        last_ = load64(at + shift_) & mask_;
    }
    void clear() { size_ = 0; }
    size_t size() const { return size_; }

    bool begins(const char* at) const {
        if (!short_) return std::memcmp(at, at_, size_) == 0;
        return (((load64(at) ^ first_) | (load64(at + shift_) ^ last_)) & mask_) == 0;
    }

private:
    const char* at_ = nullptr;
    size_t size_ = 0, shift_ = 0;
    uint64_t mask_ = 0, first_ = 0, last_ = 0;
    bool short_ = true;
};

template <Kind kind, class Sink>
class LineParser {
public:
    LineParser(std::string_view text, Sink& sink) : text_(text), sink_(sink) {}

    // How many lines there were.
    uint64_t run() {
        const char* at = text_.data();
        const char* end = at + text_.size();
        const bool plain = std::memchr(at, 0, text_.size()) == nullptr;
        for (; at < end; ++line_) {
            const char* next = plain && begun_ ? ordinary(at, end) : nullptr;
            if (!next) {
                next = static_cast<const char*>(std::memchr(at, '\n', static_cast<size_t>(end - at))) + 1;
                general({at, static_cast<size_t>(next - 1 - at)}, plain);
            }
            at = next;
        }
        return line_;
    }

private:
    // A field that ends with one blank: where the next one starts, or null.
    static const char* after_field(const char* at) {
        const char* end = to_space(at);
        return end != at && is_blank(*end) ? end + 1 : nullptr;
    }

    // A line of ordinary form: its end, or null (and nothing done) where it is not one.
    const char* ordinary(const char* at, const char* end) {
        const bool same = static_cast<size_t>(end - at) > head_.size() && head_.begins(at);
        const char* document = at + head_.size();
        const char* filler = nullptr;
        if (!same) {
            filler = *at == '#' ? nullptr : after_field(at);
            document = filler ? after_field(filler) : nullptr;
            if (!document) return nullptr;
        }
        const char* field = after_field(document);
        if (!field) return nullptr;
        const char* document_end = field - 1;
        if constexpr (kind == Kind::run) {
            field = after_field(field);
            if (!field) return nullptr;
        }
        double value;
        std::from_chars_result number = std::from_chars(field, end, value);
        if (number.ec != std::errc() || std::isnan(value)) return nullptr;
        const char* next = number.ptr + tail_.size();
        if (tail_.size() == 0 || next > end || !tail_.begins(number.ptr)) {
            if (!is_blank(*number.ptr) && *number.ptr != '\n' && *number.ptr != '\r') return nullptr;
            const void* newline = std::memchr(number.ptr, '\n', static_cast<size_t>(end - number.ptr));
            next = static_cast<const char*>(newline) + 1;
            if (*number.ptr == '\r' && next != number.ptr + 2) return nullptr;
            tail_.set(number.ptr, static_cast<size_t>(next - number.ptr));
        }
        if (static_cast<size_t>(next - 1 - at) > LINE_LIMIT) return nullptr;
        if (!same) {
            std::string_view topic(at, static_cast<size_t>(filler - 1 - at));
            if (!same_id(topic, topic_)) sink_.topic(topic);
            topic_ = topic;
            head_.set(at, static_cast<size_t>(document - at));
        }
        sink_.row({document, static_cast<size_t>(document_end - document)}, value, line_);
        return next;
    }

    void general(std::string_view raw, bool plain) {
        if (raw.size() > LINE_LIMIT) return sink_.fault(FaultKind::too_long, line_, 0, {});
        if (!plain && raw.find('\0') != raw.npos) return sink_.fault(FaultKind::binary, line_, 0, {});
        if (raw.empty() || raw[0] == '#') return;
        size_t stop = raw.find_last_not_of(" \t\r");
        if (stop == raw.npos) return;
        std::string_view rest = raw.substr(0, stop + 1);
        rest.remove_prefix(rest.find_first_not_of(" \t"));

        constexpr size_t wanted = kind == Kind::run ? 5 : 4;
        std::array<std::string_view, wanted> fields;
        std::string_view text = rest;
        for (size_t found = 0; found < wanted; ++found) {
            if (rest.empty()) return sink_.fault(FaultKind::columns, line_, found, text.substr(0, 80));
            size_t size = std::min(rest.find_first_of(" \t"), rest.size());
            fields[found] = rest.substr(0, size);
            rest.remove_prefix(size);
            rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
        }
        std::string_view topic = fields[0], document = fields[2], field = fields[wanted - 1];
        double value;
        if (!parse_number(field, value)) return sink_.fault(FaultKind::value, line_, 0, field);
        if (std::isnan(value)) return sink_.fault(FaultKind::nan, line_, 0, field);
        if (!begun_ || topic != topic_) sink_.topic(topic);
        if (!begun_ && kind == Kind::run) sink_.tag(rest, line_);
        begun_ = true;
        topic_ = topic;
        head_.set(raw.data(), static_cast<size_t>(document.data() - raw.data()));
        tail_.clear();
        sink_.row(document, value, line_);
    }

    std::string_view text_;
    Sink& sink_;
    uint64_t line_ = 0;
    std::string_view topic_;
    Likeness head_, tail_;
    bool begun_ = false;
};

}  // namespace gainful
