#include "py_job.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "py_values.h"

#if defined(__GLIBCXX__)
#include <cxxabi.h>
#endif

namespace gainful {

namespace {

constexpr double PATIENCE = 0.25;  // seconds for a source that may never come back from reading

bool interpreter_gone() {
#if PY_VERSION_HEX >= 0x030D0000
    return !Py_IsInitialized() || Py_IsFinalizing();
#else
    return !Py_IsInitialized() || _Py_IsFinalizing();
#endif
}

class PythonSource final : public Source {
public:
    explicit PythonSource(nb::handle object)
        : readinto_(object.attr("readinto").inc_ref().ptr()), rewind_(object.attr("rewind").inc_ref().ptr()) {}
    PythonSource(const PythonSource&) = delete;
    PythonSource& operator=(const PythonSource&) = delete;

    ~PythonSource() override {
        finish();
        if (!raised_ || interpreter_gone()) return;
        nb::gil_scoped_acquire gil;
        Py_CLEAR(raised_);
    }

    // Lets go of the object, which may know the job that knows it: a cycle that Python could not see.
    void finish() override {
        if (!readinto_ || interpreter_gone()) return;  // there may be nobody left to give the objects back to
        nb::gil_scoped_acquire gil;
        Py_CLEAR(readinto_);
        Py_CLEAR(rewind_);
    }

    size_t read(char* buffer, size_t size) override {
        nb::gil_scoped_acquire gil;
        return guarded([&] {
            nb::object view = nb::steal(PyMemoryView_FromMemory(buffer, static_cast<Py_ssize_t>(size), PyBUF_WRITE));
            if (!view.is_valid()) throw nb::python_error();
            const nb::object count = nb::steal(PyObject_CallOneArg(readinto_, view.ptr()));
            if (!count.is_valid()) {
                nb::python_error error;
                view.attr("release")();
                throw error;
            }
            view.attr("release")();  // the memory is ours again, even if Python kept the view
            const auto got = nb::cast<long long>(count);
            if (got < 0 || static_cast<size_t>(got) > size) throw nb::value_error("readinto gave an impossible count");
            return static_cast<size_t>(got);
        });
    }

    bool rewind() override {
        nb::gil_scoped_acquire gil;
        return guarded([&] { return nb::cast<bool>(nb::handle(rewind_)()); });
    }

    bool may_block() const override { return true; }

    [[noreturn]] void raise() const {
        if (!raised_) throw std::runtime_error("what the source raised has been collected");
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised_)), raised_);
        throw nb::python_error();
    }
    PyObject* raised() const { return raised_; }
    void forget_raised() { Py_CLEAR(raised_); }

private:
    template <class Call>
    auto guarded(Call call) -> decltype(call()) {
        try {
            return call();
        } catch (nb::python_error& error) {
            keep(error.value().ptr());
        } catch (nb::cast_error&) {
            PyErr_SetString(PyExc_TypeError, "readinto must give a whole number, rewind True or False");
            keep(nb::python_error().value().ptr());
        } catch (nb::builtin_exception& error) {
            PyErr_SetString(PyExc_ValueError, error.what());
            keep(nb::python_error().value().ptr());
        }
        throw PythonRaised{};
    }

    void keep(PyObject* raised) {
        Py_XDECREF(raised_);
        raised_ = Py_NewRef(raised);
    }

    PyObject* readinto_;
    PyObject* rewind_;
    PyObject* raised_ = nullptr;
};

}  // namespace

std::unique_ptr<Source> make_source(nb::handle source) {
    if (!PyLong_Check(source.ptr())) return std::make_unique<PythonSource>(source);
    const long descriptor = PyLong_AsLong(source.ptr());
    if (descriptor == -1 && PyErr_Occurred()) throw nb::python_error();
    if (descriptor < 0 || descriptor > std::numeric_limits<int>::max()) throw nb::value_error("not a file descriptor");
    return std::make_unique<FileSource>(static_cast<int>(descriptor));
}

