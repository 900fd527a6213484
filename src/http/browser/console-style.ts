import { TOKENS } from '../html/style.js'

/** Colours that only the console has: those of environments, badges and plots. */
const CONSOLE_TOKENS = `
:root {
  --amber: #ffdf9e; --on-amber: #3d2a00; --warn: #7a4d00; --warn-ground: #fdf0d5;
  --live: #0a3f36; --on-live: #fff; --shade: #f7f8f6;
  --plot-1: #0a7a66; --plot-2: #c2691c; --plot-3: #5b5fc7; --plot-4: #8a8f8c; --plot-bad: #b8382f;
  --small: 0.8125rem; --normal: 0.9375rem; --large: 1.125rem; --larger: 1.5rem; --sum: 2rem;
  --round: 0.375rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --amber: #6b4a00; --on-amber: #fff2d6; --warn: #f3c56b; --warn-ground: #33270c;
    --live: #0e4d42; --on-live: #fff; --shade: #222724;
    --plot-1: #4fc3ab; --plot-2: #e79a55; --plot-3: #9a9df0; --plot-4: #7f8a84; --plot-bad: #ef8379;
  }
}
`

/** The parts that all pages share. */
const FRAME = `
@media (prefers-reduced-motion: no-preference) { @view-transition { navigation: auto; } }
*, ::before, ::after { box-sizing: border-box; }
body { display: grid; grid-template-columns: minmax(0, 1fr); grid-template-rows: auto auto auto 1fr auto; min-height: 100vh; margin: 0; background: var(--ground); color: var(--ink); font: var(--normal)/1.5 system-ui, sans-serif; -webkit-text-size-adjust: 100%; }
body:not(:has(nav.side)) { grid-template-rows: auto 1fr; }
a { color: var(--accent); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
#content:focus { outline: none; }
[hidden] { display: none !important; }
.unseen, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; z-index: 2; top: 0; left: 0; padding: 0.5rem 1rem; background: var(--paper); }
.icon { flex: none; width: 1.1em; height: 1.1em; vertical-align: -0.17em; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.environment { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; padding: 0.3rem 1.25rem; background: var(--amber); color: var(--on-amber); font-size: var(--small); view-transition-name: environment; }
.environment a { color: inherit; }
.live .environment { background: var(--live); color: var(--on-live); }
.top { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; align-items: center; padding: 0.6rem 1.25rem; border-bottom: 1px solid var(--line); background: var(--paper); view-transition-name: top; }
.live .top { border-top: 3px solid var(--live); }
.brand { margin: 0; font-size: var(--large); font-weight: 700; letter-spacing: -0.02em; }
.brand a { color: var(--ink); text-decoration: none; }
.search { position: relative; flex: 1 1 16rem; max-width: 34rem; margin: 0; color: var(--faint); }
.search .icon { position: absolute; top: 0.65rem; left: 0.7rem; }
.search input { width: 100%; min-height: 2.35rem; padding: 0.3rem 0.7rem 0.3rem 2.2rem; border: 1px solid var(--edge); border-radius: var(--round); background: var(--ground); color: var(--ink); font: inherit; }
.who { margin: 0 0 0 auto; font-size: var(--small); white-space: nowrap; }
.top form:not(.search) { margin: 0; }
.top .quiet { min-height: 2rem; padding: 0.2rem 0.6rem; font-size: var(--small); }
@media (max-width: 44rem) {
  .search { order: 1; flex-basis: 100%; }
}
.side { display: flex; gap: 0.25rem; padding: 0 1rem; border-bottom: 1px solid var(--line); background: var(--paper); overflow-x: auto; view-transition-name: side; }
.side h2 { display: none; }
.side ul { display: flex; margin: 0; padding: 0; list-style: none; }
.side a { display: flex; gap: 0.45rem; align-items: center; padding: 0.6rem 0.55rem; color: var(--faint); white-space: nowrap; text-decoration: none; }
.side a:hover { color: var(--ink); }
.side [aria-current] { color: var(--ink); font-weight: 600; box-shadow: inset 0 -2px var(--accent); }
main { min-width: 0; width: 100%; max-width: 78rem; padding: 1.25rem 1.25rem 2.5rem; overflow-wrap: anywhere; }
.bare { max-width: 26rem; margin: 8vh auto 0; padding: 2rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--paper); align-self: start; }
.bare .brand { margin: 0 0 1.25rem; color: var(--accent); }
.bare h1 { margin: 0 0 0.75rem; }
.bare form { margin: 1rem 0; }
.bare .command { display: block; margin: 0.35rem 0 0; }
.bottom { padding: 0.75rem 1.25rem; border-top: 1px solid var(--line); font-size: var(--small); }
.bottom p { margin: 0.35rem 0; }
kbd { padding: 0 0.35em; border: 1px solid var(--line); border-radius: 0.2rem; background: var(--paper); font: inherit; }
@media (min-width: 62rem) {
  body:has(nav.side) { grid-template-columns: 12.5rem minmax(0, 1fr); grid-template-rows: auto auto 1fr auto; }
  .environment, .top { grid-column: 1 / -1; }
  .side { position: sticky; top: 0; display: block; grid-row: 3 / 5; align-self: start; height: 100vh; padding: 1rem 0.75rem; border-right: 1px solid var(--line); border-bottom: 0; overflow-y: auto; }
  body:has(nav.side) { background: linear-gradient(to right, var(--paper) 12.5rem, var(--ground) 0); }
  .side ul { display: block; margin: 0 0 1rem; }
  .side h2 { display: block; margin: 0 0 0.25rem; padding: 0 0.6rem; color: var(--faint); font-size: var(--small); font-weight: 600; }
  .side a { padding: 0.36rem 0.6rem; border-radius: var(--round); }
  .side a:hover { background: var(--shade); }
  .side [aria-current] { background: var(--note-ground); box-shadow: none; }
  main:not(.bare) { padding: 1.75rem 2rem 3rem; }
  .bottom { padding: 0.75rem 2rem; }
}
`

