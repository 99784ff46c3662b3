// What is said where a library aborts the process: a sentence and an exit code in place of a signal.
#pragma once

#include <string>

namespace gainful {

// While the calling thread is inside a library that may abort (a panic of Rust within a C callback cannot be caught),
// an abort in this thread writes the sentence to the descriptor and ends the process with the code. An empty sentence
// takes that back. Aborts of other threads are left alone.
void say_on_abort(const std::string& sentence, int descriptor, int code);

}  // namespace gainful
