// A position: the rows of a board as text, its mines, what the first click promises, and the sides that are cut.
// Positions are never changed, only replaced; the history keeps them all.

const element = id => document.getElementById(id);
const facts = JSON.parse(element("facts").textContent);
const hidden = symbol => "#F?.".includes(symbol);
const isOpen = symbol => symbol >= "0" && symbol <= "8";

function parsePosition(text, rule, cut) {
  const lines = text.split("\n").filter(line => line !== "");
  const mines = lines[0].startsWith("mines:") ? Number(lines.shift().slice(6)) : null;
  const told = lines[0].startsWith("cut:") ? lines.shift().slice(4).trim().split(" ") : [];
  return { cells: lines, mines, rule: rule || "open", cut: cut || told };
}

// The mines of the whole board say nothing about a part of it.
function boardText(position) {
  const mines = position.mines === null ? [] : [`mines: ${position.mines}`];
  return [...(position.cut.length ? [`cut: ${position.cut.join(" ")}`] : mines), ...position.cells].join("\n");
}

function withCell(position, row, col, symbol) {
  const cells = position.cells.slice();
  cells[row] = cells[row].slice(0, col) + symbol + cells[row].slice(col + 1);
  return { ...position, cells };
}

function fragmentOf(position) {
  const coded = [...position.cells.join("/")].map(symbol => symbol === "/" ? "/" : facts.link_symbols[facts.symbols.indexOf(symbol)]);
  const rule = position.rule === "open" ? "" : `&rule=${position.rule}`;
  const cut = position.cut.length ? `&cut=${position.cut.join(",")}` : "";
  return `#b=${position.mines === null ? "" : position.mines}/${coded.join("")}${rule}${cut}`;
}

function fromFragment(fragment) {
  const found = fragment.match(/^#b=([0-9]*)\/([0-9a-zA-Z/]+)((?:&[a-z]+=[a-z,]*)*)$/);
  if (!found) return null;
  const rows = found[2].split("/").map(row => [...row].map(letter => facts.symbols[facts.link_symbols.indexOf(letter)]));
  if (rows.some(row => row.length !== rows[0].length || row.includes(undefined))) return null;
  const given = new URLSearchParams(found[3]);
  const cut = (given.get("cut") || "").split(",").filter(side => ["top", "right", "bottom", "left"].includes(side));
  const rule = ["open", "safe", "none"].includes(given.get("rule")) ? given.get("rule") : "open";
  return { cells: rows.map(row => row.join("")), mines: found[1] === "" ? null : Number(found[1]), rule, cut };
}

// All that the page knows. `entries` are positions with the words that tell how each came about.
const state = { mode: "analyse", entries: [], at: -1, analysis: null, thought: null, thinking: false, selected: [0, 0], lit: null,
  view: "board", picture: null, practice: null, marks: [] };

const current = () => state.entries[state.at].position;

function begin(position, told, rest = []) {
  state.fresh = true;
  state.entries = [{ position, told }, ...rest];
  goTo(0);
}

function move(position, told, kind) {
  state.entries = [...state.entries.slice(0, state.at + 1), { position, told, kind }];
  goTo(state.at + 1);
}

function goTo(at) {
  if (at < 0 || at >= state.entries.length) return;
  state.at = at;
  state.analysis = state.thought = state.lit = null;
  state.marks = state.entries[at].marks || [];
  const { cells } = current();
  state.selected = [Math.min(state.selected[0], cells.length - 1), Math.min(state.selected[1], cells[0].length - 1)];
  if (state.mode === "analyse") history.replaceState(null, "", fragmentOf(current()));
  show();
  ask();
}
