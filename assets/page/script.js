// The page's only script. Data reaches the document as text (textContent), never as HTML.
"use strict";
(() => {
  const $ = (selector, within = document) => within.querySelector(selector);
  const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
  const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
  const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August",
    "September", "October", "November", "December"];
  const AT_ONCE = 60;  // rows that are added at a time: thousands would take seconds to lay out

  const say = (text) => { $("#said").textContent = text; };
  const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

  // ---- Copying -------------------------------------------------------------------------------

  async function copy(button) {
    const text = button.dataset.copy;
    try {
      await navigator.clipboard.writeText(text);
    } catch {  // no clipboard for files in this browser, or not allowed
      const field = document.createElement("textarea");
      field.value = text;
      (button.closest("dialog") ?? document.body).append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
      button.focus();
    }
    say(`${button.dataset.what} copied`);
    button.classList.add("copied");
    setTimeout(() => button.classList.remove("copied"), 1600);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(button);
  });

  // ---- Whole conversations: #c1, #c2 … so that the browser's Back closes them ------------------

  let shown = null;  // { dialog, marks, place, byLink }
  let opener = null;  // gets the focus back; following its link took it away

  function showConversation(event) {
    const wanted = /^#c\d+$/.test(location.hash) ? $(location.hash) : null;
    if (shown && shown.dialog !== wanted) {
      const { dialog } = shown;
      shown = null;
      dialog.close();
      opener?.focus();
    }
    if (!wanted || shown) return;
    const marks = $$("mark", wanted);
    shown = { dialog: wanted, marks, place: -1, byLink: !!event };
    wanted.showModal();
    for (const block of $$("pre, .table", wanted)) {
      if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
    }
    $(".jump", wanted).hidden = marks.length === 0;
    const from = wanted.dataset.seq && $(`.turn[data-seq="${wanted.dataset.seq}"]`, wanted);
    const first = marks.findIndex((mark) => !from || from.contains(mark));
    if (first >= 0) jumpTo(first);
    else from?.scrollIntoView();
  }

  function jumpTo(place) {
    const { marks, dialog } = shown;
    if (!marks.length) return;
    marks[shown.place]?.classList.remove("here");
    shown.place = (place + marks.length) % marks.length;
    const mark = marks[shown.place];
    mark.classList.add("here");
    for (let fold = mark.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      fold.open = true;
    }
    mark.scrollIntoView({ block: "center" });
    $("output", dialog).textContent = `${shown.place + 1} of ${marks.length}`;
  }

  function leaveConversation() {
    if (shown?.byLink) history.back();
    else location.hash = "";
  }

  for (const dialog of $$("dialog")) {
    dialog.addEventListener("cancel", (event) => { event.preventDefault(); leaveConversation(); });
    $(".close", dialog).addEventListener("click", leaveConversation);
    $(".next", dialog).addEventListener("click", () => jumpTo(shown.place + 1));
    $(".previous", dialog).addEventListener("click", () => jumpTo(shown.place - 1));
  }
  document.addEventListener("click", (event) => {
    opener = event.target.closest('a[href^="#c"]') ?? opener;
  });
  addEventListener("hashchange", showConversation);

  // ---- The library ----------------------------------------------------------------------------

  const filter = $("#filter");
  if (!filter) return;
  const data = JSON.parse($("#data").textContent);
  const isLibrary = document.body.classList.contains("library");
  const conversations = new Map($$("dialog").map((dialog) => [dialog.dataset.session, dialog.id]));
  const plain = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const dateOf = (at) => {
    const d = new Date(at);
    return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`;
  };
  const LIMITS = {
    after: (day, session) => session.date >= day,
    before: (day, session) => session.date && session.date < day,
    on: (day, session) => session.date.startsWith(day),
  };
  const two = (number) => String(number).padStart(2, "0");

  const sessions = data.sessions.map(([id, project, seconds, title, summary, topics]) => {
    const at = seconds === null ? null : seconds * 1000;
    const [name, path, goThere] = data.projects[project];
    const date = at === null ? "" : dateOf(at);
    return { id, name, path, goThere, at, date, month: date.slice(0, 7), title, summary, topics };
  });
  const textOf = (session) => session.text ??= plain(
    [session.title, session.summary, ...session.topics, session.name, session.id].join("\n"));

  /** The day that `after:`, `before:` or `on:` names, or the beginning of one; empty for none. */
  function dayOf(text) {
    const now = new Date();
    const ago = /^(\d{1,4})([dwmy])$/.exec(text);
    const weekday = DAYS.findIndex((day) => new RegExp(`^${day}[a-z]*$`, "i").test(text));
    let days = ["today", "yesterday"].indexOf(text);
    if (ago) days = ago[1] * { d: 1, w: 7, m: 30, y: 365 }[ago[2]];
    if (weekday >= 0) days = (now.getDay() - weekday + 7) % 7;
    if (days >= 0) return dateOf(now.setDate(now.getDate() - days));
    return /^\d{4}([-/.]\d{1,2}){0,2}$/.test(text) ? text.split(/[-/.]/).map(two).join("-") : "";
  }

  /** What a person typed: words and phrases that must stand there, words that must not, limits. */
  function understand(typed) {
    const wanted = { words: [], without: [], limits: [] };
    for (const [, minus, field, phrase, word] of typed.matchAll(
      /(-?)(?:(project|after|before|on):)?(?:"([^"]*)"?|(\S+))/gi)) {
      const text = plain(phrase ?? word);
      if (!text || text === "-") continue;
      const key = field?.toLowerCase();
      if (key === "project") wanted.limits.push((s) => plain(s.name).includes(text) !== !!minus);
      else if (key && dayOf(text)) wanted.limits.push(LIMITS[key].bind(null, dayOf(text)));
      else (minus ? wanted.without : wanted.words).push(text);
    }
    return wanted;
  }

  function matching() {
    const { words, without, limits } = understand(filter.value);
    const project = $("#project").value;
    const month = $("#month").value;
    return sessions.filter((session) => {
      if (project && session.name !== project) return false;
      if (month && session.month !== month) return false;
      if (!limits.every((limit) => limit(session))) return false;
      const text = textOf(session);
      return words.every((word) => text.includes(word)) && !without.some((word) => text.includes(word));
    });
  }

  function fillSelect(select, values, label) {
    for (const [value, count] of values) {
      const option = document.createElement("option");
      option.value = value;
      option.textContent = `${label(value)} (${count})`;
      select.append(option);
    }
  }

  function tally(key) {
    const counts = new Map();
    for (const session of sessions) {
      if (session[key]) counts.set(session[key], (counts.get(session[key]) ?? 0) + 1);
    }
    return [...counts];
  }

  const monthName = (month) => `${MONTHS[+month.slice(5) - 1]} ${month.slice(0, 4)}`;

  function longDate(at) {
    const d = new Date(at);
    const day = `${DAYS[d.getDay()]} ${d.getDate()} ${MONTHS[d.getMonth()].slice(0, 3)}`;
    return `${day} ${d.getFullYear()}, ${two(d.getHours())}:${two(d.getMinutes())}`;
  }

  /** Puts `text` into `element`, the words that were looked for in <mark>. */
  function setMarked(element, text, words) {
    element.textContent = "";
    const folded = plain(text);
    if (!words.length || folded.length !== text.length) return element.append(text);
    const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    let done = 0;
    for (const match of folded.matchAll(new RegExp(escaped.join("|"), "g"))) {
      const mark = document.createElement("mark");
      mark.textContent = text.slice(match.index, match.index + match[0].length);
      element.append(text.slice(done, match.index), mark);
      done = match.index + match[0].length;
    }
    element.append(text.slice(done));
  }

  function rowOf(session, words) {
    const row = $("#row").content.cloneNode(true);
    setMarked($(".open", row), session.title, words);
    $(".in", row).textContent = session.name || "no project";
    $(".in", row).title = session.path;
    if (session.at !== null) {
      $("time", row).dateTime = new Date(session.at).toISOString();
      $("time", row).textContent = longDate(session.at);
    }
    setMarked($(".summary", row), session.summary, words);
    for (const topic of session.topics) {
      const chip = document.createElement("li");
      setMarked(chip, topic, words);
      $(".topics", row).append(chip);
    }
    const here = conversations.get(session.id);
    if (here) {
      $(".read", row).href = `#${here}`;
      $(".read", row).hidden = false;
    }
    const [resume, id, read] = $$("[data-copy]", row);
    const setCopy = (button, text) => { button.dataset.copy = button.title = text; };
    const sayable = /^[\w.-]+$/.test(session.id);  // anything else would need quoting
    setCopy(id, session.id);
    setCopy(resume, `${session.goThere}claude --resume ${session.id}`);
    setCopy(read, `chatrecall library ${session.id}`);
    resume.hidden = !sayable;
    read.hidden = !sayable || !!here;
    return row;
  }

  let browsing = isLibrary;  // the library is shown although nothing is filtered
  let found = [];
  let words = [];
  let laid = 0;  // how many of `found` have their row

  function layMore() {
    const rows = $("#rows");
    const piece = document.createDocumentFragment();
    for (const session of found.slice(laid, laid + AT_ONCE)) {
      const before = laid ? found[laid - 1].month : null;
      if (session.month !== before) {
        const heading = document.createElement("h2");
        heading.textContent = session.month ? monthName(session.month) : "Without a date";
        piece.append(heading);
      }
      piece.append(rowOf(session, words));
      laid += 1;
    }
    rows.append(piece);
    $("#more").hidden = laid >= found.length;
  }

  function showLibrary() {
    const open = browsing || !!(filter.value.trim() || $("#project").value || $("#month").value);
    $("#library").hidden = !open;
    $("#found").hidden = open;
    if (!open) return;
    found = matching();
    words = understand(filter.value).words;
    laid = 0;
    $("#rows").textContent = "";
    layMore();
    $("#count").textContent = found.length === sessions.length
      ? counted(sessions.length, "session")
      : `${found.length.toLocaleString("en")} of ${counted(sessions.length, "session")}`;
    say(counted(found.length, "session"));
  }

  fillSelect($("#project"), tally("name").sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])), (name) => name);
  fillSelect($("#month"), tally("month").sort((a, b) => (a[0] < b[0] ? 1 : -1)), monthName);
  filter.addEventListener("input", showLibrary);
  $("#project").addEventListener("change", showLibrary);
  $("#month").addEventListener("change", showLibrary);
  $("#more").addEventListener("click", layMore);
  new IntersectionObserver(([seen]) => { if (seen.isIntersecting) layMore(); }, { rootMargin: "600px" })
    .observe($("#more"));

  $("#rows").addEventListener("click", (event) => {
    const button = event.target.closest(".open");
    if (!button) return;
    const detail = $(".detail", button.closest(".row"));
    detail.hidden = !detail.hidden;
    button.setAttribute("aria-expanded", String(!detail.hidden));
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-project], [data-browse]");
    if (!button) return;
    browsing = true;
    $("#project").value = button.dataset.project ?? "";
    showLibrary();
    scrollTo(0, 0);
    $("#project").focus();
  });

  // ---- The keyboard ---------------------------------------------------------------------------

  function move(step) {
    const stops = $$("#found:not([hidden]) .card .open, #library:not([hidden]) .row .open");
    const place = stops.indexOf(document.activeElement);
    if (place < 0 && step < 0) return;
    if (place === 0 && step < 0) return filter.focus();
    const next = stops[Math.min(place + step, stops.length - 1)];
    next?.focus();
    next?.closest("article").scrollIntoView({ block: "nearest" });
  }

  function clear() {
    filter.value = $("#project").value = $("#month").value = "";
    browsing = isLibrary;
    showLibrary();
    filter.blur();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const typing = event.target.matches("input, select, textarea");
    if (shown) {
      if (event.key === "n") jumpTo(shown.place + 1);
      if (event.key === "p") jumpTo(shown.place - 1);
    } else if (event.key === "/" && !typing) {
      event.preventDefault();
      filter.focus();
      filter.select();
    } else if (event.key === "Escape") {
      clear();
    } else if (event.key === "ArrowDown" && !event.target.matches("select")) {
      event.preventDefault();
      move(1);
    } else if (event.key === "ArrowUp" && !event.target.matches("select")) {
      event.preventDefault();
      move(-1);
    } else if (event.key === "Enter" && event.target === filter) {
      move(1);
    }
  });

  showLibrary();
  showConversation();
})();
