// Drawings of people as SVG, in the colours of the page. Labels are set as text, never as markup.

const SPACE = "http://www.w3.org/2000/svg";
const LONGEST_NAME = 66;  // in the units of a drawing

export function element(name, attributes, text) {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// People on an ellipse, those in question red; on an ellipse no line runs through a third person.
export function drawing(svg, around, words) {
  const width = 440, height = 290, wide = 140, high = 100;
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("aria-label", words);
  const places = circle(around.people.length, around.centre).map(([a, r]) => [width / 2 + r * wide * Math.cos(a), height / 2 - r * high * Math.sin(a)]);
  const pairs = [...around.friendships].sort((one, other) => inQuestion(one, around) - inQuestion(other, around));
  for (const [i, j] of pairs) {
    svg.append(element("line", { class: inQuestion([i, j], around) ? "exposed" : "kept", x1: places[i][0], y1: places[i][1], x2: places[j][0], y2: places[j][1] }));
  }
  const crowded = around.people.length > 10, labels = [];
  around.people.forEach((name, i) => {
    const [px, py] = places[i], outX = (px - width / 2) / wide, outY = (py - height / 2) / high;
    const dot = element("circle", { class: i < around.centre ? "centre" : "person", cx: px, cy: py, r: i < around.centre ? 7 : 5 });
    dot.append(element("title", {}, name));
    const anchor = Math.abs(outX) < 0.3 ? "middle" : outX > 0 ? "start" : "end";
    const second = Math.abs(outX) < 0.6 && crowded && Math.floor(i / 2) % 2 ? 14 * Math.sign(outY) : 0;  // names in two rows
    const away = around.centre === 1 && i === 0 ? [0, 20] : [12 * outX, 13 * outY + 4 + second];
    const label = element("text", { x: px + away[0], y: py + away[1], "text-anchor": anchor }, name);
    svg.append(dot, label);
    labels.push([label, name]);
  });
  svg.removeAttribute("hidden");
  for (const [label, name] of labels) fit(label, [...name]);
}

// Cut a name that is longer than the room beside the people.
function fit(label, letters) {
  for (let length = Math.min(letters.length - 1, 10); label.getComputedTextLength() > LONGEST_NAME && length > 0; length--) {
    label.textContent = letters.slice(0, length).join("") + "…";
  }
}

const inQuestion = ([i, j], around) => around.centre === 2 && i === 0 && j === 1;

// Angles and radii: two in question left and right, one in the middle; the others in turn above and below.
function circle(count, centre) {
  if (centre === 1) return Array.from({ length: count }, (_, i) => (i ? [2 * Math.PI * i / (count - 1), 1] : [0, 0]));
  const above = Math.floor((count - 1) / 2), below = Math.floor((count - 2) / 2);
  const angles = [[Math.PI, 1], [0, 1]];
  for (let i = 0; i < count - 2; i++) {
    const of = i % 2 ? below : above;
    angles.push([(i % 2 ? -1 : 1) * (Math.PI - Math.PI * (Math.floor(i / 2) + 1) / (of + 1)), 1]);
  }
  return angles.slice(0, count);
}
