"use strict";

/* What a measure is worth for one list: the operations that recorded_measure.py took down, done on numbers.

   list      grades in rank order, null where nobody judged the document
   missed    grades of judged documents that the list does not have
   expected  how many relevant documents the reader expected to find

   A list is {rank, grade}, the judged documents of it alone; a value is a number, or an array with one for each of them. */

const measureProgram = (() => {
  const each = (operation) => (...inputs) => {
    const lists = inputs.filter(Array.isArray);
    if (!lists.length) return operation(...inputs);
    return lists[0].map((_, place) => operation(...inputs.map((x) => (Array.isArray(x) ? x[place] : x))));
  };
  const along = (documents, x) => documents.rank.map((_, place) => Number(Array.isArray(x) ? x[place] : x));
  const kept = (documents, where) => {
    const there = documents.rank.map((_, place) => (Array.isArray(where) ? where[place] : where));
    return { rank: documents.rank.filter((_, place) => there[place]), grade: documents.grade.filter((_, place) => there[place]) };
  };
  const bestFirst = (grades) => ({ rank: grades.map((_, place) => place + 1), grade: [...grades].sort((a, b) => b - a) });
  const evenHalves = (x) => {
    const whole = Math.round(x);
    return Math.abs(x - Math.trunc(x)) === 0.5 && whole % 2 ? whole - 1 : whole;
  };

  const operations = {
    add: each((x, y) => Number(x) + Number(y)),
    subtract: each((x, y) => x - y),
    multiply: each((x, y) => x * y),
    divide: each((x, y) => x / y),
    power: each((x, y) => x ** y),
    ge: each((x, y) => x >= y),
    gt: each((x, y) => x > y),
    le: each((x, y) => x <= y),
    lt: each((x, y) => x < y),
    eq: each((x, y) => Number(x) === Number(y)),
    ne: each((x, y) => Number(x) !== Number(y)),
    and: each((x, y) => Boolean(x && y)),
    or: each((x, y) => Boolean(x || y)),
    not: each((x) => !x),
    maximum: each(Math.max),
    minimum: each(Math.min),
    where: each((condition, x, y) => (condition ? x : y)),
    log2: each(Math.log2),
    log: each(Math.log),
    exp: each(Math.exp),
    sqrt: each(Math.sqrt),
    floor: each(Math.floor),
    ceil: each(Math.ceil),
    abs: each(Math.abs),
    round: each(evenHalves),
    isnan: each((x) => Number.isNaN(x)),
    isfinite: each((x) => Number.isFinite(x)),
    take: (table, place) => each((at) => table[at])(place),

    rank: (documents) => documents.rank,
    grade: (documents) => documents.grade,
    cut: (documents, last) => kept(documents, documents.rank.map((rank) => rank <= last)),
    only: kept,
    best_first: (documents) => bestFirst(documents.grade),
    total: (documents, x, where) => terms(documents, x, where).reduce((sum, term) => sum + term, 0),
    most: (documents, x, where) => terms(documents, x, where).reduce((most, term) => Math.max(most, term), 0),
    running: (documents, x) => {
      let sum = 0;
      return along(documents, x).map((term) => (sum += term));
    },
    surviving: (documents, stop) => {
      let left = 1;
      return along(documents, stop).map((chance) => {
        const arrived = left;
        left *= 1 - chance;
        return arrived;
      });
    },
    following: (documents, end) => documents.rank.map((_, place) => documents.rank[place + 1] ?? end),
    at: (documents, x, other, ahead) => {
      const standing = along(documents, x);
      return other.rank.map((rank) => standing[documents.rank.filter((reached) => reached <= rank + ahead).length - 1] ?? 0);
    },
    ideal_rank: (documents) => documents.grade.map((grade, place) =>
      input.judged.grade.filter((better) => better > grade).length
      + documents.grade.slice(0, place + 1).filter((alike) => alike === grade).length),
    run: () => input.run,
    judged: () => input.judged,
    retrieved: () => input.retrieved,
    best_grade: () => Math.max(0, ...input.judged.grade),
    expected: () => input.expected,
  };
  let input;

  /** What is summed up: x at each document where it holds, 0 elsewhere. */
  function terms(documents, x, where) {
    const numbers = along(documents, x);
    return along(documents, where).map((holds, place) => (holds ? numbers[place] : 0));
  }

  /** The result of every operation; the last is the value. */
  function results(program, { list, missed = [], expected = 0 }) {
    const places = list.map((_, place) => place).filter((place) => list[place] !== null);
    input = {
      run: { rank: places.map((place) => place + 1), grade: places.map((place) => list[place]) },
      judged: bestFirst([...list.filter((grade) => grade !== null), ...missed]),
      retrieved: list.length,
      expected,
    };
    const done = [];
    for (const [operation, ...inputs] of program) {
      const values = inputs.map((each) => ("of" in each ? done[each.of] : typeof each.is === "string" ? Number(each.is) : each.is));
      done.push(operations[operation](...values));
    }
    return done;
  }

  return { results, terms };
})();

if (typeof module !== "undefined") module.exports = measureProgram;
