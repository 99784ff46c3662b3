#include "abort_sentence.h"

#include <csignal>
#include <mutex>

#include "platform.h"

namespace gainful {

namespace {

struct SentenceOnAbort {
    std::string sentence;
    int descriptor = -1;
    int code = 0;
};

thread_local SentenceOnAbort sentence_on_abort;

void on_abort(int) {
    const auto& [sentence, descriptor, code] = sentence_on_abort;
    if (!sentence.empty()) platform::end_with(descriptor, sentence.data(), sentence.size(), code);
    std::signal(SIGABRT, SIG_DFL);  // abort() raises the signal once more when this returns
}

}  // namespace

void say_on_abort(const std::string& sentence, int descriptor, int code) {
    static std::once_flag installed;
    sentence_on_abort = {sentence, descriptor, code};
    std::call_once(installed, [] { std::signal(SIGABRT, on_abort); });
}

}  // namespace gainful
