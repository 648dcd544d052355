// What is said beside the board: the verdict, the proofs, the candidates of a guess, the chosen tile and the moves.

const exactly = share => `${(100 * share).toFixed(1)} %`;
const tilesOf = count => `${count} ${count === 1 ? "tile" : "tiles"}`;

function show() {
  const started = state.at >= 0;
  element("empty").hidden = started || state.picture !== null;
  document.querySelector("footer").hidden = !started;
  element("work").hidden = !started && state.picture === null;
  element("panel").hidden = !started;
  element("views").hidden = state.picture === null || !state.picture.reading;
  const photo = state.picture !== null && (state.view === "picture" || !started);
  element("ruled").hidden = photo || !started;
  element("photo").hidden = !photo;
  for (const name of ["board", "picture"]) element(`view-${name}`).setAttribute("aria-selected", String(state.view === name));
  element("palette").hidden = !started || state.mode !== "analyse";
  element("play").hidden = state.mode !== "practice";
  element("tools").hidden = !started;
  element("settings").hidden = !started || state.mode !== "analyse";
  element("odds").parentElement.hidden = !started;
  if (photo) drawPhoto();
  if (!started) return;
  if (!photo) drawBoard();
  showPanel();
  showPalette();
  const { cells, mines } = current();
  const flags = cells.join("").replace(/[^Fx]/g, "").length;
  const left = mines === null ? "mines not known" : `${mines - flags} of ${mines} left`;
  element("size").textContent = `${cells.length} × ${cells[0].length} · ${left}`;
  element("undo").disabled = state.mode !== "analyse" || state.at === 0;
  element("redo").disabled = state.mode !== "analyse" || state.at === state.entries.length - 1;
}

function showPanel() {
  const analysis = state.analysis, decision = analysis && (state.thought || analysis).decision;
  showVerdict(analysis, decision);
  showTile(analysis);
  const guess = Boolean(decision && decision.must_guess && decision.candidates.length);
  element("guess").hidden = !guess;
  if (guess) showCandidates(decision, (state.thought || analysis).tells);
  showSteps(analysis);
  showMoves();
}

function showVerdict(analysis, decision) {
  const verdict = element("verdict");
  const [text, kind, reason] = !analysis ? practiceVerdict() : verdictOf(analysis, decision);
  verdict.textContent = text;
  verdict.className = kind;
  element("reason").textContent = reason;
}

function verdictOf(analysis, decision) {
  if (decision.problems.length) {
    const more = decision.problems.filter(problem => !decision.reason.includes(problem)).join("; ");
    return ["The numbers contradict each other", "wrong", [decision.move ? "" : decision.reason, more].filter(Boolean).join("; ")];
  }
  if (!decision.move) return [decision.reason.startsWith("the game is won") ? "The game is won" : "There is nothing to open", "", decision.reason];
  if (decision.must_guess) return ["You must guess", "guess", decision.reason];
  const safe = decision.safe.length;
  return [safe ? `${tilesOf(safe)} ${safe === 1 ? "is" : "are"} safe` : "Begin anywhere you are told", "certain",
    `${place([decision.move.row, decision.move.col])}: ${decision.reason}`];
}

// One tile: what it is, its odds, and if it is certain the whole proof from its first step on.
function showTile(analysis) {
  const [row, col] = state.selected, chain = element("chain");
  element("tile").hidden = !analysis || state.mode !== "analyse";
  if (!analysis) return;
  const chance = analysis.decision.odds[row][col], symbol = current().cells[row][col];
  element("tile-name").textContent = `${place([row, col])}: ${nameOf(symbol)}`;
  element("tile-odds").textContent = chance === null ? "" : chance === 0 ? "certainly safe" : chance === 1 ? "certainly a mine" :
    `${exactly(chance)} risk of a mine`;
  const last = analysis.decision.steps.findIndex(step => step.cells.some(([r, c]) => r === row && c === col));
  const needed = new Set();
  const collect = index => { if (!needed.has(index)) { needed.add(index); analysis.proofs[index].after.forEach(collect); } };
  if (last >= 0) collect(last);
  chain.replaceChildren(...[...needed].sort((a, b) => a - b).map((index, at) => stepItem(analysis, index, `${at + 1}. `)));
}

function stepItem(analysis, index, before = "") {
  const step = analysis.decision.steps[index];
  const what = step.conclusion === "safe" ? "safe" : "mine";
  const one = step.cells.length === 1, names = one ? place(step.cells[0]) : tilesOf(step.cells.length);
  const concluded = `${names} ${what === "safe" ? (one ? "is safe" : "are safe") : (one ? "is a mine" : "are mines")}`;
  const button = make("button", { type: "button" }, before, make("b", {}, concluded), `: ${step.because}`);
  button.dataset.step = String(index);
  return make("li", { class: what }, button);
}