void raise_from(Source& source) { static_cast<PythonSource&>(source).raise(); }

void Job::State::run() {
    {
        std::lock_guard lock(mutex);
        if (done) return;  // stopped before its turn came
        begun = true;
    }
    std::shared_ptr<Found> result;
    std::exception_ptr failure;
    try {
        result = std::make_shared<Found>(judge_run(*index, *source, settings, progress));
    }
#if defined(__GLIBCXX__)
    catch (abi::__forced_unwind&) {
        throw;  // the interpreter ends this thread as it shuts down
    }
#endif
    catch (...) {
        failure = std::current_exception();
    }
    source->finish();
    std::lock_guard lock(mutex);
    found = std::move(result);
    error = failure;
    done = true;
    changed.notify_all();
}

bool Job::State::wait(double seconds) {
    std::unique_lock lock(mutex);
    if (done) return true;
    seconds = std::isnan(seconds) ? 0.0 : std::clamp(seconds, 0.0, 1e6);
    return changed.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return done; });
}

void Job::State::stop() {
    progress.cancelled = true;
    {
        std::lock_guard lock(mutex);
        if (!begun) done = true;
    }
    changed.notify_all();
    if (source->may_block()) {
        wait(PATIENCE);
    } else {
        while (!wait(1e6)) {
        }
    }
}

Job::Job(std::shared_ptr<const Index> index, nb::handle source, const RunSettings& settings, std::shared_ptr<Crew> crew)
    : state_(std::make_shared<State>()), crew_(std::move(crew)), process_(platform::process_number()) {
    state_->index = std::move(index);
    state_->source = make_source(source);
    if (crew_ && state_->source->may_block()) throw nb::value_error("a crew takes files only");
    state_->settings = settings;
    if (state_->source->may_block()) {
        // A thread that calls Python while the interpreter shuts down is ended by force; better to stop it before.
        at_exit_ = nb::cpp_function([weak = std::weak_ptr<State>(state_)] {
            if (std::shared_ptr<State> state = weak.lock()) {
                nb::gil_scoped_release release;
                state->stop();
            }
        });
        nb::module_::import_("atexit").attr("register")(at_exit_);
    }
    auto work = [state = state_] { state->run(); };
    if (crew_) {
        crew_->add(work);
    } else {
        thread_ = std::make_unique<std::thread>(work);
    }
}

Job::~Job() {
    if (platform::process_number() != process_) {  // a forked child has no such thread; there is nothing to wait for
        static_cast<void>(thread_.release());
        return;
    }
    {
        nb::gil_scoped_release release;
        state_->stop();
        if (thread_ && state_->wait(0)) {
            thread_->join();
        } else if (thread_) {
            thread_->detach();
        }
    }
    if (at_exit_.is_valid() && !interpreter_gone()) {
        nb::error_scope pending;  // the job may go away because of an exception, which must stay
        try {
            nb::module_::import_("atexit").attr("unregister")(at_exit_);
        } catch (nb::python_error& error) {
            error.discard_as_unraisable("gainful._core.Job");
        }
    }
}

PyObject* Job::raised() const {
    auto* source = dynamic_cast<PythonSource*>(state_->source.get());
    return source ? source->raised() : nullptr;
}

void Job::forget_raised() {
    if (auto* source = dynamic_cast<PythonSource*>(state_->source.get())) source->forget_raised();
}

bool Job::wait(double seconds) {
    nb::gil_scoped_release release;
    return state_->wait(seconds);
}

std::shared_ptr<Found> Job::result() {
    while (!wait(0.1)) {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();  // Ctrl-C
    }
    if (state_->progress.cancelled) throw Cancelled{};
    if (state_->error) {
        try {
            std::rethrow_exception(state_->error);
        } catch (PythonRaised&) {
            raise_from(*state_->source);
        }
    }
    return state_->found;
}

}  // namespace gainful
