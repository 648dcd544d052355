// Ways in: a picture, a recording or a text, pasted, dropped, chosen or given to the command.

const megabytes = bytes => `${(bytes / 1e6).toFixed(1)} MB`;
const moment = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));
const SHOWN_LATTICE = 700;

let reading = 0;

async function readFile(file, name = file.name || "the pasted picture") {
  if (file.size > facts.largest) {
    say(`“${name}” is too large: ${megabytes(file.size)}, and ${megabytes(facts.largest)} is the most that is read`, true);
    return;
  }
  const mine = ++reading, began = performance.now();
  const isPicture = file.type.startsWith("image/");
  if (isPicture) await showPicture(file, name);
  if (mine !== reading) return;
  const tell = () => say(`Reading “${name}”, ${megabytes(file.size)}: looking for the board, ${((performance.now() - began) / 1000).toFixed(1)} s`);
  tell();
  const ticking = setInterval(tell, 200);
  try {
    const document_ = await (await post("read", file, { headers: { "x-name": encodeURIComponent(name) } })).json();
    clearInterval(ticking);
    if (mine === reading) await take(document_, file);
  } catch (error) {
    clearInterval(ticking);
    if (mine !== reading) return;
    if (state.picture && state.picture.reading === undefined) state.picture = null;
    state.view = "board";
    show();
    say(error.message, true);
  }
}

const readText = (text, name = "the pasted text") => readFile(new Blob([text], { type: "text/plain" }), name);

function blobOf(address) {
  const [head, data] = address.split(",");
  return new Blob([Uint8Array.from(atob(data), letter => letter.charCodeAt(0))], { type: head.slice(5).split(";")[0] });
}

// The picture is shown before it is read; one that a browser can't show is the server's to judge.
async function showPicture(source, name) {
  const image = element("picture");
  URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(source);
  try {
    await image.decode();
  } catch {
    return;
  }
  state.picture = { name, width: image.naturalWidth, height: image.naturalHeight, reading: undefined, source };
  state.view = "picture";
  show();
}

// What the server made of it.
async function take(document_, file) {
  leavePractice();
  const told = (document_.told || []).join("; ");
  if (document_.kind === "picture") {
    if (document_.picture) await showPicture(blobOf(document_.picture), document_.name);
    else if (!state.picture) await showPicture(file, document_.name);
    state.picture = { ...state.picture, width: document_.width, height: document_.height, reading: document_.reading, name: document_.name };
    if (!document_.reading) {
      show();
      say(told, true);
      element("say").append(" ", teachButton());
      return;
    }
    show();
    say(`${document_.name}: ${document_.reading.rows} × ${document_.reading.cols} tiles, look “${document_.reading.skin}”${told ? `; ${told}` : ""}`);
    if (document_.reading.doubts.length) element("say").append(" ", teachButton());
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) await moment(SHOWN_LATTICE);
    state.view = "board";
    choose(document_.reading.doubts.length ? [document_.reading.doubts[0].row, document_.reading.doubts[0].col] : null);
    begin(parsePosition(document_.board, document_.rule), `read from ${document_.name}`);
  } else {
    state.picture = null;
    state.view = "board";
    if (document_.kind === "board") {
      begin(parsePosition(document_.board, document_.rule, document_.cut), "the board as text");
    } else {
      const entries = document_.looks.map(look => ({ position: parsePosition(look.board, document_.rule), told: lookText(look) }));
      begin(entries[0].position, entries[0].told, entries.slice(1));
    }
    say(told || (document_.kind === "recording" ? `a recording of ${document_.looks.length} looks` : ""));
  }
}

function lookText(look) {
  const then = look.state !== "playing" ? look.state : look.move ? `${look.move[0]} ${place(look.move.slice(1))}` : "looked";
  return `${look.at.toFixed(2)} s: ${then}`;
}

function choose(cell) {
  if (cell) state.selected = cell;
}

async function grabGame() {
  say("Looking at your game once…");
  try {
    await take(await postJson("grab", {}), null);
  } catch (error) {
    say(error.message, true);
  }
}

// A folder that is dropped may be a recording: its own file tells all that is needed.
async function dropped(transfer) {
  const entry = transfer.items && transfer.items[0] && transfer.items[0].webkitGetAsEntry && transfer.items[0].webkitGetAsEntry();
  if (entry && entry.isDirectory) {
    const file = await manifestIn(entry);
    if (file) await readFile(file, entry.name);
    else say(`the folder “${entry.name}” is no recording: it has no recording.jsonl`, true);
  } else if (transfer.files.length) {
    await readFile(transfer.files[0]);
  } else if (transfer.getData("text")) {
    await readText(transfer.getData("text"), "the dropped text");
  }
}

async function manifestIn(folder, depth = 0) {
  const entries = await new Promise((resolve, reject) => folder.createReader().readEntries(resolve, reject)).catch(() => []);
  const manifest = entries.find(entry => entry.isFile && entry.name === "recording.jsonl");
  if (manifest) return new Promise((resolve, reject) => manifest.file(resolve, reject));
  const game = depth === 0 && entries.filter(entry => entry.isDirectory && entry.name.startsWith("game-")).sort((a, b) => a.name < b.name ? -1 : 1)[0];
  return game ? manifestIn(game, 1) : null;
}

document.addEventListener("paste", event => {
  if (event.target.closest("textarea, input")) return;
  const file = [...event.clipboardData.files][0], text = event.clipboardData.getData("text");
  if (!file && !text) return;
  event.preventDefault();
  if (file) readFile(file, file.name === "image.png" ? "the pasted picture" : file.name);
  else readText(text);
});
document.addEventListener("dragover", event => { event.preventDefault(); element("drop").hidden = false; });
document.addEventListener("dragleave", event => { if (!event.relatedTarget) element("drop").hidden = true; });
document.addEventListener("drop", event => {
  event.preventDefault();
  element("drop").hidden = true;
  dropped(event.dataTransfer);
});
element("file").addEventListener("change", event => {
  if (event.target.files.length) readFile(event.target.files[0]);
  event.target.value = "";
});
element("choose").addEventListener("click", () => element("file").click());
element("grab").addEventListener("click", grabGame);
