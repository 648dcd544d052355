// What the solver says about a board, over the board: shared by all pages that show one.

const place = cell => `row ${cell[0] + 1}, column ${cell[1] + 1}`;
const percent = chance => chance > 0 && chance < 0.005 ? "<1" : String(Math.min(Math.round(100 * chance), chance < 1 ? 99 : 100));

// From green over amber to red; beyond three in five it is all red.
const heat = (chance, alpha) => `hsla(${Math.round(120 * (1 - Math.min(1, chance * 1.6)))}, 75%, 36%, ${alpha})`;

function fillTiles(pen, tile, cells, colour) {
  pen.fillStyle = colour;
  for (const cell of cells) {
    const [x, y, wide, high] = tile(...cell);
    pen.fillRect(x + 1, y + 1, wide - 2, high - 2);
  }
}

function outlineTiles(pen, tile, cells, colour, share) {
  pen.strokeStyle = colour;
  for (const cell of cells) {
    const [x, y, wide, high] = tile(...cell);
    const width = Math.max(2, wide * share), inset = width / 2 + 1;
    pen.lineWidth = width;
    pen.strokeRect(x + inset, y + inset, wide - 2 * inset, high - 2 * inset);
  }
}

// `tile` gives left, top, width and height of a cell on the canvas; `near` says which cells lie beside a number.
function drawMarks(pen, tile, decision, near, everywhere) {
  fillTiles(pen, tile, decision.safe, "rgba(34, 178, 76, 0.62)");
  fillTiles(pen, tile, decision.mined, "rgba(214, 30, 48, 0.56)");
  if (!decision.must_guess && !everywhere) return;
  const high = tile(0, 0)[3];
  pen.textAlign = "center"; pen.textBaseline = "middle";
  pen.font = `600 ${Math.round(high * 0.5)}px system-ui, "Segoe UI", sans-serif`;
  decision.odds.forEach((row, r) => row.forEach((chance, c) => {
    if (chance === null || chance === 0 || chance === 1) return;
    const [x, y, wide, high] = tile(r, c);
    if (near[r][c]) {
      pen.fillStyle = heat(chance, 0.82);
      pen.fillRect(x + 1, y + 1, wide - 2, high - 2);
    }
    pen.fillStyle = near[r][c] ? "#fff" : "rgba(255, 255, 255, 0.5)";
    pen.fillText(percent(chance), x + wide / 2, y + high / 2 + 1);
  }));
}

// Which of the numbers up to a count are shown, each with so much room and needing so much: where not all fit, from 10 on
// every second or every fifth.
function shownNumbers(count, room, need) {
  const step = count < 10 ? 1 : [1, 2, 5].find(step => step * room >= need) || 10;
  return Array.from({ length: count }, (_, index) => index + 1).filter(number => number < 10 && room >= need / 2 || number % step === 0);
}

// The numbers of rows and columns beside a board; on the rim of its tiles, half transparent, where the canvas has no room.
function drawRulers(pen, tile, rows, cols) {
  const [left, top, wide, high] = tile(0, 0), size = Math.max(8, Math.round(high * 0.42));
  pen.font = `600 ${size}px system-ui, "Segoe UI", sans-serif`;
  const longest = pen.measureText(String(rows)).width + size * 0.6, beside = left >= longest, above = top >= size * 1.3;
  pen.lineJoin = "round"; pen.lineWidth = Math.max(2, size / 5);
  const write = (number, x, y, clear) => {
    pen.globalAlpha = clear ? 1 : 0.55;
    pen.strokeStyle = "#fff"; pen.fillStyle = "#1b2a55";
    pen.strokeText(number, x, y);
    pen.fillText(number, x, y);
  };
  pen.textBaseline = "middle";
  pen.textAlign = beside ? "right" : "left";
  for (const row of shownNumbers(rows, high, size * 1.1))
    write(String(row), beside ? left - size * 0.3 : left + 1, top + (row - 0.5) * high, beside);
  pen.textAlign = "center";
  for (const col of shownNumbers(cols, wide, pen.measureText(String(cols)).width + size * 0.2))
    write(String(col), left + (col - 0.5) * wide, top + size * (above ? -0.65 : 0.55), above);
  pen.globalAlpha = 1;
}
