// Written by tools/embed from tools/cellar/Resources/report.html: edit that.
// swift-format-ignore-file

extension EmbeddedText {
  /// The page that shows the demo's lists, with places for its data.
  static let reportPage = ####"""
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-18BXqoQpQPovDclUN+f0R4gBwVoaKzVRogNHRrVoinU='; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Cellar: two lists, every revision</title>
<style>
:root {
  color-scheme: light dark;
  --page: #f2f3f5;  --panel: #fff;    --line: #dcdfe4;  --control: #757d88;
  --ink: #191c20;   --muted: #555c66; --accent: #8f1d4f; --on-accent: #fff;
  --badge: rgb(0 0 0 / .075);
  --fill-0: #fff5d9; --edge-0: #a9780c;
  --fill-1: #def3e8; --edge-1: #3d8f69;
  --fill-2: #eceef1; --edge-2: #c9ced6;
  --fill-3: #e4effd; --edge-3: #4a7fc9;
  --fill-4: #f0e9fc; --edge-4: #8464bd;
  --fill-5: #fde9e4; --edge-5: #c0604a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #111316;  --panel: #1a1d22; --line: #30353c;  --control: #7f8895;
    --ink: #e9ebee;   --muted: #a5adb8; --accent: #ff9cc4; --on-accent: #33071b;
    --badge: rgb(255 255 255 / .13);
    --fill-0: #352a10; --edge-0: #c59c3e;
    --fill-1: #12332a; --edge-1: #4aa583;
    --fill-2: #25292f; --edge-2: #424952;
    --fill-3: #16283f; --edge-3: #5f92d8;
    --fill-4: #2b2241; --edge-4: #9a7fd6;
    --fill-5: #3b201b; --edge-5: #d0796a;
  }
}

