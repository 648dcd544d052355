// The board in the game's own look: tiles from one sheet of pictures, what the solver says over them, and above all of it a
// grid of cells for mouse, keyboard and screen reader.

const LEAST_TILE = 20, LARGEST_TILE = 40, PICTURE_TILE = 32, PICTURE_FRAME = 28;
const RULER = 22;  // pixels for the numbers left of the board and above it
const AROUND = 385;  // pixels above and below the board, so that all of it is seen at once

const raised = symbol => symbol === undefined || "#F?.x".includes(symbol);

function paintTiles(pen, cells, size) {
  const { tile, raised_tints, sunk_tints, map, raised: raisedAt, sunk } = facts.sprites;
  const down = Math.floor((map[0] - cells.length) / 2), right = Math.floor((map[1] - cells[0].length) / 2);
  const within = (value, most) => Math.max(0, Math.min(most, value));
  pen.imageSmoothingQuality = "high";
  cells.forEach((row, r) => [...row].forEach((symbol, c) => {
    const way = (within(r + down, map[0] - 1) / (map[0] - 1) + within(c + right, map[1] - 1) / (map[1] - 1)) / 2;
    const value = facts.symbols.indexOf(symbol === "." ? "#" : symbol);
    const shadow = raised((cells[r - 1] || [])[c]) + 2 * raised(row[c - 1]);
    const line = raised(symbol) ? raisedAt[value] : sunk[value] + shadow, tints = raised(symbol) ? raised_tints : sunk_tints;
    pen.drawImage(element("sheet"), Math.round(way * (tints - 1)) * tile, line * tile, tile, tile, c * size, r * size, size, size);
  }));
}

const tileOf = size => (row, col) => [col * size, row * size, size, size];

// Everything over the tiles; `lit` are the cells that a proof rests on and those that it settles.
function paintMarks(pen, size, withOdds) {
  const { cells } = current(), tile = tileOf(size), analysis = state.analysis;
  const decision = analysis && (state.thought || analysis).decision;
  cells.forEach((row, r) => [...row].forEach((symbol, c) => {
    if (symbol === ".") outlineTiles(pen, tile, [[r, c]], "#ff9500", 1 / 8);
  }));
  if (analysis && withOdds) drawMarks(pen, tile, { ...analysis.decision, mined: analysis.decision.mined.filter(([r, c]) => cells[r][c] !== "F") },
    analysis.near, true);
  if (analysis && (withOdds || analysis.clashes.length)) {
    outlineTiles(pen, tile, analysis.decision.wrong_flags, "#ff9500", 1 / 8);
    for (const [r, c] of analysis.clashes) clash(pen, tile(r, c));
    if (withOdds && decision.move) outlineTiles(pen, tile, [[decision.move.row, decision.move.col]], "#ffd60a", 1 / 9);
  }
  for (const { cell, colour } of state.marks) outlineTiles(pen, tile, [cell], colour, 1 / 7);
  if (state.lit) spotlight(pen, tile, cells);
}

function clash(pen, [x, y, wide, high]) {
  pen.fillStyle = "rgba(225, 20, 90, 0.32)";
  pen.fillRect(x + 1, y + 1, wide - 2, high - 2);
  outlineTiles(pen, () => [x, y, wide, high], [[0, 0]], "#e1145a", 1 / 9);
}

function spotlight(pen, tile, cells) {
  const bright = new Set([...state.lit.numbers, ...state.lit.mines, ...state.lit.cells].map(String));
  pen.fillStyle = "rgba(10, 14, 26, 0.55)";
  cells.forEach((row, r) => [...row].forEach((_, c) => {
    if (!bright.has(`${r},${c}`)) pen.fillRect(...tile(r, c));
  }));
  outlineTiles(pen, tile, state.lit.mines, "#ff8f95", 1 / 14);
  outlineTiles(pen, tile, state.lit.numbers, "#ffd60a", 1 / 9);
  outlineTiles(pen, tile, state.lit.cells, state.lit.conclusion === "mine" ? "#ff5a63" : "#43e06f", 1 / 9);
}

function drawBoard() {
  const { cells } = current(), sharp = window.devicePixelRatio || 1;
  const wide = element("stage").clientWidth - 12 - RULER, high = Math.max(240, window.innerHeight - AROUND - RULER);
  const fits = Math.floor(Math.min(wide / cells[0].length, high / cells.length));
  const size = Math.max(LEAST_TILE, Math.min(LARGEST_TILE, fits));
  const pixels = Math.round(size * sharp), canvas = element("tiles");
  canvas.width = cells[0].length * pixels;
  canvas.height = cells.length * pixels;
  canvas.style.width = `${cells[0].length * size}px`;
  canvas.style.height = `${cells.length * size}px`;
  const pen = canvas.getContext("2d");
  paintTiles(pen, cells, pixels);
  paintMarks(pen, pixels, element("odds").checked);
  element("tray").className = current().cut.join(" ");
  layRuler("columns", cells[0].length, "width", size);
  layRuler("rows", cells.length, "height", size);
  layCells(cells, size);
}

// Numbers as people are told them; those who listen hear them with every cell.
function layRuler(name, count, side, size) {
  const ruler = element(name);
  if (ruler.children.length !== count)
    ruler.replaceChildren(...Array.from({ length: count }, (_, index) => make("span", {}, String(index + 1))));
  for (const number of ruler.children) number.style[side] = `${size}px`;
}

