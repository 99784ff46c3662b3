// A field → a 64-bit float.
#pragma once

#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

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

// False where the field is not a number from end to end.
inline bool parse_number(std::string_view field, double& value) {
    if (field.size() > 1 && field[0] == '+' && field[1] != '-') field.remove_prefix(1);
    std::from_chars_result end = platform::double_from_chars(field.data(), field.data() + field.size(), value);
    if (end.ptr != field.data() + field.size() || end.ec == std::errc::invalid_argument) return false;
    if (end.ec == std::errc::result_out_of_range) value = out_of_range(field);
    return true;
}

}  // namespace gainful