/** Texts, facts, badges, notices. */
const CONTENT = `
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
h1 { margin: 0 0 0.25rem; font-size: var(--larger); letter-spacing: -0.015em; }
h2 { margin: 2rem 0 0.6rem; font-size: var(--large); }
h3 { margin: 1.25rem 0 0.4rem; font-size: var(--normal); }
p { margin: 0.5rem 0; }
ul, ol { margin: 0.5rem 0; padding-left: 1.25rem; }
.lead { font-size: var(--large); }
.faint, small { color: var(--faint); }
small { font-size: var(--small); }
code, pre, .id { font: 0.9em/1.5 ui-monospace, 'Cascadia Mono', 'DejaVu Sans Mono', monospace; }
.id { white-space: nowrap; }
a.id, td a { text-decoration: none; }
a.id:hover, td a:hover { text-decoration: underline; }
pre { margin: 0; padding: 0.6rem 0.75rem; border-radius: var(--round); background: var(--note-ground); white-space: pre-wrap; }
time, .keep { white-space: nowrap; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.sum { margin: 0.25rem 0; font-size: var(--sum); font-weight: 650; line-height: 1.2; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.sum small { font-weight: 400; letter-spacing: 0; }
.trail { margin: 0 0 0.5rem; color: var(--faint); font-size: var(--small); }
.head { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: start; justify-content: space-between; margin: 0 0 1rem; }
.head > div { min-width: 0; }
.head p { margin: 0.15rem 0; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0; }
.badge { display: inline-block; padding: 0.05rem 0.5rem; border-radius: 1rem; background: var(--note-ground); color: var(--ink); font-size: var(--small); font-weight: 500; white-space: nowrap; }
.badge.good { background: var(--good-ground); color: var(--good); }
.badge.bad { background: var(--bad-ground); color: var(--bad); }
.badge.open { background: var(--warn-ground); color: var(--warn); }
.card { margin: 0 0 1rem; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--paper); }
.card > :first-child { margin-top: 0; }
.card > h2:first-child { font-size: var(--normal); }
.card .list { margin: 0.5rem 0; border: 0; border-radius: 0; }
.card .list th:first-child, .card .list td:first-child { padding-left: 0; }
.card .list th:last-child, .card .list td:last-child { padding-right: 0; }
.card .list thead th { background: none; }
.card > :last-child { margin-bottom: 0; }
main > .list + .card, main > p + .card { margin-top: 2rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem; margin: 0 0 1rem; }
.cards > .card { margin: 0; }
.cards > .wide { grid-column: 1 / -1; }
.cards > .tall { grid-row: span 2; }
.facts { display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: 0.35rem 1.25rem; margin: 0; }
.facts dt { color: var(--faint); }
.facts dd { min-width: 0; margin: 0; }
.facts .facts, .tree { padding-left: 0.75rem; border-left: 2px solid var(--line); }
.tree { margin: 0; list-style: none; }
.pairs { display: grid; grid-template-columns: minmax(0, 1fr) max-content; gap: 0.35rem 0; margin: 0; }
.pairs dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
.pairs .total { padding-top: 0.35rem; border-top: 1px solid var(--edge); font-weight: 650; }
.calm { margin: 0; color: var(--good); font-weight: 500; }
.attention { margin: 0; padding: 0; list-style: none; }
.attention > li { display: flex; gap: 0.75rem; align-items: baseline; padding: 0.35rem 0; }
.attention > li + li { border-top: 1px solid var(--line); }
.attention p { margin: 0; }
.attention div { min-width: 0; }
.attention summary { font-size: var(--small); }
.ticks { margin: 0; padding: 0; list-style: none; }
.ticks > li { display: flex; gap: 0.6rem; align-items: baseline; padding: 0.2rem 0; }
.ticks > li > .badge { flex: none; min-width: 1.8rem; text-align: center; }
.ticks p { margin: 0; min-width: 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 10rem), 1fr)); gap: 1rem; margin: 0 0 1rem; }
.figures > .card { margin: 0; padding: 0.85rem 1.1rem; }
.figures dt { color: var(--faint); font-size: var(--small); font-weight: 600; }
.figures dd { margin: 0; }
.figures dd.faint { font-size: var(--small); }
.figures .sum { font-size: clamp(1.05rem, 4.6vw, var(--larger)); }
.figures .sum a { color: inherit; text-decoration: none; }
.figures .sum a:hover { text-decoration: underline; }
.notice { margin: 1rem 0; padding: 0.75rem 1rem; border-left: 4px solid var(--edge); border-radius: 0 var(--round) var(--round) 0; background: var(--note-ground); }
.notice p { margin: 0; }
.notice.problem { border-color: var(--bad); background: var(--bad-ground); }
.notice.done { border-color: var(--good); background: var(--good-ground); }
.notice.open { border-color: var(--warn); background: var(--warn-ground); }
.timeline { margin: 0; padding: 0; list-style: none; }
.timeline > li { position: relative; padding: 0 0 0.85rem 1.35rem; border-left: 2px solid var(--line); }
.timeline > li:last-child { padding-bottom: 0; border-color: transparent; }
.timeline > li::before { content: ''; position: absolute; top: 0.4rem; left: -0.4rem; width: 0.7rem; height: 0.7rem; border: 2px solid var(--paper); border-radius: 50%; background: var(--accent); }
.timeline p { margin: 0; }
.timeline + details { margin: 1rem 0 0; }
.empty { margin: 0 0 1rem; padding: 2rem 1.25rem; border: 1px dashed var(--line); border-radius: 0.5rem; text-align: center; }
.empty:has(pre) { display: grid; justify-items: center; }
.empty pre { margin: 0.5rem 0 0; text-align: left; }
.empty .copy { float: none; order: 1; margin: 0.25rem 0 0; }
.secret { font-size: var(--normal); user-select: all; }
details > summary { cursor: pointer; }
details > summary .icon { margin-right: 0.15rem; }
.snippet { position: relative; margin: 0.75rem 0; }
.snippet > p { margin: 0 0 0.2rem; color: var(--faint); }
.copy { margin-left: 0.5rem; font-size: var(--small); }
.copy:has(+ pre) { float: right; margin: 0.5rem 0.5rem 0; }
dialog { max-width: min(32rem, calc(100vw - 2rem)); padding: 1.5rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--paper); color: var(--ink); }
dialog::backdrop { background: rgb(0 0 0 / 0.4); }
`

