// A network on a canvas that is moved, enlarged and pointed at. It knows places and levels, not what they mean.

const ROOM = 28;  // pixels around the network
const SLICE = 8_000;  // friendships drawn in one frame: the page never waits for a picture
const IDLE = 140;  // milliseconds after which a moved picture is drawn again
const NEAR = 14;  // pixels between a pointer and the person it means
const MOST_NAMES = 30;

// scene: x, y, links [{ pairs, style }], level of each person from 0 to 1, names, and focus { roles, pairs } or null
export function network(canvas, { picked }) {
  const pen = canvas.getContext("2d");
  let scene = null, camera = null, links = null, drawing = 0, waiting = null, width = 0, height = 0, fitted = 1;

  const across = (i) => scene.x[i] * camera.scale + camera.x, down = (i) => scene.y[i] * camera.scale + camera.y;
  const colours = () => {
    const style = getComputedStyle(canvas);
    return Object.fromEntries(["soft", "bad", "ink", "paper", "after", "before"].map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  };

  function resize() {
    const ratio = devicePixelRatio || 1, box = canvas.getBoundingClientRect();
    if (!box.width) return;
    [width, height] = [box.width, box.height];
    [canvas.width, canvas.height] = [width * ratio, height * ratio];
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (scene) fit();
  }

  function fit() {
    const wide = Math.max(...extent(scene.x)), high = Math.max(...extent(scene.y));
    const scale = Math.min((width - 2 * ROOM) / (wide || 1), (height - 2 * ROOM) / (high || 1));
    camera = { scale, x: (width - wide * scale) / 2, y: (height - high * scale) / 2 };
    fitted = scale;
    again();
  }

  // Now what is quick: the friendships as they were drawn, moved along, and the people. Then all of it.
  function again() {
    if (!scene || !camera) return;
    paint();
    clearTimeout(waiting);
    waiting = setTimeout(drawLinks, links ? IDLE : 0);
  }

  function paint() {
    const colour = colours();
    pen.clearRect(0, 0, width, height);
    if (links) {
      const by = camera.scale / links.camera.scale;
      pen.globalAlpha = scene.focus ? 0.25 : 1;
      pen.drawImage(links.canvas, camera.x - links.camera.x * by, camera.y - links.camera.y * by, width * by, height * by);
      pen.globalAlpha = 1;
    }
    if (scene.focus) drawFocus(colour);
    drawPeople(colour);
    drawNames(colour);
  }

  function drawFocus(colour) {
    for (const { pairs, style } of scene.focus.links) {
      setStyle(pen, style, colour);
      for (const [i, j] of pairs) { pen.moveTo(across(i), down(i)); pen.lineTo(across(j), down(j)); }
      pen.stroke();
    }
    pen.setLineDash([]);
  }

  const radius = () => Math.min(6, Math.max(1.3, Math.min(1, width / 800) * 75 / Math.sqrt(scene.x.length)) * Math.sqrt(camera.scale / fitted));

  function drawPeople(colour) {
    const small = radius(), roles = scene.focus?.roles, few = roles?.size <= MOST_NAMES;
    for (const i of [...scene.x.keys(), ...(roles?.keys() ?? [])]) {  // those in the focus above the others
      const px = across(i), py = down(i);
      if (px < -9 || py < -9 || px > width + 9 || py > height + 9) continue;
      const level = scene.level[i], role = roles?.get(i);
      const r = small * (1 + 0.7 * level) * (role ? 1.5 : 1);
      pen.globalAlpha = roles && !role ? 0.15 : 0.35 + 0.65 * Math.max(level, roles ? 1 : 0.4);
      pen.fillStyle = level ? mix(colour.soft, colour.bad, level) : colour.soft;
      pen.beginPath();
      if (level) { pen.moveTo(px, py - r); pen.lineTo(px + r, py); pen.lineTo(px, py + r); pen.lineTo(px - r, py); }  // not by colour alone
      else pen.arc(px, py, r, 0, 2 * Math.PI);
      pen.fill();
      if (role !== "centre" && role !== "mutual") continue;
      pen.strokeStyle = role === "centre" ? colour.ink : colour.after;
      pen.lineWidth = role === "centre" || few ? 2 : 1;
      pen.beginPath();
      pen.arc(px, py, role === "centre" || few ? r + 4 : r + 1, 0, 2 * Math.PI);
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  // Names where there are few people: those of the neighbourhood, or all when there is room.
  function drawNames(colour) {
    const seen = [];
    for (let i = 0; i < scene.x.length && seen.length <= MOST_NAMES; i++) {
      const inside = across(i) > 0 && across(i) < width && down(i) > 0 && down(i) < height;
      if (inside && (!scene.focus || scene.focus.roles.has(i))) seen.push(i);
    }
    const centres = [...(scene.focus?.roles ?? [])].filter(([, role]) => role === "centre").map(([i]) => i);
    const named = seen.length <= MOST_NAMES ? seen : centres;
    Object.assign(pen, { font: "12px system-ui, sans-serif", lineWidth: 3, strokeStyle: colour.paper, fillStyle: colour.ink });
    for (const i of named) {
      const text = scene.names[i].length > 24 ? scene.names[i].slice(0, 23) + "…" : scene.names[i];
      pen.strokeText(text, across(i) + 9, down(i) + 4);
      pen.fillText(text, across(i) + 9, down(i) + 4);
    }
  }

  function drawLinks() {
    const mine = ++drawing, fresh = document.createElement("canvas"), at = { ...camera }, colour = colours();
    [fresh.width, fresh.height] = [canvas.width, canvas.height];
    const pencil = fresh.getContext("2d"), ratio = canvas.width / width;
    pencil.setTransform(ratio, 0, 0, ratio, 0, 0);
    const work = scene.links.flatMap(({ pairs, style }) => slices(pairs.length / 2).map(([from, to]) => ({ pairs, style, from, to })));
    (function next() {
      if (mine !== drawing) return;  // it was moved again, or shows something else
      const slice = work.shift();
      if (!slice) {
        links = { canvas: fresh, camera: at };
        canvas.dataset.drawn = String(mine);
        return paint();
      }
      setStyle(pencil, slice.style, colour);
      drawPairs(pencil, slice, at);
      requestAnimationFrame(next);
    })();
  }

  function drawPairs(pencil, { pairs, from, to }, at) {
    for (let e = 2 * from; e < 2 * to; e += 2) {
      const x1 = scene.x[pairs[e]] * at.scale + at.x, y1 = scene.y[pairs[e]] * at.scale + at.y;
      const x2 = scene.x[pairs[e + 1]] * at.scale + at.x, y2 = scene.y[pairs[e + 1]] * at.scale + at.y;
      if ((x1 < 0 && x2 < 0) || (y1 < 0 && y2 < 0) || (x1 > width && x2 > width) || (y1 > height && y2 > height)) continue;
      pencil.moveTo(x1, y1);
      pencil.lineTo(x2, y2);
    }
    pencil.stroke();
  }

  function zoom(by, px = width / 2, py = height / 2) {
    const scale = Math.min(Math.max(camera.scale * by, fitted / 2), fitted * 60), real = scale / camera.scale;
    camera = { scale, x: px - (px - camera.x) * real, y: py - (py - camera.y) * real };
    again();
  }

  function move(right, low) {
    camera = { ...camera, x: camera.x + right, y: camera.y + low };
    again();
  }

  function nearest(px, py) {
    let best = -1, least = NEAR * NEAR;
    for (let i = 0; i < scene.x.length; i++) {
      const away = (across(i) - px) ** 2 + (down(i) - py) ** 2;
      if (away < least) [best, least] = [i, away];
    }
    return best;
  }

  // Bring somebody into sight, near enough to be told apart from the others.
  function goTo(i) {
    if (camera.scale < 4 * fitted && scene.x.length > 200) camera.scale = 4 * fitted;
    camera = { ...camera, x: width / 2 - scene.x[i] * camera.scale, y: height / 2 - scene.y[i] * camera.scale };
    again();
  }

  listen(canvas, { zoom, move, fit, ready: () => scene, tap: (px, py) => picked(nearest(px, py)), leave: () => picked(-1) });
  new ResizeObserver(resize).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  resize();
  return {
    zoom, fit, goTo,
    show(next) {
      const same = scene && scene.x === next.x, sameLinks = same && scene.links === next.links;
      scene = next;
      if (!same) links = null;
      if (!width) return;
      if (!same) fit(); else if (sameLinks) paint(); else drawLinks();
    },
    where: (i) => ({ x: across(i), y: down(i) }),
  };
}

// Mouse, fingers and keys. One finger scrolls the page, two move and enlarge the picture; the wheel only enlarges what has
// the focus.
function listen(canvas, { zoom, move, fit, ready, tap, leave }) {
  const down = new Map();
  let moved = 0;
  const place = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, place(event));
    moved = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before || !ready()) return;
    const now = place(event), other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    const right = now[0] - before[0], low = now[1] - before[1];
    moved += Math.abs(right) + Math.abs(low);
    if (moved < 4) return;
    down.set(event.pointerId, now);
    if (!other) return move(right, low);
    move(right / 2, low / 2);
    zoom(Math.hypot(now[0] - other[0], now[1] - other[1]) / (Math.hypot(before[0] - other[0], before[1] - other[1]) || 1), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (down.delete(event.pointerId) && moved < 4 && ready()) tap(...place(event));
  });
  canvas.addEventListener("pointercancel", (event) => down.delete(event.pointerId));
  canvas.addEventListener("wheel", (event) => {
    if (!ready() || !(event.ctrlKey || document.activeElement === canvas)) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400), ...place(event));
  }, { passive: false });
  const keys = {
    ArrowLeft: () => move(60, 0), ArrowRight: () => move(-60, 0), ArrowUp: () => move(0, 60), ArrowDown: () => move(0, -60),
    "+": () => zoom(1.5), "-": () => zoom(1 / 1.5), 0: fit, Escape: leave,
  };
  canvas.addEventListener("keydown", (event) => {
    if (!ready() || event.ctrlKey || event.metaKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
}

const extent = (values) => [values.reduce((most, value) => Math.max(most, value), 0)];
const slices = (count) => Array.from({ length: Math.ceil(count / SLICE) }, (_, i) => [i * SLICE, Math.min(count, (i + 1) * SLICE)]);

function setStyle(pen, { colour, wide, alpha = 1, dash = [] }, colours) {
  Object.assign(pen, { strokeStyle: colours[colour], lineWidth: wide, globalAlpha: alpha });
  pen.setLineDash(dash);
  pen.beginPath();
}

// Two colours as #rrggbb, mixed.
function mix(one, other, share) {
  const parts = [one, other].map((colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)));
  return `rgb(${parts[0].map((part, i) => Math.round(part + (parts[1][i] - part) * share)).join(" ")})`;
}
