// The way to the server, where the page is served: every record is sent until the server says that it is on its disk.
const createServerLink = (served, storage, changed) => {
  const confirmed = new Map(); // key → time of the record that the server has
  let sending = false;
  let failures = 0;
  let fault = "";
  let timer = null;

  const waiting = () =>
    Array.from(storage.records.entries()).filter(([key, record]) => (confirmed.get(key) ?? "") < record.at).map(([, record]) => record);

  const settle = (reply) => {
    for (const record of reply.records) {
      confirmed.set(keyOf(record), record.at);
      storage.takeAll([record]);
    }
  };

  const explained = async (response) => {
    if (response.status === 401 || response.status === 403) return "Your session has ended: load this page again and log in.";
    const reply = await response.json().catch(() => ({}));
    return `The server refuses: ${reply.said ?? response.status}`;
  };

  const post = async (records) => {
    const response = await fetch(served.address, {
      method: "POST",
      headers: { Accept: "application/json", "Content-Type": "application/json", "X-Gainful-Token": served.token },
      body: JSON.stringify({ study: served.study, records }),
      redirect: "error",
    });
    if (!response.ok) throw new Error(await explained(response));
    settle(await response.json());
  };

  const send = async () => {
    if (sending) return;
    sending = true;
    clearTimeout(timer);
    try {
      for (let records = waiting(); records.length > 0; records = waiting()) await post(records.slice(0, 50));
      failures = 0;
      fault = "";
    } catch (error) {
      failures += 1;
      fault = error instanceof TypeError ? "The server cannot be reached." : error.message;
      timer = setTimeout(send, Math.min(30_000, 500 * 2 ** failures));
    }
    sending = false;
    changed();
  };

  addEventListener("online", send);
  return {
    begin: (records) => {
      for (const record of records) confirmed.set(keyOf(record), record.at);
      send();
    },
    send,
    waiting: () => waiting().length,
    fault: () => fault,
  };
};
