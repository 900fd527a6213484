import { type Html, html, type Insert } from '../html.js'

/** A property of an object, as pages show it. */
export interface Fact {
  readonly label: string
  /** A property without a value is left out. */
  readonly value: Insert
}

/** A list of facts; undefined without any. */
export function factsHtml(facts: readonly Fact[]): Html | undefined {
  const known = facts.filter(({ value }) => value !== undefined && value !== '')
  if (known.length === 0) return undefined
  return html`<dl class="facts">
${known.map(
  ({ label, value }) => html`<dt>${label}</dt><dd dir="auto">${value}</dd>
`,
)}</dl>
`
}
