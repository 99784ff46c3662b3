// Instructions as Markdown: headings, lists, tables, code, emphasis and links. Plain words stay as they were written.
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/;
const FENCE = /^ {0,3}```/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/; // below the head of a table
const INLINE =
  /\*\*(?<strong>[^\s*](?:.*?\S)?)\*\*|\*(?<em>[^\s*](?:[^*]*[^\s*])?)\*|(?<![\p{L}\p{N}_])_(?<low>[^\s_](?:[^_]*[^\s_])?)_(?![\p{L}\p{N}_])|`(?<code>[^`]+)`|\[(?<words>[^\]]+)\]\((?<address>https?:\/\/[^\s)]+)\)/gsu;

const inline = (text) => {
  const parts = [];
  let upto = 0;
  for (const match of text.matchAll(INLINE)) {
    const { strong, em, low, code, words, address } = match.groups;
    parts.push(text.slice(upto, match.index));
    if (code !== undefined) parts.push(node("code", {}, code));
    else if (address !== undefined) parts.push(node("a", { href: address, target: "_blank", rel: "noreferrer" }, words));
    else if (strong !== undefined) parts.push(node("strong", {}, ...inline(strong)));
    else parts.push(node("em", {}, ...inline(em ?? low)));
    upto = match.index + match[0].length;
  }
  return [...parts, text.slice(upto)].filter((part) => part !== "");
};

// The elements of a text; each reader takes lines from `at` on and gives an element and the line after it.
const markdown = (text) => {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const made = [];
  for (let at = 0; at < lines.length; ) {
    if (lines[at].trim() === "") { at += 1; continue; }
    const [element, after] = blockReader(lines, at)(lines, at);
    made.push(element);
    at = after;
  }
  return made;
};

const blockReader = (lines, at) => {
  if (HEADING.test(lines[at])) return headingFrom;
  if (FENCE.test(lines[at])) return codeFrom;
  if (ITEM.test(lines[at])) return listFrom;
  return lines[at].includes("|") && RULE.test(lines[at + 1] ?? "") ? tableFrom : paragraphFrom;
};

// The page has two levels of headings above those of the instructions.
const headingFrom = (lines, at) => {
  const [, marks, words] = HEADING.exec(lines[at]);
  return [node(`h${Math.min(marks.length + 2, 6)}`, { dir: "auto" }, ...inline(words)), at + 1];
};

const codeFrom = (lines, at) => {
  const rest = lines.findIndex((line, place) => place > at && FENCE.test(line));
  const end = rest < 0 ? lines.length : rest;
  return [node("pre", {}, lines.slice(at + 1, end).join("\n")), end + 1];
};

const paragraphFrom = (lines, at) => {
  let end = at + 1;
  const ends = (line) => line.trim() === "" || HEADING.test(line) || FENCE.test(line) || /^\s*(?:[-*+]|1[.)])\s/.test(line);
  while (end < lines.length && !ends(lines[end])) end += 1;
  return [node("p", { dir: "auto" }, ...inline(lines.slice(at, end).join("\n"))), end];
};

// Lines that are indented below an item, or follow it without an empty line, belong to it.
const listFrom = (lines, from) => {
  const [, indent, mark] = ITEM.exec(lines[from]);
  const ordered = /\d/.test(mark);
  const items = [];
  let at = from;
  for (; at < lines.length; at += 1) {
    const item = ITEM.exec(lines[at]);
    const apart = items.at(-1)?.at(-1)?.trim() === "";
    if (item !== null && item[1].length <= indent.length + 1) {
      if (/\d/.test(item[2]) !== ordered) break;
      items.push([item[3]]);
    } else if (lines[at].trim() === "" || /^\s/.test(lines[at]) || !(apart || HEADING.test(lines[at]) || FENCE.test(lines[at]))) {
      items.at(-1).push(lines[at].replace(/^(?: {1,4}|\t)/, ""));
    } else break;
  }
  const made = items.map((item) => {
    const [first, ...others] = markdown(item.join("\n"));
    return node("li", { dir: "auto" }, ...(first?.localName === "p" ? first.childNodes : [first]), ...others);
  });
  return [node(ordered ? "ol" : "ul", ordered ? { start: Number.parseInt(mark, 10) } : {}, ...made), at];
};

const tableFrom = (lines, from) => {
  let end = from + 2;
  while (end < lines.length && lines[end].includes("|")) end += 1;
  const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => inline(cell.trim()));
  const [head, ...rows] = [lines[from], ...lines.slice(from + 2, end)].map(cells);
  const row = (kind, all) => node("tr", {}, ...all.map((cell) => node(kind, { dir: "auto" }, ...cell)));
  return [node("table", {}, node("thead", {}, row("th", head)), node("tbody", {}, ...rows.map((all) => row("td", all)))), end];
};
