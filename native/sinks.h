// Where the rows of a run go while it is read: topics are looked up, rows counted, whole topics judged at once.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "found.h"
#include "judge.h"
#include "names.h"
#include "tally.h"

namespace gainful {

// A worker's share of what both ways of reading have in common: topics are looked up, rows counted.
class RunSink : public Tally {
public:
    explicit RunSink(const Index& index) : index_(index) {}

    Names extra;

protected:
    // The topic's number in the judgments, or nothing where it is not judged.
    std::optional<uint32_t> look_up(std::string_view name, uint64_t key) {
        topic_hash_ = hash_id(name);
        std::optional<uint32_t> topic = index_.names().find(name, key);
        if (!topic) extra.put(name, key);
        return topic;
    }

    void count(uint64_t document_hash, double score) {
        ++rows;
        digest.add(topic_hash_, document_hash, score);
    }

    const Index& index_;

private:
    uint64_t topic_hash_ = 0;
};

// Topics that stand together: each is judged as soon as it ends, its ids still in the block.
class DirectSink : public RunSink {
public:
    DirectSink(const Index& index, Rules rules, uint32_t worker, std::vector<Outcome>& outcomes,
               std::vector<std::atomic<bool>>& closed, std::atomic<bool>& scattered)
        : RunSink(index), judge_(index, rules, worker, outcomes), closed_(closed), scattered_(scattered) {}

    [[gnu::noinline]] void topic(std::string_view name) {
        finish();
        topic_ = look_up(name, key_of(name));
        if (topic_ && closed_[*topic_].exchange(true)) {  // met before: another worker may be judging it right now
            scattered_ = true;
            topic_.reset();
        }
    }

    void row(std::string_view document, double score, uint64_t line) {
        const auto [hash, key] = hash_and_key(document);
        count(hash, score);
        if (topic_) judge_.add(document, key, score, place_of(block(), line));
    }

    void finish() {
        if (topic_) judge_.judge(*topic_, true);
        topic_.reset();
    }

    const TopicJudge& judge() const { return judge_; }

private:
    TopicJudge judge_;
    std::vector<std::atomic<bool>>& closed_;
    std::atomic<bool>& scattered_;
    std::optional<uint32_t> topic_;
};

// What all workers found. `line` says where in the input a place is.
template <class Sink, class Line>
Found gather(const std::vector<Sink>& sinks, const std::vector<const TopicJudge*>& judges,
             const std::vector<Outcome>& outcomes, const Line& line) {
    Tally tally;
    std::vector<std::string> extra;
    std::vector<const Kept*> kept;
    for (const Sink& sink : sinks) {
        tally.add(sink);
        for (size_t i = 0; i < sink.extra.size(); ++i) extra.emplace_back(sink.extra[i]);
    }
    for (const TopicJudge* judge : judges) {
        tally.faults.add(judge->faults);
        kept.push_back(&judge->kept());
    }
    tally.compare_widths();
    if (tally.faults.any()) throw tally.faults.resolve(line);
    if (tally.rows == 0) throw Fault{FaultKind::empty, 0, 0, "", 1};
    Found found = assemble(outcomes, kept);
    found.extra = sorted_topics(std::move(extra));
    found.rows = tally.rows;
    found.tag = tally.first_tag();
    found.digest = tally.digest.hex();
    return found;
}

}  // namespace gainful
