// Written by tools/embed from Sources/ListInspection/Report/Page/explorer.js: edit that.
// swift-format-ignore-file

extension EmbeddedText {
  /// Part 5 of a report's script.
  static let reportScript5 = ####"""
// The lists at each revision: a slider, the drawing, the log, what a revision changed, an item.

const ROW = 44;                   // points a row of the log
const TICK = 700;                 // milliseconds a revision while playing
const MOST_ROWS = 200;            // rows of changes, of found items, of sections

class Explorer {
  constructor(value) {
    value.lists = belowOwners(value.lists);
    this.value = value;
    this.models = [];
    this.ranks = ranks(value.lists);
    this.owned = new Map();       // the lists of each item that owns some
    value.lists.forEach(({ owner }, index) => {
      if (!owner) return;
      const key = JSON.stringify([owner.list, owner.item]);
      this.owned.set(key, [...(this.owned.get(key) || []), index]);
    });
    this.drawing = new Drawing(
      this.ranks, value.reasons, (list, item) => this.nested(list, item).map((index) => this.model(index)),
      (item) => this.select(item));
    this.build();
    const wanted = new URLSearchParams(location.hash.slice(1)), revision = wanted.get('revision');
    const longest = value.lists.reduce((best, list, at) => (list.itemCount > value.lists[best].itemCount ? at : best), 0);
    const index = value.lists.findIndex(({ list }) => list === wanted.get('list'));
    this.input.value = wanted.get('search') || '';
    this.open(index < 0 ? longest : index, revision === null ? undefined : Number(revision), wanted.get('item'));
    document.addEventListener('keydown', (event) => { if (this.key(event)) event.preventDefault(); });
  }

  build() {
    const { lists } = this.value;
    const depth = ({ owner }, most = 8) => (
      owner && most ? 1 + depth(lists.find(({ list }) => list === owner.list) || {}, most - 1) : 0);
    const step = (by, label, sign) => button({
      'aria-label': label, title: label, onclick: () => this.go(this.list.revision + by),
    }, sign);
    this.picker = make('select', { 'aria-label': 'List', onchange: () => this.open(this.picker.selectedIndex) },
      lists.map((list) => make('option', {}, '\u2003'.repeat(depth(list)) + listName(list))));
    this.back = step(-1, 'Previous revision', '‹');
    this.play = button({ 'aria-label': 'Play', onclick: () => this.run(!this.timer) }, '▶');
    this.next = step(1, 'Next revision', '›');
    this.range = make('input', {
      type: 'range', 'aria-label': 'Revision', oninput: () => this.go(this.range.valueAsNumber),
    });
    this.input = make('input', {
      type: 'search', placeholder: 'Search ids and contents', 'aria-label': 'Search ids and contents',
      'aria-keyshortcuts': '/', spellcheck: 'false', oninput: () => {
        clearTimeout(this.typing);
        this.typing = setTimeout(() => this.search(), 120);
      },
    });
    this.legend = make('ul', { class: 'legend', 'aria-label': 'Cells and sizes' });
    this.caption = muted();
    this.derived = muted();
    this.outline = make('ul', { class: 'outline', 'aria-label': 'Sections' });
    this.hidden = make('input', { type: 'checkbox', onchange: () => this.show() });
    this.hiddenLabel = make('label', { class: 'muted' }, this.hidden, ' Draw hidden sections');
    this.rows = make('div', { class: 'space' });
    this.log = make('div', {
      class: 'log', tabindex: 0, role: 'group', 'aria-label': 'Log', onscroll: () => this.drawLog(),
    }, this.rows);
    this.logEnd = muted();
    this.told = make('p', { class: 'told', 'aria-live': 'polite' });
    this.changes = make('div', {});
    this.detail = make('section', { class: 'pane', 'aria-label': 'Item' });
    const explorer = make('section', { id: 'explorer', class: 'panel', 'aria-label': 'Lists at each revision' },
      make('div', { class: 'bar' }, this.picker,
        make('div', { class: 'steps' }, this.back, this.play, this.next, this.range), this.input),
      make('div', { class: 'panes' },
        make('div', { class: 'side' },
          make('h2', {}, 'Sections'), this.outline, this.hiddenLabel, make('h2', {}, 'Log'), this.log, this.logEnd),
        make('div', { class: 'center' }, this.drawing.node, this.legend),
        make('div', { class: 'facts-pane' },
          make('section', { class: 'pane', 'aria-label': 'Revision' }, this.told, this.changes), this.detail)),
      make('div', { class: 'below' }, this.derived, this.caption, muted('Keys: ← → revision, ↑ ↓ item, / search, Esc back')));
    document.getElementById('health').after(explorer);
  }

