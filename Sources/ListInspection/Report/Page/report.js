
'use strict';
// What comes from the data reaches the page through textContent and setAttribute only.

const SVG = document.querySelector('svg').namespaceURI;
const STEP = 700;          // milliseconds a revision while playing
const SIZES = ['exact', 'estimate', 'missing'];

function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function shape(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// A part of a drawing, as the page has them without this script.
function part({ text, detail, look }, x, y, width, height, size, isChanged) {
  const looks = [look < 0 ? 'supplementary' : `look-${look}`, SIZES[size], isChanged ? 'changed' : ''];
  const node = shape('svg', { class: `part ${looks.join(' ')}`, x, y, width, height },
    shape('title', {}, `${detail}, ${width} × ${height}`),
    shape('rect', {
      class: 'box', x: .5, y: .5, width: Math.max(0, width - 1), height: Math.max(0, height - 1), rx: 4,
    }));
  if (SIZES[size] === 'estimate') node.append(shape('rect', { class: 'hatch', width, height }));
  node.append(shape('text', { x: 8, y: Math.min(18, Math.trunc(height / 2) + 4) }, text));
  return node;
}

// Draws a list as it was after a step.
function draw(view, { labels }, { width, height, parts }) {
  const nodes = [];
  for (let at = 0; at < parts.length; at += 7) {
    nodes.push(part(labels[parts[at]], ...parts.slice(at + 1, at + 7)));
  }
  view.replaceChildren(...nodes);
  view.setAttribute('viewBox', `0 0 ${width} ${height}`);
  view.setAttribute('width', width);
  view.setAttribute('height', height);
}

// Adds a slider to a list.
function addSlider(section, list) {
  const last = list.steps.length - 1;
  if (last < 0) return;
  const name = section.querySelector('h2').textContent;
  const view = section.querySelector('.view');
  const head = view.cloneNode(true);                // as the list is now
  const button = (label, text) => element('button', { type: 'button', 'aria-label': `${label}: ${name}` }, text);
  const previous = button('Previous revision', '‹'), play = button('Play', '▶'), next = button('Next revision', '›');
  const range = element('input', { type: 'range', min: 0, max: last, value: last, 'aria-label': `Revision: ${name}` });
  const told = element('p', { class: 'told', 'aria-live': 'polite' });
  let index = last, timer = 0;

  function show(wanted) {
    index = Math.min(Math.max(wanted, 0), last);
    const step = list.steps[index];
    if (step.parts) {
      draw(view, list, step);
    } else {
      view.replaceChildren(...head.cloneNode(true).children);
      for (const name of ['viewBox', 'width', 'height']) view.setAttribute(name, head.getAttribute(name));
    }
    const when = [`Revision ${step.revision} of ${list.steps[last].revision}`, step.time, step.author && `by ${step.author}`];
    const place = when.filter(Boolean).join(', ');
    told.textContent = `${place}. ${step.changes}${step.parts || index === last ? '' : ' (The drawing is that of the last revision.)'}`;
    range.value = index;
    range.setAttribute('aria-valuetext', place);
    // Not `disabled`: a button that is disabled under the finger loses the focus.
    previous.setAttribute('aria-disabled', index === 0);
    next.setAttribute('aria-disabled', index === last);
  }

  function run(isOn) {
    clearInterval(timer);
    timer = isOn ? setInterval(() => (index < last ? show(index + 1) : run(false)), STEP) : 0;
    play.textContent = isOn ? '❚❚' : '▶';
    play.setAttribute('aria-label', `${isOn ? 'Pause' : 'Play'}: ${name}`);
    told.setAttribute('aria-live', isOn ? 'off' : 'polite');
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
  section.querySelector('.controls').append(previous, play, next, range, told);
  show(last);
}

const data = JSON.parse(document.getElementById('data').textContent);
if (data.formatVersion === 1) {
  for (const section of document.querySelectorAll('.list')) {
    addSlider(section, data.lists[section.dataset.number]);
  }
}
