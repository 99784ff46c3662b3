// Tables that sort by a click or a key on the head of a column. Cells tell their value in data-value; others sort as text.
const collator = new Intl.Collator("en", { numeric: true });

const keyOf = (cell) => {
  const value = cell.dataset.value;
  if (value === undefined) return cell.textContent.trim();
  if (value === "") return null;
  return Number.isNaN(Number(value)) ? value : Number(value);
};

const compare = (a, b) => {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return collator.compare(String(a), String(b));
};

const ordered = (keyed, direction) => {
  // pairs of key and thing by key; those without a key stand last, whichever way
  const known = keyed.filter(([key]) => key !== null).sort((a, b) => direction * compare(a[0], b[0]));
  return [...known, ...keyed.filter(([key]) => key === null)].map(([, thing]) => thing);
};

const redraws = new Map(); // tables that hold more rows than they show: how they are written anew in another order

const sortTable = (table, column, direction) => {
  const body = table.tBodies[0];
  if (redraws.has(table)) redraws.get(table)(column, direction);
  else body.append(...ordered(Array.from(body.rows, (row) => [keyOf(row.cells[column]), row]), direction));
  for (const [place, head] of Array.from(table.tHead.rows[0].cells).entries()) {
    if (head.hasAttribute("aria-sort")) {
      head.setAttribute("aria-sort", place !== column ? "none" : direction > 0 ? "ascending" : "descending");
    }
  }
};

const sorting = (table) => {
  // the column that a table is sorted by, and the direction; none at first
  const heads = Array.from(table.tHead.rows[0].cells, (head) => head.getAttribute("aria-sort"));
  const column = heads.findIndex((way) => way === "ascending" || way === "descending");
  return column < 0 ? null : [column, heads[column] === "ascending" ? 1 : -1];
};

const makeSortable = (table) => {
  table.tHead.addEventListener("click", (event) => {
    const head = event.target.closest("th[aria-sort]");
    if (head === null || event.target.closest("button") === null) return;
    const was = head.getAttribute("aria-sort");
    const first = head.classList.contains("name") ? 1 : -1; // numbers: the largest first
    const direction = was === "none" ? first : was === "ascending" ? -1 : 1;
    sortTable(table, head.cellIndex, direction);
    say(`Sorted by ${head.textContent.trim()}, ${direction > 0 ? "ascending" : "descending"}.`);
  });
};