  model(index) {
    return this.models[index] || (this.models[index] = new ListAtRevision(this.value.lists[index], this.value.content));
  }

  // The lists that an item owns.
  nested(list, item) {
    return (this.owned.size && this.owned.get(JSON.stringify([list.data.list, list.data.items[item]]))) || [];
  }

  // MARK: Going about

  open(index, revision, id) {
    this.index = this.picker.selectedIndex = index;
    this.list = this.model(index);
    const { data } = this.list, item = id == null ? -1 : data.items.indexOf(id);
    this.selected = item < 0 ? undefined : item;
    this.hidden.checked = false;
    this.log.scrollTop = 0;
    this.caption.textContent = seen(data.view.words + (data.cut ? ` Here are the first ${counted(data.items.length, 'item')} of `
      + `${number(data.itemCount)}: ${data.cut}.` : ''));
    this.found = this.input.value ? this.list.search(this.input.value) : undefined;
    this.derived.replaceChildren(make('span', {}, this.derivation(data.list)));
    this.drawLegend();
    this.go(Number.isFinite(revision) ? revision : this.list.revision);
    if (item >= 0) this.drawing.reveal(item);
  }

  // What a list is derived from, with its definition; of another list, how many gaps it has.
  derivation(name) {
    const { lists, summary } = this.value, { derived, gapCount } = summary.lists.find(({ list }) => list === name) || {};
    if (!derived) return gapCount ? [`This list has ${counted(gapCount, 'gap')}: what stands there was not loaded.`] : [];
    const source = lists.findIndex(({ list }) => list === derived.of);
    const link = source < 0 ? derived.of : button({ class: 'link', onclick: () => this.open(source) }, listName(lists[source]));
    return ['Derived from ', link, `, follows its revision ${number(derived.sourceRevision)}, `
      + `${counted(derived.lag, 'commit')} behind`
      + (derived.gapCount ? `, incomplete because its source has ${counted(derived.gapCount, 'gap')}` : '') + ': ', make('code', {}, derived.definition)];
  }

  go(revision) {
    this.run(false);
    this.show(revision);
  }

  run(isOn) {
    clearInterval(this.timer);
    this.timer = undefined;
    if (isOn) {
      if (this.list.revision === this.list.data.revision) this.show(this.list.floor);
      this.timer = setInterval(() => {
        this.show(this.list.revision + 1);
        if (this.list.revision === this.list.data.revision) this.run(false);
      }, TICK);
    }
    this.play.textContent = isOn ? '❚❚' : '▶';
    this.play.setAttribute('aria-label', isOn ? 'Pause' : 'Play');
    this.told.setAttribute('aria-live', isOn ? 'off' : 'polite');
  }

  // Shows a revision of the list; by default again the one that is shown.
  show(revision = this.list.revision) {
    const { list } = this, { data } = list;
    list.goTo(revision);
    this.marks = marks(list.changes(list.revision));
    this.placement = new Placement(list, this.hidden.checked);
    Object.assign(this.range, { min: list.floor, max: data.revision, value: list.revision, disabled: list.floor === data.revision });
    const time = when(list.time(list.revision)), author = list.author(list.revision);
    const words = [`Revision ${number(list.revision)} of ${number(data.revision)}`, time && `${time} UTC`, author && `by ${author}`];
    this.range.setAttribute('aria-valuetext', seen(words.filter(Boolean).join(', ')));
    this.told.replaceChildren(make('strong', {}, words.shift()), make('span', { class: 'muted' }, words.filter(Boolean).join(' ')));
    // Not `disabled`: a button that is disabled under the finger loses the focus.
    this.back.setAttribute('aria-disabled', list.revision === list.floor);
    this.next.setAttribute('aria-disabled', list.revision === data.revision);
    this.logEnd.textContent = list.misfit
      ? `Revision ${list.misfit} does not fit the list: the log is damaged, and leads no further back.`
      : data.logEnd ? seen(`No earlier revisions: ${data.logEnd}.`) : '';
    this.drawOutline();
    this.drawChanges();
    const top = (data.revision - list.revision) * ROW, { log } = this;
    this.rows.style.height = `${(data.revision - list.floor) * ROW}px`;
    if (top < log.scrollTop || top + ROW > log.scrollTop + log.clientHeight) log.scrollTop = top - log.clientHeight / 3;
    this.drawLog();
    this.redraw();
  }

