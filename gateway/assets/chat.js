// The pages work without this; with it, answers are shown as they are said, and memories
// are decided without leaving the page. Text is set as text, never as markup; markup comes
// from the server alone, which has made it safe.
"use strict";

const chat = document.getElementById("chat");
const rest = chat?.dataset.rest;
const status = document.getElementById("status");
const log = document.getElementById("log");
const form = document.getElementById("say");
const content = document.getElementById("content");
const send = document.getElementById("send");
const stop = document.getElementById("stop");
let running = null;

function say(text, error = false) {
  status.textContent = text;
  status.classList.toggle("error", error);
}

async function call(method, path, body) {
  const response = await fetch(rest + path, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (response.status === 401) location.assign("/");
  const answer = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Error([answer.detail, answer.hint].filter(Boolean).join(". "));
  return answer;
}

// The server's view of the conversation takes the place of what is shown; `gently`: not
// while somebody writes in it.
async function refresh(gently = false) {
  const response = await fetch(chat.dataset.log);
  const markup = await response.text();
  if (response.ok && !(gently && log.querySelector("textarea"))) log.innerHTML = markup;
}

function atEnd() {
  return window.innerHeight + window.scrollY >= document.body.scrollHeight - 120;
}

function toEnd() {
  window.scrollTo({ top: document.body.scrollHeight });
}

function bubble(role, who, text) {
  const item = document.createElement("li");
  item.className = "message " + role;
  const head = document.createElement("p");
  head.className = "who";
  const name = document.createElement("strong");
  name.textContent = who;
  head.append(name);
  const body = document.createElement("div");
  body.className = "text";
  body.textContent = text;
  item.append(head, body);
  log.querySelector(".log").append(item);
  return item;
}

function busy(turn) {
  running = turn;
  send.disabled = turn !== null;
  stop.hidden = turn === null;
}

// Follows a turn to its end. The browser reconnects by itself, with the last piece's id.
function follow(turn) {
  busy(turn);
  say("Answering");
  const answer = bubble("assistant pending", document.querySelector(".brand").textContent, "");
  const text = answer.querySelector(".text");
  const events = new EventSource(`${rest}/turns/${turn}/events`);
  const append = (event, anew) => {
    const stays = atEnd();
    if (anew) text.textContent = "";
    text.textContent += JSON.parse(event.data).text;
    if (stays) toEnd();
  };
  events.addEventListener("piece", (event) => append(event, false));
  events.addEventListener("reset", (event) => append(event, true));
  events.addEventListener("state", async (event) => {
    const state = JSON.parse(event.data);
    if (state.status === "waiting" || state.status === "running") {
      say(state.error ? `Trying again: ${state.error}` : "Answering");
      return;
    }
    events.close();
    busy(null);
    await refresh();
    say(state.status === "failed" ? `No answer: ${state.error}` : "", state.status === "failed");
    toEnd();
    content.focus();
    // What was noted of it comes a moment later.
    if (state.status === "done") learned(turn, 0);
  });
  events.addEventListener("error", () => say("The connection is lost; trying again"));
}

async function learned(turn, tries) {
  await new Promise((done) => setTimeout(done, 300 + 400 * tries));
  if (running !== null) return;
  const state = await call("GET", `/turns/${turn}`).catch(() => null);
  if (state === null) return;
  if (state.kept === null && tries < 8) return learned(turn, tries + 1);
  await refresh(true);
}

async function attempt(what) {
  try {
    await what();
  } catch (error) {
    say(error.message, true);
    if (running === null && send) busy(null);
  }
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = content.value;
  if (running !== null || !text.trim()) return;
  attempt(async () => {
    send.disabled = true;
    // Sent again after a broken connection, it is still said once.
    const response = await fetch(`${rest}/turns`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
      body: JSON.stringify({ content: text, thread: chat.dataset.thread, wait: false }),
    });
    const answer = await response.json();
    if (!response.ok) {
      send.disabled = false;
      throw new Error([answer.detail, answer.hint].filter(Boolean).join(". "));
    }
    content.value = "";
    bubble("user", "You", text);
    follow(answer.turn_id);
    toEnd();
  });
});

content?.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  } else if (event.key === "Escape" && running !== null) {
    stop.click();
  }
});

stop?.addEventListener("click", () => attempt(() => call("POST", `/turns/${running}/stop`)));

function edit(item, turn) {
  const text = item.querySelector(".text");
  if (item.querySelector("textarea")) return;
  const area = document.createElement("textarea");
  area.value = text.dataset.source;
  area.setAttribute("aria-label", "Edited message");
  const again = document.createElement("button");
  again.type = "button";
  again.textContent = "Send again";
  again.addEventListener("click", () =>
    attempt(async () => {
      const answer = await call("PUT", `/turns/${turn}/message`, { content: area.value });
      await refresh();
      follow(answer.turn_id);
    }),
  );
  text.replaceChildren(area, again);
  again.scrollIntoView({ block: "center" });
  area.focus({ preventScroll: true });
}

function correct(item) {
  if (item.querySelector("textarea")) return;
  const area = document.createElement("textarea");
  area.value = item.querySelector(".content").textContent;
  area.setAttribute("aria-label", "How it is right");
  const save = document.createElement("button");
  save.type = "button";
  save.textContent = "Save";
  save.addEventListener("click", () =>
    attempt(async () => {
      const version = item.dataset.version ? Number(item.dataset.version) : undefined;
      await call("POST", `/memories/${item.dataset.memory}/correct`, { content: area.value, version });
      await changed("Corrected");
    }),
  );
  item.append(area, save);
  save.scrollIntoView({ block: "center" });
  area.focus({ preventScroll: true });
}

async function changed(text) {
  if (chat.dataset.log) await refresh();
  else location.reload();
  say(text);
}

chat?.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-act]");
  if (!button) return;
  const memory = button.closest("[data-memory]");
  const path = memory ? `/memories/${memory.dataset.memory}` : "";
  const version = memory?.dataset.version ? Number(memory.dataset.version) : undefined;
  const acts = {
    again: async () => {
      const answer = await call("POST", `/turns/${button.dataset.turn}/again`);
      await refresh();
      follow(answer.turn_id);
    },
    edit: async () => edit(button.closest("li"), button.dataset.turn),
    copy: async () => {
      await navigator.clipboard.writeText(button.closest("li").querySelector(".text").innerText);
      say("Copied");
    },
    confirm: async () => {
      await call("POST", `${path}/decide`, { decision: "confirm", version });
      await changed("Confirmed");
    },
    correct: async () => correct(memory),
    forget: async () => {
      if (button.dataset.sure) {
        await call("DELETE", path);
        await changed("Forgotten");
      } else {
        // Asked where the button is, once.
        button.dataset.sure = "true";
        button.textContent = "Forget for good?";
      }
    },
    private: async () => {
      await call("POST", `${path}/share`, { audience: "personal", version });
      await changed("Yours alone now");
    },
    request: async () => {
      await call("POST", `/requests/${button.dataset.id}`, { accept: button.dataset.accept === "true" });
      await changed(button.dataset.accept === "true" ? "Forgotten" : "Kept");
    },
  };
  attempt(acts[button.dataset.act]);
});

// A running answer goes on where it is.
const waiting = document.querySelector(".message[data-waits]");
if (waiting) follow(Number(waiting.dataset.turn));
else if (log) toEnd();
