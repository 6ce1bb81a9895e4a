// A chart that answers: point at a dot, or walk along the dots with the arrow keys, and read what it stands for.
// The server draws the charts; here is only what moves.

import { element } from "./svg.js";

const REACH = 30;  // pixels around a dot

export function explore(figure, choose = () => {}) {
  if (figure.dataset.explored) return;
  figure.dataset.explored = "yes";
  const svg = figure.querySelector("svg"), walker = figure.querySelector(".walker"), said = figure.querySelector("figcaption");
  const dots = [...svg.querySelectorAll("circle")].sort((one, other) => one.getAttribute("cx") - other.getAttribute("cx") || one.getAttribute("cy") - other.getAttribute("cy"));
  const texts = dots.map((dot) => { const text = dot.textContent; dot.replaceChildren(); return text; });  // said below instead
  const place = (dot) => `${dot.getAttribute("cx")} ${dot.getAttribute("cy")}`;
  const words = dots.map((dot) => texts.filter((_, i) => place(dots[i]) === place(dot)).join("; "));  // of all that lie on each other
  const ring = element("circle", { class: "ring", r: 8 });
  svg.append(ring);
  walker.max = dots.length - 1;

  function show(place) {
    walker.value = place;
    walker.setAttribute("aria-valuetext", words[place]);
    for (const name of ["cx", "cy"]) ring.setAttribute(name, dots[place].getAttribute(name));
    said.textContent = words[place];
  }

  function nearest(event) {
    const away = dots.map((dot) => {
      const box = dot.getBoundingClientRect();
      return Math.hypot(box.x + box.width / 2 - event.clientX, box.y + box.height / 2 - event.clientY);
    });
    const place = away.indexOf(Math.min(...away));
    return away[place] < REACH ? place : -1;
  }

  const point = (event, then) => { const place = nearest(event); if (place >= 0) then(place); };
  svg.addEventListener("pointermove", (event) => point(event, show));
  svg.addEventListener("click", (event) => point(event, (place) => { show(place); choose(dots[place]); }));
  walker.addEventListener("input", () => show(Number(walker.value)));
  walker.addEventListener("focus", () => { if (dots.length) show(Number(walker.value)); });
  walker.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(dots[Number(walker.value)]); });
}

// Moves the line of a chart of groups to another k; who is below it is red.
export function lineAt(figure) {
  const svg = figure.querySelector("svg"), [one, ten] = [Number(figure.dataset.one), Number(figure.dataset.ten)];
  const line = svg.querySelector("line.limit"), label = svg.querySelector("text.limit");
  const dots = [...svg.querySelectorAll("circle.after")], about = svg.getAttribute("aria-label").split(" Now:")[0];
  return (k) => {
    const height = one + (ten - one) * Math.log10(k);
    line.setAttribute("y1", height);
    line.setAttribute("y2", height);
    label.setAttribute("y", height + 13);
    label.textContent = `k = ${k.toLocaleString("en")}`;
    const below = dots.filter((dot) => dot.classList.toggle("small", dot.getAttribute("cy") > height + 0.02)).length;
    svg.setAttribute("aria-label", `${about} ${dots.length.toLocaleString("en")} dots; a line marks k = ${k}, ${below || "none"} of them below it.`);
    svg.dataset.k = k;
  };
}

// A small curve of the best found so far, without axes: time from left to right, changes from top to bottom.
export function curve(svg, points) {
  const [first, last] = [points[0]?.[0], points.at(-1)?.[0]], most = Math.max(...points.map(([, value]) => value));
  const least = Math.min(...points.map(([, value]) => value));
  const place = ([time, value]) => `${(100 * (time - first) / (last - first || 1)).toFixed(1)} ${(2 + 20 * (most - value) / (most - least || 1)).toFixed(1)}`;
  svg.toggleAttribute("hidden", points.length < 2);
  svg.replaceChildren(element("path", { class: "line", d: points.length ? "M" + points.map(place).join("L") : "" }));
}