/** Tables, their filters and their pages. */
const LISTS = `
.list { overflow-x: auto; margin: 0 0 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--paper); }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; }
caption { padding: 0.6rem 0.9rem; color: var(--faint); font-size: var(--small); text-align: left; }
@media (max-width: 44rem) {
  .list table { min-width: max-content; }
  .list td { max-width: 16rem; }
}
th, td { padding: 0.45rem 0.5rem; text-align: left; vertical-align: baseline; }
td { overflow-wrap: break-word; }
th:first-child, td:first-child { padding-left: 0.9rem; }
th:last-child, td:last-child { padding-right: 0.9rem; }
thead th { border-bottom: 1px solid var(--line); background: var(--shade); color: var(--faint); font-size: var(--small); font-weight: 600; white-space: nowrap; }
thead a { color: inherit; text-decoration: none; }
thead a:hover { color: var(--ink); text-decoration: underline; }
[aria-sort] a { color: var(--ink); }
th.number, td.number { text-align: right; }
tbody tr + tr > * { border-top: 1px solid var(--line); }
tbody tr:hover { background: var(--shade); }
tbody th { font-weight: 600; }
tfoot th, tfoot td { border-top: 1px solid var(--edge); font-weight: 650; }
td .long { display: inline-block; max-width: 22rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
.changes { margin: 0; padding: 0; list-style: none; font-size: var(--small); }
.filters { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin: 0 0 0.75rem; }
.chip { display: inline-flex; align-items: center; border: 1px solid var(--edge); border-radius: 1rem; background: var(--paper); font-size: var(--small); }
.chip > * { padding: 0.2rem 0.6rem; color: var(--ink); text-decoration: none; }
.chip > * + * { padding-left: 0.2rem; color: var(--faint); }
.chip a:hover { color: var(--accent); }
.filters details { position: relative; }
.filters summary { display: inline-flex; gap: 0.35rem; align-items: center; padding: 0.2rem 0.65rem; border: 1px dashed var(--edge); border-radius: 1rem; font-size: var(--small); list-style: none; }
.filters summary::-webkit-details-marker { display: none; }
.filters .pop { position: absolute; z-index: 1; top: 2.1rem; left: 0; width: max-content; max-width: calc(100vw - 2.5rem); padding: 0.9rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--paper); box-shadow: 0 0.5rem 1.5rem rgb(0 0 0 / 0.15); }
.pop form { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; margin: 0; }
.pop .field { margin: 0; }
.inplace { margin: 0; }
.inplace input { min-height: 1.9rem; padding: 0.15rem 0.6rem; border: 1px solid var(--edge); border-radius: 1rem; background: var(--paper); color: var(--ink); font: inherit; font-size: var(--small); }
.menu { display: grid; grid-template-columns: repeat(2, max-content); gap: 0.2rem 1.25rem; margin: 0; padding: 0; list-style: none; font-size: var(--small); }
.filter { max-width: 40rem; }
.filter h2 { margin: 0 0 0.25rem; font-size: var(--normal); }
.filter .hint::first-letter { text-transform: uppercase; }
.filter .options { display: flex; flex-wrap: wrap; gap: 0.4rem; }
.filter .choice { margin: 0; padding: 0.3rem 0.65rem; }
.chip [aria-current] { border-radius: 1rem; background: var(--accent); color: var(--paper); }
.choices { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; }
.choices .field { flex: 1 1 10rem; max-width: 16rem; margin: 0; }
.filter .row { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; }
.filter .field { margin: 0; }
.filter > :last-child { display: flex; gap: 1rem; align-items: center; margin: 0.75rem 0 0; }
.pages { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; align-items: center; justify-content: space-between; margin: 0 0 1rem; color: var(--faint); font-size: var(--small); }
.pages p { margin: 0; }
.pages a { white-space: nowrap; }
`

