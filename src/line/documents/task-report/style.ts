/** The style of timelines, here and on the board. */
export const PICTURE = `
.picture { display: block; width: 100%; height: auto; }
.picture text { fill: var(--soft); font-size: 12.5px; } .picture .lane { fill: var(--ink); }
.picture .count { fill: var(--on); font-size: 11px; font-weight: 650; text-anchor: middle; }
.rail { stroke: var(--line); } .tick { stroke: var(--line); } text.tick { stroke: none; font-size: 11.5px; } text.start { text-anchor: start; } text.middle { text-anchor: middle; }
.picture text.end { text-anchor: end; fill: currentColor; font-weight: 600; } text.tick.end { fill: var(--soft); font-weight: 400; } line.end { stroke: currentColor; stroke-width: 2; }
rect.work, .key.work { fill: var(--work); } rect.bad { fill: var(--bad); } .hatch { stroke: var(--on); stroke-width: 2.5; opacity: .38; }
rect.wait { fill: var(--wait); fill-opacity: .14; stroke: var(--wait); stroke-dasharray: 3 2.5; } rect.halt { fill: var(--halt); } .pin { fill: var(--pin); } .choice { fill: var(--human); }
path.cut { stroke: var(--soft); fill: none; } .picture text.cut { text-anchor: middle; font-size: 11.5px; font-style: italic; }
`;