// What a proof rests on is lit while it is pointed at or has the focus.
function light(event) {
  const button = event.target.closest("[data-step]");
  if (!button || !state.analysis || state.view !== "board") return;
  const index = Number(button.dataset.step), step = state.analysis.decision.steps[index];
  const { numbers, mines } = state.analysis.proofs[index];
  state.lit = { numbers, mines, cells: step.cells, conclusion: step.conclusion };
  drawBoard();
}

function unlight() {
  if (!state.lit) return;
  state.lit = null;
  drawBoard();
}

function showSteps(analysis) {
  const { cells } = current();
  const shown = !analysis || state.mode === "practice" && !element("odds").checked ? [] : analysis.decision.steps.map((_, index) => index)
    .filter(index => analysis.decision.steps[index].cells.some(([r, c]) => cells[r][c] !== "F" || analysis.decision.steps[index].conclusion === "safe"));
  element("proof").hidden = shown.length === 0;
  if (analysis && state.proofOf !== analysis) {
    state.proofOf = analysis;
    element("proof").open = !analysis.decision.must_guess;  // a guess is about what is not known
  }
  element("steps").replaceChildren(...shown.map((index, at) => stepItem(analysis, index, `${at + 1}. `)));
}

function showCandidates(decision, tells) {
  element("busy").textContent = state.thinking ? "· estimates are improving…" : "";
  element("candidates").replaceChildren(...decision.candidates.map((candidate, at) => {
    const name = place([candidate.row, candidate.col]);
    const line = make("tr", { tabindex: "0", "aria-label": `${name}, ${exactly(candidate.risk)} risk` }, make("td", {}, `${candidate.row + 1}, ${candidate.col + 1}`),
      make("td", {}, exactly(candidate.risk)), make("td", {}, candidate.value === null ? "–" : exactly(candidate.value)),
      make("td", {}, tells[at] ? bars(tells[at], candidate.risk) : "–"));
    line.dataset.cell = `${candidate.row},${candidate.col}`;
    line.title = name;
    return line;
  }));
}

function bars(shares, risk) {
  const all = [...shares.map((share, number) => [String(number), share]), ["✹", risk]].filter(([, share]) => share > 0.0005);
  const largest = Math.max(...all.map(([, share]) => share));
  const words = all.map(([name, share]) => `${name === "✹" ? "a mine" : name}: ${exactly(share)}`).join(", ");
  const chart = make("span", { class: "tells", role: "img", "aria-label": words });
  chart.title = words;
  for (const [name, share] of all) {
    const bar = make("i");
    bar.style.height = `${Math.max(1, Math.round(22 * share / largest))}px`;
    chart.append(make("span", name === "✹" ? { class: "mine" } : {}, bar, name));
  }
  return chart;
}

function showMoves() {
  element("moves-part").hidden = state.entries.length < 2 || state.mode !== "analyse";
  element("moves").replaceChildren(...state.entries.map((entry, at) => {
    const button = make("button", { type: "button" }, entry.told);
    if (at === state.at) button.setAttribute("aria-current", "true");
    button.dataset.at = String(at);
    return make("li", { class: entry.kind || "" }, button);
  }));
}

// The palette: what the chosen tile may show, with the chance of each number where a guess was weighed.
const PALETTE = "012345678#F?*";

function showPalette() {
  const [row, col] = state.selected, symbol = current().cells[row][col], analysis = state.thought || state.analysis;
  const at = analysis ? analysis.decision.candidates.findIndex(each => each.row === row && each.col === col) : -1;
  const shares = at >= 0 && analysis.tells[at];
  element("asks").textContent = hidden(symbol) ? `What does the game show at ${place([row, col])}?` : `${place([row, col])} shows ${nameOf(symbol)}`;
  [...element("symbols").children].forEach((button, number) => {
    button.setAttribute("aria-pressed", String(PALETTE[number] === symbol));
    button.lastChild.textContent = shares && number < 9 ? percent(shares[number]) + " %" : "";
  });
}

function layPalette() {
  element("symbols").append(...[...PALETTE].map(symbol => {
    const button = make("button", { type: "button", "aria-label": nameOf(symbol), title: `${nameOf(symbol)} (${symbol === "#" ? "space" : symbol})` });
    const canvas = make("canvas", { width: "56", height: "56" });
    canvas.style.width = canvas.style.height = "28px";
    button.append(canvas, make("small"));
    button.dataset.symbol = symbol;
    const { tile, raised: raisedAt, sunk } = facts.sprites, value = facts.symbols.indexOf(symbol);
    const line = raised(symbol) ? raisedAt[value] : sunk[value];
    canvas.getContext("2d").drawImage(element("sheet"), (raised(symbol) ? 4 : 1) * tile, line * tile, tile, tile, 0, 0, 56, 56);
    return button;
  }));
}
