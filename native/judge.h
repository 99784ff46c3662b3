// Judges one topic at a time: repeated documents, hits, ranks.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

#include "fault.h"
#include "found.h"
#include "index.h"
#include "order.h"

namespace gainful {

struct Rules {
    Ties ties;
    Duplicates duplicates;
    bool drop_self = false;  // a document with the id of its topic is not counted
    bool narrow = false;     // scores are rounded to 32 bits first
    uint32_t top = 0;        // so many documents of each topic are kept, in order
    const std::atomic<bool>* cancelled = nullptr;  // looked at now and then, also within a topic
};

// Adds the tie groups of these hits that are larger in 32 bits than in 64.
// sorted: scores fall; else close says whether there can be any.
void note_close(uint32_t topic, const std::vector<double>& scores, bool sorted, bool close, const std::vector<Hit>& hits,
                std::vector<Close>& groups);

// Where the documents of a topic have been seen. An entry holds the number of a document; numbers go on rising from
// topic to topic, so that entries of earlier topics are known by their low numbers and nothing has to be cleared.
class Seen {
public:
    // Makes room for one more topic.
    void start(size_t documents);
    uint32_t base() const { return static_cast<uint32_t>(base_); }
    uint32_t* slots() { return slots_.data(); }
    size_t mask() const { return mask_; }

private:
    std::vector<uint32_t> slots_;
    uint64_t base_ = 1, next_ = 1;
    size_t mask_ = 0;
};

class TopicJudge {
public:
    TopicJudge(const Index& index, Rules rules, uint32_t worker, std::vector<Outcome>& outcomes)
        : index_(index), rules_(rules), worker_(worker), outcomes_(outcomes) {}

    void add(std::string_view document, uint64_t key, double score, Place place) {
        documents_.push_back({document.data(), static_cast<uint32_t>(document.size()), key, place});
        scores_.push_back(score);
    }

    // Judges the documents added since the last call. Their ids must still be where they were.
    // ordered: places rise.
    void judge(uint32_t topic, bool ordered);

    const Kept& kept() const { return kept_; }
    Faults faults;

private:
    struct Document {
        const char* id;
        uint32_t size;
        uint64_t key;
        Place place;
        std::string_view name() const { return {id, size}; }
    };

    void drop_self(std::string_view topic);
    bool match(uint32_t topic);
    void drop_repeated(uint32_t topic, bool ordered);
    void rank(bool ordered);
    void keep_top();
    void credit_once();
    bool by_rule(size_t a, size_t b) const;
    bool first_of_tied(size_t a, size_t b) const;

    const Index& index_;
    const Rules rules_;
    const bool repeats_ = rules_.duplicates == Duplicates::counted || rules_.duplicates == Duplicates::once;
    const uint32_t worker_;
    std::vector<Outcome>& outcomes_;
    std::vector<Document> documents_;
    std::vector<double> scores_;
    Seen seen_;
    Order order_;
    bool falling_ = true;
    std::vector<Hit> found_;  // of this topic
    std::vector<uint32_t> crowded_, maybe_judged_;  // documents whose slot was taken; that the filter lets through
    std::vector<int32_t> rows_, order_of_top_;
    Kept kept_;  // of all topics so far
};

}  // namespace gainful