  redraw() {
    const { drawing, list } = this;
    Object.assign(drawing, { selected: this.selected, found: this.found });
    drawing.show(list, this.placement, this.marks);
    this.drawDetail();
    // Keeps what is looked at in the address, so that it can be opened again.
    const words = new URLSearchParams({ list: list.data.list, revision: list.revision });
    if (this.selected !== undefined) words.set('item', list.data.items[this.selected]);
    if (this.input.value) words.set('search', this.input.value);
    clearTimeout(this.noting);
    this.noting = setTimeout(() => history.replaceState(null, '', `#${words}`), 300);
  }

  select(item) {
    this.selected = item;
    this.redraw();
    if (item !== undefined) this.drawing.reveal(item);
  }

  search() {
    clearTimeout(this.typing);
    this.found = this.input.value ? this.list.search(this.input.value) : undefined;
    this.select(undefined);
  }

  // Returns whether a key means something here.
  key({ key, target, ctrlKey, metaKey, altKey }) {
    if (ctrlKey || metaKey || altKey) return false;
    const isTyping = target === this.input || target === this.picker;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key], row = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (key === '/' && !isTyping) {
      this.input.focus();
    } else if (key === 'Escape') {
      this.input.value = '';
      this.search();
      this.drawing.node.focus();
    } else if (key === 'Enter' && target === this.input) {
      this.search();
      this.drawing.node.focus();
      if (this.found && this.found.size) this.select([...this.found][0]);
    } else if (step && !isTyping && target !== this.range) {
      this.go(this.list.revision + step);
    } else if (row && target === this.drawing.node) {
      const items = this.placement.sections.flatMap((placed) => placed.items), at = items.indexOf(this.selected);
      const item = items[at >= 0 ? at + row : row > 0 ? 0 : items.length - 1];
      if (item !== undefined) this.select(item);
    } else if (row && target === this.log) {
      this.go(this.list.revision - row);
    } else {
      return false;
    }
    return true;
  }

  // MARK: Beside the drawing

  drawLegend() {
    const swatch = (look) => make('i', { class: `part ${look}`, 'aria-hidden': 'true' });
    const cells = [...this.list.data.cells].sort((a, b) => this.ranks.get(a) - this.ranks.get(b)), shown = cells.slice(0, 12);
    this.legend.replaceChildren(
      ...shown.map((cell) => make('li', {}, swatch(look(this.ranks, cell)), cut(cell, 40))),
      cells.length > shown.length ? make('li', {}, counted(cells.length - shown.length, 'more cell')) : '',
      make('li', {}, swatch('estimate'), 'estimated size'), make('li', {}, swatch('missing'), 'not measured'),
      make('li', {}, swatch('changed'), 'changed in this revision'));
  }

  sectionName(section) {
    const { header } = this.list.attributes(section);
    return cut((header && this.list.titleOf(header.content)) || this.list.data.sections[section], 60);
  }

  drawOutline() {
    const { list } = this, { order } = list;
    this.hiddenLabel.hidden = !order.some((section) => list.isHidden(section));
    const rows = order.slice(0, MOST_ROWS).map((section) => make('li', {}, button({
      title: `section ${list.data.sections[section]}`, onclick: () => {
        const placed = this.placement.sections.find((placed) => placed.section === section);
        if (placed) this.drawing.scrollTo(placed.start);
      },
    }, make('span', {}, this.sectionName(section)),
    make('small', {}, (list.isHidden(section) ? 'hidden, ' : '') + number(list.itemsOf[section].length)))));
    if (order.length > rows.length) rows.push(make('li', { class: 'muted' }, counted(order.length - rows.length, 'more section')));
    this.outline.replaceChildren(...rows);
  }

  drawLog() {
    const { list, log } = this, { revision: last } = list.data, count = last - list.floor;
    const rows = [], first = Math.max(0, Math.floor(log.scrollTop / ROW) - 4);
    for (let at = first; at < Math.min(count, first + Math.ceil(log.clientHeight / ROW) + 9); at++) {
      const revision = last - at;
      rows.push(button({
        class: 'row', tabindex: -1, style: { top: at * ROW, height: ROW }, 'aria-current': revision === list.revision && 'true',
        onclick: () => this.go(revision),
      }, make('b', {}, number(revision)), make('time', {}, when(list.time(revision)).slice(0, 16)),
      make('span', {}, tally(list.changes(revision))), make('small', {}, list.author(revision))));
    }
    this.rows.replaceChildren(...rows);
  }