const NAMES = { "#": "covered", "F": "flag", "?": "question mark", "*": "mine", "X": "exploded mine", "x": "wrong flag", ".": "not read" };
const nameOf = symbol => symbol === "0" ? "blank" : NAMES[symbol] || symbol;

function labelOf(row, col) {
  const symbol = current().cells[row][col], analysis = state.analysis;
  const chance = analysis && element("odds").checked ? analysis.decision.odds[row][col] : null;
  const risk = chance === null ? "" : chance === 0 ? ", safe" : chance === 1 ? ", a mine" : `, ${(100 * chance).toFixed(1)} % risk`;
  const clashes = analysis && analysis.clashes.some(([r, c]) => r === row && c === col) ? ", contradicts" : "";
  return `${place([row, col])}: ${nameOf(symbol)}${risk}${clashes}`;
}

let laid = "";

function layCells(cells, size) {
  const grid = element("grid"), shape = `${cells.length}x${cells[0].length}`;
  if (laid !== shape) {
    laid = shape;
    grid.setAttribute("aria-rowcount", String(cells.length));
    grid.setAttribute("aria-colcount", String(cells[0].length));
    grid.replaceChildren(...cells.map((row, r) => {
      const line = make("div", { role: "row" });
      line.append(...[...row].map((_, c) => {
        const cell = make("div", { role: "gridcell", tabindex: "-1" });
        cell.dataset.at = `${r},${c}`;
        return cell;
      }));
      return line;
    }));
  }
  [...grid.children].forEach((line, r) => [...line.children].forEach((cell, c) => {
    cell.style.width = cell.style.height = `${size}px`;
    const label = labelOf(r, c), chosen = state.selected[0] === r && state.selected[1] === c;
    if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
    cell.classList.toggle("selected", chosen && state.mode === "analyse");
    cell.setAttribute("tabindex", chosen ? "0" : "-1");
  }));
}

const cellAt = (row, col) => element("grid").children[row].children[col];

// The picture that was read, with the lattice that was found in it and the doubts.
function drawPhoto() {
  const shown = state.picture;
  if (!shown) return;
  const photo = element("photo"), canvas = element("lattice"), sharp = window.devicePixelRatio || 1;
  const room = Math.max(240, window.innerHeight - AROUND) * shown.width / shown.height;
  photo.style.maxWidth = `${Math.min(shown.width * 2, Math.max(300, room))}px`;
  photo.classList.toggle("reading", Boolean(shown.reading === undefined));
  canvas.width = Math.round(photo.clientWidth * sharp);
  canvas.height = Math.round(photo.clientWidth * sharp * shown.height / shown.width);
  if (!shown.reading) return;
  const pen = canvas.getContext("2d"), scale = canvas.width / shown.width, { grid, rows, cols } = shown.reading;
  const own = state.at >= 0 && state.entries[0].told === `read from ${shown.name}`;  // and not a board before it
  const doubts = shown.reading.doubts.filter(({ row, col }) => !own || current().cells[row][col] === ".");
  const wide = grid.pitch_x * scale, high = grid.pitch_y * scale, left = grid.left * scale, top = grid.top * scale;
  const tile = (row, col) => [left + col * wide, top + row * high, wide, high];
  pen.strokeStyle = "rgba(0, 220, 255, 0.85)";
  pen.lineWidth = Math.max(1, sharp);
  pen.beginPath();
  for (let row = 0; row <= rows; row++) { pen.moveTo(left, top + row * high); pen.lineTo(left + cols * wide, top + row * high); }
  for (let col = 0; col <= cols; col++) { pen.moveTo(left + col * wide, top); pen.lineTo(left + col * wide, top + rows * high); }
  pen.stroke();
  fillTiles(pen, tile, doubts.map(doubt => [doubt.row, doubt.col]), "rgba(255, 149, 0, 0.45)");
  outlineTiles(pen, tile, doubts.map(doubt => [doubt.row, doubt.col]), "#ff9500", 1 / 8);
  outlineTiles(pen, tile, [state.selected], "#ffffff", 1 / 10);
  drawRulers(pen, tile, rows, cols);
}

function cellUnder(event) {
  const shown = state.picture, box = element("lattice").getBoundingClientRect();
  if (!shown || !shown.reading) return null;
  const { grid, rows, cols } = shown.reading, scale = shown.width / box.width;
  const row = Math.floor(((event.clientY - box.top) * scale - grid.top) / grid.pitch_y);
  const col = Math.floor(((event.clientX - box.left) * scale - grid.left) / grid.pitch_x);
  return row >= 0 && row < rows && col >= 0 && col < cols ? [row, col] : null;
}

function boardPicture() {
  const { cells } = current(), canvas = document.createElement("canvas");
  canvas.width = cells[0].length * PICTURE_TILE + 2 * PICTURE_FRAME;
  canvas.height = cells.length * PICTURE_TILE + 2 * PICTURE_FRAME;
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#dfe8f6";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.translate(PICTURE_FRAME, PICTURE_FRAME);
  paintTiles(pen, cells, PICTURE_TILE);
  paintMarks(pen, PICTURE_TILE, element("odds").checked);
  pen.resetTransform();
  drawRulers(pen, (row, col) => [PICTURE_FRAME + col * PICTURE_TILE, PICTURE_FRAME + row * PICTURE_TILE, PICTURE_TILE, PICTURE_TILE],
    cells.length, cells[0].length);
  return new Promise(resolve => canvas.toBlob(resolve, "image/png"));
}

function make(tag, attributes = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}
