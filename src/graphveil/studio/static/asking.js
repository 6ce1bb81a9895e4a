// Asking the server, and the two texts of what is about to be done.

export async function ask(path, form = {}) {
  try {
    const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(form) });
    return answer.ok ? await answer.json() : { problem: await answer.text() };
  } catch {
    return { problem: "The studio does not answer. Is it still running in the terminal?" };
  }
}

const SEED = /^(--)?seed=\d/;  // a secret, blurred until somebody points at it

export function showTexts({ command, script }) {
  if (command === undefined) return;
  document.getElementById("text-command").replaceChildren(...command.split(/(\s+)/).map(word));
  document.getElementById("text-script").replaceChildren(...script.split(/(seed=\d+)/).map((part) => (SEED.test(part) ? word(part) : part)));
}

// A part of a command that stays on one line if it can; blanks are as they are.
function word(text) {
  if (!text.trim()) return text;
  const part = document.createElement("span");
  part.append(...text.split(DIRECTIONS).map((piece, i) => (i % 2 ? mark(piece) : piece)));
  if (SEED.test(text)) part.className = "secret";
  return part;
}

// Says which marks a path has that turn the direction of text: its box cannot show them.
export function showMarks(input) {
  const place = input.closest(".field")?.querySelector(".marks");
  if (!place) return;
  const shown = input.value.replace(new RegExp(DIRECTIONS, "g"), (mark_) => `\\u${mark_.charCodeAt(0).toString(16).padStart(4, "0")}`);
  place.textContent = shown === input.value ? "" : `This path has marks that turn the direction of text: ${shown}`;
}

// Marks that turn the direction of text: in a box of its own, a mark turns nothing but is still copied.
const DIRECTIONS = /([\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])/;

function mark(text) {
  const box = document.createElement("span");
  box.className = "mark";
  box.textContent = text;
  return box;
}

// The latest call wins: while one is under way, only the newest of the others waits.
export function latest(call) {
  let running = false, waiting = null;
  return async function next(...values) {
    if (running) { waiting = values; return; }
    running = true;
    try {
      await call(...values);
    } finally {
      running = false;
      if (waiting) { const values = waiting; waiting = null; next(...values); }
    }
  };
}

export function later(delay, call) {
  let timer;
  const soon = (...values) => { clearTimeout(timer); timer = setTimeout(() => call(...values), delay); };
  soon.cancel = () => clearTimeout(timer);
  return soon;
}

// What a form holds: text, true or false for a single box, a list for several of one name.
export function contents(form) {
  const found = {};
  for (const field of form.elements) {
    if (!field.name) continue;
    if (field.type !== "checkbox") found[field.name] = field.value;
    else if (field.hasAttribute("value")) (found[field.name] ??= []).push(...(field.checked ? [field.value] : []));
    else found[field.name] = field.checked;
  }
  return found;
}

export function complain(form, { problem = "", field = "" }, focus = true) {
  const place = form?.querySelector(".problem") ?? document.querySelector("main .problem");
  if (place) place.textContent = problem;
  if (!form) return;
  for (const each of form.elements) each.removeAttribute("aria-invalid");
  const wrong = problem && (form.elements[field] ?? form.querySelector("input:not([type=hidden])"));
  if (wrong?.setAttribute) {
    wrong.setAttribute("aria-invalid", "true");
    if (focus) wrong.focus();
  }
}
