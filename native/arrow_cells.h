// The cells of Arrow columns, read in place.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "arrow.h"
#include "reader.h"

namespace gainful {

// What a column holds, from the letters of the format. Text and binary are the same to us.
enum class Type { none, i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f64, bytes, large_bytes, view, fixed, other };

inline Type type_of(const char* format) {
    static constexpr struct {
        const char* format;
        Type type;
    } KNOWN[] = {
        {"n", Type::none}, {"c", Type::i8},   {"C", Type::u8},     {"s", Type::i16},         {"S", Type::u16},
        {"i", Type::i32},  {"I", Type::u32},  {"l", Type::i64},    {"L", Type::u64},         {"e", Type::f16},
        {"f", Type::f32},  {"g", Type::f64},  {"u", Type::bytes},  {"z", Type::bytes},       {"U", Type::large_bytes},
        {"vu", Type::view}, {"vz", Type::view}, {"Z", Type::large_bytes},
    };
    for (const auto& known : KNOWN) {
        if (std::strcmp(known.format, format) == 0) return known.type;
    }
    return std::strncmp(format, "w:", 2) == 0 ? Type::fixed : Type::other;
}

inline bool is_integer(Type type) { return type >= Type::i8 && type <= Type::u64; }
inline bool is_float(Type type) { return type >= Type::f16 && type <= Type::f64; }
inline bool is_bytes(Type type) { return type >= Type::bytes && type <= Type::fixed; }

// For messages: what the types that cannot be used are called.
inline std::string name_of(const ArrowSchema& schema) {
    if (schema.dictionary) return "dictionary";
    static constexpr std::array<std::array<const char*, 2>, 12> NAMES = {{
        {"b", "bool"}, {"d:", "decimal"}, {"td", "date"}, {"tt", "time"}, {"ts", "timestamp"}, {"tD", "duration"},
        {"ti", "interval"}, {"+s", "struct"}, {"+m", "map"}, {"+u", "union"}, {"+r", "run-end encoded"}, {"+", "list"},
    }};
    for (const auto& [start, name] : NAMES) {
        if (std::strncmp(schema.format, start, std::strlen(start)) == 0) return name;
    }
    switch (Type type = type_of(schema.format); type) {
        case Type::none: return "null";
        default: return is_bytes(type) ? "string" : is_float(type) ? "float" : is_integer(type) ? "int" : schema.format;
    }
}

inline double half(uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const double fraction = bits & 1023;
    double size = exponent == 31   ? (fraction != 0 ? std::nan("") : INFINITY)
                  : exponent == 0  ? std::ldexp(fraction, -24)
                                   : std::ldexp(fraction + 1024, exponent - 25);
    return bits >> 15 ? -size : size;
}

// One array, read by position. Positions count from the start of the buffers' slice.
class Cells {
public:
    Cells(const ArrowSchema& schema, const ArrowArray& array, int64_t offset)
        : type_(type_of(schema.format)), array_(array), offset_(offset + array.offset) {
        if (type_ == Type::fixed) width_ = std::strtoll(schema.format + 2, nullptr, 10);
        if (type_ != Type::none && array.null_count != 0) valid_ = buffer<uint8_t>(0);
    }

    bool never_null() const { return type_ != Type::none && !valid_; }

    bool null(int64_t i) const {
        if (type_ == Type::none) return true;
        i += offset_;
        return valid_ && !(valid_[i >> 3] >> (i & 7) & 1);
    }

    bool whole() const { return is_integer(type_); }

    double number(int64_t i) const {
        i += offset_;
        switch (type_) {
            case Type::f64: return buffer<double>(1)[i];
            case Type::f32: return buffer<float>(1)[i];
            case Type::f16: return half(buffer<uint16_t>(1)[i]);
            case Type::u64: return static_cast<double>(buffer<uint64_t>(1)[i]);
            default: return static_cast<double>(integer(i - offset_));
        }
    }

    int64_t integer(int64_t i) const {
        i += offset_;
        switch (type_) {
            case Type::i8: return buffer<int8_t>(1)[i];
            case Type::u8: return buffer<uint8_t>(1)[i];
            case Type::i16: return buffer<int16_t>(1)[i];
            case Type::u16: return buffer<uint16_t>(1)[i];
            case Type::i32: return buffer<int32_t>(1)[i];
            case Type::u32: return buffer<uint32_t>(1)[i];
            default: return buffer<int64_t>(1)[i];  // also unsigned: the bits are the same
        }
    }

    // Integers become decimal text, which lasts until the next call.
    std::string_view id(int64_t i) {
        switch (type_) {
            case Type::bytes: return slice<int32_t>(i + offset_);
            case Type::large_bytes: return slice<int64_t>(i + offset_);
            case Type::view: return viewed(i + offset_);
            case Type::fixed: return {buffer<char>(1) + (i + offset_) * width_, static_cast<size_t>(width_)};
            default: break;
        }
        char* end = text_.data();
        if (type_ == Type::u64) {
            end = std::to_chars(end, end + text_.size(), static_cast<uint64_t>(integer(i))).ptr;
        } else {
            end = std::to_chars(end, end + text_.size(), integer(i)).ptr;
        }
        return {text_.data(), static_cast<size_t>(end - text_.data())};
    }

private:
    template <class T>
    const T* buffer(int64_t number) const {
        return static_cast<const T*>(array_.buffers[number]);
    }

