import { CURRENCY, groupedMoney, type Minor } from '../../../schema/money.js'
import { element, type Html, html } from '../html.js'
import { pageAddress } from '../page-address.js'

/** An amount with its currency; undefined without one. */
export function amountText(amount: Minor | undefined): string | undefined {
  return amount === undefined ? undefined : `${groupedMoney(amount)} ${CURRENCY}`
}

/** A datetime of the interface, in UTC; the module of the console shows it in the zone of the reader. */
export function timeHtml(datetime: string | undefined): Html | undefined {
  if (datetime === undefined) return undefined
  return html`<time datetime="${datetime.replace(' ', 'T')}Z">${datetime.slice(0, 16)} UTC</time>`
}

/** Words of the interface, as `charged_back`, for people. */
export function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

const TONES: Readonly<Record<string, 'good' | 'bad' | 'open'>> = {
  processed: 'good',
  captured: 'good',
  batched: 'good',
  resolved: 'good',
  complete: 'good',
  matched: 'good',
  authorized: 'open',
  processing: 'open',
  pending: 'open',
  open: 'open',
  in_review: 'open',
  waiting: 'open',
  declined: 'bad',
  rejected: 'bad',
  reversed: 'bad',
  denied: 'bad',
  differs: 'bad',
  unmatched: 'bad',
}

/** A status, coloured by whether it is good; undefined without one. */
export function badgeHtml(status: string | undefined): Html | undefined {
  if (status === undefined) return undefined
  const tone = TONES[status]
  return element('span', { class: tone ? `badge ${tone}` : 'badge' }, wordsOf(status))
}

export function linkHtml(text: string, address: string): Html {
  return html`<a href="${pageAddress(address)}">${text}</a>`
}

/** An id that leads to its object; the text is the id unless given. */
export function idHtml(id: string | undefined, address: (id: string) => string, text = id): Html | undefined {
  if (id === undefined) return undefined
  return element('a', { class: text === id ? 'id' : undefined, href: pageAddress(address(id)) }, text)
}

/** One row of a table for each item; a paragraph without any. */
export function tableHtml(
  label: string,
  columns: readonly (string | { readonly label: string; readonly isNumber: true })[],
  rows: readonly (readonly (Html | string | undefined)[])[],
): Html {
  const isNumber = columns.map((column) => typeof column !== 'string')
  return html`<div class="list" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${columns.map((column) => (typeof column === 'string' ? html`<th scope="col">${column}</th>` : html`<th scope="col" class="number">${column.label}</th>`))}</tr></thead>
<tbody>
${rows.map(
  (row) => html`<tr>${row.map((cell, index) =>
    element('td', { class: isNumber[index] ? 'number' : undefined, dir: 'auto' }, cell),
  )}</tr>
`,
)}</tbody>
</table></div>
`
}

/** A list without objects: what would be here, and the command that makes one. */
export function emptyHtml(text: string, command?: string): Html {
  return html`<div class="empty"><p>${text}</p>${command === undefined ? undefined : html`<pre>${command}</pre>`}</div>
`
}
