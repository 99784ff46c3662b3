#include "abort_sentence.h"

#include <unistd.h>

#include <csignal>
#include <mutex>

namespace gainful {

namespace {

struct SentenceOnAbort {
    std::string sentence;
    int descriptor = -1;
    int code = 0;
};

thread_local SentenceOnAbort sentence_on_abort;

// Only write and _exit, which a signal handler may call.
void on_abort(int) {
    if (!sentence_on_abort.sentence.empty()) {
        [[maybe_unused]] const auto written =
            write(sentence_on_abort.descriptor, sentence_on_abort.sentence.data(), sentence_on_abort.sentence.size());
        _exit(sentence_on_abort.code);
    }
    std::signal(SIGABRT, SIG_DFL);  // abort() raises the signal once more when this returns
}

}  // namespace

void say_on_abort(const std::string& sentence, int descriptor, int code) {
    static std::once_flag installed;
    sentence_on_abort = {sentence, descriptor, code};
    std::call_once(installed, [] { std::signal(SIGABRT, on_abort); });
}

}  // namespace gainful
