#include "reader.h"

#include <algorithm>
#include <cstring>

namespace gainful {

namespace {

size_t newline_before(std::string_view text, size_t end) { return text.substr(0, end).rfind('\n'); }

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The topic of the line that begins at `start`; empty for lines without one (blank lines, comments).
std::string_view topic_at(std::string_view text, size_t start) {
    if (text[start] == '#') return {};
    size_t begin = start;
    while (blank(text[begin])) ++begin;
    size_t end = begin;
    while (text[end] != '\n' && !blank(text[end])) ++end;
    return text.substr(begin, end - begin);
}

struct Line {
    size_t start;
    std::string_view topic;
};

// The last line with a topic among those that begin at or before `at`.
std::optional<Line> line_upto(std::string_view text, size_t at) {
    for (;;) {
        size_t newline = newline_before(text, at);
        size_t start = newline == std::string_view::npos ? 0 : newline + 1;
        std::string_view topic = topic_at(text, start);
        if (!topic.empty()) return Line{start, topic};
        if (start == 0) return std::nullopt;
        at = start - 1;
    }
}

}  // namespace

// Looks back in growing strides for a line of another topic, then halves the way between. Only the cut depends on it,
// never the result: a topic that is cut in two is met again, which is noticed where topics are judged.
size_t last_topic(std::string_view text) {
    if (text.empty()) return 0;
    std::optional<Line> last = line_upto(text, text.size() - 1);
    if (!last) return 0;
    size_t same = last->start, other = 0, stride = 256;
    for (;;) {
        if (same == 0) return 0;
        std::optional<Line> line = line_upto(text, same > stride ? same - stride : 0);
        if (!line) return 0;
        if (line->topic != last->topic) {
            other = line->start;
            break;
        }
        same = line->start;
        stride *= 2;
    }
    while (same - other > 512) {
        std::optional<Line> line = line_upto(text, other + (same - other) / 2);
        if (line->start <= other) break;  // one very long line lies between
        (line->topic == last->topic ? same : other) = line->start;
    }
    for (;;) {
        std::optional<Line> line = line_upto(text, same - 1);
        if (!line || line->topic != last->topic) return same;
        same = line->start;
        if (same == 0) return 0;
    }
}

std::optional<uint64_t> Reader::open() {
    carry_.resize(HEAD);
    size_t size = 0;
    while (size < HEAD) {
        size_t got = source_.read(carry_.data() + size, HEAD - size);
        if (got == 0) {
            ended_ = true;
            break;
        }
        size += got;
    }
    bytes_read_ += size;
    carry_.resize(size);
    for (size_t i = 0; i < size; ++i) {
        auto c = static_cast<unsigned char>(carry_[i]);
        if (c <= 8 || (c >= 14 && c <= 31) || c == 127) {
            return static_cast<uint64_t>(std::count(carry_.begin(), carry_.begin() + static_cast<long>(i), '\n')) + 1;
        }
    }
    if (size >= 3 && std::memcmp(carry_.data(), "\xEF\xBB\xBF", 3) == 0) carry_.erase(carry_.begin(), carry_.begin() + 3);
    return std::nullopt;
}

// Reads until the block holds `upto` bytes or the source ends.
size_t Reader::fill(Block& block, size_t upto) {
    if (block.memory.size() < upto + 1 + PADDING) block.memory.resize(upto + 1 + PADDING);  // 1: a last newline
    while (!ended_ && block.size < upto) {
        failed_ = true;  // unless read comes back
        size_t got = source_.read(block.memory.data() + block.size, upto - block.size);
        failed_ = false;
        if (got == 0) ended_ = true;
        block.size += got;
        bytes_read_ += got;
    }
    return block.size;
}

bool Reader::emit(Block& block, size_t cut) {
    const char* data = block.memory.data();
    carry_.assign(data + cut, data + block.size);
    block.size = cut;
    block.number = number_++;
    block.too_long = false;
    std::memset(block.memory.data() + cut, 0, PADDING);
    return true;
}

bool Reader::next(Block& block) {
    std::unique_lock lock(mutex_);
    if (reading_) {
        Waiting waiting{block};
        waiting_.push_back(&waiting);
        waiting.woken.wait(lock, [&] { return waiting.served || !reading_; });
        if (waiting.served) return true;
        std::erase(waiting_, &waiting);
    }
    reading_ = true;
    struct Turn {
        Reader& reader;
        std::unique_lock<std::mutex>& lock;
        ~Turn() {  // also where the source threw
            if (!lock.owns_lock()) lock.lock();
            reader.end_turn();
        }
    } turn{*this, lock};
    for (;;) {
        lock.unlock();
        const bool more = read(block);
        lock.lock();
        if (!more || waiting_.empty()) return more;
        Waiting& other = *waiting_.front();
        waiting_.pop_front();
        std::swap(block, other.block);
        other.served = true;
        other.woken.notify_one();
    }
}

void Reader::end_turn() {
    reading_ = false;
    if (!waiting_.empty()) waiting_.front()->woken.notify_one();
}

bool Reader::read(Block& block) {
    if (gave_up_ || failed_) return false;
    if (in_long_) return skip_long_line(block);
    if (ended_ && carry_.empty()) return false;
    if (block.memory.size() < carry_.size() + PADDING) block.memory.resize(carry_.size() + PADDING);
    std::memcpy(block.memory.data(), carry_.data(), carry_.size());
    block.size = carry_.size();
    for (size_t want = std::max(block_, block.size + 1);; want = 2 * block.size) {
        size_t size = fill(block, want);
        if (ended_) {
            if (size == 0) return false;
            // A last line without its newline gets one; over the limit it is a fault like any other.
            if (block.memory[size - 1] != '\n') block.memory[block.size++] = '\n';
            return emit(block, block.size);
        }
        std::string_view text = block.text();
        size_t newline = newline_before(text, size);
        size_t lines = newline == std::string_view::npos ? 0 : newline + 1;
        if (size - lines > LINE_LIMIT) {
            in_long_ = true;
            if (lines == 0) return skip_long_line(block);
            emit(block, lines);
            carry_.clear();
            return true;
        }
        if (lines == 0) continue;
        if (cut_ == Cut::lines) return emit(block, lines);
        size_t topic = last_topic(text.substr(0, lines));
        if (topic > 0) return emit(block, topic);
        if (size > TOPIC_BLOCKS * std::min(block_, BLOCK)) {
            gave_up_ = true;
            return false;
        }
    }
}

bool Reader::skip_long_line(Block& block) {
    for (;;) {
        block.size = 0;
        size_t size = fill(block, std::max(block_, HEAD));
        const void* newline = size ? std::memchr(block.memory.data(), '\n', size) : nullptr;
        if (!newline && !ended_) continue;
        size_t cut = newline ? static_cast<size_t>(static_cast<const char*>(newline) - block.memory.data()) + 1 : size;
        emit(block, cut);
        block.size = 0;
        block.too_long = true;
        in_long_ = false;
        return true;
    }
}

}  // namespace gainful
