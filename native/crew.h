// Threads that do pieces of work, in the order in which these came.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "platform.h"

namespace gainful {

class Crew {
public:
    explicit Crew(unsigned threads) : process_(platform::process_number()) {
        auto& started = shared_->threads;
        started.reserve(threads);
        try {
            for (unsigned i = 0; i < threads; ++i) started.emplace_back([shared = shared_.get()] { shared->work(); });
        } catch (const std::system_error&) {
            if (started.empty()) throw;  // else those that there are do the work
        }
    }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    // Waits for what is being done; what has not begun never will.
    ~Crew() {
        if (platform::process_number() != process_) {
            // A forked child has no such threads, and to destroy what they wait on would be to wait for them.
            static_cast<void>(shared_.release());
            return;
        }
        {
            std::lock_guard lock(shared_->mutex);
            shared_->ended = true;
        }
        shared_->changed.notify_all();
        for (std::thread& thread : shared_->threads) thread.join();
    }

    // The work must not throw, nor need Python.
    void add(std::function<void()> piece) {
        {
            std::lock_guard lock(shared_->mutex);
            shared_->waiting.push_back(std::move(piece));
        }
        shared_->changed.notify_one();
    }

private:
    struct Shared {  // with the threads
        std::mutex mutex;
        std::condition_variable changed;
        std::deque<std::function<void()>> waiting;
        bool ended = false;
        std::vector<std::thread> threads;

        void work() {
            for (;;) {
                std::unique_lock lock(mutex);
                changed.wait(lock, [this] { return ended || !waiting.empty(); });
                if (ended) return;
                const std::function<void()> piece = std::move(waiting.front());
                waiting.pop_front();
                lock.unlock();
                piece();
            }
        }
    };

    std::unique_ptr<Shared> shared_ = std::make_unique<Shared>();
    const int process_;
};

}  // namespace gainful
