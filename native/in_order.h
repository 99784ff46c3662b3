// Pieces that threads finish in any order, used in their own order as soon as they can be, so that few are kept apart.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace gainful {

template <class Piece>
class InOrder {
public:
    // Numbers count from 0. `use` is called with each piece whose turn has come, by one thread at a time.
    template <class Use>
    void add(uint64_t number, Piece piece, const Use& use) {
        std::lock_guard lock(mutex_);
        waiting_.emplace(number, std::move(piece));
        for (auto next = waiting_.begin(); next != waiting_.end() && next->first == used_; next = waiting_.begin()) {
            use(std::move(next->second));
            waiting_.erase(next);
            ++used_;
        }
    }

private:
    std::mutex mutex_;
    std::map<uint64_t, Piece> waiting_;
    uint64_t used_ = 0;
};

}  // namespace gainful
