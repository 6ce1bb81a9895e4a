// Tables whose headings sort the rows. The order outlives a redrawing.

const chosen = new Map();  // from a table's id to a column and whether it ascends

export function sortable(table) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    head.querySelector("button")?.addEventListener("click", () => {
      chosen.set(table.id, [column, head.getAttribute("aria-sort") !== "ascending"]);
      order(table);
    });
  });
  order(table);
}

function order(table) {
  const [column, ascends] = chosen.get(table.id) ?? [];
  if (column === undefined) return;
  [...table.tHead.rows[0].cells].forEach((head, i) => {
    if (i === column) head.setAttribute("aria-sort", ascends ? "ascending" : "descending"); else head.removeAttribute("aria-sort");
  });
  const value = (row) => { const text = row.cells[column]?.dataset.value; return text === undefined ? Infinity : isNaN(text) ? text : Number(text); };
  const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
  table.tBodies[0].append(...[...table.tBodies[0].rows].sort((one, other) => compare(value(one), value(other)) * (ascends ? 1 : -1)));
}
