// The page Exposure: one audit over many k; moving k needs no server.

import { ask, later, latest, showTexts } from "./asking.js";
import { explore, lineAt } from "./charts.js";
import { drawing } from "./svg.js";

const at = (id) => document.getElementById(id);
const number = (value) => value.toLocaleString("en");

const AWHILE = 1000;  // milliseconds in which a k of this tab is the latest
let moved = 0;
let follow = () => {};  // shows a k that another tab has chosen
let lookedUp = "";  // whoever was looked up last
document.addEventListener("k", (event) => { if (performance.now() - moved > AWHILE) follow(event.detail); });

export async function exposure() {
  if (!at("k-slider")) return;
  const { before: audit, k: chosen, looked_up: person } = await (await fetch("/audit.json")).json();
  if (!audit) return;
  for (const id of ["within-form", "drawing"]) at(id).closest("[hidden]:not(svg)")?.removeAttribute("hidden");
  explore(at("groups"), members);
  for (const button of document.querySelectorAll("[data-around]")) button.onclick = () => choose(look(button, audit));
  if (person && person.sentence !== lookedUp) choose(person);
  else if (at("drawing").hasAttribute("hidden") && document.querySelector("[data-around]")) draw(look(document.querySelector("[data-around]"), audit));
  lookedUp = person?.sentence ?? "";
  slide(audit, chosen);
}

function slide(audit, chosen) {
  const move = lineAt(at("groups")), positions = new Map(audit.k.map((k, i) => [k, i]));
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
    const i = positions.get(k), verdict = audit.verdicts[i];
    move(k);
    for (const row of document.querySelectorAll("[data-attacker]")) {
      const found = audit.attackers.find((each) => each.name === row.dataset.attacker), exposure = found.exposures[i];
      const figures = { people: number(exposure.people), share: exposure.percent, roughly: found.roughly ? number(found.roughly[i]) : "–" };
      for (const cell of row.querySelectorAll("[data-figure]")) cell.textContent = figures[cell.dataset.figure];
    }
    for (const name of ["share", "words", "worst", "most"]) at(`verdict-${name}`).textContent = verdict[name] ?? "";
    at("verdict").classList.toggle("safe", verdict.safe);
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
  at("k-slider").oninput = () => {
    const k = Number(at("k-slider").value);
    at("k-box").value = k;
    show(k);
    save(k);
  };
  at("k-box").oninput = () => {
    const text = at("k-box").value.trim();
    const k = /^[0-9]+$/.test(text) ? Number(text) : null;
    if (!positions.has(k)) return saveLater(text);
    at("k-slider").value = k;
    show(k);
    saveLater(k);
  };
  if (!at("k-box").value) follow(chosen);  // else somebody is typing
  show(positions.has(Number(at("k-slider").value)) ? Number(at("k-slider").value) : audit.k.at(-1));
}

function look(button, audit) {
  const [name, place] = button.dataset.around.split(":");
  for (const each of document.querySelectorAll("[data-around]")) each.setAttribute("aria-pressed", String(each === button));
  return audit.attackers.find((each) => each.name === name).most_exposed[place];
}

function draw(found) {
  drawing(at("drawing"), found.around, found.sentence);
  at("drawing-words").textContent = found.sentence;
}

// In the picture of the network too.
function choose(found) {
  draw(found);
  document.dispatchEvent(new CustomEvent("looked-up", { detail: found.labels }));
}

// The people of a group: the first of its friendships, and how many there are.
async function members(dot) {
  const answer = await fetch(`/group/${dot.dataset.label}`);
  if (answer.ok) return choose(await answer.json());
  at("drawing-words").textContent = "This group is too large to point at anybody.";
}
