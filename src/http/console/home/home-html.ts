import { type Html, html } from '../../html/html.js'
import type { PageAddress } from '../../html/page-address.js'
import { icon } from '../elements/icons.js'

/** A line of the card "Needs attention". */
export interface AttentionLine {
  /** Subject of the line, as `gateways cards`. */
  readonly check: string
  readonly state: string
  readonly found: string
  readonly command: string
}

/** A figure of the summary: a value with its label. */
export interface Figure {
  readonly label: string
  readonly value: string
  readonly note?: string | undefined
  readonly address?: PageAddress
}

const TONES: Readonly<Record<string, string>> = { failed: 'bad', warning: 'open' }

/** List of problems that need attention, in the given order. */
export function attentionHtml(lines: readonly AttentionLine[]): Html {
  if (lines.length === 0) return html`<p class="calm">${icon('check')} Nothing needs attention.</p>`
  return html`<ul class="attention">
${lines.map(
  ({ check, state, found, command }) => html`<li><span class="badge ${TONES[state] ?? ''}">${state}</span>
<div><p><bdi class="faint">${check}:</bdi> <bdi>${found}</bdi></p>
<details><summary class="faint">Command</summary><pre><code data-copy="">${command}</code></pre></details></div></li>
`,
)}</ul>`
}

/** Figures beside each other. */
export function figuresHtml(figures: readonly Figure[]): Html {
  return html`<dl class="figures">
${figures.map(({ label, value, note, address }) => {
  const shown = address === undefined ? value : html`<a href="${address}">${value}</a>`
  return html`<div class="card"><dt>${label}</dt><dd class="sum">${shown}</dd>${note && html`<dd class="faint">${note}</dd>`}</div>
`
})}</dl>`
}
