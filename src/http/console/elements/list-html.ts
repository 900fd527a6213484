import { element, type Html, html } from '../../html/html.js'
import type { PageAddress } from '../../html/page-address.js'
import { icon } from './icons.js'

export interface ListColumn {
  readonly label: string
  readonly isNumber?: boolean
  /** Address of the same list ordered by this column, or in the opposite order if the list already has this order. */
  readonly sort?: PageAddress | undefined
  readonly sorted?: 'ascending' | 'descending' | undefined
}

/** A table of objects. */
export interface ListTable {
  /** Id of the table in its page. */
  readonly id: string
  /** Name of the rows, as `Transactions`. */
  readonly caption: string
  readonly columns: readonly ListColumn[]
  /** Cells of each row, one for each column. */
  readonly rows: readonly (readonly (Html | string | undefined)[])[]
  /** Cells of a last row with sums. */
  readonly totals?: readonly (Html | string | undefined)[]
}

/** A table; wide ones scroll inside their frame. */
export function tableHtml({ id, caption, columns, rows, totals }: ListTable): Html {
  const classOf = (index: number) => (columns[index]?.isNumber ? 'number' : undefined)
  return html`<div class="list" tabindex="0" role="region" aria-label="${caption}">
<table id="${id}">
<caption class="unseen">${caption}</caption>
<thead><tr>${columns.map(headHtml)}</tr></thead>
<tbody>
${rows.map(
  (cells) => html`<tr>${cells.map((cell, index) => element('td', { class: classOf(index) }, cell))}</tr>
`,
)}</tbody>
${
  totals &&
  html`<tfoot><tr>${totals.map((cell, index) => element('td', { class: classOf(index) }, cell))}</tr></tfoot>
`
}</table>
</div>`
}

function headHtml({ label, isNumber, sort, sorted }: ListColumn): Html {
  const arrow = sorted && icon(sorted === 'ascending' ? 'arrow-up' : 'arrow-down')
  const content = sort === undefined ? label : html`<a href="${sort}">${label}${arrow && html` ${arrow}`}</a>`
  return element('th', { scope: 'col', class: isNumber ? 'number' : undefined, 'aria-sort': sorted }, content)
}

/** The content of an empty list: a text, and a command that creates an object. */
export function emptyHtml(what: string, command?: string): Html {
  return html`<div class="empty">
<p>${what}</p>
${command && html`<pre><code data-copy="">${command}</code></pre>`}
</div>`
}

/** The head of a page: its heading, a line below, and links to actions. */
export function headingHtml(
  heading: Html | string,
  lead?: Html | string,
  actions: readonly Html[] = [],
): Html {
  return html`<div class="head">
<div>
<h1>${heading}</h1>
${lead && html`<p class="faint">${lead}</p>`}
</div>
${actions.length === 0 ? undefined : html`<p class="actions">${actions.map((action) => html`${action} `)}</p>`}
</div>`
}

/** A link that looks like a button. */
export function actionLink(address: PageAddress, label: string, kind: 'main' | 'quiet' = 'quiet'): Html {
  return element('a', { class: kind === 'main' ? 'button' : 'button quiet', href: address }, label)
}
