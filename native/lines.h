// Whole lines of text → rows, handed to a sink:
//
//     sink.topic(name)                     the rows that follow belong to this topic
//     sink.row(document, value, line)      line counts from 0 in the block
//     sink.tag(text, line)                 the last column of the block's first row, in runs
//     sink.tagged(has_tag, line, text)     from this line on rows have a tag, or none; in runs
//     sink.fault(kind, line, other, text)
//
// Judgments have 4 fields, runs 5 or 6, the same on all lines. Blanks divide them, any number and mixture of spaces and
// tabs; but a line that tabs divide into three fields or more may have no other blank inside a field, as that may be an
// id with a blank in it; only the tag may hold some, in a line of a run that tabs divide into six fields. A line that
// begins with # is a comment, unless it reads as a row whose topic begins so.
//
// Neighbouring lines look alike: same topic and filler before the document, same tag after the score. So each line is
// first tried against the head and the tail of the line before, which leaves only the document, the rank and the score
// to be looked at. Any line that is not of ordinary form (single blanks, a plain number) takes the general way, which
// knows all of the format.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
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

// Where fields end: at a byte that is a space or lower, looking at 32 bytes at a time. At least as many must be readable
// beyond the last end that is asked for.
class FieldEnds {
public:
    explicit FieldEnds(const char* at) : at_(at), ends_(platform::spaces(at)) {}

    const char* next() {
        if (ends_ == 0) [[unlikely]] go_on();
        const char* end = at_ + static_cast<unsigned>(std::countr_zero(ends_));
        ends_ &= ends_ - 1;
        return end;
    }

private:
    void go_on() {
        while (ends_ == 0) ends_ = platform::spaces(at_ += 32);
    }

    const char* at_;
    uint32_t ends_;
};

// The fields between blanks, as many as there is room for; gives how many there are.
template <size_t room>
size_t split_blanks(std::string_view text, std::array<std::string_view, room>& fields) {
    size_t found = 0;
    for (size_t at = 0; (at = text.find_first_not_of(" \t", at)) != text.npos; ++found) {
        const size_t end = std::min(text.find_first_of(" \t", at), text.size());
        if (found < room) fields[found] = text.substr(at, end - at);
        at = end;
    }
    return found;
}

// The fields between tabs, without the spaces around them, as many as there is room for; gives how many there are.
template <size_t room>
size_t split_tabs(std::string_view text, std::array<std::string_view, room>& fields) {
    size_t found = 0;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find('\t', at), text.size());
        const std::string_view field = text.substr(at, end - at);
        at = end + 1;
        const size_t start = field.find_first_not_of(' ');
        if (start == field.npos) continue;
        if (found < room) fields[found] = field.substr(start, field.find_last_not_of(' ') - start + 1);
        ++found;
    }
    return found;
}

// A field with a space in it, where tabs divide the text into three fields or more, up to six; else nothing.
inline std::string_view field_with_blank(std::string_view text) {
    if (text.find('\t') == text.npos || text.find(' ') == text.npos) return {};
    std::array<std::string_view, 6> fields;
    if (split_tabs(text, fields) < 3) return {};
    const auto blank = std::ranges::find_if(fields, [](std::string_view field) { return field.find(' ') != field.npos; });
    return blank == fields.end() ? std::string_view{} : *blank;
}

// Whether tabs divide the text into exactly as many fields as there is room for, of which only the last has blanks.
template <size_t room>
bool split_before_tag(std::string_view text, std::array<std::string_view, room>& fields) {
    std::array<std::string_view, room> parts;
    if (split_tabs(text, parts) != room) return false;
    for (size_t i = 0; i + 1 < room; ++i) {
        if (parts[i].find(' ') != parts[i].npos) return false;
    }
    fields = parts;
    return true;
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
    void clear() { set(NOTHING, 8); }
    size_t size() const { return size_; }

    bool begins(const char* at, const char* end) const {
        if (!short_) [[unlikely]] return size_ <= static_cast<size_t>(end - at) && std::memcmp(at, at_, size_) == 0;
        return (((load64(at) ^ first_) | (load64(at + shift_) ^ last_)) & mask_) == 0;
    }

private:
    static constexpr char NOTHING[8] = {};  // which no text has

    const char* at_ = NOTHING;
    size_t size_ = 8, shift_ = 0;
    uint64_t mask_ = ~uint64_t{0}, first_ = 0, last_ = 0;
    bool short_ = true;
};

