// 64 bits that stand for an id, and 128 that stand for a whole table.
//
// `hash_id` is part of what Gainful prints (digests), so it never changes: words are little-endian on every machine, and
// the constants are the digits of pi. Fast, not cryptographic: ids can be made that agree in it. Tables therefore use
// `key_of`, whose constants are drawn at random for each process.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

#include "platform.h"

namespace gainful {

using Constants = std::array<uint64_t, 8>;

inline constexpr Constants PI = {
    0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89,
    0x452821E638D01377, 0xBE5466CF34E90C6C, 0xC0AC29B7C97C50DD, 0x3F84D5B5B5470917,
};

inline const Constants DRAWN = [] {
    std::random_device device;
    Constants drawn;
    for (uint64_t& word : drawn) word = static_cast<uint64_t>(device()) << 32 | device();
    return drawn;
}();

inline uint64_t load64(const char* at) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    if constexpr (std::endian::native == std::endian::big) word = platform::swapped_bytes(word);
    return word;
}

inline uint64_t load32(const char* at) {
    uint32_t word;
    std::memcpy(&word, at, 4);
    if constexpr (std::endian::native == std::endian::big) word = platform::swapped_bytes(word);
    return word;
}

// Both halves of the product, in one word.
inline uint64_t fold(uint64_t a, uint64_t b) {
    const platform::Product product = platform::multiply(a, b);
    return product.low ^ product.high;
}

// The factors are added again: a product with zero forgets the other factor, and ids could be made to agree by that.
inline uint64_t mix(uint64_t x, uint64_t y) { return fold(x, y) ^ x ^ std::rotl(y, 32); }

// The last bytes of an id as two words that may overlap.
inline void last_words(const char* at, size_t rest, uint64_t& a, uint64_t& b) {
    if (rest >= 8) {
        a = load64(at);
        b = load64(at + rest - 8);
    } else if (rest >= 4) {
        a = load32(at);
        b = load32(at + rest - 4);
    } else if (rest > 0) {
        auto byte = [at](size_t i) { return static_cast<uint64_t>(static_cast<unsigned char>(at[i])); };
        a = byte(0) | byte(rest / 2) << 8 | byte(rest - 1) << 16;
    }
}

inline uint64_t hash_step(uint64_t state, const char* at) { return mix(load64(at) ^ PI[1], load64(at + 8) ^ state); }

inline uint64_t hash_end(uint64_t state, uint64_t a, uint64_t b, size_t size) {
    return fold(mix(a ^ PI[2] ^ state, b ^ PI[3]) ^ PI[1], size ^ PI[4]);
}

// A factor of zero would do no harm here: nobody knows which words make one.
inline uint64_t key_step(uint64_t state, const char* at) { return fold(load64(at) ^ DRAWN[1], load64(at + 8) ^ state); }

inline uint64_t key_end(uint64_t state, uint64_t a, uint64_t b, size_t size) {
    return fold(a ^ DRAWN[2] ^ state, b ^ DRAWN[3] ^ size);
}

struct HashAndKey {
    uint64_t hash, key;
};

// Both at once, as the bytes are then looked at once only. Inlined: a call would take as long as the work itself.
[[gnu::always_inline]] inline HashAndKey hash_and_key(std::string_view id) {
    const char* at = id.data();
    size_t rest = id.size();
    uint64_t hash = PI[0], key = DRAWN[0], a = 0, b = 0;
    for (; rest > 16; at += 16, rest -= 16) {
        hash = hash_step(hash, at);
        key = key_step(key, at);
    }
    last_words(at, rest, a, b);
    return {hash_end(hash, a, b, id.size()), key_end(key, a, b, id.size())};
}

// For digests.
inline uint64_t hash_id(std::string_view id) { return hash_and_key(id).hash; }

// For tables.
inline uint64_t key_of(std::string_view id) { return hash_and_key(id).key; }

// Equality of ids, which are short: without a call.
inline bool same_id(std::string_view a, std::string_view b) {
    const size_t size = a.size();
    const char *x = a.data(), *y = b.data();
    if (size != b.size()) return false;
    if (size > 16) return std::memcmp(x, y, size) == 0;
    if (size >= 8) return ((load64(x) ^ load64(y)) | (load64(x + size - 8) ^ load64(y + size - 8))) == 0;
    if (size >= 4) return ((load32(x) ^ load32(y)) | (load32(x + size - 4) ^ load32(y + size - 4))) == 0;
    for (size_t i = 0; i < size; ++i) {
        if (x[i] != y[i]) return false;
    }
    return true;
}

// A sum over rows, so that order does not matter and threads can add up their own share.
class Digest {
public:
    void add(uint64_t topic_hash, uint64_t document_hash, double value) {
        uint64_t bits = std::bit_cast<uint64_t>(value + 0.0);  // −0.0 + 0.0 is 0.0: equal values, equal bits
        uint64_t both = fold(document_hash ^ PI[5], topic_hash ^ PI[6]);
        uint64_t low = fold(both ^ PI[7], bits ^ PI[0]);
        add(low, fold(low ^ PI[2], both ^ bits));
    }

    void add(const Digest& other) { add(other.low_, other.high_); }

    std::string hex() const {
        std::string text(32, '0');
        for (size_t i = 0; i < 32; ++i) {
            text[i] = "0123456789abcdef"[(i < 16 ? high_ : low_) >> (60 - 4 * (i % 16)) & 15];
        }
        return text;
    }

private:
    void add(uint64_t low, uint64_t high) {
        low_ += low;
        high_ += high + (low_ < low);
    }

    uint64_t low_ = 0, high_ = 0;  // of a sum of 128 bits
};

}  // namespace gainful
