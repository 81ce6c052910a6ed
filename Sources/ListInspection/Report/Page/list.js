'use strict';
// A list at any revision that the page leads to. Knows nothing of the document, so that it also
// runs where there is none. `data` is a `ReportedList`: see ReportValue.swift.

const UPDATE_LIST = 0, INSERT_SECTION = 1, DELETE_SECTION = 2, MOVE_SECTION = 3, UPDATE_SECTION = 4,
  INSERT_ITEMS = 5, DELETE_ITEM = 6, MOVE_ITEM = 7, UPDATE_ITEM = 8, TOUCH_ITEM = 9,
  RETURN_SECTION = 10, RETURN_ITEM = 11;

// A long array in pieces, so that a change in the middle moves few numbers.
class Pieces {
  constructor(items = []) {
    this.pieces = split(items);
    this.length = items.length;
  }

  // The piece with an index, and the index in it; at the end of a piece rather than at the next one.
  find(index) {
    let at = 0;
    for (; at < this.pieces.length - 1 && index > this.pieces[at].length; at++) index -= this.pieces[at].length;
    return [at, index];
  }

  slice(index, count) {
    const found = [];
    for (let [at, start] = this.find(index); found.length < count && at < this.pieces.length; at++, start = 0) {
      found.push(...this.pieces[at].slice(start, start + count - found.length));
    }
    return found;
  }

  insert(index, items) {
    const [at, start] = this.find(index), piece = this.pieces[at];
    this.length += items.length;
    if (piece.length + items.length <= 2 * PIECE) piece.splice(start, 0, ...items);
    else this.pieces.splice(at, 1, ...split([...piece.slice(0, start), ...items, ...piece.slice(start)]));
  }

  remove(index, count) {
    this.length -= count;
    let [at, start] = this.find(index);
    for (; count > 0; at++, start = 0) count -= this.pieces[at].splice(start, count).length;
    this.pieces = this.pieces.filter((piece, at) => piece.length || !at);
  }

  get items() { return this.pieces.flat(); }
}

const PIECE = 512;

function split(items) {
  const pieces = [];
  for (let at = 0; at < items.length; at += PIECE) pieces.push(items.slice(at, at + PIECE));
  return pieces.length ? pieces : [[]];
}

class ListAtRevision {
  constructor(data, detail) {
    this.data = data;
    this.hasContents = detail === 'full';
    this.revision = data.revision;
    this.floor = data.revision - data.changes.length;
    this.meta = data.meta;
    this.order = [];                                  // numbers of sections
    this.itemsOf = data.sections.map(() => new Pieces()); // numbers of items, by section
    this.textOf = data.sections.map(() => -1);        // attributes, by section
    this.stateOf = data.items.map((_, item) => item); // states, by item
    let next = 0;
    for (const [section, text, count] of data.head) {
      this.order.push(section);
      this.textOf[section] = text;
      this.itemsOf[section] = new Pieces(Array.from({ length: count }, (_, at) => next + at));
      next += count;
    }
    this.headCount = next;
    data.lastStates.forEach((state, index) => { this.stateOf[next + index] = state; });
    this.texts = data.texts.map(() => undefined);
  }

  // The changes of a commit.
  changes(revision) { return this.data.changes[this.data.revision - revision] || []; }
  time(revision) { return this.data.times[this.data.revision - revision]; }
  author(revision) { return this.data.authors[this.data.commitAuthors[this.data.revision - revision]]; }

  // Walks to a revision. Where a change does not fit, the log is damaged: the walk ends there, and
  // the page leads no further.
  goTo(revision) {
    const wanted = Math.min(Math.max(revision, this.floor), this.data.revision);
    while (this.revision > wanted) {
      const changes = this.changes(this.revision);
      for (let at = changes.length - 1; at >= 0; at--) {
        if (this.step(changes[at], true)) continue;
        // Forward again, to where the list is known.
        for (at++; at < changes.length; at++) this.step(changes[at], false);
        this.floor = this.revision;
        this.misfit = this.revision;
        return;
      }
      this.revision--;
    }
    while (this.revision < wanted) {
      for (const change of this.changes(this.revision + 1)) this.step(change, false);
      this.revision++;
    }
  }

  // Makes a change, or takes it back; returns whether it fits, else nothing changes.
  step(change, isBack) {
    const [operation, a, b, c, d, e] = change;
    switch (operation) {
      case UPDATE_LIST: this.meta = isBack ? a : b; return true;
      case INSERT_SECTION: case DELETE_SECTION: {
        const items = change.slice(3), own = this.itemsOf[a];
        if ((operation === INSERT_SECTION) !== isBack) {
          if (b > this.order.length) return false;
          this.order.splice(b, 0, a);
          this.itemsOf[a] = new Pieces(items);
        } else {
          const isSame = own.length === items.length && own.items.every((item, at) => item === items[at]);
          if (this.order[b] !== a || !isSame) return false;
          this.order.splice(b, 1);
          this.itemsOf[a] = new Pieces();
        }
        return true;
      }
      case MOVE_SECTION: {
        const [from, to] = isBack ? [c, b] : [b, c];
        if (this.order[from] !== a || to >= this.order.length) return false;
        this.order.splice(from, 1);
        this.order.splice(to, 0, a);
        return true;
      }
      case UPDATE_SECTION: case RETURN_SECTION: this.textOf[a] = isBack ? b : c; return true;
      case INSERT_ITEMS: case DELETE_ITEM: {
        const count = d || 1;
        return (operation === INSERT_ITEMS) !== isBack ? this.put(a, b, c, count) : this.take(a, b, c, count);
      }
      case MOVE_ITEM: {
        const [section, index, target, place] = isBack ? [d, e, b, c] : [b, c, d, e];
        if (!this.take(section, index, a, 1)) return false;
        if (this.put(target, place, a, 1)) return true;
        this.put(section, index, a, 1);
        return false;
      }
      case UPDATE_ITEM:
        if (!this.has(b, c, a)) return false;
        this.stateOf[a] = isBack ? d : e;
        return true;
      case TOUCH_ITEM: return this.has(b, c, a);
      case RETURN_ITEM: this.stateOf[a] = isBack ? b : c; return true;
      default: return false;
    }
  }