  // MARK: What is told

  // Rows of a badge, a name and words; those that are too many are counted.
  table(rows, count, noun) {
    const more = count - rows.length;
    return [
      make('ul', { class: 'changes' }, rows.map(({ badge, name, item, onclick, isNow, words }) => {
        const action = onclick || (item !== undefined && (() => this.select(item)));
        return make('li', { 'aria-current': isNow && 'true' }, make('span', { class: `badge ${badge}` }, badge || ''),
          make('div', {}, action ? button({ class: 'link', onclick: action }, name) : make('span', {}, name),
            words.map((words) => make('small', {}, words))));
      })),
      more > 0 ? muted(counted(more, `more ${noun}`), '.') : '',
    ];
  }

  name(item) { return cut(this.list.title(item), 60); }

  drawChanges() {
    const { list } = this, rows = [];
    let count = 0;
    for (const change of list.changes(list.revision)) {
      for (const item of itemsOf(change)) {
        if (count++ < MOST_ROWS) rows.push(this.changeRow(change, item));
      }
    }
    const words = list.revision === 0 ? 'Before the first commit.'
      : list.revision === list.floor ? 'What led to it is not on this page.' : 'Nothing changed.';
    this.changes.replaceChildren(...(count ? this.table(rows, count, 'change') : [muted(words)]));
  }

  changeRow(change, item) {
    const [operation, a, b, c] = change, badge = WORDS[operation];
    if (item !== undefined) return { badge, item, name: this.name(item), words: [this.words(change, item)] };
    if (operation === UPDATE_LIST) return { badge, name: 'the list’s own data', words: [] };
    const words = operation === MOVE_SECTION ? [`${number(b)} → ${number(c)}`]
      : operation === DELETE_SECTION && change.length > 3 ? [`with ${counted(change.length - 3, 'item')}`] : [];
    return { badge, name: `section ${this.sectionName(a)}`, words };
  }

  place(section, index) { return `${this.sectionName(section)} ${number(index)}`; }

  // What a change did to an item.
  words(change, item) {
    const [operation, a, b, c, d, e] = change;
    switch (operation) {
      case INSERT_ITEMS: return `at ${this.place(a, b + item - c)}`;
      case DELETE_ITEM: return `from ${this.place(a, b)}`;
      case DELETE_SECTION: return `with section ${this.sectionName(a)}`;
      case MOVE_ITEM: return `${this.place(b, c)} → ${this.place(d, e)}`;
      case UPDATE_ITEM: return this.difference(d, e);
      default: return 'drawn again';
    }
  }

  // How two states differ.
  difference(before, after) {
    const { list } = this, parts = [], { cells } = list.data;
    const [cell, newCell] = [before, after].map((state) => cells[list.cell(state)]);
    const [content, newContent] = [before, after].map((state) => list.content(state));
    const [gap, newGap] = [before, after].map((state) => list.gap(state));
    if (gap && newGap) return `${gapWords(gap)} → ${gapWords(newGap)}`;
    if (cell !== newCell) parts.push(`${cell} → ${newCell}`);
    if (content !== newContent) {
      const values = list.hasContents ? [content, newContent].map((text) => text && parsed(text)) : [];
      const isKnown = values.length && values.every((value) => value && typeof value === 'object');
      parts.push(...(isKnown ? differences(...values) : ['content']));
    }
    if (list.details(before) !== list.details(after)) parts.push('type or action');
    return parts.join(', ') || 'its state';
  }

  drawDetail() {
    // Until somebody asks for an item, it is the first one that the revision has changed.
    const item = this.selected ?? (this.found ? undefined : [...this.marks.keys()][0]);
    this.detail.replaceChildren(...(item !== undefined ? this.itemFacts(item)
      : this.found ? this.foundItems() : [muted('Click an item to see its history, or search for one.')]));
  }

  foundItems() {
    const shown = new Set(this.list.order.flatMap((section) => this.list.itemsOf[section].items));
    const rows = [...this.found].slice(0, MOST_ROWS).map((item) => (
      { item, name: this.name(item), words: [shown.has(item) ? cut(this.list.data.items[item], 60) : 'not in this revision'] }));
    const others = this.value.lists.flatMap((list, index) => {
      const count = index === this.index ? 0 : this.model(index).search(this.input.value).size;
      return count ? [{ name: listName(list), onclick: () => this.open(index), words: [`${number(count)} found`] }] : [];
    });
    return [
      make('h2', {}, `${counted(this.found.size, 'item')} found`), ...this.table(rows, this.found.size, 'item'),
      ...(others.length ? [make('h3', {}, 'In other lists'), ...this.table(others.slice(0, MOST_ROWS), others.length, 'list')] : []),
    ];
  }

