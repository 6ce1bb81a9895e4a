// Which file: the browser of folders, a file that is dropped, and the columns that are taken.

const at = (id) => document.getElementById(id);

export async function openBrowser(field, want) {
  const dialog = at("browser");
  async function show(folder) {
    const page = await fetch(`/files?${new URLSearchParams({ folder, want })}`);
    dialog.replaceChildren(...new DOMParser().parseFromString(await page.text(), "text/html").body.childNodes);
    dialog.querySelector("li button, button")?.focus();
  }
  dialog.oninput = (event) => {
    const wanted = event.target.value.toLowerCase();
    for (const entry of dialog.querySelectorAll("li")) entry.hidden = !entry.querySelector("bdi").textContent.toLowerCase().includes(wanted);
  };
  dialog.onclick = (event) => {
    const { folder, file, close } = event.target.closest("button")?.dataset ?? {};
    if (folder !== undefined) show(folder);
    if (file !== undefined) fill(at(field), file);
    if (file !== undefined || close !== undefined) dialog.close();
  };
  dialog.onclose = () => at(field).focus();
  await show(at(field).value);
  dialog.showModal();
}

function fill(input, path) {
  input.value = path;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

// Another file: how the one before was read does not hold for it. What was chosen for this one stays.
export function readAnew(input) {
  input.addEventListener("change", () => {
    if (input.value === input.defaultValue) return;
    for (const each of input.form.querySelectorAll("details :is(input, select)")) {
      if (each.type === "checkbox") each.checked &&= !each.defaultChecked;
      else if (each.tagName === "SELECT" ? each.selectedOptions[0]?.defaultSelected : each.value === each.defaultValue) each.value = "";
    }
  });
}

// A browser does not tell where a dropped file lies. The studio looks for its name and size, and reads nothing of it here.
export function dropFiles(zone, input) {
  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => { event.preventDefault(); zone.classList.toggle("over", kind === "dragover"); });
  }
  document.addEventListener("drop", async ({ dataTransfer }) => {
    const [file] = dataTransfer.files;
    if (!file) return;
    const answer = await fetch(`/dropped?${new URLSearchParams({ name: file.name, size: file.size, folder: input.value })}`);
    const paths = answer.ok ? await answer.json() : [];
    if (paths.length) fill(input, paths[0]);
    at("drop-words").textContent = paths.length ? `Found ${paths[0]}. Open it with the button below.`
      : `The browser does not tell where ${file.name} lies, and it is in none of the usual folders. Choose it with Browse.`;
    (paths.length ? document.querySelector("main button.main") : input).focus();
  });
}

// Two headings of the first rows; the second one reads the file anew.
export function chooseColumns(button, read) {
  const table = button.closest("table"), all = [...table.querySelectorAll("[data-column]")];
  const pressed = all.filter((each) => each.getAttribute("aria-pressed") === "true");
  if (pressed.length === 2) for (const each of pressed) each.setAttribute("aria-pressed", "false");
  button.setAttribute("aria-pressed", String(pressed.length === 2 || !pressed.includes(button)));
  const chosen = all.filter((each) => each.getAttribute("aria-pressed") === "true").map((each) => each.dataset.column);
  if (chosen.length === 2) read({ ...JSON.parse(table.dataset.columns), columns: chosen.join(",") });
}
