// Pages work without this script; with it, buttons answer in place, keys move through the list, and the slider previews.
"use strict";
(() => {
  document.documentElement.classList.add("js");
  const said = document.getElementById("said");
  const list = document.querySelector("[data-entries]");

  const say = (sentence) => { said.textContent = sentence; };

  // What the server says to a form or an address, as data; a session that has ended leads to the login.
  const ask = async (address, options = {}) => {
    const answer = await fetch(address, { ...options, headers: { Accept: "application/json" }, credentials: "same-origin" });
    if (answer.redirected || !(answer.headers.get("content-type") || "").startsWith("application/json")) {
      location.assign(answer.url);
      throw new Error("not logged in");
    }
    const data = await answer.json();
    if (!answer.ok) { throw new Error(data.said); }
    return data;
  };

  const parsed = (html) => {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    return holder.content;
  };

  // ---- buttons of an item

  let current = null; // the item that keys are for

  const stand = (entry, scroll = true) => {
    if (current) { current.classList.remove("here"); }
    current = entry;
    if (!entry) { return; }
    entry.classList.add("here");
    if (scroll) {
      entry.scrollIntoView({ block: "nearest" });
      entry.focus({ preventScroll: true });
    }
  };

  // How many items are left, in the heading and beside the names of profiles.
  const showUnread = (total, byProfile) => {
    document.querySelectorAll("[data-profile]").forEach((chip) => {
      const number = byProfile[chip.dataset.profile];
      if (number !== undefined) { chip.querySelector("b").textContent = number || ""; }
    });
    const heading = document.querySelector("[data-total]");
    const chosen = new URLSearchParams(location.search).get("profile");
    const number = chosen ? byProfile[chosen] : total;
    if (heading && number !== undefined) { heading.textContent = number ? number.toLocaleString("en") : "Nothing left"; }
  };

  const press = async (button) => {
    const form = button.form;
    const entry = button.closest("[data-entry]");
    const fields = new URLSearchParams(new FormData(form));
    fields.set("press", button.value);
    entry.classList.add("busy");
    try {
      const answer = await ask(form.action, { method: "POST", body: fields, keepalive: true }); // also if the reader goes on
      const next = parsed(answer.html).querySelector("[data-entry]");
      if (next) {
        const focused = entry.contains(document.activeElement);
        const standing = entry === current;
        entry.replaceWith(next);
        if (standing) { stand(next, false); }
        if (focused) {
          const again = button.classList[0] && next.querySelector(`button.${button.classList[0]}`);
          (again || next.querySelector("button")).focus({ preventScroll: true });
        }
      }
      say(answer.said);
      showUnread(answer.total, answer.unread);
    } catch (fault) {
      entry.classList.remove("busy");
      say(fault.message);
    }
  };

  const pressIn = (entry, ...deeds) => {
    const button = deeds.map((deed) => entry.querySelector(`button[value^="${deed} "]`)).find(Boolean);
    if (button) { press(button); }
  };

  const markRead = (entry) => pressIn(entry, "read");

  if (list) {
    document.addEventListener("submit", (event) => {
      if (event.target.id === "press" && event.submitter && event.submitter.closest("[data-entry]")) {
        event.preventDefault();
        press(event.submitter);
      }
    });
    list.addEventListener("click", (event) => {
      const entry = event.target.closest("[data-entry]");
      if (entry) { stand(entry, false); }
      if (entry && event.target.closest("[data-open]")) { markRead(entry); }
      const more = event.target.closest("[data-more]");
      if (more && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
        event.preventDefault();
        append(more);
      }
    });
    list.addEventListener("auxclick", (event) => {
      const entry = event.target.closest("[data-entry]");
      if (entry && event.button === 1 && event.target.closest("[data-open]")) { markRead(entry); }
    });
  }

  // ---- older items, put below those that are there

  const append = async (link) => {
    if (link.dataset.asked) { return; }
    link.dataset.asked = "yes";
    try {
      const answer = await ask(link.href);
      const older = parsed(answer.html);
      const first = older.querySelector("[data-entry]");
      link.closest(".older").replaceWith(older);
      if (document.activeElement === document.body && first && !watched) { stand(first); }
      watch();
    } catch (fault) {
      delete link.dataset.asked;
      say(fault.message);
    }
  };

  let watched = null;
  const watch = () => {
    const link = list && list.querySelector("[data-more]");
    if (watched) { watched.disconnect(); watched = null; }
    if (!link || !("IntersectionObserver" in window)) { return; }
    watched = new IntersectionObserver((seen) => {
      if (seen.some((one) => one.isIntersecting)) { append(link); }
    }, { rootMargin: "600px" });
    watched.observe(link);
  };
  watch();

  // ---- keys

  const step = (by) => {
    const entries = Array.from(document.querySelectorAll("[data-entry]"));
    const place = entries.indexOf(current);
    const next = entries[Math.min(entries.length - 1, Math.max(0, place === -1 ? 0 : place + by))];
    if (next) { stand(next); }
  };

  const keys = {
    j: () => step(1),
    k: () => step(-1),
    o: () => {
      const link = current && current.querySelector("[data-open]");
      if (link) {
        window.open(link.href, "_blank", "noopener,noreferrer");
        markRead(current);
      }
    },
    y: () => current && pressIn(current, "relevant"),
    n: () => current && pressIn(current, "not-relevant"),
    u: () => current && pressIn(current, "undo"),
    r: () => current && pressIn(current, "read", "unread"),
    s: () => current && pressIn(current, "save", "unsave"),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) { return; }
    if (list && Object.hasOwn(keys, event.key)) {
      event.preventDefault();
      keys[event.key]();
    }
  });

  // ---- the slider

  const slider = document.querySelector("[data-preview]");
  if (slider) {
    const range = slider.querySelector("input[type=range]");
    const output = slider.querySelector("output");
    const shown = document.getElementById("previewed");
    let asked = 0;
    let waiting = 0;
    const look = async () => {
      const number = ++asked;
      const fields = new URLSearchParams(new FormData(slider));
      try {
        const answer = await ask(`${slider.dataset.preview}?${fields}`);
        if (number === asked) { shown.replaceChildren(parsed(answer.html)); }
      } catch (fault) { say(fault.message); }
    };
    range.addEventListener("input", () => {
      output.textContent = Number(range.value).toFixed(3);
      clearTimeout(waiting);
      waiting = setTimeout(look, 120);
    });
    slider.addEventListener("submit", (event) => { event.preventDefault(); look(); });
  }

  // ---- feeds that are being fetched for the first time

  if (document.querySelector("[data-waiting]")) { setTimeout(() => location.reload(), 4000); }
})();