  itemFacts(item) {
    const { list } = this, { data } = list, state = list.stateOf[item], place = list.place(item), facts = [];
    const add = (name, ...words) => facts.push(make('dt', {}, name), make('dd', {}, ...words));
    const link = (index, id, words) => button({ class: 'link', onclick: () => this.open(index, undefined, id) }, words);
    add('Item', make('code', {}, data.items[item]));
    add('Cell', data.cells[list.cell(state)]);
    const gap = list.gap(state);
    if (gap) add('Gap', gapWords(gap) + (gap.offset === undefined ? '' : `, from position ${number(gap.offset)}`));
    for (const side of ['after', 'before'].filter((side) => gap && gap[side])) {
      const { byteCount, hash, text } = gap[side];
      add(`Cursor ${side}`, text === undefined ? `${counted(byteCount, 'byte')}, SHA-256 ${hash}` : make('code', {}, cut(text, 120)));
    }
    add('Place', place
      ? `${this.sectionName(place.section)}, ${number(place.index)} of ${number(list.itemsOf[place.section].length)}`
      : 'not in this revision');
    if (place) {
      const [length, breadth, known] = this.placement.size(item), sides = [breadth, length].map(points);
      if (!this.placement.isVertical) sides.reverse();
      add('Size', (known === -3 ? '' : `${sides.join(' × ')} points, `) + this.drawing.known(known));
    }
    for (const index of this.nested(list, item)) add('List', link(index, undefined, listName(this.value.lists[index])));
    const owner = data.owner ? this.value.lists.findIndex((other) => other.list === data.owner.list) : -1;
    if (owner >= 0) add('Owner', link(owner, data.owner.item, `${data.owner.item} of ${data.owner.list}`));
    const found = list.history(item), rows = found.slice(0, MOST_ROWS).map(({ revision, change }) => ({
      badge: WORDS[change[0]], name: `revision ${number(revision)}`, isNow: revision === list.revision,
      onclick: () => { this.selected = item; this.go(revision); this.drawing.reveal(item); },
      words: [`${when(list.time(revision)).slice(0, 10)} by ${list.author(revision)}`, this.words(change, item)],
    }));
    const count = list.contentRevision(state);
    return [
      make('h2', {}, cut(list.title(item), 120)), make('dl', {}, facts),
      make('h3', {}, found.length ? `History: ${counted(found.length, 'change')}` : 'No change of it is on this page'),
      ...this.table(rows, found.length, 'change'),
      make('h3', {}, 'Content', make('small', {}, count ? `, changed ${counted(count, 'time')}` : ', as it was inserted')),
      this.content(list.content(state)), list.details(state) ? this.content(list.details(state)) : '',
    ];
  }

  content(content) {
    if (content == null) return muted(this.value.content === 'none' ? 'Not shown.' : 'The page has no room for it.');
    if (!this.list.hasContents) {
      const [count, hash] = content.split(' ');
      return muted(`${counted(Number(count), 'byte')}, SHA-256 ${hash}`);
    }
    const value = parsed(content);
    return make('pre', { tabindex: 0 }, value === undefined ? content : JSON.stringify(value, null, 2));
  }
}

// Lists with each below the one whose item owns it; those that own each other in a circle come last.
function belowOwners(lists) {
  const names = new Set(lists.map(({ list }) => list)), ordered = new Set();
  const add = (name) => {
    for (const list of lists) {
      const owner = list.owner && names.has(list.owner.list) ? list.owner.list : undefined;
      if (owner !== name || ordered.has(list)) continue;
      ordered.add(list);
      add(list.list);
    }
  };
  add(undefined);
  return [...new Set([...ordered, ...lists])];
}

// A nested list has an id that tells nothing.
const listName = ({ list, owner }) => cut(owner ? `${owner.name} of ${owner.item}` : list, 60);

// The members in which two objects differ.
function differences(before, after) {
  const short = (value) => (value === undefined ? 'none' : cut(JSON.stringify(value), 40));
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return names.length ? names.slice(0, 6).map((name) => `${name}: ${short(before[name])} → ${short(after[name])}`)
    : ['content, written otherwise'];
}

"""####
}
