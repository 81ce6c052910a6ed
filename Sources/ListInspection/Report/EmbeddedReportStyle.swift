// Written by tools/embed from Sources/ListInspection/Report/Page/report.css: edit that.
// swift-format-ignore-file

extension EmbeddedText {
  /// The style sheet of a report.
  static let reportStyle = ####"""
:root {
  color-scheme: light dark;
  --page: #f3f4f6;  --panel: #fff;    --well: #eceef1;  --line: #dde1e6;  --control: #7b838f;
  --ink: #1a1d21;   --muted: #59616c; --accent: #8f1d4f; --wash: #f7e6ee;
  --good: #17663f;  --warn: #8a5a00;  --bad: #a3182c;
  --fill-0: #e4effd; --edge-0: #4a7fc9;  --fill-1: #def3e8; --edge-1: #3d8f69;
  --fill-2: #fff2cf; --edge-2: #a9780c;  --fill-3: #f0e9fc; --edge-3: #8464bd;
  --fill-4: #fde9e4; --edge-4: #c0604a;  --fill-5: #dff3f5; --edge-5: #2f8791;
  --fill-6: #fbe4f0; --edge-6: #b5548a;  --fill-7: #e9ebee; --edge-7: #87909c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #101215;  --panel: #181b1f; --well: #121417;  --line: #2d3239;  --control: #7f8895;
    --ink: #e8eaed;   --muted: #a3abb6; --accent: #ff9cc4; --wash: #3a1526;
    --good: #7fd6a8;  --warn: #f0c25c;  --bad: #ff9aa6;
    --fill-0: #16283f; --edge-0: #5f92d8;  --fill-1: #12332a; --edge-1: #4aa583;
    --fill-2: #352a10; --edge-2: #c59c3e;  --fill-3: #2b2241; --edge-3: #9a7fd6;
    --fill-4: #3b201b; --edge-4: #d0796a;  --fill-5: #10302f; --edge-5: #4fa9a8;
    --fill-6: #3a1c2d; --edge-6: #cf76a8;  --fill-7: #25292f; --edge-7: #78828f;
  }
}

*, ::before, ::after { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1rem clamp(.75rem, 1.5vw, 1.5rem); max-width: 160rem; background: var(--page); color: var(--ink);
  font: .875rem/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, dl, dd, figure, pre { margin: 0; padding: 0; }
ul { list-style: none; }
h1 { font-size: 1.375rem; line-height: 1.25; letter-spacing: -.01em; }
h2 { font-size: .9375rem; line-height: 1.35; }
h3 { font-size: .8125rem; }
small { font-size: .75rem; color: var(--muted); }
code, pre { font: .75rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
i { font-style: normal; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.muted { color: var(--muted); font-size: .8125rem; }

header { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .25rem 2.5rem; align-items: end; margin: 0 .25rem .75rem; }
header p { max-width: 70rem; text-wrap: pretty; }
.facts { display: flex; flex-wrap: wrap; gap: 0 1rem; color: var(--muted); font-size: .8125rem; }
main { display: grid; gap: .75rem; }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: .75rem; min-width: 0; }
footer { margin-top: .75rem; font-size: .75rem; color: var(--muted); }

.badge { display: inline-block; padding: 0 .5rem; border: 1px solid; border-radius: 99px; font-size: .75rem; font-weight: 600; line-height: 1.25rem; }
.notice, .inserted { color: var(--good); }
.warning, .moved { color: var(--warn); }
.error, .deleted { color: var(--bad); }
.unknown, .updated, .touched, .data { color: var(--muted); }
#health { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; padding: .5rem .75rem; }
#health details[open] { flex: 1 0 100%; }
summary { cursor: pointer; width: fit-content; font-size: .8125rem; }
.findings { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 28rem), 1fr)); gap: .75rem 2rem; margin-top: .5rem; max-height: 16rem; overflow: auto; }
.finding { border-left: 3px solid; padding-left: .75rem; }
.finding p { color: var(--ink); }
.finding p.muted { color: var(--muted); }