*, ::before, ::after { box-sizing: border-box; }
html { scroll-padding-top: 9rem; }
body {
  margin: 0 auto; padding: clamp(1rem, 2.5vw, 2rem) clamp(.75rem, 2.5vw, 2rem); max-width: 88rem;
  background: var(--page); color: var(--ink);
  font: 1rem/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
h1, h2, h3, p, ul { margin: 0; padding: 0; }
ul { list-style: none; }
code, pre { font: .8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

.intro { max-width: 46rem; margin-bottom: 1.25rem; }
h1 { font-size: clamp(1.5rem, 3vw, 2rem); line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
.intro p { margin-top: .5rem; color: var(--muted); text-wrap: pretty; }

main { display: grid; gap: 1.25rem; align-items: start; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 1100px) { main { grid-template-columns: repeat(2, minmax(0, 1fr)); } }

.legend { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: .375rem 1.25rem; font-size: .875rem; }
.legend li { display: flex; align-items: center; gap: .5rem; }
.legend li::before { content: ""; width: 1.375rem; height: .9375rem; border-radius: 4px; }

/* A cell name's look. The script counts names in order of appearance, six looks in turn. */
.cell, .legend li::before { background: var(--fill); border: 1px solid var(--edge); }
[data-kind="0"] { --fill: var(--fill-0); --edge: var(--edge-0); }
[data-kind="1"] { --fill: var(--fill-1); --edge: var(--edge-1); }
[data-kind="2"] { --fill: var(--fill-2); --edge: var(--edge-2); }
[data-kind="3"] { --fill: var(--fill-3); --edge: var(--edge-3); }
[data-kind="4"] { --fill: var(--fill-4); --edge: var(--edge-4); }
[data-kind="5"] { --fill: var(--fill-5); --edge: var(--edge-5); }
[data-kind="0"].cell, .legend [data-kind="0"]::before { border-style: dashed; }
[data-kind="4"].cell, .legend [data-kind="4"]::before { border-style: dotted; }

/* overflow: clip keeps the head inside the round corners, and unlike hidden lets it stick. */
.list { background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: 0 1rem 1rem; overflow: clip; }
.head { margin: 0 -1rem; padding: .75rem 1rem; background: var(--panel); }
.title-row { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .75rem; }
h2 { flex: 1 1 auto; font-size: 1.375rem; line-height: 1.3; letter-spacing: -.01em; }
.title-row time { font-size: 1.375rem; line-height: 1.3; font-weight: 600; color: var(--accent); }
.revision { color: var(--muted); font-size: .875rem; }
/* The controls stay in reach while a long list scrolls under them. */
@media (min-height: 36rem) {
  .head { position: sticky; top: 0; z-index: 2; box-shadow: 0 1px 0 var(--line); }
}

.transport { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; margin-top: .5rem; }
.buttons { display: flex; gap: .25rem; }
button {
  display: grid; place-items: center; width: 2.25rem; height: 2.25rem; padding: 0; cursor: pointer;
  background: none; color: inherit; border: 1px solid var(--control); border-radius: 8px;
}
button:hover { background: var(--badge); }
button[aria-disabled="true"] { color: var(--muted); border-color: var(--line); cursor: default; background: none; }
.play { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.play:hover { background: var(--accent); filter: brightness(1.12); }
svg { width: 1rem; height: 1rem; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.playing .icon-play, .play:not(.playing) .icon-pause { display: none; }
.track { flex: 1 1 14rem; display: flex; align-items: center; gap: .5rem; font-size: .8125rem; color: var(--muted); }
input[type="range"] { flex: 1; min-width: 0; height: 1.5rem; margin: 0; accent-color: var(--accent); cursor: pointer; }

.told { padding-top: .75rem; font-size: .875rem; }
.told .changes { min-height: 1.45em; }
.told details { color: var(--muted); }
.told summary { cursor: pointer; width: fit-content; }
.told .author { margin-top: .375rem; }
.told pre {
  margin: .375rem 0 0; padding: .625rem .75rem; max-height: 16rem; overflow: auto; white-space: pre-wrap;
  background: var(--page); color: var(--ink); border-radius: 8px;
}

.section { margin-top: 1rem; }
.section h3 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .5rem; font-size: .9375rem; margin-bottom: .625rem; }
.count { font-weight: 400; font-size: .8125rem; color: var(--muted); }

/* At most --columns columns, and never one narrower than --narrowest: then there are fewer. */
.cells {
  --narrowest: 9.25rem;
  --even: calc((100% - (var(--columns) - 1) * var(--spacing)) / var(--columns) - .01px);
  display: grid; gap: var(--spacing);
  grid-template-columns: repeat(auto-fill, minmax(min(100%, max(var(--narrowest), var(--even))), 1fr));
}
/* The bases, not the texts, decide whether a cell takes one line or two: all in a grid look alike. */
.cell {
  position: relative; display: flex; flex-wrap: wrap; align-items: baseline; align-content: start; gap: .125rem .75rem;
  padding: .5625rem .5625rem .5rem; border-radius: 8px; line-height: 1.35; container-type: inline-size;
}
.title { flex: 999 1 9rem; min-width: 0; font-weight: 600; font-size: .9375rem; }
.meta { flex: 1 1 12.5rem; min-width: 0; display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: .125rem .25rem; font-size: .8125rem; }
.badge { padding: 0 .3125rem; border-radius: 4px; background: var(--badge); font-weight: 500; }
.since { margin-left: auto; }
.json {
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden; font-size: .75rem;
}
/* "since" is always read aloud, and seen where there is room for it. */
@container (max-width: 15rem) {
  .word { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
}
@container (max-width: 10rem) { .meta { font-size: .75rem; } }

/* What the revision in view changed: a ring, and a tag that says how. */
.cell:has(.mark) { z-index: 1; outline: 2px solid var(--accent); outline-offset: -1px; }
.mark {
  padding: 0 .4375rem; border-radius: 99px; background: var(--accent); color: var(--on-accent);
  font-size: .6875rem; font-weight: 600; line-height: 1rem; white-space: nowrap;
}
.cell .mark { position: absolute; top: -.625rem; right: .5rem; }

footer { margin-top: 1.25rem; font-size: .8125rem; color: var(--muted); }
@media (forced-colors: active) { .mark, .play { border: 1px solid; } }
@media print { .transport, details { display: none; } .head { position: static; } }
</style>
</head>
<body>
<header class="intro">
  <h1>Cellar: two lists, every revision</h1>
  <p>Cellar keeps a collection view’s list in SQLite, with a log of every change. Here it replayed the
  release calendars of Debian and Ubuntu: each revision was a commit in SQLite, became a batch update, and
  was applied to a view that checks every step. Move a slider to see a list as it was after any commit,
  with what that commit changed.</p>
  <noscript><p>The sliders need JavaScript. Without it, the page shows the last revision of each list.</p></noscript>
</header>
<main><!--STATIC--></main>
<footer>Data source: Debian’s distro-info-data. This page was written by <code>cellar demo</code>.</footer>

<template id="controls">
  <div class="transport">
    <div class="buttons">
      <button type="button" class="previous"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M10 3 5 8l5 5"/></svg></button>
      <button type="button" class="play"><svg viewBox="0 0 16 16" aria-hidden="true"><path class="icon-play" d="M5 3v10l8-5z" fill="currentColor"/><path class="icon-pause" d="M5 3v10M11 3v10"/></svg></button>
      <button type="button" class="next"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="m6 3 5 5-5 5"/></svg></button>
    </div>
    <div class="track"><span class="from"></span><input type="range" min="0" step="1"><span class="to"></span></div>
  </div>
  <div class="told">
    <p class="changes" aria-live="polite"></p>
    <details><summary></summary><p class="author"></p><pre tabindex="0"></pre></details>
  </div>
</template>
<script type="application/json" id="data">/*DATA*/</script>
<script>
'use strict';
// What comes from the data reaches the page through textContent, dataset and setAttribute only.

const KINDS = 6;           // looks for cell names, in the style sheet
const STEP = 700;          // milliseconds a revision while playing
const FLIP = 200;          // milliseconds a moved cell takes
const calm = matchMedia('(prefers-reduced-motion: reduce)');

function element(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

const plural = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;
const dateOf = (at) => (at == null ? null : new Date(at).toISOString().slice(0, 10));

// ---- Content: any JSON. A few well-known keys make a cell; anything else is shown as it is.

function titleOf(content) {
  const from = content && typeof content === 'object' ? content : {};
  return [from.codename, from.title, from.name].find((text) => typeof text === 'string' && text !== '');
}

function fillCell(node, state, kinds) {
  const { content } = state;
  node.dataset.cell = state.cell;
  node.dataset.kind = kinds.indexOf(state.cell) % KINDS;
  const title = titleOf(content);
  if (title === undefined) {
    node.replaceChildren(element('code', 'json', JSON.stringify(content)));
    return;
  }
  const meta = [];
  if (['string', 'number'].includes(typeof content.version)) meta.push(element('span', 'badge', String(content.version)));
  if (typeof content.since === 'string') {
    meta.push(element('span', 'since', element('span', 'word', 'since '), element('time', '', content.since)));
  }
  node.replaceChildren(element('span', 'title', title));
  if (meta.length) node.append(element('span', 'meta', ...meta));
}

// ---- What a commit changed: its sections against those of the commit before it.

// Positions of a longest increasing subsequence of `values`: those that need not have moved.
function longestIncreasing(values) {
  const tails = [];                       // tails[k]: position that ends the best run of length k + 1
  const before = [];
  values.forEach((value, position) => {
    let low = 0, high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[tails[middle]] < value) low = middle + 1; else high = middle;
    }
    before[position] = low ? tails[low - 1] : -1;
    tails[low] = position;
  });
  const kept = new Set();
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]) kept.add(at);
  return kept;
}

// The ids in `now` that were in `was` too but moved relative to the others.
function moved(now, was) {
  const places = new Map(was.map((id, place) => [id, place]));
  const stayed = now.filter((id) => places.has(id));
  const kept = longestIncreasing(stayed.map((id) => places.get(id)));
  return new Set(stayed.filter((_, position) => !kept.has(position)));
}

// Maps from an item's or a section's id to words such as "inserted" or "moved, updated".
function compare(states, now, was) {
  const idsOf = (section) => section.items.map((ref) => states[ref].item);
  const items = new Map(), sections = new Map(), removed = [];
  const oldSections = new Map(was.map((section) => [section.section, section]));
  const oldItems = new Map();
  for (const { section, items: refs } of was) for (const ref of refs) oldItems.set(states[ref].item, { section, ref });

  const mark = (map, id, ...words) => { if (words.some(Boolean)) map.set(id, words.filter(Boolean).join(', ')); };
  const movedSections = moved(now.map((s) => s.section), was.map((s) => s.section));
  for (const section of now) {
    const old = oldSections.get(section.section);
    const restyled = old && ['title', 'columns', 'spacing'].some((key) => old[key] !== section[key]);
    mark(sections, section.section, !old && 'inserted', movedSections.has(section.section) && 'moved', restyled && 'updated');

    const movedItems = moved(idsOf(section), old ? idsOf(old) : []);
    for (const ref of section.items) {
      const id = states[ref].item, before = oldItems.get(id);
      const elsewhere = before && (before.section !== section.section || movedItems.has(id));
      mark(items, id, !before && 'inserted', elsewhere && 'moved', before && before.ref !== ref && 'updated');
      oldItems.delete(id);
    }
    oldSections.delete(section.section);
  }
  for (const { ref } of oldItems.values()) removed.push(states[ref]);
  return { items, sections, removed, removedSections: [...oldSections.values()] };
}

const nameOf = (state) => titleOf(state.content) ?? state.item;
const headingOf = (section) => section.title ?? section.section;

function sentence(states, sections, changes) {
  const groups = new Map();
  const note = (label, name) => {
    if (!groups.has(label)) groups.set(label, []);
    groups.get(label).push(name.length > 40 ? `${name.slice(0, 39)}…` : name);
  };
  for (const { items } of sections) {
    for (const ref of items) {
      const words = changes.items.get(states[ref].item);
      if (words) note(words, nameOf(states[ref]));
    }
  }
  for (const state of changes.removed) note('deleted', nameOf(state));
  for (const section of sections) {
    const words = changes.sections.get(section.section);
    if (words) note(`section ${words}`, headingOf(section));
  }
  for (const section of changes.removedSections) note('section deleted', headingOf(section));
  const parts = [...groups].map(([label, names]) => {
    const text = `${label[0].toUpperCase()}${label.slice(1)}: ${names.slice(0, 4).join(', ')}`;
    return names.length > 4 ? `${text} and ${names.length - 4} more` : text;
  });
  return parts.join('. ') || 'Nothing visible changed';
}

// ---- What the view was told, in words.

const OPERATIONS = {
  insertSections: 'section insert', deleteSections: 'section delete', moveSections: 'section move',
  updateSections: 'section update', insertItems: 'insert', deleteItems: 'delete', moveItems: 'move',
  reloadItems: 'reload', reconfigureItems: 'reconfigure',
};

function told(update) {
  const stages = update.stages ?? [];
  if (update.mode === 'none') return 'No update';
  if (update.mode === 'reload') return `Reload${update.why ? `: ${update.why}` : ''}`;
  const counts = Object.entries(OPERATIONS)
    .map(([key, word]) => [stages.reduce((sum, stage) => sum + (stage[key]?.length ?? 0), 0), word])
    .filter(([count]) => count).map(([count, word]) => plural(count, word));
  return `Batch update in ${plural(stages.length, 'stage')}: ${counts.join(', ') || 'no operations'}`;
}

// One stage a line.
function rawJSON({ stages, ...rest }) {
  const head = JSON.stringify(rest);
  if (!stages) return head;
  const lines = stages.map((stage) => `  ${JSON.stringify(stage)}`).join(',\n');
  return `${head.slice(0, -1)}${head === '{}' ? '' : ','}"stages":[\n${lines}]}`;
}

// ---- One list with its controls.

function makeView(list, kinds, onChange) {
  const { states, commits } = list;
  const last = commits.length - 1;
  const time = element('time', ''), revision = element('span', 'revision');
  const head = element('header', 'head', element('div', 'title-row', element('h2', '', list.list), time, revision));
  const body = element('div', 'sections');
  const controls = document.getElementById('controls').content.cloneNode(true);
  const find = (selector) => controls.querySelector(selector);
  const [previous, play, next, range, changed, summary, author, raw] =
    ['.previous', '.play', '.next', 'input', '.changes', 'summary', '.author', 'pre'].map(find);
  const root = element('section', 'list');
  root.dataset.list = list.list;
  root.setAttribute('aria-label', list.list);
  const cells = new Map(), sections = new Map();      // nodes by id: a cell that moves is still the same node
  let index = -1, timer = 0;

  for (const [node, label] of [[previous, 'Previous revision'], [next, 'Next revision'], [range, 'Revision']]) {
    node.setAttribute('aria-label', `${label} of ${list.list}`);
  }
  range.max = last;
  const ends = [commits[0], commits[last]], years = ends.map(({ at }) => dateOf(at)?.slice(0, 4));
  const labels = years.every(Boolean) ? years : ends.map((commit) => commit.revision);
  ['.from', '.to'].forEach((selector, place) => { find(selector).textContent = labels[place]; });
  head.append(find('.transport'));
  root.append(head, find('.told'), body);

  const tag = (node, words) => {
    node.querySelector(':scope > .mark')?.remove();
    if (words) node.append(element('span', 'mark', words));
  };

  function cellNode(ref, words) {
    const state = states[ref];
    let entry = cells.get(state.item);
    if (!entry) {
      entry = { node: element('li', 'cell'), ref: -1 };
      entry.node.dataset.item = state.item;
      cells.set(state.item, entry);
    }
    if (entry.ref !== ref) fillCell(entry.node, state, kinds);
    entry.ref = ref;
    tag(entry.node, words);
    return entry.node;
  }

  function sectionNode(section, changes) {
    let node = sections.get(section.section);
    if (!node) {
      const grid = element('ul', 'cells');
      grid.setAttribute('role', 'list');              // Safari forgets a list without bullets
      node = element('section', 'section', element('h3', ''), grid);
      node.dataset.section = section.section;
      sections.set(section.section, node);
    }
    const [heading, grid] = node.children;
    heading.replaceChildren(`${headingOf(section)} `, element('span', 'count', plural(section.items.length, 'item')));
    tag(heading, changes.sections.get(section.section));
    grid.style.setProperty('--columns', Math.max(1, section.columns || 1));
    grid.style.setProperty('--spacing', `${section.spacing || 0}px`);
    grid.replaceChildren(...section.items.map((ref) => cellNode(ref, changes.items.get(states[ref].item))));
    return node;
  }

  // Where each cell is inside the list, so that a scroll in between does no harm.
  function places() {
    const { left, top } = body.getBoundingClientRect();
    return new Map([...body.querySelectorAll('.cell')].map((node) => {
      const box = node.getBoundingClientRect();
      return [node, { x: box.left - left, y: box.top - top, seen: box.bottom > 0 && box.top < innerHeight }];
    }));
  }

  // FLIP: the list is laid out at once; each cell in sight then starts where it was and glides home.
  function glide(from) {
    for (const node of from.keys()) for (const animation of node.getAnimations()) animation.cancel();
    const options = { duration: FLIP, easing: 'cubic-bezier(.2, 0, 0, 1)' };
    for (const [node, to] of places()) {
      const was = from.get(node);
      if (!was) {
        if (to.seen) node.animate({ opacity: [0, 1] }, options);
      } else if ((was.seen || to.seen) && (was.x !== to.x || was.y !== to.y)) {
        node.animate({ transform: [`translate(${was.x - to.x}px, ${was.y - to.y}px)`, 'none'] }, options);
      }
    }
  }

  function show(wanted) {
    const target = Math.min(Math.max(wanted, 0), last);
    if (target === index) return;
    const from = index >= 0 && !calm.matches ? places() : null;
    index = target;
    const commit = commits[index], date = dateOf(commit.at);
    const changes = compare(states, commit.sections, index ? commits[index - 1].sections : []);
    body.replaceChildren(...commit.sections.map((section) => sectionNode(section, changes)));
    if (from) glide(from);

    time.textContent = date ?? '';
    time.hidden = !date;
    revision.textContent = `revision ${commit.revision} of ${commits[last].revision}`;
    changed.textContent = `${sentence(states, commit.sections, changes)}.`;
    summary.textContent = told(commit.update);
    author.textContent = `${commit.by ? `Committed by ${commit.by}. ` : ''}What the view was told:`;
    raw.textContent = rawJSON(commit.update);
    range.value = index;
    range.setAttribute('aria-valuetext', date ? `${revision.textContent}, ${date}` : revision.textContent);
    // Not `disabled`: a button that is disabled under the finger loses the focus.
    previous.setAttribute('aria-disabled', index === 0);
    next.setAttribute('aria-disabled', index === last);
    onChange();
  }

  function run(on) {
    clearInterval(timer);
    timer = on ? setInterval(() => (index < last ? show(index + 1) : run(false)), STEP) : 0;
    play.classList.toggle('playing', on);
    play.setAttribute('aria-label', `${on ? 'Pause' : 'Play'} ${list.list}`);
    changed.setAttribute('aria-live', on ? 'off' : 'polite');
  }

  const go = (wanted) => { run(false); show(wanted); };
  previous.addEventListener('click', () => go(index - 1));
  next.addEventListener('click', () => go(index + 1));
  range.addEventListener('input', () => go(range.valueAsNumber));
  play.addEventListener('click', () => {
    if (timer) return run(false);
    if (index === last) show(0);
    run(true);
  });
  run(false);

  return {
    name: list.list, root,
    atEnd: () => index === last,
    revision: () => commits[index].revision,
    // The last commit that is not after `number`; without a number, the last of all.
    goTo: (number) => go(Number.isNaN(number) ? last : commits.findLastIndex((c) => c.revision <= number)),
  };
}

// ---- The page. Its address may name revisions, as in #debian=12&ubuntu=40.

function start(data) {
  const lists = data.lists.filter((list) => list.commits.length);
  const kinds = [...new Set(lists.flatMap((list) => list.states.map((state) => state.cell)))];
  let views = [], saving = 0;

  const open = () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    for (const view of views) view.goTo(parseInt(wanted.get(view.name), 10));
  };
  const save = () => {
    clearTimeout(saving);                             // browsers refuse many changes of the address in a row
    saving = setTimeout(() => {
      const shown = views.filter((view) => !view.atEnd()).map((view) => [view.name, view.revision()]);
      const hash = `#${new URLSearchParams(shown)}`;
      if (hash !== (location.hash || '#')) history.replaceState(null, '', hash);
    }, 400);
  };

  views = lists.map((list) => makeView(list, kinds, save));
  const legend = element('ul', 'legend', ...kinds.map((kind, index) => {
    const entry = element('li', '', kind);
    entry.dataset.kind = index % KINDS;
    return entry;
  }));
  legend.setAttribute('role', 'list');
  legend.setAttribute('aria-label', 'Cells');
  open();
  document.querySelector('main').replaceChildren(legend, ...views.map((view) => view.root));
  addEventListener('hashchange', open);
}

// Should this fail, the page keeps what was written into it: the last revision of each list.
const data = JSON.parse(document.getElementById('data').textContent);
if (data.formatVersion === 1) start(data);
</script>
</body>
</html>

"""####
}
