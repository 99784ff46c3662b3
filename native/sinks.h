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
    std::optional<uint32_t> look_up(std::string_view name, uint64_t hash) {
        topic_hash_ = hash;
        std::optional<uint32_t> topic = index_.names().find(name, topic_hash_);
        if (!topic) extra.put(name, topic_hash_);
        return topic;
    }

    uint64_t count(std::string_view document, double score) {
        ++rows;
        uint64_t hash = hash_id(document);
        digest.add(topic_hash_, hash, score);
        return hash;
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

    void topic(std::string_view name) {
        finish();
        topic_ = look_up(name, hash_id(name));
        if (topic_ && closed_[*topic_].exchange(true)) {  // met before: another worker may be judging it right now
            scattered_ = true;
            topic_.reset();
        }
    }

    void row(std::string_view document, double score, uint64_t line) {
        uint64_t hash = count(document, score);
        if (topic_) judge_.add(document, hash, score, place_of(block(), line));
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
    std::vector<const std::vector<Hit>*> hits;
    for (const Sink& sink : sinks) {
        tally.add(sink);
        for (size_t i = 0; i < sink.extra.size(); ++i) extra.emplace_back(sink.extra[i]);
    }
    for (const TopicJudge* judge : judges) {
        tally.faults.add(judge->faults);
        hits.push_back(&judge->hits());
    }
    if (tally.faults.any()) throw tally.faults.resolve(line);
    if (tally.rows == 0) throw Fault{FaultKind::empty, 0, 0, "", 1};
    Found found = assemble(outcomes, hits);
    found.extra = sorted_topics(std::move(extra));
    found.rows = tally.rows;
    found.tag = tally.first_tag();
    found.digest = tally.digest.hex();
    return found;
}

}  // namespace gainful
