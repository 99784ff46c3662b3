// Records of answers: one for each document of a topic, or for each pair of documents; the latest of several counts.
// state: "graded", "skipped", "cannot tell"; "compared" of pairs; "open" where nothing is decided (any more).
const OPEN = "open";

const keyOf = (record) =>
  record.document === undefined
    ? "p" + JSON.stringify([record.topic, ...[record.better, record.worse].sort()])
    : "a" + JSON.stringify([record.topic, record.document]);

const isLater = (record, other) =>
  other === undefined || record.at > other.at || (record.at === other.at && JSON.stringify(record) > JSON.stringify(other));

const isDecided = (record) => record !== undefined && record.state !== OPEN;

const isRecord = (value) =>
  typeof value === "object" && value !== null && typeof value.topic === "string" && !Number.isNaN(Date.parse(value.at)) &&
  (typeof value.document === "string" || (typeof value.better === "string" && typeof value.worse === "string"));

// A time for a change of a record: now, but never before what it replaces, whatever clock that was written by.
const timeAfter = (before, now = Date.now()) => {
  const earlier = before === undefined ? -Infinity : Date.parse(before.at);
  return new Date(Math.max(now, earlier + 1)).toISOString();
};

// What is saved to a file, in the layout that `gainful judge --collect` reads; answers taken back are there as open.
const answersFile = (page, records, order) => {
  const place = (key) => order.get(key) ?? 0;
  const sorted = Array.from(records.entries()).sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1)).map(([, record]) => record);
  return {
    gainful_answers: 1,
    study: page.study,
    assessor: page.assessor,
    adjudication: page.others,
    saved: new Date().toISOString(),
    answers: sorted.filter((record) => record.document !== undefined),
    preferences: sorted.filter((record) => record.document === undefined),
  };
};