/* The explorer */
#explorer { display: grid; gap: .75rem; grid-template-rows: auto minmax(0, 1fr) auto; height: max(34rem, calc(100vh - 10rem)); }
.bar { display: flex; gap: .75rem; align-items: center; }
.bar select { flex: 0 0 15rem; min-width: 0; }
.steps { display: flex; flex: 1 1 auto; gap: .375rem; align-items: center; min-width: 0; }
.bar input[type="search"] { flex: 0 0 21rem; min-width: 0; }
button, select, input[type="search"] {
  height: 2rem; padding: 0 .625rem; border: 1px solid var(--control); border-radius: 7px; background: var(--panel); color: inherit; font: inherit;
}
button { cursor: pointer; }
.steps button { min-width: 2rem; padding: 0; }
button[aria-disabled="true"] { color: var(--muted); border-color: var(--line); cursor: default; }
input[type="range"] { flex: 1 1 8rem; min-width: 0; height: 2rem; margin: 0 .25rem; accent-color: var(--accent); cursor: pointer; }
.panes { display: grid; grid-template-columns: 15rem minmax(0, 1fr) 21rem; gap: .75rem; min-height: 0; }
.side, .center, .facts-pane { display: flex; flex-direction: column; gap: .375rem; min-height: 0; min-width: 0; }
.below { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 2rem; }
.below p { font-size: .75rem; }

.outline { overflow: auto; flex: 0 1 auto; max-height: 38%; }
.outline button { display: flex; justify-content: space-between; gap: .5rem; width: 100%; height: auto; padding: .125rem .375rem; border: 0; text-align: left; background: none; }
.outline button:hover, .row:hover { background: var(--well); }
.log { position: relative; flex: 1 1 8rem; min-height: 8rem; overflow: auto; border: 1px solid var(--line); border-radius: 7px; }
.log .space { position: relative; }
.row {
  position: absolute; left: 0; right: 0; width: 100%; padding: .25rem .5rem; border: 0; border-bottom: 1px solid var(--line); border-radius: 0;
  display: grid; grid-template-columns: 1fr auto; gap: 0 .5rem; text-align: left; background: none; line-height: 1.3;
}
.row > * { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.row time, .row small { font-size: .75rem; color: var(--muted); text-align: right; }
.row span { font-size: .75rem; color: var(--muted); }
.row[aria-current] { background: var(--wash); box-shadow: inset 3px 0 var(--accent); }

.stage { position: relative; flex: 1 1 auto; min-height: 0; overflow: hidden auto; border: 1px solid var(--line); border-radius: 8px; background: var(--well); }
.stage .space { position: absolute; top: 0; width: 1px; }
.ribbon { position: sticky; top: 0; z-index: 1; display: flex; justify-content: center; gap: 16px; padding: 16px; }
.ribbon.rows { flex-direction: column; justify-content: flex-start; }
.column { position: relative; overflow: hidden; flex: none; background: var(--panel); border-radius: 4px; box-shadow: 0 0 0 1px var(--line); }
.part {
  position: absolute; overflow: hidden; padding: 0 6px 0 0; border-radius: 4px; background: var(--fill, none); border: 1px solid var(--edge, transparent);
  font-size: .75rem; line-height: 1.25rem; cursor: pointer; white-space: nowrap;
}
.part > span, .part > small, .part > b { display: block; overflow: hidden; text-overflow: ellipsis; }
.part > small { line-height: .875rem; font-size: .6875rem; }
.part.view { border-color: transparent; cursor: default; }
.estimate { background-image: repeating-linear-gradient(135deg, transparent 0 7px, color-mix(in srgb, var(--edge, var(--control)) 22%, transparent) 7px 9px); }
.missing { border-style: dashed; }
.in-hidden { opacity: .55; }
.changed { box-shadow: inset 0 0 0 2px var(--accent); border-color: var(--accent); }
.part > em { position: absolute; z-index: 1; right: 3px; bottom: 3px; padding: 0 5px; border-radius: 99px; background: var(--accent); color: var(--panel); font: 600 .625rem/1rem system-ui, sans-serif; }
.selected { outline: 3px solid var(--ink); outline-offset: -3px; }
.searching .part:not(.match, .view) { opacity: .3; }
.nested { position: absolute; inset: 0; pointer-events: none; }
.nested .part { padding: 0; }
.legend { display: flex; flex-wrap: wrap; gap: .125rem 1rem; font-size: .75rem; color: var(--muted); }
.legend li { display: flex; align-items: center; gap: .375rem; }
.legend .part { position: static; flex: none; width: 1.25rem; height: .8125rem; padding: 0; cursor: default; border-color: var(--edge, var(--control)); }

.facts-pane { gap: .75rem; }
.pane { overflow: auto; min-height: 5rem; border: 1px solid var(--line); border-radius: 8px; padding: .625rem .75rem; }
.pane:first-child { flex: 0 1 auto; max-height: 45%; }
.pane:last-child { flex: 1 1 0; }
.told { display: flex; flex-wrap: wrap; gap: 0 .75rem; justify-content: space-between; margin-bottom: .375rem; }
.changes li { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: 0 .5rem; align-items: baseline; padding: .125rem 0; }
.changes li > div { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; }
.changes .badge { border: 0; padding: 0; }
.history li[aria-current] { background: var(--wash); }
.link { height: auto; padding: 0; border: 0; background: none; color: var(--accent); text-align: left; text-decoration: underline; text-underline-offset: .2em; text-decoration-thickness: 1px; }
.pane h3 { margin-top: .5rem; }
.pane dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .125rem .75rem; margin: .375rem 0 .75rem; font-size: .8125rem; }
dt { color: var(--muted); }
pre { max-height: 14rem; overflow: auto; padding: .375rem .5rem; border-radius: 6px; background: var(--well); white-space: pre-wrap; }

