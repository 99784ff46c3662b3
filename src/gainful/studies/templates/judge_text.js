// Queries and documents as they are shown. Whatever a text holds, it becomes text.
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’][\p{L}\p{N}\p{M}]+)*/gu;
const MOST_MARKED = 2_000;

// The text with the words of the query marked.
const marked = (text, words) => {
  const parts = [];
  let upto = 0;
  let count = 0;
  for (const match of text.matchAll(WORD)) {
    if (!words.has(match[0].normalize("NFKC").toLowerCase())) continue;
    parts.push(text.slice(upto, match.index), node("mark", {}, match[0]));
    upto = match.index + match[0].length;
    count += 1;
    if (count >= MOST_MARKED) break;
  }
  return [...parts, text.slice(upto)].filter((part) => part !== "");
};

const paragraphs = (text, words) =>
  text.split(/\n\s*\n/).filter((part) => part.trim() !== "").map((part) => node("p", { dir: "auto" }, ...marked(part, words)));

const topicView = (topic, place, count) => [
  node("p", { class: "place" }, `Query ${place + 1} of ${count} · `, isolated(topic.topic)),
  node("h1", { id: "query", dir: "auto" }, topic.query || topic.topic),
  topic.description ? node("p", { class: "description", dir: "auto" }, topic.description) : null,
].filter((child) => child !== null);

const documentView = (id, text, words, label) => {
  const title = text?.title || "";
  const body = text?.text || "";
  return [
    node("p", { class: "place", "data-document": id }, title === "" ? label.replace(/ · $/, "") : label, title === "" ? null : isolated(id)),
    node("h2", { tabindex: "-1", dir: "auto" }, ...(title === "" ? [id] : marked(title, words))),
    body === ""
      ? node("p", { class: "missing" }, "This study holds no text for this document. Judge it by its title and id, or choose “Cannot tell”.")
      : node("div", { class: "text" }, ...paragraphs(body, words)),
  ];
};
