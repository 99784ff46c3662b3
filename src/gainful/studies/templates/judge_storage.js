// Where records are kept: in the browser's storage, one entry for each, written at every click; other tabs are heard.
const createStorage = (study, assessor, changed) => {
  const prefix = `gainful-judge/${study}/${assessor}/`;
  const records = new Map();
  const unwritten = new Set(); // keys that the browser has refused to keep
  let fault = "";

  const stored = (key) => {
    try {
      const value = JSON.parse(localStorage.getItem(prefix + key) ?? "null");
      return isRecord(value) ? value : undefined;
    } catch {
      return undefined;
    }
  };

  const write = (key) => {
    try {
      const there = stored(key);
      if (there === undefined || isLater(records.get(key), there)) localStorage.setItem(prefix + key, JSON.stringify(records.get(key)));
      unwritten.delete(key);
    } catch (error) {
      unwritten.add(key);
      fault = error instanceof DOMException && error.name === "QuotaExceededError" ? "is full" : "cannot be used";
    }
  };

  const rewrite = () => {
    for (const key of Array.from(unwritten)) write(key);
    if (unwritten.size === 0) fault = "";
  };

  // Takes a record where it is later than the one that is known; whether it was.
  const take = (record, from = "") => {
    const key = keyOf(record);
    if (!isLater(record, records.get(key))) return false;
    records.set(key, record);
    if (from !== "storage") write(key);
    return true;
  };

  const readAll = () => {
    let news = false;
    try {
      for (let place = 0; place < localStorage.length; place += 1) {
        const name = localStorage.key(place);
        if (!name.startsWith(prefix)) continue;
        const record = stored(name.slice(prefix.length));
        if (record !== undefined && keyOf(record) === name.slice(prefix.length)) news = take(record, "storage") || news;
      }
    } catch {
      fault = "cannot be used";
    }
    return news;
  };

  const heard = (key) => {
    const record = stored(key);
    // A tab may have written over a later answer of this one that it had not heard of: the later one is put back.
    if (record !== undefined && isLater(record, records.get(key))) take(record, "storage");
    else if (records.has(key)) write(key);
    changed();
  };

  addEventListener("storage", (event) => {
    if (event.storageArea !== localStorage) return;
    if (event.key === null) {
      for (const key of records.keys()) write(key); // somebody has cleared the storage
    } else if (event.key.startsWith(prefix)) heard(event.key.slice(prefix.length));
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && readAll()) changed();
  });

  try {
    localStorage.setItem(`${prefix}opened`, new Date().toISOString());
  } catch {
    fault = "cannot be used";
  }
  readAll();

  return {
    records,
    get: (key) => records.get(key),
    put: (record) => {
      take(record);
      rewrite();
    },
    takeAll: (given) => given.filter((record) => isRecord(record) && take({ ...record, at: new Date(record.at).toISOString() })).length,
    unwritten: () => unwritten.size,
    fault: () => fault,
    note: (name, value) => {
      try {
        localStorage.setItem(prefix + name, value);
      } catch {
        // a preference only
      }
    },
    noted: (name) => {
      try {
        return localStorage.getItem(prefix + name);
      } catch {
        return null;
      }
    },
  };
};
