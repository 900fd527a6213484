import type { OpenedReceipt } from '../../../domain/receipts/open-receipt.js'
import { notice } from '../form.js'
import { type Html, html } from '../html.js'
import { type HtmlPage, page } from '../page.js'
import { payee } from '../payee.js'
import { displayAmount } from './display-amount.js'

const TITLES = { payment: 'Receipt', refund: 'Refund', credit: 'Credit' } as const
const AMOUNTS = { payment: 'Amount', refund: 'Refunded', credit: 'Credited' } as const

/** The page of a receipt, to read or print. */
export function receiptPage(receipt: OpenedReceipt): HtmlPage {
  const { type, merchant, organization, amount, surcharge, environment } = receipt
  const [name = '', ...place] = merchant
  const title = `${TITLES[type]} of ${name}`
  const body = html`${payee(organization, name)}<h1>${TITLES[type]}</h1>
<p>${name}${place.map((line) => html`<br><span class="faint">${line}</span>`)}</p>
<p class="sum">${displayAmount(amount + surcharge)}</p>
${stateHtml(receipt)}${environment === 'test' ? notice('note', 'This is a test: no money moved.') : undefined}<dl>
${factsOf(receipt).map(([label, value]) => fact(label, value))}</dl>
${detailsHtml(receipt)}`
  return page({ title, body })
}

function stateHtml({ type, status, refunded }: OpenedReceipt): Html {
  if (status === 'voided') return notice('note', 'This was cancelled: the money was not taken.')
  if (status === 'rejected') return notice('problem', 'The bank returned this payment: it is not paid.')
  if (refunded > 0) return notice('note', `${displayAmount(refunded)} of this was refunded.`)
  return notice('done', type === 'payment' ? 'Paid. Thank you.' : 'On its way to you.')
}

function factsOf(receipt: OpenedReceipt): readonly (readonly [label: string, value: string | null])[] {
  const { type, amount, surcharge, descriptor, invoices } = receipt
  return [
    ['For', receipt.description],
    ['Date', `${receipt.made.slice(0, 16)} UTC`],
    ...(surcharge > 0
      ? ([
          [AMOUNTS[type], displayAmount(amount)],
          ['Convenience fee', displayAmount(surcharge)],
          ['Charged', displayAmount(amount + surcharge)],
        ] as const)
      : []),
    [type === 'payment' ? 'Paid by' : 'Paid to', receipt.method],
    ['Name', receipt.payer],
    [invoices.length > 1 ? 'Invoices' : 'Invoice', invoices.length > 0 ? invoices.join(', ') : null],
    ['Order', receipt.orderNumber],
    ['Refund of', receipt.refundOf],
    ['Reference', receipt.reference],
    ['Shown on the statement as', descriptor],
    ['Receipt', receipt.number],
  ]
}

function detailsHtml({ details }: OpenedReceipt): Html | undefined {
  if (details.length === 0) return undefined
  return html`<h2>Details</h2>
<dl>
${details.map(([name, value]) => fact(name, value))}</dl>
`
}

function fact(label: string, value: string | null): Html | undefined {
  return value === null ? undefined : html`<dt>${label}</dt><dd>${value}</dd>\n`
}
