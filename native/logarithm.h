// Logarithms of ranks, by the C library: programs and arrays have the same bits as each other.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace gainful {

// Of whole numbers as large as usual ranks they are looked up.
inline double log2_of(double x) {
    static const std::array<double, 4096> table = [] {
        std::array<double, 4096> made{};
        for (size_t i = 0; i < made.size(); ++i) made[i] = std::log2(static_cast<double>(i));
        return made;
    }();
    if (x >= 0 && x < static_cast<double>(table.size())) {
        const auto place = static_cast<size_t>(x);
        if (static_cast<double>(place) == x) return table[place];
    }
    return std::log2(x);
}

}  // namespace gainful