/* The other parts */
.histograms { display: grid; gap: 1rem 1.5rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr)); margin-top: .5rem; }
figcaption { display: flex; justify-content: space-between; gap: .5rem; font-size: .8125rem; }
figcaption span, .scale { color: var(--muted); font-size: .75rem; }
.bars { display: flex; align-items: flex-end; gap: 2px; height: 3.5rem; border-bottom: 1px solid var(--line); }
.bars i { flex: 1 1 0; background: var(--edge, var(--control)); border-radius: 2px 2px 0 0; }
.scale { display: flex; justify-content: space-between; }
figure .muted { font-size: .75rem; }
.halves { display: grid; gap: .5rem 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); margin-top: .5rem; }
.shares li { display: grid; grid-template-columns: 11rem minmax(0, 1fr) 5rem; gap: .5rem; align-items: center; font-size: .8125rem; line-height: 1.5; }
.shares small { text-align: right; }
.shares i { height: .625rem; border-radius: 2px; background: var(--edge-0); }
.scroll { overflow: auto; margin-top: .375rem; max-height: 24rem; }
table { border-collapse: collapse; width: 100%; font-size: .8125rem; }
th, td { min-width: 4rem; text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); }
thead th { font-weight: 600; color: var(--muted); white-space: nowrap; }
tbody th { font-weight: 500; }
.number { text-align: right; white-space: nowrap; }
#files dl { display: grid; grid-template-columns: minmax(8rem, max-content) minmax(50%, 1fr); gap: .25rem 1rem; margin-top: .5rem; font-size: .8125rem; }

.look-0 { --fill: var(--fill-0); --edge: var(--edge-0); }
.look-1 { --fill: var(--fill-1); --edge: var(--edge-1); }
.look-2 { --fill: var(--fill-2); --edge: var(--edge-2); }
.look-3 { --fill: var(--fill-3); --edge: var(--edge-3); }
.look-4 { --fill: var(--fill-4); --edge: var(--edge-4); }
.look-5 { --fill: var(--fill-5); --edge: var(--edge-5); }
.look-6 { --fill: var(--fill-6); --edge: var(--edge-6); }
.look-7 { --fill: var(--fill-7); --edge: var(--edge-7); }
.look-gap { --fill: var(--well); --edge: var(--control); font-style: italic; }

@media (max-width: 70rem) {
  header { grid-template-columns: minmax(0, 1fr); }
  .panes { grid-template-columns: 13rem minmax(0, 1fr); grid-template-rows: minmax(0, 3fr) minmax(0, 2fr); }
  .facts-pane { grid-column: 1 / -1; flex-direction: row; }
  .pane:first-child, .pane:last-child { flex: 1 1 0; max-height: none; }
  .bar input[type="search"], .bar select { flex-basis: 12rem; }
  #explorer { height: max(44rem, calc(100vh - 5rem)); }
}
@media (max-width: 44rem) {
  #explorer { height: auto; display: block; }
  .bar, .facts-pane { flex-direction: column; align-items: stretch; }
  .bar { margin-bottom: .75rem; }
  .bar select, .bar input[type="search"] { flex: none; }
  .panes { display: flex; flex-direction: column; }
  .center { order: -1; }
  .stage { height: 70vh; flex: none; }
  .outline { max-height: 12rem; }
  .log { flex: none; height: 14rem; }
  .pane:first-child, .pane:last-child { flex: none; max-height: 24rem; }
}
@media print { #explorer { height: auto; } .steps, .bar input { display: none; } .scroll { max-height: none; } }

"""####
}