const FORMS = `
form { margin: 0; }
.field { margin: 0 0 1rem; }
.half { display: inline-block; width: calc(50% - 0.5rem); vertical-align: bottom; }
.half + .half { margin-left: 1rem; }
label, legend { display: block; margin: 0 0 0.25rem; padding: 0; font-weight: 600; }
.hint { margin: 0 0 0.3rem; color: var(--faint); font-size: var(--small); }
.error { margin: 0 0 0.3rem; color: var(--bad); font-weight: 600; }
input:not([type=radio], [type=checkbox], [type=search]), select, textarea { display: block; width: 100%; max-width: 30rem; min-height: 2.4rem; padding: 0.35rem 0.65rem; border: 1px solid var(--edge); border-radius: var(--round); background: var(--paper); color: var(--ink); font: inherit; }
textarea { min-height: 5rem; }
::placeholder { color: var(--faint); opacity: 1; }
[aria-invalid=true] { border: 2px solid var(--bad) !important; }
fieldset { min-width: 0; margin: 0 0 1rem; padding: 0; border: 0; }
.choice { display: flex; gap: 0.6rem; align-items: flex-start; max-width: 30rem; margin: 0 0 0.4rem; padding: 0.5rem 0.65rem; border: 1px solid var(--line); border-radius: var(--round); background: var(--paper); font-weight: 400; cursor: pointer; }
.choice:has(:checked) { border-color: var(--accent); }
.choice input { flex: none; width: 1.05rem; height: 1.05rem; margin: 0.2rem 0 0; accent-color: var(--accent); }
.choice span > span { display: block; color: var(--faint); font-size: var(--small); }
button, .button { display: inline-flex; gap: 0.4rem; align-items: center; justify-content: center; min-height: 2.35rem; padding: 0.35rem 0.9rem; border: 1px solid var(--accent); border-radius: var(--round); background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-decoration: none; white-space: nowrap; cursor: pointer; }
button:hover, .button:hover { border-color: var(--accent-over); background: var(--accent-over); }
.quiet, .quiet:hover { border-color: var(--edge); background: var(--paper); color: var(--ink); font-weight: 500; }
.quiet:hover { border-color: var(--ink); }
.danger, .danger:hover { border-color: var(--bad); background: var(--paper); color: var(--bad); }
.plain, .plain:hover { min-height: 0; padding: 0.15rem 0.4rem; border: 0; background: none; color: var(--faint); font-weight: 400; }
.plain:hover { color: var(--ink); }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; margin: 1.25rem 0 0; }
.bare button { width: 100%; }
main > h1 + .faint { margin-bottom: 1rem; }
`

