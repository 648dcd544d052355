// Practice: a game of the clone, with hints and odds for those who ask, and the coach's review at the end.

async function practise(level, rule) {
  const dealt = await postJson("practice", { level, rule, seed: null });
  state.mode = "practice";
  state.picture = null;
  state.view = "board";
  state.practice = { game: dealt.game, level, rule, state: dealt.state, review: null };
  element("odds").checked = false;
  element("review").hidden = true;
  history.replaceState(null, "", location.pathname);
  say("");
  begin(parsePosition(dealt.board, rule === "safe" ? "safe" : "open"), `practice, ${level}`);
  cellAt(...state.selected).focus();
}

function leavePractice() {
  if (state.mode !== "practice") return;
  state.mode = "analyse";
  state.practice = null;
  element("odds").checked = true;
  element("review").hidden = true;
}

let clicking = Promise.resolve();

// Clicks are done in the order in which they were made.
function click(act, row, col) {
  clicking = clicking.then(async () => {
    const practice = state.practice;
    if (!practice || practice.review) return;
    try {
      const seen = await postJson("click", { game: practice.game, act, row, col });
      if (practice !== state.practice) return;
      say("");
      practice.state = seen.state;
      practice.review = seen.review;
      const position = parsePosition(seen.board, practice.rule === "safe" ? "safe" : "open");
      if (boardText(position) !== boardText(current())) move(position, `${act} ${place([row, col])}`);
      if (seen.review) showReview(seen);
    } catch (error) {
      say(error.message, true);
    }
  });
  return clicking;
}

function practiceVerdict() {
  const practice = state.practice;
  if (!practice) return ["Thinking…", "", ""];
  if (practice.state === "won") return ["You have won", "certain", ""];
  if (practice.state === "lost") return ["A mine went off", "wrong", ""];
  return [practice.state === "new" ? "Open your first tile" : "Your move", "", "A hint shows the simplest next step; the odds can be switched on."];
}

function showReview(seen) {
  const { risks, lines } = seen.review;
  element("review").hidden = false;
  let risk = 0;
  element("review-lines").replaceChildren(...lines.map(line => {
    if (!line.startsWith("needless:") && !line.startsWith("guess:")) return make("li", { class: "plain" }, line);
    const button = make("button", { type: "button" }, line);
    button.dataset.risk = String(risk);
    return make("li", { class: risks[risk++].needless ? "mine" : "guess" }, button);
  }));
  show();
}

// A risk of the review is shown on the board on which it was taken: red what was opened, green the better choice.
function showRisk(index) {
  const risk = state.practice.review.risks[index];
  const at = state.entries.findIndex(entry => boardText(entry.position) === risk.board);
  if (at < 0) return;
  state.entries[at].marks = [{ cell: [risk.row, risk.col], colour: "#ff5a63" }, ...(risk.least < risk.risk ? [{ cell: risk.least_cell, colour: "#43e06f" }] : [])];
  element("odds").checked = true;
  goTo(at);
}

async function hint() {
  const position = current();
  try {
    const analysis = await postJson("analyse", question(position));
    if (position !== current()) return;
    const { decision, proofs } = analysis, index = decision.steps.findIndex(step => step.conclusion === "safe");
    if (index >= 0) {
      const step = decision.steps[index];
      state.lit = { ...proofs[index], cells: step.cells, conclusion: "safe" };
      drawBoard();
      say(`${step.cells.map(place).join("; ")} ${step.cells.length > 1 ? "are" : "is"} safe: ${step.because}`);
    } else if (decision.move) {
      state.lit = { numbers: [], mines: [], cells: [[decision.move.row, decision.move.col]], conclusion: "safe" };
      drawBoard();
      say(decision.reason);
    }
  } catch (error) {
    say(error.message, true);
  }
}

// From a game of practice to its analysis: every board of it is a move to go back to.
function study() {
  if (!state.practice) return;
  const over = state.practice.review !== null, at = state.at;
  leavePractice();
  goTo(over ? Math.max(0, at - 1) : at);
}

element("hint").addEventListener("click", hint);
element("again").addEventListener("click", () => practise(state.practice.level, state.practice.rule).catch(error => say(error.message, true)));
element("study").addEventListener("click", study);
element("review-lines").addEventListener("click", event => {
  const button = event.target.closest("[data-risk]");
  if (button) showRisk(Number(button.dataset.risk));
});
