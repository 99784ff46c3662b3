// What systems, compilers and standard libraries do differently, each with its twin; nothing else in this folder knows them.
#pragma once

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#if !defined(__cpp_lib_to_chars)
#include <cstdlib>
#include <locale.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif
#endif
#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#endif
#if defined(_MSC_VER)
#include <intrin.h>
#endif

namespace gainful::platform {

// Files by number, as Python numbers them; errors are told by errno. The system calls are in platform.cpp.

int duplicate(int descriptor);                // of the same file, not inherited by other programs; below 0 on error
uint64_t file_size(int descriptor);           // 0 where that is not known
void reads_in_order(int descriptor);          // a hint
void close_file(int descriptor);
int temporary_file(const std::string& folder);  // without a name, or gone when it is closed; below 0 on error
// Bytes read or written at a place, wherever others read; 0 at the end, below 0 on error.
int64_t read_at(int descriptor, char* data, size_t size, uint64_t at);
int64_t write_at(int descriptor, const char* data, size_t size, uint64_t at);

int process_number();
// Only what the handler of a signal may do.
[[noreturn]] void end_with(int descriptor, const char* sentence, size_t size, int code);

// Asks for memory that will be needed.
inline void prefetch(const void* address) {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#elif defined(_M_X64)
    _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#else
    static_cast<void>(address);
#endif
}

template <class Word>
constexpr Word swapped_bytes(Word word) {
    Word swapped = 0;
    for (size_t i = 0; i < sizeof word; ++i, word >>= 8) swapped = static_cast<Word>(swapped << 8 | (word & 0xFF));
    return swapped;
}

// A bit for each of 32 bytes, the first one lowest: set where the byte is a space or lower.
inline uint32_t spaces(const char* at) {
    uint32_t found = 0;
#if defined(__SSE2__) || defined(_M_X64)
    for (size_t i = 0; i < 2; ++i) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * i));
        const __m128i low = _mm_cmpeq_epi8(_mm_subs_epu8(bytes, _mm_set1_epi8(' ')), _mm_setzero_si128());
        found |= static_cast<uint32_t>(_mm_movemask_epi8(low)) << 16 * i;
    }
#else
    for (size_t i = 0; i < 4; ++i) {
        constexpr uint64_t ones = 0x0101010101010101;
        uint64_t word;
        std::memcpy(&word, at + 8 * i, 8);
        if constexpr (std::endian::native == std::endian::big) word = swapped_bytes(word);
        const uint64_t higher = ((word & 0x7F * ones) + (0x7F - 0x20) * ones) | word;  // in the top bit of each byte
        found |= static_cast<uint32_t>(((~higher >> 7 & ones) * 0x0102040810204080) >> 56) << 8 * i;
    }
#endif
    return found;
}

struct Product {
    uint64_t low, high;
};

// All 128 bits.
inline Product multiply(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return {static_cast<uint64_t>(product), static_cast<uint64_t>(product >> 64)};
#elif defined(_M_X64)
    uint64_t high;
    const uint64_t low = _umul128(a, b, &high);
    return {low, high};
#elif defined(_M_ARM64)
    return {a * b, __umulh(a, b)};
#else
    const uint64_t a0 = a & 0xFFFFFFFF, a1 = a >> 32, b0 = b & 0xFFFFFFFF, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & 0xFFFFFFFF);
    return {a * b, a1 * b1 + (middle >> 32) + (other >> 32)};
#endif
}

// std::jthread, which Apple's library does not have.
class JoiningThread {
public:
    template <class... Arguments>
    explicit JoiningThread(Arguments&&... arguments) : thread_(std::forward<Arguments>(arguments)...) {}
    JoiningThread(JoiningThread&&) = default;
    JoiningThread& operator=(JoiningThread&&) = delete;
    ~JoiningThread() {
        if (thread_.joinable()) thread_.join();
    }
    void join() { thread_.join(); }

private:
    std::thread thread_;
};

#if defined(__cpp_lib_to_chars)

inline std::from_chars_result double_from_chars(const char* first, const char* last, double& value) {
    return std::from_chars(first, last, value);
}

#else

// libc++ reads no floating-point numbers before its version 20: strtod does, told where the number ends. What is too large
// is infinity here, and what is too small zero, where std::from_chars would leave the value alone.
inline std::from_chars_result double_from_chars(const char* first, const char* last, double& value) {
    const char* at = first;
    const bool minus = at < last && *at == '-';
    at += minus;
    auto word = [&](std::string_view letters) {
        if (static_cast<size_t>(last - at) < letters.size()) return false;
        for (size_t i = 0; i < letters.size(); ++i) {
            if ((at[i] | 32) != letters[i]) return false;
        }
        at += letters.size();
        return true;
    };
    auto digits = [&] {
        const char* start = at;
        while (at < last && *at >= '0' && *at <= '9') ++at;
        return at - start;
    };
    if (word("infinity") || word("inf")) {
        value = minus ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
        return {at, {}};
    }
    if (word("nan")) {
        auto inside = [](char c) { return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_'; };
        const char* end = at;
        if (end < last && *end == '(') {
            for (++end; end < last && inside(*end);) ++end;
            if (end < last && *end == ')') at = end + 1;
        }
        value = std::numeric_limits<double>::quiet_NaN();
        return {at, {}};
    }
    auto count = digits();
    if (at < last && *at == '.') {
        ++at;
        count += digits();
    }
    if (count == 0) return {first, std::errc::invalid_argument};
    if (at < last && (*at | 32) == 'e') {
        const char* mantissa_end = at++;
        if (at < last && (*at == '+' || *at == '-')) ++at;
        if (digits() == 0) at = mantissa_end;
    }
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
    value = strtod_l(std::string(first, at).c_str(), nullptr, plain);
    return {at, {}};
}

#endif

}  // namespace gainful::platform
