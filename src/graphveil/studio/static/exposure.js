// The page Exposure: one audit over many k; moving k needs no server.

import { ask, later, latest, showTexts } from "./asking.js";
import { explore, lineAt } from "./charts.js";
import { drawing } from "./svg.js";

const at = (id) => document.getElementById(id);
const number = (value) => value.toLocaleString("en");

const AWHILE = 1000;  // milliseconds in which a k of this tab is the latest
let moved = 0;
let follow = () => {};  // shows a k that another tab has chosen
document.addEventListener("k", (event) => { if (performance.now() - moved > AWHILE) follow(event.detail); });

export async function exposure() {
  if (!at("k-slider")) return;
  const { before: audit, k: chosen, looked_up: person } = await (await fetch("/audit.json")).json();
  if (!audit) return;
  if (person) pointAt(person);
  if (person && at("looked-up-drawing")) drawing(at("looked-up-drawing"), person.around, person.sentence);
  explore(at("groups"), members);
  const move = lineAt(at("groups"));
  const red = [...at("groups").querySelectorAll("circle.small")].at(-1);
  if (red && at("group-drawing").hasAttribute("hidden")) members(red);
  const positions = new Map(audit.k.map((k, i) => [k, i]));
  const save = latest(async (k) => {
    moved = performance.now();
    const answer = await ask("/do/k", { k });
    moved = performance.now();
    showTexts(answer);
    at("k-problem").textContent = answer.problem ?? "";
    at("k-box").setAttribute("aria-invalid", String(Boolean(answer.problem)));
  });
  const saveLater = later(350, save);

  function show(k) {
    const i = positions.get(k);
    move(k);
    for (const row of document.querySelectorAll("[data-attacker]")) {
      const found = audit.attackers.find((each) => each.name === row.dataset.attacker).exposures[i];
      const set = (name, text) => { row.querySelector(`[data-figure=${name}]`).textContent = text; };
      set("exposed", number(found.exposed));
      set("share", found.percent);
      set("people", number(found.people));
    }
    at("verdict-share").textContent = audit.verdicts[i].share;
    at("verdict-words").textContent = audit.verdicts[i].words;
    at("verdict").classList.toggle("safe", audit.verdicts[i].safe);
    at("verdict").dataset.k = k;
    at("k-print").textContent = k;
    document.dispatchEvent(new CustomEvent("k-shown", { detail: k }));
    at("k-slider").setAttribute("aria-valuetext", `k = ${k}`);
  }

  follow = (k) => {
    at("k-box").value = k;
    if (!positions.has(k)) return;
    at("k-slider").value = k;
    show(k);
  };
  at("k-slider").addEventListener("input", () => {
    const k = Number(at("k-slider").value);
    at("k-box").value = k;
    show(k);
    save(k);
  });
  at("k-box").addEventListener("input", () => {
    const text = at("k-box").value.trim();
    const k = /^[0-9]+$/.test(text) ? Number(text) : null;
    if (!positions.has(k)) return saveLater(text);
    at("k-slider").value = k;
    show(k);
    saveLater(k);
  });
  for (const button of document.querySelectorAll("[data-around]")) {
    button.addEventListener("click", () => pointAt(look(button, audit)));
  }
  const first = document.querySelector("[data-around]");
  if (first) look(first, audit);
  show(positions.has(chosen) ? chosen : audit.k.at(-1));
}

function look(button, audit) {
  const [name, place] = button.dataset.around.split(":");
  const found = audit.attackers.find((each) => each.name === name).most_exposed[place];
  for (const each of document.querySelectorAll("[data-around]")) each.setAttribute("aria-pressed", String(each === button));
  drawing(at("drawing"), found.around, found.sentence);
  at("drawing-words").textContent = found.sentence;
  return found;
}

// In the picture of the network too.
function pointAt({ labels }) {
  document.dispatchEvent(new CustomEvent("looked-up", { detail: labels }));
}

// The people of a group: the first of its friendships, and how many there are.
async function members(dot) {
  const answer = await fetch(`/group/${dot.dataset.label}`);
  if (!answer.ok) { at("group-words").textContent = "This group is too large to point at anybody."; return at("group-drawing").setAttribute("hidden", ""); }
  const found = await answer.json();
  drawing(at("group-drawing"), found.around, found.sentence);
  at("group-words").textContent = found.sentence;
  pointAt(found);
}
