#include "abort_sentence.h"

#include <unistd.h>

#include <csignal>
#include <mutex>

namespace gainful {

namespace {

struct LastWords {
    std::string sentence;
    int descriptor = -1;
    int code = 0;
};

thread_local LastWords last_words;

// Only write and _exit, which a signal handler may call.
void on_abort(int) {
    if (!last_words.sentence.empty()) {
        [[maybe_unused]] const auto written =
            write(last_words.descriptor, last_words.sentence.data(), last_words.sentence.size());
        _exit(last_words.code);
    }
    std::signal(SIGABRT, SIG_DFL);  // abort() raises the signal once more when this returns
}

}  // namespace

void say_on_abort(const std::string& sentence, int descriptor, int code) {
    static std::once_flag installed;
    last_words = {sentence, descriptor, code};
    std::call_once(installed, [] { std::signal(SIGABRT, on_abort); });
}

}  // namespace gainful
