// Words, numbers and elements. What comes from the data reaches the page through textContent and
// attributes only.

const WORDS = {
  [UPDATE_LIST]: 'data', [INSERT_SECTION]: 'inserted', [DELETE_SECTION]: 'deleted', [MOVE_SECTION]: 'moved',
  [UPDATE_SECTION]: 'updated', [INSERT_ITEMS]: 'inserted', [DELETE_ITEM]: 'deleted', [MOVE_ITEM]: 'moved',
  [UPDATE_ITEM]: 'updated', [TOUCH_ITEM]: 'touched',
};
const GAP_CELL = '#gap';
const SIGNS = { inserted: '+', deleted: '−', moved: '↕', updated: '✎', touched: '○', data: '✎' };

const number = (count) => count.toLocaleString('en-US');
const counted = (count, noun) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
const points = (length) => (Math.round(length * 10) / 10).toLocaleString('en-US');
const cut = (text, limit) => (text.length > limit ? text.slice(0, limit - 1) + '…' : text);

function bytes(count) {
  for (const unit of ['bytes', 'KB', 'MB']) {
    if (count < 1000) return `${points(count)} ${unit}`;
    count /= 1000;
  }
  return `${points(count)} GB`;
}

// A time in UTC; empty if it is not known.
function when(time) {
  return time == null || Math.abs(time) > 8e15 ? '' : new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

// A text in which nothing is invisible or turns the direction of what follows.
function seen(text) {
  const isForWriting = (sign) => /[\u00AD\u200C\u200D\n]/.test(sign);
  return String(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => (
    isForWriting(sign) ? sign : `\\u{${sign.codePointAt(0).toString(16)}}`));
}

// An element. `on…` are listeners, `style` has lengths in points, the others are attributes.
function make(tag, properties, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'style') for (const side of Object.keys(value)) node.style[side] = `${value[side]}px`;
    else if (value === true) node.setAttribute(name, '');
    else if (value !== false && value != null) node.setAttribute(name, seen(value));
  }
  for (const child of children.flat()) {
    if (child != null && child !== false) node.append(child instanceof Node ? child : seen(child));
  }
  return node;
}

const button = (properties, ...children) => make('button', { type: 'button', ...properties }, ...children);
const muted = (...words) => make('p', { class: 'muted' }, ...words);

// The items of a change; one `undefined` for a change of a section or the list.
function itemsOf(change) {
  switch (change[0]) {
    case INSERT_ITEMS: return Array.from({ length: change[4] || 1 }, (_, at) => change[3] + at);
    case DELETE_ITEM: return [change[3]];
    case MOVE_ITEM: case UPDATE_ITEM: case TOUCH_ITEM: return [change[1]];
    case RETURN_SECTION: case RETURN_ITEM: return [];
    default: return [undefined];
  }
}

// What a commit did to each item.
function marks(changes) {
  const marks = new Map();
  for (const change of changes) {
    for (const item of itemsOf(change)) {
      const word = WORDS[change[0]], before = marks.get(item);
      if (item === undefined || before === 'inserted') continue;
      marks.set(item, before && !before.includes(word) ? `${before}, ${word}` : word);
    }
  }
  return marks;
}

// The number of changes by what they do: "+40 ✎2".
function tally(changes) {
  const counts = new Map();
  for (const change of changes) {
    const sign = SIGNS[WORDS[change[0]]];
    if (sign) counts.set(sign, (counts.get(sign) || 0) + (change[0] === INSERT_ITEMS ? change[4] || 1 : 1));
  }
  return counts.size ? [...counts].map(([sign, count]) => sign + number(count)).join(' ') : 'no change';
}

// The cells by how frequent they are: the first ones have a colour of their own.
function ranks(lists) {
  const counts = new Map();
  for (const { cells, kinds, states } of lists) {
    for (const kind of states) {
      const cell = cells[kinds[kind][0]];
      counts.set(cell, (counts.get(cell) || 0) + 1);
    }
  }
  const names = [...counts].sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
  return new Map(names.map(([name], at) => [name, at]));
}

const look = (ranks, cell) => (cell === GAP_CELL ? 'look-gap' : `look-${(ranks.get(cell) ?? 7) % 8}`);
