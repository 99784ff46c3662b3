// Ids one after the other; names ↔ numbers, numbered from 0 as they come, which is used for topics.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "hash.h"

namespace gainful {

// Bytes of ids, appended without a call where they are short, as nearly all are.
class Bytes {
public:
    Bytes() = default;
    Bytes(Bytes&&) = default;
    Bytes& operator=(Bytes&&) = default;

    const char* data() const { return data_.get(); }
    size_t size() const { return size_; }
    void reserve(size_t room) {
        if (room > room_) move_to(room);
    }
    void shrink() {
        if (size_ < room_) move_to(size_);
    }
    void append(std::string_view id) {
        const size_t size = id.size();
        if (size_ + size > room_) move_to(std::max(2 * room_, size_ + size + 64));
        char* to = data_.get() + size_;
        const char* from = id.data();
        size_ += size;
        if (size > 16) {
            std::memcpy(to, from, size);
        } else if (size >= 8) {
            copy<8>(to, from, size);
        } else if (size >= 4) {
            copy<4>(to, from, size);
        } else {
            for (size_t i = 0; i < size; ++i) to[i] = from[i];
        }
    }

private:
    // Two words that may overlap.
    template <size_t width>
    static void copy(char* to, const char* from, size_t size) {
        char first[width], last[width];
        std::memcpy(first, from, width);
        std::memcpy(last, from + size - width, width);
        std::memcpy(to, first, width);
        std::memcpy(to + size - width, last, width);
    }

    void move_to(size_t room) {
        auto data = std::make_unique_for_overwrite<char[]>(room);
        if (size_) std::memcpy(data.get(), data_.get(), size_);
        data_ = std::move(data);
        room_ = room;
    }

    std::unique_ptr<char[]> data_;
    size_t size_ = 0, room_ = 0;
};

class Arena {
public:
    void reserve(size_t count, size_t bytes) {
        ends_.reserve(count);
        bytes_.reserve(bytes);
    }
    void push(std::string_view id) {
        bytes_.append(id);
        ends_.push_back(bytes_.size());
    }
    std::string_view operator[](size_t i) const {
        size_t start = i ? ends_[i - 1] : 0;
        return {bytes_.data() + start, ends_[i] - start};
    }
    size_t size() const { return ends_.size(); }

private:
    Bytes bytes_;
    std::vector<uint64_t> ends_;
};

class Names {
public:
    size_t size() const { return keys_.size(); }
    std::string_view operator[](size_t i) const { return names_[i]; }
    uint64_t key(size_t i) const { return keys_[i]; }

    // Asks for the memory that find will need.
    void prefetch(uint64_t key) const {
        if (!slots_.empty()) platform::prefetch(&slots_[key & (slots_.size() - 1)]);
    }

    std::optional<uint32_t> find(std::string_view name, uint64_t key) const {
        if (slots_.empty()) return std::nullopt;
        const size_t mask = slots_.size() - 1;
        for (size_t at = key & mask; slots_[at].number != NONE; at = (at + 1) & mask) {
            const Slot& slot = slots_[at];
            if (slot.part == static_cast<uint32_t>(key >> 32) && same_id(names_[slot.number], name)) return slot.number;
        }
        return std::nullopt;
    }

    // The number of the name, which is added where it is new.
    uint32_t put(std::string_view name, uint64_t key) {
        if (std::optional<uint32_t> known = find(name, key)) return *known;
        names_.push(name);
        keys_.push_back(key);
        if (2 * size() > slots_.size()) {
            grow();
        } else {
            enter(static_cast<uint32_t>(size() - 1));
        }
        return static_cast<uint32_t>(size() - 1);
    }
    uint32_t put(std::string_view name) { return put(name, key_of(name)); }

private:
    static constexpr uint32_t NONE = ~uint32_t{0};
    struct Slot {
        uint32_t part;  // upper half of the key
        uint32_t number;
    };

    void enter(uint32_t number) {
        const size_t mask = slots_.size() - 1;
        size_t at = keys_[number] & mask;
        while (slots_[at].number != NONE) at = (at + 1) & mask;
        slots_[at] = {static_cast<uint32_t>(keys_[number] >> 32), number};
    }

    void grow() {
        slots_.assign(slots_.empty() ? 64 : 4 * slots_.size(), Slot{0, NONE});
        for (uint32_t i = 0; i < size(); ++i) enter(i);
    }

    Arena names_;
    std::vector<uint64_t> keys_;
    std::vector<Slot> slots_;
};

// Ids of digits only come first, by number; then the others, by bytes.
inline bool topic_before(std::string_view a, std::string_view b) {
    auto digits = [](std::string_view id) {
        return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) { return c >= '0' && c <= '9'; });
    };
    const bool number_a = digits(a), number_b = digits(b);
    if (number_a != number_b) return number_a;
    if (number_a) {
        std::string_view x = a.substr(std::min(a.find_first_not_of('0'), a.size()));
        std::string_view y = b.substr(std::min(b.find_first_not_of('0'), b.size()));
        if (x.size() != y.size()) return x.size() < y.size();
        if (x != y) return x < y;
    }
    return a < b;
}

}  // namespace gainful