    template <class Offset>
    std::string_view slice(int64_t i) const {
        const Offset* ends = buffer<Offset>(1);
        const size_t size = static_cast<size_t>(ends[i + 1] - ends[i]);
        return size ? std::string_view{buffer<char>(2) + ends[i], size} : std::string_view{"", 0};
    }

    // 16 bytes: the size, then up to 12 bytes of text, or else 4 of it, the number of a buffer and a place in it.
    std::string_view viewed(int64_t i) const {
        const char* view = buffer<char>(1) + 16 * i;
        int32_t size, number, place;
        std::memcpy(&size, view, 4);
        if (size <= 12) return {view + 4, static_cast<size_t>(size)};
        std::memcpy(&number, view + 8, 4);
        std::memcpy(&place, view + 12, 4);
        return {buffer<char>(2 + number) + place, static_cast<size_t>(size)};
    }

    Type type_;
    const ArrowArray& array_;
    int64_t offset_;
    int64_t width_ = 0;
    const uint8_t* valid_ = nullptr;
    std::array<char, 24> text_;
};

// A column of ids, which may be numbers into a dictionary.
class Ids {
public:
    Ids(const ArrowSchema& schema, const ArrowArray& array, int64_t offset) : cells_(schema, array, offset) {
        if (schema.dictionary) words_.emplace(*schema.dictionary, *array.dictionary, 0);
    }
    bool never_null() const { return cells_.never_null() && (!words_ || words_->never_null()); }
    bool null(int64_t i) const { return cells_.null(i) || (words_ && words_->null(cells_.integer(i))); }

    // Known to be the same as the last one that was asked about: numbers are compared before they become text.
    bool again(int64_t i) {
        if (!cells_.whole()) return false;
        const int64_t number = cells_.integer(i);
        const bool same = last_ == number;
        last_ = number;
        return same;
    }

    std::string_view at(int64_t i) { return words_ ? words_->id(cells_.integer(i)) : cells_.id(i); }

private:
    Cells cells_;
    std::optional<Cells> words_;
    std::optional<int64_t> last_;
};

// Released when it goes out of scope.
template <class T>
struct Held : T {
    Held() : T{} {}
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held() {
        if (this->release) this->release(this);
    }
};

struct Ended {
    ArrowArrayStream& stream;
    ~Ended() {
        if (stream.release) stream.release(&stream);
    }
};

inline void check(ArrowArrayStream& stream, int status) {
    if (status == 0) return;
    const char* words = stream.get_last_error(&stream);
    throw std::runtime_error(words ? words : std::strerror(status));
}

inline size_t find_column(const ArrowSchema& schema, const std::string& name) {
    for (int64_t i = 0; i < schema.n_children; ++i) {
        if (schema.children[i]->name && name == schema.children[i]->name) return static_cast<size_t>(i);
    }
    throw NoColumn(name);
}

inline void check_type(const ArrowSchema& schema, const char* role, bool id) {
    const Type type = type_of((schema.dictionary && id ? schema.dictionary : &schema)->format);
    const bool nested = schema.dictionary && (!id || schema.dictionary->dictionary);
    bool usable = type == Type::none || is_integer(type) || (id ? is_bytes(type) : is_float(type));
    if (nested || !usable) throw Fault{FaultKind::type, 0, 0, pair_text(role, name_of(schema)), 1};
}

using Batch = Held<ArrowArray>;

// The three columns that are read, and the schema that describes them.
struct Columns {
    static constexpr const char* ROLES[] = {"topic", "document", "value"};
    size_t at[3];
    const ArrowSchema* schema[3];
    Held<ArrowSchema> all;

    Columns(ArrowArrayStream& stream, const ColumnNames& names) {
        check(stream, stream.get_schema(&stream, &all));
        for (size_t i = 0; i < 3; ++i) {
            at[i] = find_column(all, names[i]);
            schema[i] = all.children[at[i]];
            check_type(*schema[i], ROLES[i], i < 2);
        }
    }

    Ids ids(size_t column, const ArrowArray& batch) const {
        return {*schema[column], *batch.children[at[column]], batch.offset};
    }
    // Ids in this column are numbers, which are made into text one at a time.
    bool numbers(size_t column) const {
        const ArrowSchema* words = schema[column]->dictionary ? schema[column]->dictionary : schema[column];
        return is_integer(type_of(words->format));
    }
    // Whether a batch holds an id beyond the limit; dictionaries may repeat one id in very many rows.
    bool too_long(const ArrowArray& batch) const {
        for (size_t column = 0; column < 2; ++column) {
            if (numbers(column)) continue;
            Ids names = ids(column, batch);
            for (int64_t i = 0; i < batch.length; ++i) {
                if (!names.null(i) && names.at(i).size() > ID_LIMIT) return true;
            }
        }
        return false;
    }
    Cells values(const ArrowArray& batch) const { return {*schema[2], *batch.children[at[2]], batch.offset}; }
};

}  // namespace gainful