template <Kind kind, class Sink>
class LineParser {
    static constexpr size_t TO_VALUE = kind == Kind::run ? 5 : 4;  // fields up to the value
    static constexpr size_t MOST = kind == Kind::run ? 6 : 4;

public:
    LineParser(std::string_view text, Sink& sink) : text_(text), sink_(sink) {}

    // How many lines there were. Everything that each line needs is inlined here; what few lines need is kept out of it
    // (noinline, also the sinks' topic), as it would crowd the registers.
    [[gnu::flatten]] uint64_t run() {
        const char* at = text_.data();
        const char* end = at + text_.size();
        const bool plain = std::memchr(at, 0, text_.size()) == nullptr;
        for (; at < end; ++line_) {
            if (count_ == waiting_.size()) hand_in();
            const char* next = plain && separator_ ? ordinary(at, end) : nullptr;
            if (!next) {
                next = static_cast<const char*>(std::memchr(at, '\n', static_cast<size_t>(end - at))) + 1;
                hand_in();
                general({at, static_cast<size_t>(next - 1 - at)}, plain);
            }
            at = next;
        }
        hand_in();
        return line_;
    }

private:
    // Where the field behind the one at `at` starts, or null where that is empty or does not end with the separator.
    const char* after_field(const char* at, FieldEnds& ends) const {
        const char* end = ends.next();
        return end != at && *end == separator_ ? end + 1 : nullptr;
    }

    struct Row {
        const char* document;
        size_t size;
        double value;
    };

    // A line of ordinary form: its end, or null (and nothing done) where it is not one.
    const char* ordinary(const char* at, const char* end) {
        if (!head_.begins(at, end)) [[unlikely]] return of_other_topic(at, end);
        const char* document = at + head_.size();
        const char* next = from_document(at, document, FieldEnds(document), end, waiting_[count_]);
        count_ += next != nullptr;
        return next;
    }

    // A line of ordinary form whose topic, or what follows it, is not that of the line before.
    [[gnu::noinline]] const char* of_other_topic(const char* at, const char* end) {
        FieldEnds ends(at);
        const char* filler = *at == '#' ? nullptr : after_field(at, ends);
        const char* document = filler ? after_field(filler, ends) : nullptr;
        Row row;
        const char* next = document ? from_document(at, document, ends, end, row) : nullptr;
        if (!next) return nullptr;
        hand_in();
        const std::string_view topic(at, static_cast<size_t>(filler - 1 - at));
        if (!same_id(topic, topic_)) sink_.topic(topic);
        topic_ = topic;
        head_.set(at, static_cast<size_t>(document - at));
        waiting_[count_++] = row;
        return next;
    }

    const char* from_document(const char* at, const char* document, FieldEnds ends, const char* end, Row& row) {
        const char* field = after_field(document, ends);
        if (!field) return nullptr;
        row.document = document;
        row.size = static_cast<size_t>(field - 1 - document);
        if constexpr (kind == Kind::run) {
            field = after_field(field, ends);
            if (!field) return nullptr;
        }
        const char* value_end = ends.next();
        if (!decimals_.read(field, static_cast<size_t>(value_end - field), row.value)) {
            double parsed = 0;
            const std::from_chars_result number = platform::double_from_chars(field, value_end, parsed);
            if (number.ec != std::errc() || number.ptr != value_end || std::isnan(parsed)) return nullptr;
            row.value = parsed;
        }
        const char* next = value_end + tail_.size();
        if (!tail_.begins(value_end, end)) [[unlikely]] {
            next = static_cast<const char*>(std::memchr(value_end, '\n', static_cast<size_t>(end - value_end))) + 1;
            if (static_cast<size_t>(next - 1 - at) > ID_LIMIT || !set_tail({at, next}, value_end)) return nullptr;
        }
        if (static_cast<size_t>(next - 1 - at) > ID_LIMIT) return nullptr;  // too long for an id, at least
        return next;
    }

    // Rows are handed in some at a time: what is done with one then does not wait for where the next one begins.
    void hand_in() {
        for (size_t i = 0; i < count_; ++i) {
            sink_.row({waiting_[i].document, waiting_[i].size}, waiting_[i].value, line_ - count_ + i);
        }
        count_ = 0;
    }

