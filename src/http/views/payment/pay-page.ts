import type { InvoiceOfLink, OpenedLink, PayingMethod } from '../../../domain/links/open-link.js'
import { CURRENCY, formatMoney, groupedMoney } from '../../../schema/money.js'
import { button, form, hidden, notice } from '../form.js'
import { element, type Html, html } from '../html.js'
import { type HtmlPage, page } from '../page.js'
import { pageAddress } from '../page-address.js'
import { payee } from '../payee.js'
import { displayAmount } from './display-amount.js'
import { type FilledFields, fieldHtml, paymentFields } from './payment-fields.js'
import { surchargeNote, totalOf } from './surcharge.js'

/** The form with the earlier input, and its errors. */
export interface PayForm extends FilledFields {
  readonly method: PayingMethod
  readonly token: string
  /** The idempotency key: the same as long as the form is sent for the same payment. */
  readonly key: string
  /** Problem of the form as a whole. */
  readonly problem?: string | undefined
}

const METHODS = { card: 'Card', bank_account: 'Bank account' } as const

/** The page on which a payment link is paid. */
export function payPage(link: OpenedLink, filled: PayForm): HtmlPage {
  const { merchant, organization, description, environment, files, invoice } = link
  const isWrong = filled.problem !== undefined || filled.errors.size > 0
  const title = `${isWrong ? 'Error: ' : ''}Pay ${merchant}`
  const body = html`${payee(organization, merchant)}<h1>Pay ${merchant}</h1>
${description && html`<p>${description}</p>\n`}<p class="sum">${groupedMoney(link.amount)} <small>${CURRENCY}${link.takesParts ? ' due' : undefined}</small></p>
${environment === 'test' ? notice('note', 'This is a test: no money moves.') : undefined}${invoice && invoiceHtml(invoice)}${filesHtml(files)}${methodsHtml(link, filled)}${problemHtml(filled)}${formHtml(link, filled)}${cancelHtml(link)}
<footer>Card and account numbers are used for this payment only, and are not stored.</footer>`
  const { success_url: success } = link.redirects
  return page({ title, body, formTargets: success === undefined ? [] : [new URL(success).origin] })
}

function cancelHtml({ redirects }: OpenedLink): Html | undefined {
  const { cancel_url: address } = redirects
  return address === undefined
    ? undefined
    : html`<p><a class="button quiet" href="${pageAddress(new URL(address).href)}" rel="noreferrer">Cancel</a></p>\n`
}

function invoiceHtml({ number, due, charges, paid }: InvoiceOfLink): Html {
  const rows = charges.map(({ text, qty, price, total }) => {
    const count = qty === 1 ? undefined : html` (${qty} × ${groupedMoney(price)})`
    return html`<dt>${text}${count}</dt><dd>${groupedMoney(total)}</dd>\n`
  })
  return html`<h2>Invoice</h2>
<p class="faint">${number}${due && html`, due <time>${due}</time>`}</p>
<dl class="items">
${rows}${paid > 0 ? html`<dt>Already paid</dt><dd>-${groupedMoney(paid)}</dd>\n` : undefined}</dl>
`
}

function filesHtml(files: OpenedLink['files']): Html | undefined {
  if (files.length === 0) return undefined
  return html`<h2>Files</h2>
<ul>${files.map(({ name, url }) => html`<li><a href="${pageAddress(url)}" rel="noreferrer">${name}</a></li>`)}</ul>
`
}

/** Each method has an address, so that a payer can choose one without a script. */
function methodsHtml({ methods, id }: OpenedLink, { method: chosen }: PayForm): Html | undefined {
  if (methods.length < 2) return undefined
  return html`<nav aria-label="Ways to pay">${methods.map((method) => {
    const href = pageAddress(`${id}?method=${method}`)
    const current = method === chosen ? 'page' : undefined
    return element('a', { href, 'aria-current': current }, METHODS[method])
  })}</nav>
`
}

function problemHtml({ problem, errors }: PayForm): Html | undefined {
  if (problem !== undefined) return notice('problem', problem, errors.size === 0)
  return errors.size > 0
    ? notice('problem', 'Nothing was paid. Check the fields that are marked below.')
    : undefined
}

function formHtml(link: OpenedLink, filled: PayForm): Html {
  const fields = paymentFields(link, filled.method)
  const first = fields.find(({ name }) => filled.errors.has(name))
  const total = totalOf(link, filled.method)
  return form(
    link.id,
    filled.token,
    hidden('key', filled.key),
    hidden('method', filled.method),
    link.takesParts ? undefined : hidden('amount', formatMoney(link.amount)),
    fields.map((field) => fieldHtml(field, filled, field === first)),
    surchargeNote(link, filled.method),
    filled.method === 'bank_account' ? html`<p>${mandate(link)}</p>\n` : undefined,
    button(total === undefined ? 'Pay' : `Pay ${displayAmount(total)}`),
  )
}

function mandate({ merchant }: OpenedLink): string {
  return `By paying you allow ${merchant} to take the amount from this account once.`
}
