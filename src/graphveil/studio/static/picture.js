// The network as a picture: coloured by attacker, with what was changed; a person, their friends, and mutual friends.

import { network } from "./network.js";

const at = (id) => document.getElementById(id);
const number = (value) => value.toLocaleString("en");
const counted = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;
const MOST_LISTED = 30;
const ARRAYS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };

let shown = null;  // the picture of this page
let chosenK = 0, lookedUp = [];
document.addEventListener("k-shown", (event) => { chosenK = event.detail; shown?.colour(); });
document.addEventListener("looked-up", (event) => { lookedUp = event.detail; shown?.selectNamed(lookedUp); });

export async function picture() {
  const canvas = at("picture-canvas");
  if (!canvas || canvas === shown?.canvas) return;
  const found = await (await fetch("/picture.json")).json();
  if (!found.picture || at("picture-canvas") !== canvas) return;
  shown = show(canvas, found);
  if (lookedUp.length) shown.selectNamed(lookedUp);
}

function unpack({ bytes, data }) {
  return new ARRAYS[bytes](Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)).buffer);
}

// The two graphs as they are drawn: people stand where they stood, dummy people amid their friends.
function graphs({ picture: before, changes: after }) {
  const places = unpack(before.places), n = before.people.length;
  const made = (from, names, x, y) => {
    const pairs = unpack(from.friendships);
    return {
      names, x, y, pairs, mutual: unpack(from.mutual), degrees: unpack(from.degrees), friends: friends(pairs, names.length), words: from.words,
      sizes: Object.fromEntries(Object.entries(from.sizes).map(([name, sizes]) => [name, unpack(sizes)])),
    };
  };
  const x = Float32Array.from({ length: n }, (_, i) => places[2 * i]), y = Float32Array.from({ length: n }, (_, i) => places[2 * i + 1]);
  const drawn = { before: made(before, before.people, x, y) };
  if (after) {
    const added = unpack(after.added), [wide, high] = withDummies(x, y, after.dummies.length, added);
    drawn.after = { ...made(after, [...before.people, ...after.dummies], wide, high), added, deleted: unpack(after.deleted) };
  }
  return drawn;
}

function withDummies(x, y, count, added) {
  const n = x.length, wide = new Float32Array(n + count), high = new Float32Array(n + count), met = new Uint32Array(n + count);
  wide.set(x);
  high.set(y);
  for (let e = 0; e < added.length; e += 2) {
    for (const [one, other] of [[added[e], added[e + 1]], [added[e + 1], added[e]]]) {
      if (one < n || other >= n) continue;
      met[one]++;
      wide[one] += (x[other] - wide[one]) / met[one];
      high[one] += (y[other] - high[one]) / met[one];
    }
  }
  return [wide, high];
}

// For each person the friends and the number of the friendship.
function friends(pairs, people) {
  const found = Array.from({ length: people }, () => new Map());
  for (let e = 0; e < pairs.length; e += 2) {
    found[pairs[e]].set(pairs[e + 1], e / 2);
    found[pairs[e + 1]].set(pairs[e], e / 2);
  }
  return found;
}

