// The page: the lists at each revision, and what the script draws below them.

function panel(id, title, ...children) {
  return make('section', { id, class: 'panel', 'aria-labelledby': `${id}-title` },
    make('h2', { id: `${id}-title` }, title), ...children);
}

// A bar whose side has so many percent of the greatest one's.
function bar(side, count, most, title) {
  const node = make('i', { title });
  node.style[side] = `${count ? Math.max(1, count / most * 100) : 0}%`;
  return node;
}

function sizesPanel({ sizes }, ranks) {
  const figures = sizes.map(({ list, cell, kind, isVertical, fittingPixels, variant, count, ...group }) => {
    const { staleCount, histogram } = group, [least, median, greatest] = [group.least, group.median, group.greatest].map(points);
    const words = `${counted(count, 'size')} from ${least} to ${greatest} points`, most = Math.max(...histogram);
    return make('figure', { class: kind ? 'view' : look(ranks, cell) },
      make('figcaption', {}, make('strong', {}, cut(cell, 60)), make('span', {}, `${cut(list, 40)}, ${number(count)}`)),
      make('div', { class: 'bars', role: 'img', 'aria-label': words },
        histogram.map((count) => bar('height', count, most, counted(count, 'size')))),
      make('p', { class: 'scale' }, make('span', {}, least), make('span', {}, `median ${median}`), make('span', {}, greatest)),
      make('p', { class: 'muted' }, `${number(fittingPixels)} pixels ${isVertical ? 'wide' : 'high'}, `
        + (variant && `${cut(variant, 40)}, `) + (staleCount ? `${number(staleCount)} hold no longer` : 'all hold')));
  });
  return panel('sizes', 'Sizes by cell', muted(figures.length
    ? 'Stored sizes along the direction of scrolling, in points.' : 'No sizes are stored.'),
  make('div', { class: 'histograms' }, figures));
}

function spacePanel({ space }) {
  const shares = (title, parts) => {
    const shown = parts.filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a).slice(0, 24);
    return make('div', {}, make('h3', {}, title), make('ul', { class: 'shares' }, shown.map(([name, count]) => (
      make('li', {}, make('span', {}, cut(name, 60)), bar('width', count, shown[0][1]), make('small', {}, bytes(count)))))));
  };
  const tables = space.tables.map(({ name, byteCount }) => [name, byteCount]);
  const lists = space.lists.flatMap(({ list, contentByteCount, changeByteCount }) => (
    [[`contents of ${list}`, contentByteCount || 0], [`log of ${list}`, changeByteCount || 0]]));
  return panel('space', 'Space', make('div', { class: 'halves' },
    shares(space.method === 'pages' ? 'Pages by table, with indexes' : 'Values by table',
      [...tables, ['free pages', space.freeByteCount]]),
    shares('Contents and logs by list', lists)));
}

function filesPanel({ files, summary: { header, log, journal } }) {
  const facts = [];
  const add = (name, ...words) => facts.push(make('dt', {}, name), make('dd', {}, words.filter(Boolean).join(', ')));
  const some = (count, words) => count > 0 && `${counted(count, 'byte')} ${words}`;
  for (const { path, byteCount, modifiedAt } of files) {
    add(path, counted(byteCount, 'byte'), `changed ${when(modifiedAt / 1e6)} UTC`);
  }
  if (header) {
    const version = [1e6, 1e3, 1].map((unit) => Math.floor(header.sqliteVersion / unit) % 1000).join('.');
    add('Header', `${counted(header.pageCount, 'page')} of ${counted(header.pageSize, 'byte')}`,
      `${number(header.presentPageCount)} in the file`, `schema version ${header.schemaVersion}`,
      `last written by SQLite ${version}`);
  } else {
    add('Header', 'not that of a database');
  }
  if (log) {
    add('Write-ahead log', `${counted(log.commitCount, 'commit')} with ${counted(log.frameCount, 'page')}`,
      some(log.uncommittedByteCount, 'not committed'), some(log.tornByteCount, 'torn'));
  }
  if (journal) {
    add('Rollback journal', (journal.isPending ? 'takes back a transaction of ' : 'done with, ')
      + counted(journal.pageCount, 'page'));
  }
  return panel('files', 'Files', make('dl', {}, facts));
}

if (typeof document !== 'undefined') {
  const value = JSON.parse(document.getElementById('data').textContent);
  if (value && value.formatVersion === 1) {
    const explorer = value.lists.length ? new Explorer(value) : undefined;
    document.getElementById('lists').before(
      sizesPanel(value, explorer ? explorer.ranks : new Map()),
      ...(value.space ? [spacePanel(value)] : []), ...(value.files ? [filesPanel(value)] : []));
  }
}
