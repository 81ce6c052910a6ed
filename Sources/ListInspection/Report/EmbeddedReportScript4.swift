// Written by tools/embed from Sources/ListInspection/Report/Page/drawing.js: edit that.
// swift-format-ignore-file

extension EmbeddedText {
  /// Part 4 of a report's script.
  static let reportScript4 = ####"""
// A list drawn to scale: what is in sight of it, in as many columns as fit.

const LONGEST_SCROLL = 8e6;       // browsers end at about 17 million points
const GAP = 16;                   // points between columns

class Drawing {
  // `onSelect` gets the item that somebody points at, `nested` the lists of an item.
  constructor(ranks, reasons, nested, onSelect) {
    Object.assign(this, { ranks, reasons, nested });
    this.ribbon = make('div', { class: 'ribbon', role: 'presentation' });
    this.space = make('div', { class: 'space' });
    this.node = make('div', {
      class: 'stage', tabindex: 0, role: 'listbox', onscroll: () => this.draw(),
      onclick: ({ target }) => {
        const part = target.closest('[data-item]');
        if (part) onSelect(Number(part.dataset.item));
      },
    }, this.ribbon, this.space);
    new ResizeObserver(() => this.layout()).observe(this.node);
  }

  // Shows a list as it is now; `marks` has what its last commit did to items.
  show(list, placement, marks) {
    if (list !== this.list) {
      this.columns = 1;
      this.node.scrollTop = 0;
    }
    Object.assign(this, { list, placement, marks });
    this.layout();
  }

  // The list stands in several columns (rows, if it scrolls horizontally), each with the part of it
  // that follows the one before.
  layout() {
    if (!this.placement) return;
    const { node, placement: { isVertical, breadth, length } } = this;
    const sides = [node.clientWidth - 2 * GAP, node.clientHeight - 2 * GAP];
    const [across, along] = isVertical ? sides : sides.reverse();
    if (across <= 0 || along <= 0 || breadth <= 0) return;
    const zoom = (columns) => Math.min(1, (across - (columns - 1) * GAP) / (columns * breadth));
    let most = 1;
    while (zoom(most + 1) >= 0.7) most++;
    // While one walks through the log, the drawing becomes no smaller.
    this.columns = Math.min(most, Math.max(this.columns, Math.ceil(length * zoom(most) / along)));
    this.zoom = zoom(this.columns);
    this.along = along;
    const rest = Math.max(0, length * this.zoom - this.columns * along);
    this.ratio = Math.max(1, rest / LONGEST_SCROLL);
    this.space.style.height = `${node.clientHeight + rest / this.ratio}px`;
    this.draw();
  }

  // Where the first column begins, and how much each has, in points of the list.
  get window() {
    return { offset: this.node.scrollTop * this.ratio / this.zoom, extent: this.along / this.zoom };
  }

  scrollTo(start) {
    const { offset, extent } = this.window;
    if (start < offset || start > offset + extent * this.columns - 40) {
      this.node.scrollTop = Math.max(0, start - extent / 4) * this.zoom / this.ratio;
    }
    this.draw();
  }

  reveal(item) {
    const start = this.placement.position(item);
    if (start !== undefined) this.scrollTo(start);
  }

  draw() {
    if (!this.along) return;
    const { placement, zoom } = this, { isVertical, isMirrored, breadth, length } = placement;
    const { offset, extent } = this.window, drawn = new Set(), columns = [];
    for (let low = offset; columns.length < this.columns; low += extent) {
      const end = Math.max(0, Math.min(extent, length - low));
      const sides = [breadth * zoom, end * zoom], [width, height] = isVertical ? sides : sides.reverse();
      const column = make('div', { class: 'column', role: 'presentation', style: { width, height } });
      const base = isVertical || !isMirrored ? low : length - low - end;
      placement.forEach(low, low + extent, (part) => {
        const frame = { left: part.x * zoom, top: part.y * zoom, width: part.width * zoom, height: part.height * zoom };
        frame[isVertical ? 'top' : 'left'] -= base * zoom;
        column.append(part.item === undefined ? this.view(part, frame) : this.item(part, frame, drawn.has(part.item)));
        drawn.add(part.item);
      });
      columns.push(column);
    }
    this.ribbon.classList.toggle('rows', !isVertical);
    this.ribbon.replaceChildren(...columns);
    this.node.classList.toggle('searching', !!(this.found && this.found.size));
    this.node.setAttribute(
      'aria-label', seen(`Items of ${this.list.data.list} at revision ${this.list.revision}, drawn to scale`));
    if (drawn.has(this.selected)) this.node.setAttribute('aria-activedescendant', `item-${this.selected}`);
    else this.node.removeAttribute('aria-activedescendant');
  }