function show(canvas, found) {
  const drawn = graphs(found), attackers = new Map(found.attackers);
  const view = network(canvas, { picked: (i) => select(i < 0 ? [] : together(i)) });
  let selected = [], links = null, when = "";
  chosenK = at("picture-when") ? found.k.result : chosenK || found.k.now;

  const graph = () => drawn[when];
  const by = () => at("picture-by").value;
  const expose = (i) => [...attackers.keys()].filter((name) => exposed(name, i));
  const exposed = (name, i) => { const size = graph().sizes[name][i]; return size > 0 && size < chosenK; };
  const together = (i) => (selected.length === 1 && graph().friends[selected[0]].has(i) ? [selected[0], i] : [i]);

  function colour() {
    const now = drawn[at("picture-when")?.value] ? at("picture-when").value : "before";
    if (now !== when) {
      when = now;
      selected = selected.every((i) => i < graph().names.length) ? selected : [];
      links = layers(graph());
    }
    const name = by(), n = graph().names.length;
    const level = Float32Array.from({ length: n }, (_, i) => (name ? Number(exposed(name, i)) : expose(i).length / attackers.size));
    view.show({ ...graph(), links, level, focus: selected.length ? focus(graph(), selected) : null });
    tell(level);
  }

  function select(people, go = false) {
    selected = people;
    colour();
    if (go && people.length) view.goTo(people[0]);
  }

  function tell(level) {
    const people = level.reduce((count, one) => count + (one > 0), 0);
    const knows = by() ? `an attacker who knows ${attackers.get(by())}` : "at least one of these attackers";
    const summary = `${number(people)} of the ${counted(level.length, "person", "people")} shown here ${people === 1 ? "is" : "are"} exposed at k = ${number(chosenK)} to ${knows}.`;
    canvas.setAttribute("aria-label", `Picture of the network. ${graph().words} ${summary}`);
    at("picture-words").textContent = graph().words;
    const parts = selected.length === 0 ? everybody(summary, level) : selected.length === 1 ? person(selected[0]) : friendship(...selected);
    at("picture-person").replaceChildren(...parts);
  }

  function everybody(summary, level) {
    const smallest = (i) => Math.min(...(by() ? [by()] : expose(i)).map((name) => graph().sizes[name][i]));
    const order = [...level.keys()].filter((i) => level[i] > 0).sort((i, j) => level[j] - level[i] || smallest(i) - smallest(j)).slice(0, 8);
    const note = (i) => (by() ? alike(smallest(i)) : `found by ${expose(i).length} of ${attackers.size} attackers`);
    return [text("p", summary), ...(order.length ? [text("h3", "Most exposed here"), list(order, note, (i) => select([i], true))] : [])];
  }

  function person(i) {
    const around = [...graph().friends[i].keys()], there = graph().degrees[i], finders = expose(i);
    const drawnOnly = around.length < there ? `, ${number(around.length)} of them shown here` : "";
    const mutual = (j) => graph().mutual[graph().friends[i].get(j)];
    around.sort((one, other) => mutual(other) - mutual(one));
    const ways = node("ul", {}, ...finders.map((name) => text("li", `${attackers.get(name)}: ${alike(graph().sizes[name][i])}`)));
    return [
      heading(graph().names[i]), text("p", `${counted(there, "friend")}${drawnOnly}.`),
      finders.length ? node("details", {}, text("summary", `Exposed at k = ${number(chosenK)} to ${finders.length} of ${attackers.size} attackers`), ways) : text("p", `Not exposed at k = ${number(chosenK)} to these attackers.`),
      ...(around.length ? [text("h3", "Friends"), list(around, (j) => counted(mutual(j), "mutual friend"), (j) => select([i, j]))] : []),
      button("Show everybody", () => select([])),
    ];
  }

  function friendship(i, j) {
    const names = graph().names, count = graph().mutual[graph().friends[i].get(j)];
    const alikes = (found.groups[when] ?? []).find(([value]) => value === count)?.[1] ?? 0;
    const shared = [...focus(graph(), [i, j]).roles].filter(([, role]) => role === "mutual").map(([one]) => one);
    const only = shared.length < count ? ` ${number(shared.length)} of them shown here.` : "";
    return [
      heading(`${names[i]} – ${names[j]}`), text("p", `${counted(count, "mutual friend")}; ${counted(alikes, "friendship")} of the network ${alikes === 1 ? "has" : "have"} as many.${only}`),
      ...(shared.length ? [text("h3", "Mutual friends"), list(shared, () => "", (one) => select([one], true))] : []),
      button(`Back to ${names[i]}`, () => select([i])), button("Show everybody", () => select([])),
    ];
  }

  // A long list is cut, so that the page stays small.
  function list(people, note, choose) {
    const items = people.slice(0, MOST_LISTED).map((i) => node("li", {}, button(graph().names[i], () => { choose(i); at("picture-person").querySelector("h3,p")?.focus(); }, note(i))));
    const more = people.length > MOST_LISTED ? [text("li", `and ${number(people.length - MOST_LISTED)} more`)] : [];
    return node("ul", { className: "entries" }, ...items, ...more);
  }

  function selectNamed(labels) {
    const people = labels.map((label) => graph().names.indexOf(label));
    if (people.length && !people.includes(-1)) select(people, true);
  }

  at("picture-by").onchange = colour;
  if (at("picture-when")) at("picture-when").onchange = colour;
  for (const [id, does] of [["picture-in", () => view.zoom(1.6)], ["picture-out", () => view.zoom(1 / 1.6)], ["picture-fit", view.fit]]) at(id).onclick = does;
  colour();
  return { canvas, colour, selectNamed, view };
}

// Friendships in layers: those that stayed, then the deleted ones dashed and the added ones solid.
function layers({ pairs, added, deleted }) {
  const alpha = Math.min(0.4, Math.max(0.06, 1000 / pairs.length));
  const stayed = { pairs, style: { colour: "soft", wide: 0.8, alpha } };
  if (!added) return [stayed];
  return [stayed, { pairs: deleted, style: { colour: "before", wide: 1.8, dash: [5, 4] } }, { pairs: added, style: { colour: "after", wide: 1.8 } }];
}

// Who stands out: one person with all friends, or two friends with those they share.
function focus({ friends: all }, [i, j]) {
  const line = (pairs, colour, wide) => ({ pairs, style: { colour, wide } });
  if (j === undefined) {
    const around = [...all[i].keys()];
    return { roles: new Map([...around.map((one) => [one, "friend"]), [i, "centre"]]), links: [line(around.map((one) => [i, one]), "ink", around.length > 50 ? 0.5 : 1.2)] };
  }
  const shared = [...all[i].keys()].filter((one) => all[j].has(one));
  return {
    roles: new Map([...shared.map((one) => [one, "mutual"]), [i, "centre"], [j, "centre"]]),
    links: [line(shared.flatMap((one) => [[i, one], [j, one]]), "after", shared.length > 20 ? 0.5 : 1.5), line([[i, j]], "bad", 3)],
  };
}

const alike = (size) => (size === 1 ? "the only one like this" : `one of ${number(size)}`);

function node(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const text = (name, words) => node(name, {}, words);
const heading = (words) => node("h3", { tabIndex: -1 }, node("bdi", {}, words));
const button = (words, onclick, note) => node("button", { type: "button", onclick }, node("bdi", {}, words), ...(note ? [node("span", { className: "note" }, ` ${note}`)] : []));
