// Written by tools/embed from Sources/ListInspection/Report/Page/placement.js: edit that.
// swift-format-ignore-file

extension EmbeddedText {
  /// Part 2 of a report's script.
  static let reportScript2 = ####"""
// Where everything of a list stands, by the rules of `ListPlacement`.

const TOLERANCE = 1e-6, PLAIN_LENGTH = 44;

const clean = (length) => (length > 0 ? Math.min(length, 1e6) : 0);

// Columns of whole pixels.
function columnGrid(length, before, after, columns, spacing, scale) {
  length = clean(length);
  const start = Math.min(clean(before), length), breadth = Math.max(0, length - start - clean(after));
  spacing = clean(spacing);
  const fitting = Math.trunc(Math.min(1000, (breadth + spacing) * scale / (1 + spacing * scale) + TOLERANCE));
  columns = Math.max(1, Math.min(columns, fitting));
  const pixels = (breadth - (columns - 1) * spacing) * scale / columns;
  return { start, breadth, columns, spacing, column: Math.trunc(Math.max(0, pixels + TOLERANCE)) / scale };
}

// The shown sections with the places of their items along the direction of scrolling (`starts`,
// `lengths`) and across it. What is in sight is found in `tracks`: items whose bands, from
// `bandStarts` to `bandEnds`, ascend.
class Placement {
  constructor(list, showsHidden = false) {
    const { view } = list.data;
    this.list = list;
    this.isVertical = view.isVertical;
    this.scale = view.scale > 0 && Number.isFinite(view.scale) ? Math.min(view.scale, 1000) : 1;
    this.breadth = clean(view.breadth);
    this.isMirrored = view.isMirrored;
    this.means = means(list);
    this.viewSizes = new Map(list.data.head.map(([section, , , header, footer]) => [section, [header, footer]]));
    this.sections = [];
    this.length = 0;
    for (const section of list.order) {
      if (!showsHidden && list.isHidden(section)) continue;
      const placed = this.section(section);
      placed.start = this.length;
      this.length += placed.length;
      this.sections.push(placed);
    }
  }

  up(length) { return Math.ceil(length * this.scale - TOLERANCE) / this.scale; }
  down(position) { return Math.floor(position * this.scale + TOLERANCE) / this.scale; }

  section(section) {
    const { items } = this.list.itemsOf[section], attributes = this.list.attributes(section);
    const layout = attributes.layout || {};
    const kind = layout.kind || (layout.columns > 1 ? 'flow' : 'list');
    const [top, left, bottom, right] = (layout.insets || [0, 0, 0, 0]).map(clean);
    const [before, after] = this.isVertical ? [top, bottom] : [left, right];
    const across = this.isVertical ? [left, right] : [top, bottom];
    const grid = columnGrid(
      this.breadth, ...across, kind === 'list' ? 1 : layout.columns || 1, layout.interitemSpacing || 0, this.scale);
    const count = items.length, numbers = () => new Float64Array(count);
    const placed = {
      section, items, starts: numbers(), lengths: numbers(), acrossStarts: numbers(), breadths: numbers(),
      bandStarts: numbers(), bandEnds: numbers(), tracks: [], views: [],
    };
    for (let at = 0; at < count; at++) {
      const size = this.size(items[at], grid);
      placed.lengths[at] = this.up(clean(size[0]));
      placed.breadths[at] = kind === 'flow' ? Math.min(this.up(clean(size[1])), grid.breadth) : grid.column;
    }
    const header = this.viewLength(section, 'header', attributes), footer = this.viewLength(section, 'footer', attributes);
    const start = header + before;
    const place = { list: placeList, flow: placeFlow, waterfall: placeWaterfall }[kind];
    const end = place.call(this, placed, start, clean(layout.lineSpacing || 0), grid);
    if (header) placed.views.push({ kind: 'header', start: 0, length: header });
    if (footer) placed.views.push({ kind: 'footer', start: end + after, length: footer });
    placed.length = end + after + footer;
    return placed;
  }

  // Length and breadth of an item, and how much is known of them: -1 for exact, -2 for a size that
  // a later revision has, -3 for none, or the number of a reason.
  size(item, grid) {
    const { data, stateOf } = this.list, size = data.sizes[data.itemSizes[item]];
    if (!size) {
      return [this.means.get(this.list.cell(stateOf[item])) || this.means.get(-1), grid ? grid.column : 0, -3];
    }
    const isSame = data.states[item] === data.states[stateOf[item]];
    const known = size[2] === -1 && !isSame ? -2 : size[2];
    return this.isVertical ? [size[1], size[0], known] : [size[0], size[1], known];
  }

  viewSize(section, kind) { return this.list.data.sizes[(this.viewSizes.get(section) || [])[kind === 'header' ? 0 : 1]]; }

  viewLength(section, kind, attributes) {
    if (!attributes[kind]) return 0;
    const size = this.viewSize(section, kind);
    return this.up(clean(size ? size[this.isVertical ? 1 : 0] : PLAIN_LENGTH));
  }