  // `isRest`: whether an earlier column has the beginning of the item.
  item({ item, section, width, height }, frame, isRest) {
    const { list } = this, cell = list.data.cells[list.cell(list.stateOf[item])], mark = this.marks.get(item);
    const known = this.placement.size(item)[2], isSelected = this.selected === item;
    const classes = {
      part: true, [look(this.ranks, cell)]: true, missing: known === -3, estimate: known === -2 || known >= 0,
      changed: mark, selected: isSelected, match: this.found && this.found.has(item), 'in-hidden': list.isHidden(section),
    };
    const id = list.data.items[item], title = list.title(item), hasText = frame.height >= 12 && frame.width >= 24;
    const nested = this.nestedParts(item, frame);
    return make('div', {
      class: Object.keys(classes).filter((name) => classes[name]).join(' '), style: drawable(frame), 'data-item': item,
      ...(isRest ? { role: 'presentation' } : { role: 'option', id: `item-${item}`, 'aria-selected': String(isSelected) }),
      title: `item ${id}, cell ${cell}, ${points(width)} × ${points(height)} points, ${this.known(known)}`,
    }, hasText && make('span', {}, cut(title, 120)),
    frame.height >= 34 && !nested && make('small', {}, cut(title === id ? cell : id, 120)), nested,
    mark && frame.height >= 34 && frame.width > 7 * mark.length + 20 && make('em', {}, mark));
  }

  view({ view: kind, section, width, height }, frame) {
    const { list } = this, name = list.data.sections[section], view = list.attributes(section)[kind];
    return make('div', {
      class: 'part view', role: 'presentation', style: drawable(frame),
      title: `${kind} of section ${name}, view ${view.view}, ${points(width)} × ${points(height)} points`,
    }, frame.height >= 12 && make('b', {}, cut(list.titleOf(view.content) || (kind === 'header' ? name : ''), 80)));
  }

  // The beginning of the first list that an item owns, as it is now.
  nestedParts(item, { width, height }) {
    const list = this.nested(this.list, item)[0], { zoom } = this;
    if (!list) return;
    const placement = list.placement || (list.placement = new Placement(list));
    const [across, along] = placement.isVertical ? [width, height] : [height, width];
    const shift = Math.max(0, across - placement.breadth * zoom), { isVertical, isMirrored } = placement;
    const base = isMirrored && !isVertical ? placement.length * zoom - along : 0;
    const node = make('div', { class: 'nested', 'aria-hidden': 'true' });
    placement.forEach(0, along / zoom, (part) => {
      const cell = part.item === undefined ? undefined : list.data.cells[list.cell(list.stateOf[part.item])];
      const frame = { left: part.x * zoom - base, top: part.y * zoom, width: part.width * zoom, height: part.height * zoom };
      frame[isVertical ? 'left' : 'top'] += shift;
      node.append(make('div', { class: `part ${cell === undefined ? 'view' : look(this.ranks, cell)}`, style: drawable(frame) }));
    });
    return node;
  }

  // How much is known of a size.
  known(known) {
    switch (known) {
      case -1: return 'exact';
      case -2: return 'an estimate: the size of a later revision';
      case -3: return 'not measured';
      default: return `an estimate: ${this.reasons[known]}`;
    }
  }
}

// A frame of which something can be seen; its text begins where the column does.
function drawable({ left, top, width, height }) {
  return {
    left, top, width: Math.max(1, width), height: Math.max(1, height),
    paddingLeft: 6 + Math.max(0, -left), paddingTop: Math.min(Math.max(0, -top), Math.max(0, height - 20)),
  };
}

"""####
}
