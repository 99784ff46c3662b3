// Threads that do pieces of work, in the order in which these came.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

namespace gainful {

class Crew {
public:
    explicit Crew(unsigned threads) : process_(getpid()) {
        try {
            for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
        } catch (const std::system_error&) {
            if (threads_.empty()) throw;  // else those that there are do the work
        }
    }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    // Waits for what is being done; what has not begun never will.
    ~Crew() {
        if (getpid() != process_) {  // a forked child has no such threads
            new std::vector<std::thread>(std::move(threads_));
            return;
        }
        {
            std::lock_guard lock(mutex_);
            ended_ = true;
        }
        changed_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

    // The work must not throw, nor need Python.
    void add(std::function<void()> piece) {
        {
            std::lock_guard lock(mutex_);
            waiting_.push_back(std::move(piece));
        }
        changed_.notify_one();
    }

private:
    void work() {
        for (;;) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
            if (ended_) return;
            const std::function<void()> piece = std::move(waiting_.front());
            waiting_.pop_front();
            lock.unlock();
            piece();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> waiting_;
    bool ended_ = false;
    std::vector<std::thread> threads_;
    const int process_;
};

}  // namespace gainful
