// A run being judged in the background, as Python sees it.
#pragma once

#include <nanobind/nanobind.h>

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "crew.h"
#include "run.h"

namespace gainful {

// An int is a file descriptor; anything else must have readinto and rewind.
std::unique_ptr<Source> make_source(nanobind::handle source);

// What a Python source raised is kept in it and raised again where the result is asked for.
struct PythonRaised {};
[[noreturn]] void raise_from(Source& source);

// Starts at once, or when its turn comes in a crew, which takes only sources that never block.
class Job {
public:
    Job(std::shared_ptr<const Index> index, nanobind::handle source, const RunSettings& settings,
        std::shared_ptr<Crew> crew);
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    ~Job();

    bool wait(double seconds);
    uint64_t bytes_read() const { return state_->progress.bytes_read; }
    void cancel() { state_->progress.cancelled = true; }
    std::shared_ptr<Found> result();

    // What the source raised, or null. Its traceback may lead back to this job; Python's collector must see that.
    PyObject* raised() const;
    void forget_raised();

    // Shared with the thread, which may outlive the job when its source never comes back from reading.
    struct State {
        std::shared_ptr<const Index> index;
        std::unique_ptr<Source> source;
        RunSettings settings;
        Progress progress;
        std::mutex mutex;
        std::condition_variable changed;
        bool begun = false, done = false;
        std::shared_ptr<Found> found;
        std::exception_ptr error;

        void run();
        bool wait(double seconds);
        void stop();
    };

private:
    std::shared_ptr<State> state_;
    std::shared_ptr<Crew> crew_;
    std::unique_ptr<std::thread> thread_;
    nanobind::object at_exit_;
    const int process_;
};

}  // namespace gainful
