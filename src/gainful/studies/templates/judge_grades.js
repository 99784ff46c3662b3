// Grades: one document at a time, in the order of the assignment.
const createGrading = (page, storage, clock) => {
  const items = page.items.map(([topic, document, known, others], place) => ({
    place, topic: page.topics[topic], topicPlace: topic, document, known, others,
    key: keyOf({ topic: page.topics[topic].topic, document }),
  }));
  const order = new Map(items.map((item) => [item.key, item.place]));
  const wordsOf = page.topics.map((topic) => new Set(topic.words));
  const labels = new Map(page.scale.map((level) => [level.grade, level.label]));
  let here = 0;
  let learned = null; // the calibration document whose known grade is being shown

  const recordOf = (item) => storage.get(item.key);
  const done = (item) => isDecided(recordOf(item));
  const openFrom = (start) => {
    for (let step = 0; step < items.length; step += 1) {
      const place = (start + step) % items.length;
      if (!done(items[place])) return place;
    }
    return -1;
  };
  const goTo = (place) => {
    learned = null;
    here = place;
    clock.restart();
  };
  const goOn = () => goTo(openFrom(here)); // −1: nothing is open

  const change = (fields) => {
    const item = items[here];
    const before = recordOf(item);
    const base = before ?? { topic: item.topic.topic, document: item.document, grade: null, state: OPEN, reason: "", known: false, seconds: 0 };
    const seconds = Math.round((base.seconds + clock.read()) * 10) / 10;
    clock.restart();
    storage.put({ ...base, ...fields, seconds, at: timeAfter(before) });
    return before;
  };

  const spoken = (record) => (record.state === "graded" ? `Graded ${record.grade}, ${labels.get(record.grade) ?? ""}` : record.state === "skipped" ? "Skipped" : "Cannot tell");

  return {
    items,
    order,
    labels,
    start: () => goTo(openFrom(0)),
    current: () => (here < 0 ? null : items[here]),
    record: () => (here < 0 ? undefined : recordOf(items[here])),
    learned: () => learned,
    words: (item) => wordsOf[item.topicPlace],
    // Notes an answer and goes on, or shows the known grade first.
    answer: (state, grade = null) => {
      const item = items[here];
      const first = !done(item);
      const before = change({ state, grade });
      const said = spoken(storage.get(item.key));
      if (item.known !== null && state === "graded" && first) learned = item;
      else goOn();
      return { key: item.key, before, place: item.place, said };
    },
    amend: (fields) => change(fields),
    goOn,
    goTo,
    nextOpen: () => goTo(openFrom((here + 1) % items.length)),
    step: (by) => goTo(here < 0 ? items.length - 1 : Math.min(items.length - 1, Math.max(0, here + by))),
    takeBack: ({ key, before, place }) => {
      const now = storage.get(key);
      storage.put({ ...now, ...(before ?? { grade: null, state: OPEN }), seconds: now.seconds, at: timeAfter(now) });
      goTo(place ?? order.get(key) ?? 0);
    },
    // The answer that was given last, for an undo after a reload.
    latest: () => {
      const decided = items.filter(done);
      if (decided.length === 0) return null;
      const item = decided.reduce((last, other) => (recordOf(other).at > recordOf(last).at ? other : last));
      return { key: item.key, before: undefined, place: item.place };
    },
    progress: () => {
      const counts = { graded: 0, skipped: 0, "cannot tell": 0 };
      let seconds = 0;
      for (const item of items) {
        const record = recordOf(item);
        if (record === undefined) continue;
        seconds += record.seconds;
        if (isDecided(record)) counts[record.state] += 1;
      }
      const decided = counts.graded + counts.skipped + counts["cannot tell"];
      return { done: decided, all: items.length, seconds, counts };
    },
    skippedPlace: () => items.findIndex((item) => recordOf(item)?.state === "skipped"),
  };
};