    // Whether what follows the value, up to the newline, is of ordinary form: nothing, or one more field.
    [[gnu::noinline]] bool set_tail(std::string_view line, const char* start) {
        const char* newline = line.data() + line.size() - 1;
        const char* end = newline != start && newline[-1] == '\r' ? newline - 1 : newline;
        if (end != start) {
            if (kind == Kind::qrels || *start != separator_ || end == start + 1) return false;
            for (const char* c = start + 1; c != end; ++c) {
                if (static_cast<unsigned char>(*c) <= ' ') return false;
            }
        }
        if constexpr (kind == Kind::run) set_tagged(end != start, line);
        tail_.set(start, static_cast<size_t>(newline + 1 - start));
        return true;
    }

    void set_tagged(bool has_tag, std::string_view line) {
        if (tagged_ == static_cast<int>(has_tag)) return;
        tagged_ = has_tag;
        sink_.tagged(has_tag, line_, line.substr(0, line.find_last_not_of(" \t\r\n") + 1));
    }

    [[gnu::noinline]] void general(std::string_view raw, bool plain) {
        if (raw.size() > LINE_LIMIT) return sink_.fault(FaultKind::too_long, line_, 0, {});
        if (!plain && raw.find('\0') != raw.npos) return sink_.fault(FaultKind::binary, line_, 0, {});
        size_t stop = raw.find_last_not_of(" \t\r");
        if (stop == raw.npos) return;
        std::string_view text = raw.substr(0, stop + 1);
        text.remove_prefix(text.find_first_not_of(" \t"));

        std::array<std::string_view, MOST> fields;
        size_t found = split_blanks(text, fields);
        const bool blank_tag = kind == Kind::run && found > MOST && split_before_tag(text, fields);
        if (blank_tag) found = MOST;
        double value = 0;
        const std::string_view topic = fields[0], document = fields[2], field = fields[TO_VALUE - 1];
        const bool right = found >= TO_VALUE && found <= MOST;
        if (raw[0] == '#' && !(right && topic.size() > 1 && parse_number(field, value))) return;
        if (!right) return sink_.fault(FaultKind::columns, line_, found, text.substr(0, 80));
        if (std::string_view blank = field_with_blank(text); !blank.empty() && !blank_tag) {
            return sink_.fault(FaultKind::blank, line_, 0, blank.substr(0, 80));
        }
        if (std::max(topic.size(), document.size()) > ID_LIMIT) return sink_.fault(FaultKind::id, line_, 0, {});
        if (!parse_number(field, value)) return sink_.fault(FaultKind::value, line_, 0, field.substr(0, 80));
        if (std::isnan(value)) return sink_.fault(FaultKind::nan, line_, 0, field);
        if (!begun_ || topic != topic_) sink_.topic(topic);
        if constexpr (kind == Kind::run) {
            const bool has_tag = found == MOST;
            set_tagged(has_tag, text);
            if (!begun_) sink_.tag(has_tag ? fields[MOST - 1] : std::string_view{}, line_);
        }
        begun_ = true;
        topic_ = topic;
        separator_ = raw.data() == topic.data() ? one_separator(fields, found) : char{0};
        head_.set(raw.data(), static_cast<size_t>(document.data() - raw.data()));
        tail_.clear();
        sink_.row(document, value, line_);
    }

    // The one character between neighbouring fields; 0 where they are further apart, or differently.
    static char one_separator(const std::array<std::string_view, MOST>& fields, size_t count) {
        const char separator = fields[0].data()[fields[0].size()];
        for (size_t i = 0; i + 1 < count; ++i) {
            const char* end = fields[i].data() + fields[i].size();
            if (*end != separator || end + 1 != fields[i + 1].data()) return 0;
        }
        return separator;
    }

    std::string_view text_;
    Sink& sink_;
    uint64_t line_ = 0;
    std::array<Row, 64> waiting_;  // those of the last lines
    size_t count_ = 0;
    ShortDecimals decimals_;
    std::string_view topic_;
    Likeness head_, tail_;
    bool begun_ = false;
    char separator_ = 0;  // of the line before, where it was of ordinary form
    int tagged_ = -1;     // whether the line before had a tag; −1 before the first
};

}  // namespace gainful
