import { type Html, html } from '../../html/html.js'

/** A line in a list of checks: its name, its state, and the finding. */
export interface Tick {
  readonly state: 'ok' | 'failed' | 'unavailable' | 'waiting'
  readonly name: string
  readonly found: Html | string
}

const MARKS = {
  ok: { mark: '✓', words: 'works', tone: 'good' },
  failed: { mark: '✗', words: 'fails', tone: 'bad' },
  unavailable: { mark: '–', words: 'limits', tone: '' },
  waiting: { mark: '…', words: 'waits', tone: 'open' },
} as const

/** A list with a tick for each line, and its state in words for screen readers. */
export function ticksHtml(ticks: readonly Tick[]): Html {
  return html`<ul class="ticks">
${ticks.map(({ state, name, found }) => {
  const { mark, words, tone } = MARKS[state]
  return html`<li><span class="badge ${tone}"><span aria-hidden="true">${mark}</span><span class="unseen">${words}</span></span>
<p><strong><bdi>${name}</bdi></strong> <bdi>${found}</bdi></p></li>
`
})}</ul>`
}
