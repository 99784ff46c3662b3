// A field → a 64-bit float.
#pragma once

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "hash.h"
#include "platform.h"

namespace gainful {

// std::from_chars leaves the value alone when it is too large or too small for a double; as everywhere else that is
// infinity or zero. Which of the two follows from the place of the first digit that is not zero.
inline double out_of_range(std::string_view digits) {
    bool minus = !digits.empty() && digits.front() == '-';
    long magnitude = 0;
    bool point = false, begun = false;
    size_t i = minus;
    for (; i < digits.size() && (digits[i] | 32) != 'e'; ++i) {
        if (digits[i] == '.') {
            point = true;
        } else if (begun || digits[i] != '0') {
            begun = true;
            magnitude += !point;
        } else {
            magnitude -= point;
        }
    }
    if (i + 1 < digits.size()) {
        bool negative = digits[i + 1] == '-';
        if (negative || digits[i + 1] == '+') ++i;
        long exponent = 0;
        std::from_chars_result end = std::from_chars(digits.data() + i + 1, digits.data() + digits.size(), exponent);
        if (end.ec == std::errc::result_out_of_range) exponent = std::numeric_limits<long>::max() / 2;
        magnitude += negative ? -exponent : exponent;
    }
    double size = magnitude > 0 ? std::numeric_limits<double>::infinity() : 0.0;
    return minus ? -size : size;
}

// Eight characters as one word, the first in its lowest byte, each less '0': digits are 0 to 9.
namespace digits {

inline constexpr uint64_t ONES = 0x0101010101010101;

// The first `size` of 1 to 8 characters, with zeros before them; eight bytes are read.
inline uint64_t word(const char* at, size_t size) { return (load64(at) ^ '0' * ONES) << (64 - 8 * size); }

// The top bit of bytes that are a point; exact up to the first of them, which is all that is used.
inline uint64_t points(uint64_t word) {
    const uint64_t rest = word ^ ('.' ^ '0') * ONES;
    return (rest - ONES) & ~rest & ONES << 7;
}

// Without the first point: what stands before it moves up, after `before`.
inline uint64_t without(uint64_t points, uint64_t word, uint64_t before) {
    return word ^ ((word ^ (word << 8 | before)) & (points ^ (points - 1)));
}

// How many characters stand after the first point.
inline size_t after(uint64_t points) { return static_cast<size_t>(63 - std::countr_zero(points)) >> 3; }

inline bool all(uint64_t word) { return ((word | (word + (0x80 - 10) * ONES)) & ONES << 7) == 0; }

// Neighbours become numbers of two digits, then of four, then of eight.
inline uint64_t value(uint64_t word) {
    constexpr uint64_t pair = 0x000000FF000000FF;
    word = word * 10 + (word >> 8);
    return ((word & pair) * (100 + (uint64_t{1000000} << 32)) + (word >> 16 & pair) * (1 + (uint64_t{10000} << 32))) >> 32;
}

}  // namespace digits

inline constexpr double POWERS_OF_TEN[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

// Numbers of at most 16 characters that are digits and at most one point, after a minus or none, one after the other; most
// have as many decimals as the one before. The value is the same to the last bit as std::from_chars gives: a double holds
// both the digits and the power of ten exactly, so that their quotient is rounded once.
class ShortDecimals {
public:
    // False where it is anything else. Eight bytes may be read from `at`, however few belong to the number.
    bool read(const char* at, size_t size, double& value) {
        const bool minus = *at == '-';
        if (minus) [[unlikely]] {
            ++at;
            --size;
        }
        if (!as_before(at, size, value) && !any(at, size, value)) return false;
        if (minus) [[unlikely]] value = -value;
        return true;
    }

private:
    // A number of at most 8 characters with the point where that of the number before had it, counted from the end.
    bool as_before(const char* at, size_t size, double& value) const {
        if (size - 1 >= 8) return false;
        const uint64_t word = digits::word(at, size), whole = word ^ ((word ^ word << 8) & upto_);
        if (((word ^ ('.' ^ '0') * digits::ONES) & point_) != 0 || !digits::all(whole)) return false;
        value = static_cast<double>(static_cast<int64_t>(digits::value(whole))) / power_;
        return true;
    }

    bool any(const char* at, size_t size, double& value) {
        if (size - 1 >= 16) return false;
        uint64_t whole;
        size_t decimals = 0;
        if (size <= 8) {
            uint64_t word = digits::word(at, size);
            const uint64_t points = digits::points(word);
            if (points) {
                if (size == 1) return false;
                decimals = digits::after(points);
                word = digits::without(points, word, 0);
            }
            if (!digits::all(word)) return false;
            whole = digits::value(word);
            if (!points || decimals > 0) expect(points, decimals);
        } else {
            uint64_t first = digits::word(at, size - 8), last = digits::word(at + size - 8, 8);
            if (const uint64_t points = digits::points(last)) {
                decimals = digits::after(points);
                last = digits::without(points, last, first >> 56);
                first <<= 8;
            } else if (const uint64_t earlier = digits::points(first)) {
                decimals = 8 + digits::after(earlier);
                first = digits::without(earlier, first, 0);
            }
            if (!digits::all(first) || !digits::all(last)) return false;
            whole = 100000000 * digits::value(first) + digits::value(last);
            if (whole > uint64_t{1} << 53) return false;
        }
        value = static_cast<double>(static_cast<int64_t>(whole)) / POWERS_OF_TEN[decimals];
        return true;
    }

    // A point behind all digits is not expected: a field may be nothing but a point.
    void expect(uint64_t points, size_t decimals) {
        upto_ = points ? points ^ (points - 1) : 0;
        point_ = upto_ ^ upto_ >> 8;
        power_ = POWERS_OF_TEN[decimals];
    }

    uint64_t upto_ = 0, point_ = 0;  // all bytes up to the point, and that of the point
    double power_ = 1;
};

// False where the field is not a number from end to end.
inline bool parse_number(std::string_view field, double& value) {
    if (field.size() > 1 && field[0] == '+' && field[1] != '-') field.remove_prefix(1);
    std::from_chars_result end = platform::double_from_chars(field.data(), field.data() + field.size(), value);
    if (end.ptr != field.data() + field.size() || end.ec == std::errc::invalid_argument) return false;
    if (end.ec == std::errc::result_out_of_range) value = out_of_range(field);
    return true;
}

}  // namespace gainful
