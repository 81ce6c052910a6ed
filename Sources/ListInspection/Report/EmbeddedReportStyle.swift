// Written by tools/embed from Sources/ListInspection/Report/Page/report.css: edit that.
// swift-format-ignore-file

extension EmbeddedText {
  /// The style sheet of a report.
  static let reportStyle = ####"""

:root {
  color-scheme: light dark;
  --page: #f2f3f5;  --panel: #fff;    --line: #dcdfe4;  --control: #757d88;
  --ink: #191c20;   --muted: #555c66; --accent: #8f1d4f; --on-accent: #fff;
  --good: #17663f;  --warn: #8a5a00;  --bad: #a3182c;
  --fill-0: #e4effd; --edge-0: #4a7fc9;  --fill-1: #def3e8; --edge-1: #3d8f69;
  --fill-2: #fff2cf; --edge-2: #a9780c;  --fill-3: #f0e9fc; --edge-3: #8464bd;
  --fill-4: #fde9e4; --edge-4: #c0604a;  --fill-5: #dff3f5; --edge-5: #2f8791;
  --fill-6: #fbe4f0; --edge-6: #b5548a;  --fill-7: #eceef1; --edge-7: #87909c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #111316;  --panel: #1a1d22; --line: #30353c;  --control: #7f8895;
    --ink: #e9ebee;   --muted: #a5adb8; --accent: #ff9cc4; --on-accent: #33071b;
    --good: #7fd6a8;  --warn: #f0c25c;  --bad: #ff9aa6;
    --fill-0: #16283f; --edge-0: #5f92d8;  --fill-1: #12332a; --edge-1: #4aa583;
    --fill-2: #352a10; --edge-2: #c59c3e;  --fill-3: #2b2241; --edge-3: #9a7fd6;
    --fill-4: #3b201b; --edge-4: #d0796a;  --fill-5: #10302f; --edge-5: #4fa9a8;
    --fill-6: #3a1c2d; --edge-6: #cf76a8;  --fill-7: #25292f; --edge-7: #78828f;
  }
}

