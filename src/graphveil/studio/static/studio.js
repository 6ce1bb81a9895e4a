// What every page of the studio does: hear events, send forms, choose files, show the job and the commands.

import { ask, complain, contents, later, latest, showMarks, showTexts } from "./asking.js";
import { curve, explore } from "./charts.js";
import { exposure } from "./exposure.js";
import { chooseColumns, dropFiles, openBrowser, readAnew } from "./files.js";
import { picture } from "./picture.js";
import { sortable } from "./sorting.js";

const at = (id) => document.getElementById(id);
const start = JSON.parse(at("start").textContent);

// ---------------------------------------------------------------- the job strip

const jobs = new Map();  // every job that was heard of, by number
const awaited = new Map();  // from the number of a job to the form that started it

function hear(job) {
  jobs.set(job.number, job);
  showJobs();
  const over = ["done", "failed", "stopped"].includes(job.state);
  if (over && awaited.has(job.number)) finish(job, awaited.get(job.number));
}

function finish(job, { form, go }) {
  awaited.delete(job.number);
  if (job.state === "failed") complain(form, { problem: job.message });
  if (job.state === "done" && go) location.assign(go);
  if (job.state === "done" && form?.dataset.result) showResult(form.dataset.result);
}

// The result comes with the next refresh: go there, and say that it is there.
async function showResult(id) {
  await refresh();
  for (let i = 0; i < 20 && !at(id); i++) await new Promise((next) => setTimeout(next, 100));
  at("job-said").textContent = `${at(id)?.textContent ?? "Done"}.`;
  at(id)?.focus({ preventScroll: true });
  at(id)?.scrollIntoView();
}

function showJobs() {
  const all = [...jobs.values()];
  const job = all.find((each) => ["running", "stopping"].includes(each.state));
  const queued = all.filter((each) => each.state === "queued");
  at("strip").hidden = !job;
  if (job) {
    at("job-title").textContent = job.title + ":";
    at("job-phase").textContent = job.phase;
    at("job-seconds").textContent = `${Math.round(job.seconds)} s` + (job.left ? `, at most ${job.left} s more` : "");
    curve(at("job-curve"), [...job.best, ...(job.best.length ? [[job.seconds, job.best.at(-1)[1]]] : [])]);
    const bar = at("job-bar");
    if (job.share === null) bar.removeAttribute("value"); else bar.value = job.share;
    at("job-stop").dataset.job = job.number;
    at("job-stop").textContent = job.state === "stopping" ? `Stopping … (again: end at once, keep ${job.kept || "nothing"})`
      : job.keeps ? `Stop: keep ${job.keeps}` : "Stop: keep nothing";
    at("job-queue").textContent = queued.length ? `Waiting: ${queued.map((each) => each.title).join(", ")}` : "";
  }
  const last = all.filter((each) => each.message && each.state === "stopped").at(-1);
  at("job-said").textContent = !job && last && last === all.at(-1) ? `${last.title}: ${last.message}` : "";
}

at("job-stop").addEventListener("click", (event) => ask("/do/stop", { job: event.currentTarget.dataset.job }));

// ---------------------------------------------------------------- events, and parts of the page that follow them

const drawn = new Map();  // the markup of each live part as the server sent it

function remember(document_) {
  for (const part of document_.querySelectorAll("[data-live]")) drawn.set(part.id, part.innerHTML);
  drawn.set("asked", at("asked")?.open);
}

const refresh = latest(async () => {
  const answer = await fetch(location.pathname).catch(() => null);
  if (!answer) return refreshAgain();  // the laptop slept, or the network is not back yet
  if (answer.redirected) return location.assign(answer.url);  // the file was refused: the page Open says why
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const forGraph = (document_) => document_.querySelector("form[data-graph]")?.dataset.graph;
  if (forGraph(page) !== forGraph(document)) return location.reload();  // its attackers are known now
  let changed = false;
  const focused = document.activeElement?.id;
  for (const fresh of page.querySelectorAll("[data-live]")) {
    const part = at(fresh.id);
    if (!part || drawn.get(fresh.id) === fresh.innerHTML) continue;
    drawn.set(fresh.id, fresh.innerHTML);
    part.replaceChildren(...fresh.childNodes);
    changed = true;
  }
  const asked = page.getElementById("asked")?.open;
  if (asked !== undefined && drawn.get("asked") !== asked) { drawn.set("asked", asked); at("asked").open = asked; }
  const button = page.querySelector("main button.main");
  document.querySelector("main button.main")?.toggleAttribute("disabled", button?.disabled ?? false);
  if (changed) draw();
  if (changed && focused && document.activeElement === document.body) at(focused)?.focus();
});
const refreshSoon = later(80, refresh), refreshAgain = later(1000, refresh);

function listen() {
  const source = new EventSource(`/events?after=${start.last_event}`);
  source.addEventListener("job", (event) => { count(event); hear(JSON.parse(event.data)); });
  source.addEventListener("state", (event) => { count(event); hearState(JSON.parse(event.data)); });
  source.addEventListener("reset", () => location.reload());
  let alone = null;  // a stream that ends comes back after a second, if the studio runs
  source.onerror = () => { alone ??= setTimeout(sayThatNobodyAnswers, 3000); };
  source.onopen = () => { clearTimeout(alone); alone = null; showJobs(); };
}

