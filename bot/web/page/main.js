// What a person does with the board: choosing tiles, saying what they show, going back, taking it elsewhere.

function select(row, col, focus = true) {
  state.selected = [row, col];
  show();
  if (focus && state.view === "board") cellAt(row, col).focus({ preventScroll: false });
}

// What a tile shows, as the person says it; how risky opening it was is kept with the move.
function enter(symbol) {
  const [row, col] = state.selected, before = current().cells[row][col];
  if (state.mode !== "analyse" || before === symbol) return;
  const chance = state.analysis ? state.analysis.decision.odds[row][col] : null;
  const opened = hidden(before) && (isOpen(symbol) || symbol === "X") && chance !== null;
  const risk = !opened ? "" : chance === 0 ? ", safe" : `, ${exactly(chance)} risk`;
  move(withCell(current(), row, col, symbol), `${place([row, col])} ${opened ? "shows" : "is"} ${nameOf(symbol)}${risk}`,
    !opened ? "" : chance === 0 ? "safe" : "guess");
  if (state.view === "board") cellAt(row, col).focus();
}

function step(down, right) {
  const { cells } = current();
  select(Math.max(0, Math.min(cells.length - 1, state.selected[0] + down)), Math.max(0, Math.min(cells[0].length - 1, state.selected[1] + right)));
}

function nextMove() {
  const analysis = state.thought || state.analysis;
  if (analysis && analysis.decision.move) select(analysis.decision.move.row, analysis.decision.move.col);
}

async function copied(work, told) {
  try {
    await work();
    say(told);
  } catch {
    say("the browser does not let this page use the clipboard", true);
  }
}

const copyText = () => copied(() => navigator.clipboard.writeText(boardText(current())), "copied as text");
const copyLink = () => copied(() => navigator.clipboard.writeText(location.origin + location.pathname + fragmentOf(current())), "copied as a link");
const copyPicture = () => copied(() => navigator.clipboard.write([new ClipboardItem({ "image/png": boardPicture() })]), "copied as a picture");

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function pressed(event) {
  if (state.at < 0 || document.querySelector("dialog[open]") || event.target.closest("textarea, input:not([type=checkbox]), select")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key, onBoard = !event.target.closest("button, a, tr, input");
  if (event.ctrlKey || event.metaKey) {
    if (state.mode !== "analyse" || !["z", "y"].includes(key)) return;
    event.preventDefault();
    goTo(key === "y" || event.shiftKey ? state.at + 1 : state.at - 1);
    return;
  }
  if (event.altKey) return;
  const acts = { o: () => element("odds").click(), n: nextMove, h: () => { if (state.mode === "practice") hint(); },
    Escape: unlight };
  if (onBoard) {
    for (const [name, by] of Object.entries(ARROWS)) acts[name] = () => step(...by);
    acts.Home = () => select(state.selected[0], 0);
    acts.End = () => select(state.selected[0], current().cells[0].length - 1);
    if (state.mode === "practice") {
      for (const [name, act] of [[" ", "open"], ["Enter", "open"], ["f", "mark"], ["c", "chord"]]) acts[name] = () => click(act, ...state.selected);
    } else {
      for (const symbol of "012345678?*.") acts[symbol] = () => enter(symbol);
      Object.assign(acts, { f: () => enter("F"), " ": () => enter("#"), Delete: () => enter("#"), Backspace: () => enter("#"), m: () => enter("*") });
    }
  }
  if (!acts[key]) return;
  event.preventDefault();
  acts[key]();
}

document.addEventListener("keydown", pressed);
element("grid").addEventListener("click", event => {
  const cell = event.target.closest("[data-at]");
  if (!cell) return;
  const [row, col] = cell.dataset.at.split(",").map(Number);
  state.lit = null;
  select(row, col);
  if (state.mode === "practice" && event.detail < 2) click("open", row, col);
});
element("grid").addEventListener("dblclick", event => {
  const cell = event.target.closest("[data-at]");
  if (cell && state.mode === "practice") click("chord", ...cell.dataset.at.split(",").map(Number));
});
element("grid").addEventListener("contextmenu", event => {
  const cell = event.target.closest("[data-at]");
  if (!cell) return;
  event.preventDefault();
  const [row, col] = cell.dataset.at.split(",").map(Number);
  select(row, col);
  if (state.mode === "practice") click("mark", row, col);
  else enter(current().cells[row][col] === "F" ? "#" : "F");
});
element("lattice").addEventListener("click", event => {
  const cell = cellUnder(event);
  if (cell && state.at >= 0) select(...cell, false);
});
element("symbols").addEventListener("click", event => {
  const button = event.target.closest("[data-symbol]");
  if (button) enter(button.dataset.symbol);
});
for (const kind of ["mouseover", "focusin"]) element("panel").addEventListener(kind, light);
for (const kind of ["mouseout", "focusout"]) element("panel").addEventListener(kind, unlight);
for (const list of ["steps", "chain"]) element(list).addEventListener("click", event => {
  const button = event.target.closest("[data-step]");
  if (button) light(event);
});
element("candidates").addEventListener("click", event => {
  const line = event.target.closest("[data-cell]");
  if (line) select(...line.dataset.cell.split(",").map(Number));
});
element("candidates").addEventListener("keydown", event => {
  const line = event.target.closest("[data-cell]");
  if (line && event.key === "Enter") select(...line.dataset.cell.split(",").map(Number));
});
element("moves").addEventListener("click", event => {
  const button = event.target.closest("[data-at]");
  if (button) goTo(Number(button.dataset.at));
});
element("odds").addEventListener("change", () => { if (state.at >= 0) { show(); if (!state.analysis) ask(); } });
element("undo").addEventListener("click", () => goTo(state.at - 1));
element("redo").addEventListener("click", () => goTo(state.at + 1));
element("copy-text").addEventListener("click", copyText);
element("copy-link").addEventListener("click", copyLink);
element("copy-png").addEventListener("click", copyPicture);
for (const name of ["board", "picture"]) element(`view-${name}`).addEventListener("click", () => { state.view = name; show(); });
window.addEventListener("resize", () => show());
window.addEventListener("hashchange", () => {
  const position = fromFragment(location.hash);
  if (position) { leavePractice(); state.picture = null; state.view = "board"; begin(position, "a link"); }
});

function drawExample() {
  const cells = ["0001##", "1212F#", "#F3###", "######"], canvas = element("example"), size = 72;
  canvas.width = cells[0].length * size;
  canvas.height = cells.length * size;
  canvas.style.width = `${cells[0].length * size / 2}px`;
  const pen = canvas.getContext("2d");
  paintTiles(pen, cells, size);
}

async function start() {
  await element("sheet").decode();
  layPalette();
  drawExample();
  stayAlive();
  const linked = fromFragment(location.hash);
  if (linked) {
    begin(linked, "a link");
  } else {
    const given = await (await fetch("start")).json();
    if (given.kind !== "nothing") await take(given, null);
  }
  document.body.dataset.ready = "1";
}

start();