*, ::before, ::after { box-sizing: border-box; }
body {
  margin: 0 auto; padding: clamp(1rem, 2.5vw, 2rem) clamp(.75rem, 2.5vw, 2rem); max-width: 88rem;
  background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, dl, dd, figure { margin: 0; padding: 0; }
ul { list-style: none; }
code { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.muted { color: var(--muted); font-size: .875rem; }
.patterns { position: absolute; }

.intro { max-width: 56rem; margin-bottom: 1.25rem; }
h1 { font-size: clamp(1.5rem, 3vw, 2rem); line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
h2 { font-size: 1.25rem; line-height: 1.3; letter-spacing: -.01em; }
h3 { font-size: .9375rem; margin: 1rem 0 .375rem; }
.intro p { margin-top: .5rem; color: var(--muted); text-wrap: pretty; max-width: 46rem; }
.facts, nav ul, .legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .875rem; }
.facts { margin-top: .75rem; font-weight: 600; }
nav { margin-top: .75rem; }
nav a { display: inline-block; padding: .125rem 0; }

main { display: grid; gap: 1.25rem; align-items: start; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 1100px) {
  main { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  #health, .legend { grid-column: 1 / -1; }
  #space { grid-row: span 2; }
}
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 12px; padding: 1rem; scroll-margin-top: 1rem; }
.legend { align-items: center; }
.legend li { display: flex; align-items: center; gap: .5rem; }

.badge { display: inline-block; padding: 0 .625rem; border: 1px solid; border-radius: 99px; font-size: .8125rem; font-weight: 600; line-height: 1.5rem; vertical-align: .15em; }
.notice { color: var(--good); }
.warning { color: var(--warn); }
.error { color: var(--bad); }
.findings { display: grid; gap: .5rem; margin-top: .75rem; }
.finding { border-left: 4px solid; padding: .125rem 0 .125rem .75rem; }
.finding p { color: var(--ink); }
.finding p.muted { color: var(--muted); }

.drawings { display: flex; gap: 1rem; margin-top: .75rem; align-items: flex-start; }
.drawing { flex: 0 1 auto; min-width: 0; max-height: 46rem; overflow: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--page); }
.drawing > p { padding: .5rem .75rem; }
.view { display: block; max-width: none; }
.strip { flex: none; width: 5rem; font-size: .75rem; color: var(--muted); }
.strip svg { display: block; outline: 1px solid var(--line); margin-bottom: .375rem; }
@media (max-width: 600px) {
  .drawings { gap: .5rem; }
  .view.vertical { width: 100%; height: auto; }
}

.look-0 { --fill: var(--fill-0); --edge: var(--edge-0); }
.look-1 { --fill: var(--fill-1); --edge: var(--edge-1); }
.look-2 { --fill: var(--fill-2); --edge: var(--edge-2); }
.look-3 { --fill: var(--fill-3); --edge: var(--edge-3); }
.look-4 { --fill: var(--fill-4); --edge: var(--edge-4); }
.look-5 { --fill: var(--fill-5); --edge: var(--edge-5); }
.look-6 { --fill: var(--fill-6); --edge: var(--edge-6); }
.look-7 { --fill: var(--fill-7); --edge: var(--edge-7); }
.box { fill: var(--fill, var(--panel)); stroke: var(--edge, var(--control)); }
.supplementary .box { fill: none; stroke: none; }
.legend .supplementary .box { stroke: var(--control); }
.supplementary text { font-weight: 600; }
.missing .box { stroke-dasharray: 4 3; }
.hatch { fill: url(#hatch); pointer-events: none; }
.hatching { stroke: var(--ink); stroke-opacity: .3; stroke-width: 3; }
.band { fill: var(--edge, var(--control)); }
.part text { fill: var(--ink); font-size: 13px; }
.changed .box { stroke: var(--accent); stroke-width: 3; }

.controls { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin-top: .75rem; }
.controls:empty { display: none; }
button {
  min-width: 2.25rem; height: 2.25rem; padding: 0 .5rem; border: 1px solid var(--control); border-radius: 8px;
  background: none; color: inherit; font: inherit; cursor: pointer;
}
button[aria-disabled="true"] { color: var(--muted); border-color: var(--line); cursor: default; }
input[type="range"] { flex: 1 1 12rem; min-width: 0; height: 2.25rem; margin: 0; accent-color: var(--accent); cursor: pointer; }
.told { flex: 1 0 100%; font-size: .875rem; min-height: 3em; }

details { margin-top: .75rem; }
summary { cursor: pointer; width: fit-content; font-size: .875rem; }
.scroll { overflow-x: auto; margin-top: .5rem; max-height: 28rem; }
table { border-collapse: collapse; width: 100%; font-size: .8125rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--muted); white-space: nowrap; }
td { min-width: 4rem; }
.number { text-align: right; white-space: nowrap; }
.bar { display: block; width: 100%; min-width: 5rem; height: .75rem; margin-top: .25rem; }
.bar rect { fill: var(--edge-0); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin-top: .75rem; font-size: .875rem; }
dt { color: var(--muted); }

.histograms { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); margin-top: .75rem; }
figcaption { font-size: .8125rem; color: var(--muted); }
figcaption strong { color: var(--ink); }
.histograms svg { display: block; width: 100%; height: auto; margin-top: .25rem; border-bottom: 1px solid var(--line); }
.histograms rect { fill: var(--edge, var(--control)); }
.scale { display: flex; justify-content: space-between; font-size: .75rem; color: var(--muted); }

footer { margin-top: 1.25rem; font-size: .8125rem; color: var(--muted); }
@media print { .controls { display: none; } .drawing, .scroll { max-height: none; } }

"""####
}
