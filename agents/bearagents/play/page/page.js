"use strict";
// Shows what the server sends of one seat's place, and sends what its person chooses. Knows no rules: a legal choice is
// a text of words, and a shape of the picture carries one of these words as its tag.

const at = (id) => document.getElementById(id);
const address = location.pathname.replace(/\/$/, "");

let table = null; // the server's last word
let log = [];
let picks = []; // tags that were clicked, in order
let hinted = "";
let isSent = false; // a choice is on its way
let socket = null;
let retry = 250;

function connect() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${address}/socket`);
  socket.onopen = () => { retry = 250; notify(""); };
  socket.onmessage = (event) => hear(JSON.parse(event.data));
  socket.onclose = () => {
    notify("The connection is lost. Trying again …");
    setTimeout(connect, retry);
    retry = Math.min(2 * retry, 5000);
  };
}

function hear(message) {
  if (message.kind === "table") {
    log = [...log.slice(0, message.log_start), ...message.log];
    table = message;
    picks = [];
    hinted = "";
    isSent = false;
    notify(table.fault);
    show();
  } else if (message.kind === "hint") {
    if (table.moment !== message.moment) return;
    at("hint").disabled = false;
    hinted = message.action;
    notify(`${message.agent} would: ${message.words}`);
    showChoices();
    document.querySelector(".hinted")?.scrollIntoView({ block: "nearest" });
  } else {
    isSent = false;
    picks = [];
    at("hint").disabled = false;
    notify(message.reason);
    if (table) showChoices();
  }
}

function say(message) {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function notify(text) {
  at("notice").textContent = text;
  at("notice").hidden = !text;
}

function make(name, text, classes = "") {
  const element = document.createElement(name);
  element.textContent = text;
  element.className = classes;
  return element;
}

// ---- choosing ----

function play(choice) {
  if (isSent) return;
  isSent = true;
  say({ kind: "play", moment: table.moment, action: choice });
  for (const button of at("choices").querySelectorAll("button")) button.disabled = true;
  at("picked").hidden = true;
  markShapes([]);
}

// Words that hold the picks in the order they were clicked count first: "rally b0 b1" is not "rally b1 b0".
function holds(choice, inOrder) {
  const words = choice.split(" ");
  if (!inOrder) return picks.every((pick) => words.includes(pick));
  let from = 0;
  return picks.every((pick) => {
    const place = words.indexOf(pick, from);
    from = place + 1;
    return place >= 0;
  });
}

function left() {
  const inOrder = table.choices.filter(([choice]) => holds(choice, true));
  return inOrder.length ? inOrder : table.choices.filter(([choice]) => holds(choice, false));
}

function pick(tag) {
  if (picks.includes(tag)) picks = picks.filter((other) => other !== tag);
  else picks.push(tag);
  const choices = left();
  if (choices.length === 1 && picks.length) play(choices[0][0]);
  else showChoices();
}

function unpick() {
  picks = [];
  showChoices();
}

// ---- showing ----

function show() {
  document.title = `${table.is_up ? "▶ " : ""}${table.game}`;
  at("game").textContent = table.game;
  at("seats").replaceChildren(...table.seats.map((name, seat) => {
    const item = make("li", "", seat === table.seat ? "own" : "");
    item.append(dot(seat), `p${seat}: ${seat === table.seat ? "you" : name}`);
    if (table.returns) item.append(` (${Number(table.returns[seat].toFixed(2))})`);
    return item;
  }));
  at("turn").textContent = table.is_over ? "Game over" : table.is_up ? "Your turn" : table.seat === "all" ? "Bots play" : "Others play";
  at("turn").className = table.is_up ? "up" : "";
  at("headline").textContent = table.headline;
  at("text").textContent = table.text;
  at("undo").hidden = !table.can_undo;
  at("hint").hidden = !table.can_hint;
  at("hint").disabled = false;
  for (const id of ["pause", "step", "speed"]) at(id).hidden = !table.pace || table.is_over;
  if (table.pace) {
    at("pause").firstChild.data = table.pace.is_paused ? "Go on " : "Pause ";
    at("step").disabled = !table.pace.is_paused;
    at("speed").firstElementChild.value = String(table.pace.delay);
  }
  at("record").href = `${address}/record`;
  at("whole").href = `${address}/record?whole`;
  at("whole").hidden = !table.is_over || table.seat === "all";
  const focused = document.activeElement?.dataset?.tag;
  at("picture").innerHTML = table.picture; // the server's own drawing; it escapes all text
  at("picture").firstElementChild.setAttribute("role", "group"); // an image's parts cannot be buttons
  showChoices();
  showLog();
  if (focused) at("picture").querySelector(`[tabindex][data-tag="${CSS.escape(focused)}"]`)?.focus();
}

function dot(seat) {
  const element = make("span", "", "seat");
  element.dataset.seat = seat;
  return element;
}

function showChoices() {
  const choices = left();
  at("asked").hidden = !table.is_up;
  at("picked").hidden = !picks.length;
  at("picked").firstElementChild.textContent = "With what is marked:";
  at("choices").replaceChildren(...choices.map(([choice, words]) => {
    const button = make("button", words, choice === hinted ? "hinted" : "");
    button.type = "button";
    button.dataset.choice = choice;
    button.title = choice;
    button.disabled = isSent;
    button.onclick = () => play(choice);
    const item = document.createElement("li");
    item.append(button);
    return item;
  }));
  markShapes(choices.map(([choice]) => choice.split(" ")));
}

function markShapes(choices) {
  const words = new Set(choices.flat());
  const seen = new Set();
  for (const shape of at("picture").querySelectorAll("[data-tag]")) {
    const tag = shape.dataset.tag;
    const isPicked = picks.includes(tag);
    const can = table.is_up && !isSent && (isPicked || words.has(tag));
    shape.classList.toggle("can", can);
    shape.classList.toggle("picked", isPicked);
    // One stop for the keyboard a tag, though it may have many shapes.
    if (can && !seen.has(tag)) {
      seen.add(tag);
      shape.setAttribute("tabindex", "0");
      shape.setAttribute("role", "button");
      shape.setAttribute("aria-label", tag);
      shape.setAttribute("aria-pressed", String(isPicked));
    } else {
      for (const name of ["tabindex", "role", "aria-label", "aria-pressed"]) shape.removeAttribute(name);
    }
  }
}

// Equal outcomes in a row become one line; a dashed rule marks what came after one's own last action.
function showLog() {
  const lines = [];
  const lastOwn = log.findLastIndex(([who]) => who === table.seat);
  for (let i = 0; i < log.length; i += 1) {
    const [who, words] = log[i];
    let times = 1;
    while (who < 0 && i + 1 < log.length && log[i + 1][0] < 0 && log[i + 1][1] === words) { i += 1; times += 1; }
    const name = who === table.seat ? "You" : `p${who}`;
    const text = who < 0 ? (times > 1 ? `${words}, ${times} times` : words) : `${name}: ${words}`;
    const item = make("li", "", who < 0 ? "chance" : who === table.seat ? "own" : "");
    if (who >= 0) item.append(dot(who));
    item.append(text);
    if (i - times === lastOwn && lastOwn >= 0) item.classList.add("news");
    lines.push(item);
  }
  at("log").replaceChildren(...lines);
  at("log").scrollTop = at("log").scrollHeight;
}

// ---- hands ----

at("picture").addEventListener("click", (event) => {
  const shape = event.target.closest(".can");
  if (shape) pick(shape.dataset.tag);
});
at("unpick").onclick = unpick;
at("undo").onclick = () => say({ kind: "undo", moment: table.moment });
at("hint").onclick = () => { at("hint").disabled = true; say({ kind: "hint" }); };
at("pause").onclick = () => say({ kind: "pace", is_paused: !table.pace.is_paused, delay: table.pace.delay });
at("step").onclick = () => say({ kind: "step" });
at("speed").onchange = (event) => say({ kind: "pace", is_paused: table.pace.is_paused, delay: Number(event.target.value) });

document.addEventListener("keydown", (event) => {
  if (!table || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
  const shape = event.target.closest?.("#picture .can");
  if (shape && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    pick(shape.dataset.tag);
  } else if (event.key === "Escape") unpick();
  else {
    const button = { u: "undo", h: "hint", p: "pause", s: "step" }[event.key];
    if (button && !at(button).hidden) at(button).click();
  }
});

connect();
