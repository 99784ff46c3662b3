// Which two documents to compare next: each is put into the order of those before it by halving, so that n documents
// take about n · log2(n) comparisons. The order follows from the answers alone, so it is the same after a reload.

// The documents of one topic in levels, best first, as far as they are compared; and the pair to be compared next.
const comparedSoFar = (topic, documents, get) => {
  const levels = [];
  const aside = [];
  for (const document of documents) {
    let [low, high] = [0, levels.length];
    let pending = null;
    let level = null;
    while (low < high && pending === null && level === null) {
      const middle = (low + high) >> 1;
      const other = levels[middle][0];
      const record = get(keyOf({ topic, better: document, worse: other }));
      if (!isDecided(record)) pending = [document, other];
      else if (record.state === "skipped" || record.state === "cannot tell") level = -1;
      else if (record.tie) level = middle;
      else if (record.better === document) high = middle;
      else low = middle + 1;
    }
    if (pending !== null) return { levels, aside, pending };
    if (level === -1) aside.push(document);
    else if (level !== null) levels[level].push(document);
    else levels.splice(low, 0, [document]);
  }
  return { levels, aside, pending: null };
};

// Which of the two stands on the left: by their names, so that neither the newer nor the better one always does.
const shownInOrder = (topic, [first, second]) => {
  let hash = 7;
  for (const letter of [topic, ...[first, second].sort()].join("\n")) hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
  return (hash >>> 3) % 2 === 0 ? [first, second].sort() : [first, second].sort().reverse();
};

// How many comparisons are left at most, about: what halving takes for each document that has no place yet.
const comparisonsLeft = (levels, aside, documents) => {
  const placed = levels.reduce((sum, level) => sum + level.length, 0) + aside.length;
  let left = 0;
  for (let size = Math.max(1, levels.length), place = placed; place < documents; size += 1, place += 1) left += Math.ceil(Math.log2(size + 1));
  return left;
};
