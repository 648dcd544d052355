// Dialogs: each has a form, a place for what is wrong with it, and something to do with what was entered.

function dialog(name, open, done) {
  const shown = element(`${name}-dialog`), problem = shown.querySelector(".problem"), form = shown.querySelector("form");
  form.addEventListener("submit", async event => {
    if (!event.submitter || event.submitter.value !== "ok") return;
    event.preventDefault();
    problem.hidden = true;
    event.submitter.disabled = true;
    try {
      await done();
      shown.close();
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    } finally {
      event.submitter.disabled = false;
    }
  });
  return async () => {
    problem.hidden = true;
    if (await open() !== false) shown.showModal();
  };
}

const openText = dialog("text", () => { element("text").value = state.at >= 0 ? boardText(current()) : ""; }, async () => {
  const document_ = await (await post("read", new Blob([element("text").value]), { headers: { "x-name": "the%20text" } })).json();
  await take(document_, null);
});

const openNew = dialog("new", () => {}, async () => {
  const [rows, cols, mines] = ["rows", "cols", "mines"].map(name => Number(element(`new-${name}`).value));
  if (mines > rows * cols) throw new Error(`${mines} mines do not fit on ${rows} × ${cols} tiles`);
  leavePractice();
  state.picture = null;
  state.view = "board";
  say("");
  begin({ cells: Array(rows).fill("#".repeat(cols)), mines, rule: "open", cut: [] }, `empty, ${rows} × ${cols}, ${mines} mines`);
});

const openSettings = dialog("settings", () => {
  element("mines").value = current().mines === null ? "" : String(current().mines);
  element("rule").value = current().rule;
  for (const box of document.querySelectorAll(".cut")) box.checked = current().cut.includes(box.value);
}, async () => {
  const given = element("mines").value, mines = given === "" ? null : Number(given);
  const { cells } = current();
  if (mines !== null && mines > cells.length * cells[0].length) throw new Error(`${mines} mines do not fit on the board`);
  const cut = [...document.querySelectorAll(".cut")].filter(box => box.checked).map(box => box.value);
  const told = [mines === null ? "mines not known" : `${mines} mines`, cut.length ? `goes on beyond ${cut.join(", ")}` : ""].filter(Boolean).join("; ");
  move({ ...current(), mines, rule: element("rule").value, cut }, told);
});

const openPractice = dialog("practice", () => {}, async () => {
  await practise(element("level").value === "custom" ? element("custom").value : element("level").value, element("practice-rule").value);
});

// Teaching: groups of tiles that look the same; what nothing proves is asked for.
let answers = {};
const LIKELY = 4;  // candidates that stand out

const openTeach = dialog("teach", async () => {
  const { source, name } = state.picture;
  say("Grouping the tiles by their looks…");
  try {
    const { looks } = await (await post("teach", source, { headers: { "x-name": encodeURIComponent(name) } })).json();
    const open = looks.filter(look => look.asked);
    answers = {};
    element("teach-say").textContent = `${looks.length} looks, ${looks.length - open.length} of them known. ` +
      (open.length ? "Say what the others are, or leave out what you are not sure of." : "Nothing needs to be asked.");
    element("looks").replaceChildren(...open.map(lookRow));
    say("");
    return true;
  } catch (error) {
    say(error.message, true);
    return false;
  }
}, async () => {
  const learnt = await postJson("learn", { name: element("look-name").value, answers });
  await readFile(state.picture.source, state.picture.name);
  say(`learnt the look “${learnt.name}”: ${learnt.tiles}${learnt.missing ? `; not seen yet: ${learnt.missing}` : ""}`);
});

function lookRow(look) {
  const buttons = [...facts.symbols.slice(0, -1)].map(symbol => {
    const likely = look.candidates.slice(0, LIKELY).includes(symbol) ? "likely" : "";
    const button = make("button", { type: "button", "aria-pressed": "false", "aria-label": nameOf(symbol), title: nameOf(symbol), class: likely }, symbol);
    button.addEventListener("click", () => {
      if (answers[look.number] === symbol) delete answers[look.number];
      else answers[look.number] = symbol;
      for (const each of buttons) each.setAttribute("aria-pressed", String(each === button && answers[look.number] === symbol));
    });
    return button;
  });
  const seen = `seen ${look.count === 1 ? "once" : `${look.count} times`}, first at ${place([look.row, look.col])}`;
  return make("div", { class: "look" }, make("img", { src: look.picture, alt: `tile at ${place([look.row, look.col])}` }),
    make("div", {}, make("span", { class: "faint" }, seen), make("div", { class: "row", role: "group", "aria-label": seen }, ...buttons)));
}

function teachButton() {
  const button = make("button", { type: "button", id: "teach" }, "Teach this look…");
  button.addEventListener("click", openTeach);
  return button;
}

element("paste-text").addEventListener("click", openText);
element("new-board").addEventListener("click", openNew);
element("settings").addEventListener("click", openSettings);
element("practise").addEventListener("click", openPractice);
element("level").append(...Object.entries(facts.levels).map(([name, [rows, cols, mines]]) => make("option", { value: name }, `${name}, ${rows} × ${cols}, ${mines} mines`)),
  make("option", { value: "custom" }, "another size"));
element("level").addEventListener("change", () => { element("custom-label").hidden = element("level").value !== "custom"; });
element("presets").append(...Object.entries(facts.levels).map(([name, sizes]) => {
  const button = make("button", { type: "button" }, name);
  button.addEventListener("click", () => ["rows", "cols", "mines"].forEach((field, at) => { element(`new-${field}`).value = String(sizes[at]); }));
  return button;
}));
