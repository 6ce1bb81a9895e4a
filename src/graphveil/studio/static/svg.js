// Charts and drawings as SVG, in the colours of the page. Labels are set as text, never as markup.

const SPACE = "http://www.w3.org/2000/svg";
const WIDTH = 320, HEIGHT = 200, LEFT = 52, RIGHT = 8, TOP = 10, BOTTOM = 34;
const LONGEST_NAME = 66;  // in the units of a drawing
const TICKS = [0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 100000];

function element(name, attributes, text) {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function frame(svg, words, width = WIDTH, height = HEIGHT) {
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("aria-label", words);
}

const x = (share, width = WIDTH) => LEFT + (width - LEFT - RIGHT) * share;
const y = (share, height = HEIGHT) => height - BOTTOM - (height - TOP - BOTTOM) * share;

function axes(svg, up, across, width = WIDTH, height = HEIGHT) {
  svg.append(
    element("path", { class: "axis", d: `M${LEFT} ${TOP}V${height - BOTTOM}H${width - RIGHT}` }),
    element("text", { x: (LEFT + width - RIGHT) / 2, y: height - 4, "text-anchor": "middle" }, across),
    element("text", { transform: `translate(10 ${(height - BOTTOM + TOP) / 2}) rotate(-90)`, "text-anchor": "middle" }, up));
}

const short = (power) => (power < 4 ? (10 ** power).toLocaleString("en") : "10" + "⁰¹²³⁴⁵⁶⁷⁸⁹"[power]);

// A dot for each value that occurs: how many have it. Returns a function that moves the line to another k.
export function groupChart(svg, groups, { what, of, when }) {
  const across = Math.log10(Math.max(0, ...groups.map(([value]) => value)) + 2);
  const up = Math.log10(Math.max(1000, ...groups.map(([, size]) => size)));
  frame(svg, "");
  axes(svg, of, what);
  for (let power = 0; power <= up; power++) {
    svg.append(element("text", { x: LEFT - 5, y: y(power / up) + 4, "text-anchor": "end" }, short(power)));
  }
  for (const value of TICKS.filter((each) => Math.log10(each + 1) <= across)) {
    svg.append(element("text", { x: x(Math.log10(value + 1) / across), y: HEIGHT - BOTTOM + 14, "text-anchor": "middle" }, value.toLocaleString("en")));
  }
  const line = element("line", { class: "limit", x1: LEFT, x2: WIDTH - RIGHT });
  const label = element("text", { class: "limit", x: LEFT + 6 });
  const large = element("path", { class: "large" }), small = element("path", { class: "small" });
  svg.append(large, small, line, label);
  const dots = groups.map(([value, size]) => [size, `M${x(Math.log10(value + 1) / across).toFixed(1)} ${y(Math.log10(size) / up).toFixed(1)}h0`]);
  return (k) => {
    const height = Math.max(y(Math.log10(k) / up), TOP);
    line.setAttribute("y1", height);
    line.setAttribute("y2", height);
    label.setAttribute("y", height + 14 < HEIGHT - BOTTOM ? height + 14 : height - 5);
    label.textContent = `k = ${k.toLocaleString("en")}`;
    large.setAttribute("d", dots.filter(([size]) => size >= k).map(([, d]) => d).join(""));
    small.setAttribute("d", dots.filter(([size]) => size < k).map(([, d]) => d).join(""));
    const below = dots.filter(([size]) => size < k).length;
    svg.setAttribute("aria-label", `${when}: ${of} for each number of ${what}, both axes logarithmic. ` +
      `${dots.length.toLocaleString("en")} groups; a line marks k = ${k}, ${below || "none"} of them below it.`);
    svg.dataset.k = k;
  };
}

// Remaining risk by usefulness, a dot for each run and a line through those that no other beats.
export function frontier(svg, cells) {
  const shown = cells.filter(({ point }) => point[0] !== null && point[1] !== null);
  const span = (values) => {
    const least = Math.min(...values), most = Math.max(...values), room = Math.max((most - least) * 0.15, 0.005);
    return [Math.max(least - room, 0), Math.min(most + room, 1)];
  };
  const [left, right] = span(shown.map(({ point }) => point[0])), [low, high] = span(shown.map(({ point }) => point[1]));
  const place = ([useful, risk]) => [x(0.04 + 0.76 * (useful - left) / (right - left)), y((risk - low) / (high - low))];
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  frame(svg, "Remaining risk by usefulness. " +
    shown.map((cell) => `${cell.method} at k = ${cell.k}: risk ${percent(cell.point[1])}, usefulness ${percent(cell.point[0])}`).join("; "));
  axes(svg, "remaining risk", "usefulness");
  for (const [risk, anchor] of [[low, 4], [high, 8]]) svg.append(element("text", { x: LEFT - 5, y: place([left, risk])[1] + anchor, "text-anchor": "end" }, percent(risk)));
  for (const useful of [left, right]) svg.append(element("text", { x: place([useful, low])[0], y: HEIGHT - BOTTOM + 14, "text-anchor": "middle" }, percent(useful)));
  const best = shown.filter((cell) => cell.best).sort((a, b) => a.point[0] - b.point[0]);
  svg.append(element("path", { class: "frontier line-0", d: best.length ? "M" + best.map((cell) => place(cell.point).join(" ")).join("L") : "" }));
  for (const cell of shown) {
    const [cx, cy] = place(cell.point);
    const dot = element("circle", { class: cell.best ? "after" : "before", cx, cy, r: 4 });
    dot.append(element("title", {}, `${cell.method} at k = ${cell.k}`));
    svg.append(dot);
  }
  const taken = shown.map((cell) => place(cell.point)).map(([cx, cy]) => [cx - 5, cx + 5, cy + 4]);
  for (const cell of [...best, ...shown.filter((each) => !best.includes(each))]) label(svg, cell, place(cell.point), taken);
}

// The name of a run beside its dot, where there is room; the table has all of them.
function label(svg, cell, [cx, cy], taken) {
  const text = `${cell.method} ${cell.k}`, long = 6.5 * text.length;
  const spots = [[7, 15], [7, 4], [-7 - long, -5], [-7 - long, 4], [7, -7], [7, 22], [-7 - long, -14]]  // the line comes from the left below
    .map(([right, down]) => [cx + right, cx + right + long, cy + down]);
  const free = ([from, to, height]) => from > LEFT && to < WIDTH && height > TOP + 6 && height < HEIGHT - BOTTOM - 2 &&
    !taken.some(([left, right, other]) => from < right && to > left && Math.abs(other - height) < 11);
  const spot = spots.find(free);
  if (!spot) return;
  taken.push(spot);
  svg.append(element("text", { x: spot[0], y: spot[2] }, text));
}

// Changes by k, a line for each method.
export function costs(svg, cells) {
  const shown = cells.filter((cell) => cell.percent !== null);
  const ks = [...new Set(shown.map((cell) => cell.k))].sort((a, b) => a - b);
  const methods = [...new Set(shown.map((cell) => cell.method))];
  const values = shown.map((cell) => cell.percent).filter((value) => value > 0);
  const least = Math.floor(Math.log10(Math.min(...values, 1))), most = Math.ceil(Math.log10(Math.max(...values, 1)));
  const across = (k) => x(ks.length < 2 ? 0.4 : 0.05 + 0.7 * Math.log(k / ks[0]) / Math.log(ks.at(-1) / ks[0]));
  const upward = (percent) => y((Math.log10(Math.max(percent, 10 ** least)) - least) / Math.max(most - least, 1));
  frame(svg, "Changed friendships in per cent by k, both axes logarithmic. " +
    shown.map((cell) => `${cell.method} at k = ${cell.k}: ${cell.percent.toPrecision(2)} %`).join("; "));
  axes(svg, "% of friendships changed", "k");
  for (let power = least; power <= most; power++) {
    svg.append(element("text", { x: LEFT - 5, y: upward(10 ** power) + 4, "text-anchor": "end" }, `${10 ** power}`.slice(0, 6)));
  }
  for (const k of ks) svg.append(element("text", { x: across(k), y: HEIGHT - BOTTOM + 14, "text-anchor": "middle" }, k));
  const taken = [];
  methods.forEach((method, number) => {
    const points = shown.filter((cell) => cell.method === method).sort((a, b) => a.k - b.k).map((cell) => [across(cell.k), upward(cell.percent)]);
    svg.append(element("path", { class: `frontier line-${number}`, d: "M" + points.map((point) => point.join(" ")).join("L") }));
    for (const [cx, cy] of points) svg.append(element("circle", { class: `dot line-${number}`, cx, cy, r: 3 }));
    let [endX, endY] = points.at(-1);
    while (taken.some((other) => Math.abs(other - endY) < 12)) endY += 3;
    taken.push(endY);
    svg.append(element("text", { x: endX + 8, y: endY + 4 }, method));
  });
}

// People on an ellipse, those in question red; on an ellipse no line runs through a third person.
export function drawing(svg, around, words) {
  const width = 440, height = 290, wide = 140, high = 100;
  frame(svg, words, width, height);
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