/** The style of the page: system fonts, one column, calm colours for light, dark, phone and paper. */
export const STYLE = `
:root { color-scheme: light dark; --paper: #fbfaf8; --card: #ffffff; --ink: #22262b; --soft: #5f6770; --line: #e3dfd8;
  --work: #3c7a89; --bad: #b5532f; --halt: #f6e3dc; --pin: #b04a2c; --human: #6a5a9e; --good: #2f7d55; --wait: #a98b3c; --caution: #80631a;
  --on: #ffffff; --add: #e3f2e6; --del: #fae4df; --addink: #1d5a33; --delink: #8c2f1a; --code: #f4f1ec; }
@media (prefers-color-scheme: dark) { :root { --paper: #16191d; --card: #1d2126; --ink: #e4e2dd; --soft: #9aa2ab; --line: #32373e;
  --work: #5ba3b4; --bad: #d8805f; --halt: #3a2520; --pin: #d8805f; --human: #a394d8; --good: #63b58a; --wait: #c9ab5c; --caution: #c9ab5c;
  --on: #14171a; --add: #18301f; --del: #3a211c; --addink: #a6dab6; --delink: #f0b3a2; --code: #22272d; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 62rem; margin: 0 auto; padding: 3rem 1.5rem 5rem; }
header p.over { margin: 0; color: var(--soft); font-size: .875rem; }
h1 { margin: .35rem 0 .9rem; font-size: 2rem; line-height: 1.15; font-weight: 650; letter-spacing: -.015em; overflow-wrap: anywhere; }
h1 .chip { position: relative; top: -.3em; margin-left: .5rem; letter-spacing: 0; }
h2 { margin: 3.25rem 0 .9rem; padding-top: 1.1rem; border-top: 1px solid var(--line); font-size: 1.25rem; line-height: 1.3; font-weight: 650; letter-spacing: -.005em; }
h3 { margin: 1.9rem 0 .5rem; font-size: 1rem; line-height: 1.4; font-weight: 650; overflow-wrap: anywhere; }
p, ul, ol { margin: .5rem 0; max-width: 44rem; overflow-wrap: anywhere; }
p.gap { margin-top: 1.4rem; } ul, ol { padding-left: 1.25rem; } li { margin: .2rem 0; }
.lead { font-size: 1.15rem; line-height: 1.5; max-width: 46rem; }
.soft, .note { color: var(--soft); } .note { font-size: .875rem; }
.chip { display: inline-block; white-space: nowrap; padding: .05rem .55rem; border-radius: 1rem; border: 1px solid currentColor; font-size: .8125rem; line-height: 1.45; font-weight: 550; }
.good { color: var(--good); } .stopped { color: var(--pin); } .running { color: var(--caution); } .human { color: var(--human); }
dl.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: 1.1rem 1.25rem; margin: 1.75rem 0 0; }
dl.figures dt, th { color: var(--soft); font-size: .8125rem; font-weight: 500; }
dl.figures dd { margin: 0; font-size: 1.0625rem; font-weight: 600; line-height: 1.35; }
dl.figures dd small { display: block; color: var(--soft); font-size: .8125rem; font-weight: 400; line-height: 1.4; overflow-wrap: anywhere; }
nav { margin: 1.75rem 0 0; font-size: .875rem; line-height: 1.9; } nav a { margin-right: .8rem; white-space: nowrap; }
a { color: inherit; text-decoration-color: var(--line); text-underline-offset: .2em; } a:hover { text-decoration-color: currentColor; }
.sheet { overflow-x: auto; margin: .75rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9063rem; line-height: 1.45; }
th, td { padding: .45rem .9rem .45rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: break-word; }
th:last-child, td:last-child { padding-right: 0; } th { white-space: nowrap; } td.n, th.n { text-align: right; white-space: nowrap; } td.w { min-width: 10rem; overflow-wrap: anywhere; } td code { overflow-wrap: inherit; } td.k { white-space: nowrap; }
code, pre { font: .8438rem/1.5 ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .75rem 1rem; background: var(--code); border-radius: 6px; overflow-x: auto; white-space: pre-wrap; tab-size: 4; }
pre.diff { padding: .6rem 0; white-space: pre; overflow-wrap: normal; } pre.diff span { display: block; padding: 0 1rem; min-height: 1.5em; width: max-content; min-width: 100%; }
pre.diff .a { background: var(--add); color: var(--addink); } pre.diff .d { background: var(--del); color: var(--delink); } pre.diff .h, pre.diff .m { color: var(--soft); }
blockquote { margin: .5rem 0; padding: .1rem 0 .1rem 1rem; border-left: 3px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; }
details { margin: .6rem 0; } summary { cursor: pointer; color: var(--soft); font-size: .9063rem; overflow-wrap: anywhere; }
.paths { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: .9rem; margin: .9rem 0; }
.path { padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); } .path.taken { border: 2px solid var(--human); padding: calc(.8rem - 1px) calc(1rem - 1px); }
.path p { margin: .3rem 0 0; font-size: .9063rem; } .path b { font-weight: 600; }
.narrow { display: none; } .narrow .picture { max-width: 27rem; }
${PICTURE}
ul.keys { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; margin: .6rem 0; padding: 0; max-width: none; list-style: none; color: var(--soft); font-size: .8438rem; } ul.keys svg { display: inline-block; width: 26px; height: 14px; margin-right: .45rem; vertical-align: -2px; }
footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .8125rem; }
@media (max-width: 40rem) { main { padding: 1.75rem 1.1rem 3.5rem; } h1 { font-size: 1.6rem; } .lead { font-size: 1.05rem; } h2 { margin-top: 2.5rem; }
  .wide { display: none; } .narrow { display: block; } dl.figures { grid-template-columns: 1fr 1fr; } td.w { min-width: 9rem; } }
@media print { :root { color-scheme: light; --paper: #fff; --card: #fff; --ink: #111; --soft: #555; --line: #ccc; --work: #3c7a89; --bad: #b5532f; --halt: #f6e3dc; --pin: #b04a2c; --human: #6a5a9e; --good: #2f7d55; --wait: #a98b3c; --caution: #80631a; --on: #fff; --add: #eef7f0; --del: #fbeeea; --addink: #1d5a33; --delink: #8c2f1a; --code: #f6f4f0; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } body { font-size: 10.5pt; } main { max-width: none; padding: 0; } nav { display: none; } .wide { display: block; } .narrow { display: none; }
  h2, h3 { break-after: avoid; } tr, .path, .picture { break-inside: avoid; } pre, pre.diff { white-space: pre-wrap; overflow-wrap: anywhere; } pre.diff span { width: auto; } .sheet { overflow: visible; } details::details-content { content-visibility: visible; display: block; height: auto; } }
`;
