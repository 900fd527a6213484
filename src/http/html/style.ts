import { html } from './html.js'

/**
 * Colours of all pages, light and dark. The contrast of text is at least 4.5, and the contrast of the borders of inputs
 * at least 3.
 */
export const TOKENS = html`
:root {
  color-scheme: light dark;
  --ground: #f2f3f0; --paper: #fff; --ink: #191d1b; --faint: #565e5a; --line: #d4d9d5; --edge: #767f7a;
  --accent: #0a5f50; --accent-over: #084b40; --on-accent: #fff;
  --bad: #a1221a; --bad-ground: #fcebe9; --good: #0b5f38; --good-ground: #e6f3ea; --note-ground: #eceeeb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #111413; --paper: #1b1f1d; --ink: #eef1ef; --faint: #a9b2ad; --line: #38403c; --edge: #7f8a84;
    --accent: #6fd3bd; --accent-over: #93e2d0; --on-accent: #06251f;
    --bad: #ff9d94; --bad-ground: #3a1d1a; --good: #7fd6a2; --good-ground: #15301f; --note-ground: #262c29;
  }
}
`

/**
 * The stylesheet of all pages: a column that fits a phone, light or dark by the system's setting, and ready to print.
 */
export const STYLE = html`${TOKENS}
@media (prefers-color-scheme: dark) {
  /* Logos are made for white paper. */
  header img { padding: 0.3rem; background: #fff; }
}
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; -webkit-text-size-adjust: 100%; }
main { max-width: 30rem; min-height: 100vh; margin: 0 auto; padding: 1.5rem 1.25rem 2.5rem; background: var(--paper); overflow-wrap: anywhere; }
main.wide { max-width: 44rem; }
body:has(> main.framed) { padding: 0; background: var(--paper); }
main.framed { max-width: 34rem; min-height: 0; padding: 1.25rem; border: 0; }
main.framed:has(#confirm) { min-height: 34rem; }
header { display: flex; gap: 0.75rem; align-items: center; margin: 0 0 1.25rem; padding: 0 0 1rem; border-bottom: 1px solid var(--line); font-weight: 650; }
header img { flex: none; border-radius: 0.3rem; max-width: 60%; height: 3rem; object-fit: contain; object-position: left; }
h1 { margin: 0 0 0.25rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 1.75rem 0 0.5rem; font-size: 1.1rem; line-height: 1.3; }
p { margin: 0.5rem 0; }
a { color: var(--accent); }
.faint { color: var(--faint); }
.sum { margin: 0.5rem 0; font-size: 2.25rem; font-weight: 650; line-height: 1.2; font-variant-numeric: tabular-nums; }
.sum small { font-size: 1rem; font-weight: 400; color: var(--faint); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

form { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1rem; margin: 1.5rem 0 0; }
form > * { grid-column: 1 / -1; }
form > .half { grid-column: auto; align-self: end; }
.field { margin: 0 0 1.1rem; }
label, legend { display: block; margin: 0 0 0.3rem; padding: 0; font-weight: 600; }
.hint { margin: 0 0 0.3rem; color: var(--faint); font-size: 0.9rem; }
.error { margin: 0 0 0.3rem; color: var(--bad); font-size: 0.95rem; font-weight: 600; }
.error::before { content: '!'; content: '!' / ''; display: inline-block; width: 1.25em; margin-right: 0.45em; border-radius: 50%; background: var(--bad); color: var(--paper); line-height: 1.25; text-align: center; }
input:not([type=radio], [type=checkbox]), select { display: block; width: 100%; min-height: 2.9rem; padding: 0.5rem 0.7rem; border: 1px solid var(--edge); border-radius: 0.4rem; background: var(--paper); color: var(--ink); font: inherit; }
::placeholder { color: var(--faint); opacity: 1; }
fieldset:has(.error) .choice { border-color: var(--bad); }
[aria-invalid=true] { border: 2px solid var(--bad) !important; }
fieldset { min-width: 0; margin: 0 0 1.1rem; padding: 0; border: 0; }
.choice { display: flex; gap: 0.7rem; align-items: flex-start; min-height: 2.75rem; margin: 0 0 0.4rem; padding: 0.6rem 0.7rem; border: 1px solid var(--line); border-radius: 0.4rem; font-weight: 400; cursor: pointer; }
.choice:has(:checked) { border-color: var(--accent); }
.choice input { flex: none; width: 1.15rem; height: 1.15rem; margin: 0.18rem 0 0; accent-color: var(--accent); }
.choice span > span { display: block; color: var(--faint); font-size: 0.9rem; }
button, .button { display: block; width: 100%; min-height: 3rem; padding: 0.6rem 1rem; border: 1px solid var(--accent); border-radius: 0.4rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 650; text-align: center; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { border-color: var(--accent-over); background: var(--accent-over); }
.quiet, .quiet:hover { border-color: var(--edge); background: none; color: var(--ink); }
button + button, .button + .button { margin-top: 0.75rem; }
p:has(> .button) { margin-top: 0.75rem; }
p.screen { margin-top: 1.5rem; }
[hidden] { display: none !important; }
.faint + p:has(> .button) { margin-top: 1.5rem; }
nav { display: flex; gap: 0.5rem; margin: 1.5rem 0 0; }
nav a { flex: 1; min-height: 2.75rem; padding: 0.55rem; border: 1px solid var(--edge); border-radius: 0.4rem; color: var(--ink); text-align: center; text-decoration: none; }
nav a[aria-current] { border: 2px solid var(--accent); font-weight: 650; }
header + .notice { margin: 0 0 1.25rem; }
.rail-field { min-height: 3rem; padding: 0.75rem; border: 1px solid var(--edge); border-radius: 0.4rem; background: var(--paper); }
.rail-fields .blocked { margin: 0 0 1rem; }
/* The form of Authorize.Net. The policy of the page blocks the stylesheet that belongs to it. */
#AcceptUIContainer { position: fixed !important; inset: 5vh 0 auto; z-index: 200 !important; width: min(25rem, 100%) !important; margin: 0 auto !important; visibility: hidden; opacity: 0; }
#AcceptUIContainer.show { visibility: visible; opacity: 1; }
#AcceptUIBackground { visibility: hidden; }
#AcceptUIBackground.show { visibility: visible; opacity: 0.7 !important; }
.brand { margin-left: 0.75rem; color: var(--accent); font-weight: 400; }
.section > legend { margin: 0.75rem 0 0.75rem; font-size: 1.1rem; }

.notice { margin: 1.25rem 0 0; padding: 0.75rem 1rem; border-left: 4px solid; background: var(--note-ground); }
.notice p { margin: 0; color: var(--ink); }
.notice.problem { border-color: var(--bad); background: var(--bad-ground); }
.notice.done { border-color: var(--good); background: var(--good-ground); }
ul { margin: 0.5rem 0; padding-left: 1.25rem; }
dl { display: grid; grid-template-columns: fit-content(45%) 1fr; gap: 0.35rem 0.75rem; margin: 1.25rem 0 0; }
dt { color: var(--faint); }
dd { margin: 0; }
time:not([data-local]), .faint > bdi { white-space: nowrap; }
.parties { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: 1rem 1.5rem; margin: 1.5rem 0 0; }
address { font-style: normal; }
table { width: 100%; margin: 1.5rem 0; border-collapse: collapse; }
dt, th, td { overflow-wrap: break-word; }
th, td { padding: 0.4rem 0.5rem; text-align: left; vertical-align: top; }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
thead th { border-bottom: 1px solid var(--edge); }
td time { color: var(--faint); }
tbody tr { break-inside: avoid; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.sums { border-top: 1px solid var(--edge); }
.sums th { font-weight: 400; }
.sums .due > * { font-size: 1.1rem; font-weight: 650; }
.items { grid-template-columns: 1fr max-content; }
.items dd { text-align: right; font-variant-numeric: tabular-nums; }
/* Content for paper only, where links cannot be followed. */
.paper { display: none; margin: 1.5rem 0 0; break-inside: avoid; }
.paper .qr { display: block; width: 3.5cm; height: auto; }
footer { margin: 2rem 0 0; padding: 1rem 0 0; border-top: 1px solid var(--line); color: var(--faint); font-size: 0.9rem; }

@media (min-width: 34rem) {
  body { padding: 2.5rem 1rem; }
  main { min-height: 0; padding: 2.25rem 2.5rem; border: 1px solid var(--line); border-radius: 0.75rem; }
}
@media print {
  :root { color-scheme: light; --ground: #fff; --paper: #fff; --ink: #000; --faint: #444; --line: #999; }
  @page { margin: 2cm; }
  body { padding: 0; }
  main { max-width: none; min-height: 0; padding: 0; border: 0; }
  .screen { display: none; }
  .paper { display: block; }
}
`
