// A few threads that do the same work until there is no more; what one of them throws is thrown again here.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <vector>

#if defined(__GLIBCXX__)
#include <cxxabi.h>
#endif

#include "platform.h"

namespace gainful {

// work(i, stop) is called once in each thread, the calling thread being the first; it should return soon when stop is
// set, which happens when another one failed.
template <class Work>
void in_threads(unsigned threads, Work work) {
    std::atomic<bool> stop{false};
    std::mutex mutex;
    std::exception_ptr error;
    auto guarded = [&](unsigned i) {
        try {
            work(i, stop);
        }
#if defined(__GLIBCXX__)
        catch (abi::__forced_unwind&) {
            throw;  // a thread that the interpreter ends while it shuts down; swallowing this would abort
        }
#endif
        catch (...) {
            stop = true;
            std::lock_guard lock(mutex);
            if (!error) error = std::current_exception();
        }
    };
    {
        std::vector<platform::JoiningThread> others;
        others.reserve(threads);
        try {
            for (unsigned i = 1; i < threads; ++i) others.emplace_back(guarded, i);
        } catch (const std::system_error&) {
            // The system gives no more threads: those that there are do the work.
        }
        guarded(0);
    }
    if (error) std::rethrow_exception(error);
}

}  // namespace gainful