  // Calls a function with what is in sight between two positions, as rectangles in points.
  forEach(low, high, body) {
    for (const placed of this.sections) {
      if (placed.start >= high) break;
      if (placed.start + placed.length <= low) continue;
      const from = low - placed.start, to = high - placed.start;
      for (const view of placed.views) {
        if (view.start < to && view.start + view.length > from) {
          body({ section: placed.section, view: view.kind, ...this.frame(placed, view.start, view.length, 0, this.breadth) });
        }
      }
      for (const track of placed.tracks) {
        for (let at = firstIndex(track, (item) => placed.bandEnds[item] > from); at < track.length; at++) {
          const index = track[at];
          if (placed.bandStarts[index] >= to) break;
          body({ item: placed.items[index], section: placed.section, index, ...this.itemFrame(placed, index) });
        }
      }
    }
  }

  itemFrame(placed, index) {
    const { starts, lengths, acrossStarts, breadths } = placed;
    return this.frame(placed, starts[index], lengths[index], acrossStarts[index], breadths[index]);
  }

  frame(placed, start, length, acrossStart, breadth) {
    start += placed.start;
    const frame = this.isVertical
      ? { x: acrossStart, y: start, width: breadth, height: length }
      : { x: start, y: acrossStart, width: length, height: breadth };
    if (this.isMirrored) frame.x = (this.isVertical ? this.breadth : this.length) - (frame.x + frame.width);
    return frame;
  }

  // Where an item begins along the direction of scrolling; `undefined` if it is not shown.
  position(item) {
    for (const placed of this.sections) {
      const index = placed.items.indexOf(item);
      if (index >= 0) return placed.start + placed.starts[index];
    }
  }
}

function placeList(placed, start, spacing, grid) {
  const { lengths, starts, acrossStarts, bandStarts, bandEnds } = placed, count = lengths.length;
  let next = start;
  for (let at = 0; at < count; at++) {
    starts[at] = bandStarts[at] = next;
    acrossStarts[at] = grid.start;
    bandEnds[at] = next + lengths[at];
    next += lengths[at] + spacing;
  }
  placed.tracks = [Int32Array.from({ length: count }, (_, at) => at)];
  return count ? next - spacing : start;
}

function placeWaterfall(placed, start, spacing, grid) {
  const { lengths, starts, acrossStarts, bandStarts, bandEnds } = placed;
  const ends = new Array(grid.columns).fill(0), columns = ends.map(() => []);
  let longest = 0;
  for (let at = 0; at < lengths.length; at++) {
    let column = 0;
    for (let other = 1; other < ends.length; other++) {
      if (Math.round(ends[other] * 1024) < Math.round(ends[column] * 1024)) column = other;
    }
    columns[column].push(at);
    acrossStarts[at] = grid.start + column * (grid.column + grid.spacing);
    starts[at] = bandStarts[at] = start + ends[column];
    bandEnds[at] = starts[at] + lengths[at];
    longest = Math.max(longest, ends[column] + lengths[at]);
    ends[column] += lengths[at] + spacing;
  }
  placed.tracks = columns;
  return start + longest;
}

function placeFlow(placed, start, spacing, grid) {
  const { lengths, breadths, starts, acrossStarts, bandStarts, bandEnds } = placed, count = lengths.length;
  const available = grid.breadth + TOLERANCE;
  // Equal items form a grid, with the gaps of a full line in the last one.
  const [breadth] = breadths, isGrid = breadths.every((other) => other === breadth)
    && lengths.every((other) => other === lengths[0]);
  let perLine = 1;
  for (let used = breadth; perLine < 1000 && used + grid.spacing + breadth <= available; perLine++) {
    used += grid.spacing + breadth;
  }
  let next = start, at = 0;
  while (at < count) {
    let end = at + 1, used = breadths[at], sum = breadths[at], length = lengths[at];
    while (end < count && end - at < 1000 && used + grid.spacing + breadths[end] <= available) {
      used += grid.spacing + breadths[end];
      sum += breadths[end];
      length = Math.max(length, lengths[end++]);
    }
    const free = Math.max(0, isGrid ? grid.breadth - perLine * breadth : grid.breadth - sum);
    const across = isGrid ? perLine : end - at;
    let gap = across > 1 ? free / (across - 1) : 0, position = grid.start + (across > 1 ? 0 : free / 2);
    if (!isGrid && end === count) [gap, position] = [grid.spacing, grid.start];
    for (; at < end; at++) {
      starts[at] = next + this.down((length - lengths[at]) / 2);
      acrossStarts[at] = this.down(position);
      position += breadths[at] + gap;
      bandStarts[at] = next;
      bandEnds[at] = next + length;
    }
    next += length + spacing;
  }
  placed.tracks = [Int32Array.from({ length: count }, (_, at) => at)];
  return count ? next - spacing : start;
}

// The mean length of the measured items of each cell, and of all as -1.
function means({ data }) {
  const sums = new Map([[-1, [0, 0]]]);
  data.itemSizes.forEach((number, item) => {
    const size = data.sizes[number];
    if (!size) return;
    for (const key of [data.kinds[data.states[item]][0], -1]) {
      if (!sums.has(key)) sums.set(key, [0, 0]);
      const sum = sums.get(key);
      sum[0] += size[data.view.isVertical ? 1 : 0];
      sum[1]++;
    }
  });
  return new Map([...sums].map(([key, [sum, count]]) => [key, count ? sum / count : PLAIN_LENGTH]));
}

function firstIndex(items, isBehind) {
  let low = 0, high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(items[middle])) high = middle; else low = middle + 1;
  }
  return low;
}

"""####
}