const PLOTS = `
.qr { display: block; width: 12rem; max-width: 100%; height: auto; }
.plot { margin: 0; }
.plot svg { display: block; width: 100%; max-width: 46rem; height: auto; overflow: visible; }
.plot text { fill: var(--faint); font-size: 12px; font-variant-numeric: tabular-nums; }
@media (max-width: 44rem) { .plot text { font-size: 17px; } }
.plot .grid { fill: none; stroke: var(--line); stroke-width: 1; }
.plot .end { text-anchor: end; }
.plot .middle { text-anchor: middle; }
.plot .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.plot .fill-1, .key-1::before { fill: var(--plot-1); background: var(--plot-1); }
.plot .fill-2, .key-2::before { fill: var(--plot-2); background: var(--plot-2); }
.plot .fill-3, .key-3::before { fill: var(--plot-3); background: var(--plot-3); }
.plot .fill-4, .key-4::before { fill: var(--plot-4); background: var(--plot-4); }
.plot .fill-bad, .key-bad::before { fill: var(--plot-bad); background: var(--plot-bad); }
.plot .line-1 { stroke: var(--plot-1); }
.plot .line-2 { stroke: var(--plot-2); stroke-dasharray: 6 3; }
.plot .line-3 { stroke: var(--plot-3); stroke-dasharray: 2 3; }
.plot .line-4 { stroke: var(--plot-4); }
.plot .line-bad { stroke: var(--plot-bad); }
.keys { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0.4rem 0; padding: 0; font-size: var(--small); list-style: none; }
.keys li::before { content: ''; display: inline-block; width: 0.75rem; height: 0.75rem; margin-right: 0.4rem; border-radius: 0.15rem; vertical-align: -0.05rem; print-color-adjust: exact; }
.plot details { margin: 0.25rem 0 0; font-size: var(--small); }
`

const PRINT = `
@media print {
  :root { color-scheme: light; --ground: #fff; --paper: #fff; --ink: #000; --faint: #444; --line: #999; --shade: #fff; --note-ground: #fff; }
  @page { margin: 1.5cm; }
  @page wide { size: landscape; }
  body, body:has(nav.side) { display: block; background: none; }
  .side, .top, .skip, .bottom, .actions, .filters, .pages, .copy, .screen { display: none !important; }
  main, main:not(.bare) { max-width: none; padding: 0; }
  .environment { padding: 0 0 0.5rem; background: none; color: #000; }
  .environment a { display: none; }
  .card, .list { border-color: #999; }
  .card { break-inside: avoid; }
  .list { overflow: visible; }
  .list table { min-width: 0; font-size: 8pt; }
  .list :is(th, td) { padding: 0.2rem 0.3rem; overflow-wrap: anywhere; }
  .list :is(th, .id, time, .keep, .badge, .long) { max-width: none; overflow: visible; font-size: inherit; white-space: normal; }
  body:has(#report) { page: wide; }
  tr { break-inside: avoid; }
  thead { display: table-header-group; }
  a { color: inherit; text-decoration: none; }
  .plot svg { print-color-adjust: exact; }
}
`

/** The stylesheet of the console. */
export const CONSOLE_STYLE = [TOKENS.text, CONSOLE_TOKENS, FRAME, CONTENT, LISTS, FORMS, PLOTS, PRINT].join(
  '',
)