// A k that another tab has chosen; the tab that has the focus knows it already.
function hearState({ k }) {
  if (k === undefined) return refreshSoon();
  document.dispatchEvent(new CustomEvent("k", { detail: k }));
  if (at("protect-form") && document.activeElement !== at("k")) { at("k").value = k; refreshSoon(); }
}

function sayThatNobodyAnswers() {
  at("strip").hidden = true;
  at("job-said").textContent = "The studio does not answer. Is it still running in the terminal?";
}

function count(event) {
  document.documentElement.dataset.event = event.lastEventId;
}

// ---------------------------------------------------------------- forms and buttons

async function send(name, form, values, go) {
  if (form) complain(form, {});
  const answer = await ask(`/do/${name}`, values);
  showTexts(answer);
  if (answer.problem) complain(form, answer);
  else if (answer.go) location.assign(answer.go);
  else if (answer.ask) confirm(answer.ask, () => send(name, form, { ...values, force: true }, go));
  else if (answer.said && form) form.querySelector(".said").textContent = answer.said;
  else if (answer.job) {
    awaited.set(answer.job, { form, go });
    if (jobs.has(answer.job)) hear(jobs.get(answer.job));
  }
}

function confirm(words, yes) {
  at("ask-words").textContent = words;
  at("ask").hidden = false;
  at("ask-no").focus();
  at("ask-no").onclick = () => { at("ask").hidden = true; at("folder").focus(); };
  at("ask").onkeydown = (event) => { if (event.key === "Escape") at("ask-no").click(); };
  at("ask-yes").onclick = () => { at("ask").hidden = true; yes(); };
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  event.preventDefault();
  if (form.dataset.do) send(form.dataset.do, form, contents(form), form.dataset.go);
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { do: name, form, go, submit, browse, want, report, fill } = button.dataset;
  if (name) send(name, button.closest("form") ?? document.querySelector("main form"), form ? JSON.parse(form) : {}, go);
  if (submit) send(submit, button.form, contents(button.form), go);
  if (browse) openBrowser(browse, want ?? "file");
  if (button.dataset.column) chooseColumns(button, (values) => send("open", document.querySelector("main form"), values, "/exposure"));
  if (report) showReport(button, report);
  if (fill) fillIn(button.form, JSON.parse(fill));
});

function fillIn(form, values) {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "boolean") form.elements[name].checked = value; else form.elements[name].value = value;
  }
  form.dispatchEvent(new Event("input"));
}

// A switch of a card: its level is empty while it is off. A choice that the server keeps.
document.addEventListener("change", async (event) => {
  const { choose, level, usual } = event.target.dataset;
  if (choose) showTexts(await ask(`/do/${choose}`, { [choose]: event.target.value }));
  if (!level) return;
  const field = event.target.form.elements[level];
  field.closest(".level").hidden = !event.target.checked;
  field.value = event.target.checked ? usual : "";
  field.dispatchEvent(new Event("input", { bubbles: true }));
});

document.addEventListener("keydown", (event) => {
  const menu = document.querySelector(".menu[open]");
  if (event.key !== "Escape" || !menu || at("browser").open) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

function showReport(button, address) {
  at("report-frame").src = address;
  for (const each of document.querySelectorAll("[data-report]")) each.setAttribute("aria-pressed", String(each === button));
}

for (const form of document.querySelectorAll("form[data-text]")) {
  const tell = latest(async () => showTexts(await ask(`/text/${form.dataset.text}`, contents(form))));
  const predict = later(400, async () => complain(form, await ask(`/do/${form.dataset.predict}`, contents(form)), false));
  form.addEventListener("input", () => {
    tell();
    if (at("prediction")) { at("prediction").textContent = "Estimating …"; drawn.delete("prediction"); }  // of other choices
    if (form.dataset.predict) predict();
  });
  form.addEventListener("submit", predict.cancel);  // the real figure comes soon
  if (form.dataset.predict && start.predict) predict();
}

// ---------------------------------------------------------------- the drawer of commands

const tabs = [at("tab-command"), at("tab-script")];

function choose(tab) {
  for (const each of tabs) {
    each.setAttribute("aria-selected", String(each === tab));
    each.tabIndex = each === tab ? 0 : -1;
    at(each.getAttribute("aria-controls")).hidden = each !== tab;
  }
}

for (const tab of tabs) {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", (event) => {
    if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    const other = tabs.find((each) => each !== tab);
    choose(other);
    other.focus();
  });
}

at("copy").addEventListener("click", async () => {
  const text = at(tabs.find((tab) => tab.tabIndex === 0).getAttribute("aria-controls")).textContent;
  await navigator.clipboard.writeText(text);
  at("copy").textContent = "Copied";
  setTimeout(() => { at("copy").textContent = "Copy"; }, 1500);
});

// ---------------------------------------------------------------- charts

async function draw() {
  await exposure();
  for (const figure of document.querySelectorAll(".explored")) explore(figure);
  for (const table of document.querySelectorAll("table:has(.sort)")) sortable(table);
  document.documentElement.dataset.ready = "yes";
  await picture();
}

for (const input of document.querySelectorAll(".with-button input")) {
  showMarks(input);
  input.addEventListener("input", () => showMarks(input));
}
if (matchMedia("(max-width: 40rem)").matches) at("drawer").open = false;
showTexts({ command: at("text-command").textContent, script: at("text-script").textContent });
if (at("drop")) {
  dropFiles(at("drop"), at("path"));
  readAnew(at("path"));
}
remember(document);
for (const job of start.jobs) jobs.set(job.number, job);
showJobs();
listen();
draw();