  put(section, index, first, count) {
    if (!(index >= 0 && index <= this.itemsOf[section].length)) return false;
    this.itemsOf[section].insert(index, Array.from({ length: count }, (_, at) => first + at));
    return true;
  }

  take(section, index, first, count) {
    if (!this.has(section, index, first, count)) return false;
    this.itemsOf[section].remove(index, count);
    return true;
  }

  // Whether items with numbers in a row are at an index.
  has(section, index, first, count = 1) {
    const found = index >= 0 ? this.itemsOf[section].slice(index, count) : [];
    return found.length === count && found.every((item, at) => item === first + at);
  }

  // Where an item is now; `undefined` if it is not there.
  place(item) {
    for (const section of this.order) {
      const index = this.itemsOf[section].items.indexOf(item);
      if (index >= 0) return { section, index };
    }
  }

  // What a text says: attributes of a section, or the list's own data.
  text(number) {
    if (number < 0) return null;
    return this.texts[number] === undefined ? (this.texts[number] = parsed(this.data.texts[number])) : this.texts[number];
  }
  attributes(section) { return this.text(this.textOf[section]) || {}; }
  isHidden(section) {
    const { visibility } = this.attributes(section);
    return visibility === 'hidden' || visibility === 'hiddenWhenEmpty' && !this.itemsOf[section].length;
  }

  cell(state) { return this.data.kinds[this.data.states[state]][0]; }
  contentRevision(state) { return this.data.kinds[this.data.states[state]][1]; }
  content(state) { return this.data.contents[state]; }
  details(state) { return this.data.details[state]; }
  gap(state) { return this.data.gaps[state]; }

  // A name for a content, from a member that usually has it.
  titleOf(content) {
    if (!this.hasContents || content == null) return undefined;
    const value = typeof content === 'string' ? parsed(content) : content;
    if (value === undefined) {  // cut
      const found = /"(?:title|name|codename|text)":("(?:[^"\\]|\\.)*")/.exec(content);
      return found ? parsed(found[1]) : undefined;
    }
    if (value === null || typeof value !== 'object') return undefined;
    for (const name of ['title', 'name', 'codename', 'text']) {
      if (typeof value[name] === 'string' && value[name]) return value[name];
    }
  }
  title(item) {
    const state = this.stateOf[item], gap = this.gap(state);
    return gap ? gapWords(gap) : this.titleOf(this.content(state)) || this.data.items[item];
  }

  // Every change of an item, the newest first.
  history(item) {
    const found = [];
    this.data.changes.forEach((changes, at) => {
      for (let index = changes.length - 1; index >= 0; index--) {
        if (concerns(changes[index], item)) found.push({ revision: this.data.revision - at, change: changes[index] });
      }
    });
    return found;
  }

  // Items by a part of their ids or of one of their contents.
  search(words) {
    const wanted = words.toLowerCase(), found = new Set();
    if (!wanted) return found;
    this.data.items.forEach((id, item) => { if (id.toLowerCase().includes(wanted)) found.add(item); });
    if (!this.hasContents) return found;
    this.data.contents.forEach((content, state) => {
      if (content && content.toLowerCase().includes(wanted)) found.add(this.owner(state));
    });
    return found;
  }

  // The item of a state.
  owner(state) {
    if (!this.owners) {
      this.owners = new Map(this.data.lastStates.map((state, index) => [state, this.headCount + index]));
      for (const [operation, item, ...numbers] of this.data.changes.flat()) {
        if (operation === UPDATE_ITEM) this.owners.set(numbers[2], item);
        if (operation === RETURN_ITEM) this.owners.set(numbers[0], item);
      }
    }
    return state < this.headCount ? state : this.owners.get(state);
  }

  // The list as `ListTree` has it, for tests.
  get tree() {
    return this.order.map((section) => ({
      id: this.data.sections[section], attributes: this.attributes(section),
      items: this.itemsOf[section].items.map((item) => {
        const state = this.stateOf[item];
        return {
          id: this.data.items[item], cell: this.data.cells[this.cell(state)],
          contentRevision: this.contentRevision(state), content: this.content(state), details: this.details(state),
        };
      }),
    }));
  }
}

function concerns(change, item) {
  const [operation, a, , c, d] = change;
  switch (operation) {
    case INSERT_ITEMS: case DELETE_ITEM: return item >= c && item < c + (d || 1);
    case MOVE_ITEM: case UPDATE_ITEM: case TOUCH_ITEM: return a === item;
    case DELETE_SECTION: return change.indexOf(item, 3) >= 3;
    default: return false;
  }
}

// What a gap says: "950 items not loaded".
function gapWords({ count }) {
  return `${count === undefined ? 'items' : `${count.toLocaleString('en-US')} item${count === 1 ? '' : 's'}`} not loaded`;
}

function parsed(text) {
  try { return JSON.parse(text); } catch { return undefined; }
}
