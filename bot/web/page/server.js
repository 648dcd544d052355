// Questions to the server. A newer question about the board makes the older one void.

let asked = null;

async function post(path, body, { headers = {}, signal } = {}) {
  let answer;
  try {
    answer = await fetch(path, { method: "POST", body, headers, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("the analyser does not answer");
  }
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({}));
  throw new Error(told.error || `the analyser answers ${answer.status}`);
}

const postJson = async (path, document_, options) => (await post(path, JSON.stringify(document_), options)).json();

const question = position => ({ board: boardText(position), rule: position.rule, cut: position.cut });

async function ask() {
  if (asked) asked.abort();
  state.thinking = false;
  if (!wanted()) return;
  const mine = asked = new AbortController();
  try {
    const analysis = await postJson("analyse", question(current()), { signal: mine.signal });
    if (mine !== asked) return;
    state.analysis = analysis;
    const decision = analysis.decision;
    if (state.fresh && decision.move && state.mode === "analyse" && !current().cells.join("").includes(".")) state.selected = [decision.move.row, decision.move.col];
    state.fresh = false;
    show();
    if (decision.must_guess && decision.move && decision.candidates.length && state.mode === "analyse") await think(mine);
  } catch (error) {
    if (error.name !== "AbortError") say(error.message, true);
  }
}

// In practice only what the player asks for is worked out.
const wanted = () => state.mode === "analyse" || element("odds").checked;

async function think(mine) {
  state.thinking = true;
  showPanel();
  const answer = await post("think", JSON.stringify(question(current())), { signal: mine.signal });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (mine !== asked) return;
    if (done) break;
    text += value;
    const lines = text.split("\n");
    text = lines.pop();
    if (lines.length) {
      state.thought = JSON.parse(lines.at(-1));
      state.thoughts = (state.thoughts || 0) + lines.length;
      show();
    }
  }
  state.thinking = false;
  show();
}

// The server lives as long as somebody keeps this request open.
async function stayAlive() {
  try {
    const reader = (await fetch("alive")).body.getReader();
    while (!(await reader.read()).done);
  } catch { /* it has ended */ }
  element("lost").hidden = false;
}

function say(text, problem = false) {
  element("say").textContent = text;
  element("say").classList.toggle("problem", problem);
}
