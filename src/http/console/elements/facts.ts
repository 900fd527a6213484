import { type Html, html } from '../../html/html.js'

/** A label and its value; without a value it is left out. */
export type ShownFact = readonly [label: string, value: Html | string | undefined]

/** Facts of an object, without facts that have no value. */
export function factsHtml(facts: readonly ShownFact[]): Html {
  return html`<dl class="facts">
${facts.map(([label, value]) =>
  value === undefined
    ? undefined
    : html`<dt>${label}</dt><dd>${value}</dd>
`,
)}</dl>`
}

/** A section of a page with a heading. In a grid, it may take the whole width, or the height of two sections. */
export function cardHtml(heading: string | undefined, content: Html, size?: 'wide' | 'tall'): Html {
  return html`<section class="${size === undefined ? 'card' : `card ${size}`}">${heading && html`<h2>${heading}</h2>`}
${content}
</section>
`
}

/** A link from the page of an object back to its list. */
export function trailHtml(link: Html): Html {
  return html`<p class="trail">${link}</p>
`
}
