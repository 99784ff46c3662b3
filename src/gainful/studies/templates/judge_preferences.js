// Preferences: two documents at a time; which pair comes next follows from the answers so far.
const createComparing = (page, storage, clock) => {
  const wordsOf = page.topics.map((topic) => new Set(topic.words));
  const groups = page.topics.map((topic, place) => ({ topic, place, documents: [] }));
  for (const [topic, document] of page.items) groups[topic].documents.push(document);
  const asked = groups.filter((group) => group.documents.length > 1);
  let pair = null;

  const known = new Map(); // place of a topic → its order so far; forgotten when an answer of the topic changes
  const stateOf = (group) => {
    if (!known.has(group.place)) known.set(group.place, comparedSoFar(group.topic.topic, group.documents, storage.get));
    return known.get(group.place);
  };
  const goOn = () => {
    pair = null;
    clock.restart();
    for (const group of asked) {
      const { pending } = stateOf(group);
      if (pending === null) continue;
      const [left, right] = shownInOrder(group.topic.topic, pending);
      pair = { topic: group.topic, topicPlace: group.place, left, right, key: keyOf({ topic: group.topic.topic, better: left, worse: right }) };
      return;
    }
  };
  const shared = () => ({ topic: pair.topic.topic, better: pair.left, worse: pair.right, tie: false, state: OPEN, reason: "", seconds: 0 });
  const change = (fields) => {
    const before = storage.get(pair.key);
    const base = before ?? shared();
    const seconds = Math.round((base.seconds + clock.read()) * 10) / 10;
    clock.restart();
    storage.put({ ...base, ...fields, seconds, at: timeAfter(before) });
    known.delete(pair.topicPlace);
    return before;
  };
  const records = () => Array.from(storage.records.entries()).filter(([key, record]) => key.startsWith("p") && isDecided(record));

  return {
    items: page.items,
    order: new Map(),
    start: () => {
      known.clear();
      goOn();
    },
    current: () => pair,
    record: () => (pair === null ? undefined : storage.get(pair.key)),
    learned: () => null,
    words: (shown) => wordsOf[shown.topicPlace],
    // state: "left", "right", "tie", "skipped" or "cannot tell"
    answer: (state) => {
      const { key, left, right } = pair;
      const chosen = {
        left: { state: "compared", better: left, worse: right, tie: false },
        right: { state: "compared", better: right, worse: left, tie: false },
        tie: { state: "compared", tie: true },
      }[state] ?? { state, tie: false };
      const before = change(chosen);
      goOn();
      const said = { left: "The first is better", right: "The second is better", tie: "Equally good" }[state] ?? (state === "skipped" ? "Skipped" : "Cannot tell");
      return { key, before, said };
    },
    amend: (fields) => change(fields),
    goOn,
    takeBack: ({ key, before }) => {
      const now = storage.get(key);
      storage.put({ ...now, ...(before ?? { state: OPEN, tie: false }), seconds: now.seconds, at: timeAfter(now) });
      known.clear();
      goOn();
    },
    latest: () => {
      const decided = records();
      if (decided.length === 0) return null;
      const [key] = decided.reduce((last, other) => (other[1].at > last[1].at ? other : last));
      return { key, before: undefined };
    },
    progress: () => {
      let left = 0;
      for (const group of asked) {
        const { levels, aside } = stateOf(group);
        left += comparisonsLeft(levels, aside, group.documents.length);
      }
      const decided = records();
      const counts = { compared: 0, skipped: 0, "cannot tell": 0 };
      for (const [, record] of decided) counts[record.state] += 1;
      const seconds = decided.reduce((sum, [, record]) => sum + record.seconds, 0);
      return { done: decided.length, all: decided.length + (pair === null ? 0 : Math.max(1, left)), seconds, counts };
    },
    skippedPlace: () => -1,
  };
};
