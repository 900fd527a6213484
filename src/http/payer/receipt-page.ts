import type { OpenedReceipt } from '../../domain/receipts/open-receipt.js'
import type { Language } from '../../schema/language.js'
import { notice } from '../html/form.js'
import { type Html, html, type Insert } from '../html/html.js'
import { type HtmlPage, page } from '../html/page.js'
import { pageAddress } from '../html/page-address.js'
import { displayAmount } from './display-amount.js'
import { payee } from './payee.js'
import { PAYER_SCRIPT } from './payer-script.js'
import { printButton } from './print-button.js'
import type { Texts } from './texts/payer-english.js'
import { fillText, textsIn } from './texts/payer-texts.js'

/** The page of a receipt, to read or print. */
export function receiptPage(receipt: OpenedReceipt, language: Language): HtmlPage {
  const { type, merchant, organization, amount, surcharge, environment, phone } = receipt
  const texts = textsIn(language)
  const [name = '', ...place] = merchant
  const heading = { payment: texts.receipt, refund: texts.refund, credit: texts.credit }[type]
  const title = fillText(texts.titleOf, { title: heading, merchant: name })
  const body = html`${payee(organization, name)}<h1>${heading}</h1>
<p dir="auto">${name}${place.map((line) => html`<br><span class="faint">${line}</span>`)}${phone === null ? undefined : phoneHtml(phone, texts)}</p>
<p class="sum">${displayAmount(amount + surcharge)}</p>
${stateHtml(receipt, texts)}${environment === 'test' ? notice('note', texts.testThen) : undefined}<dl>
${factsOf(receipt, texts).map(([label, value]) => fact(label, value))}</dl>
${detailsHtml(receipt, texts)}${printButton(texts)}`
  return page({ title, body, language, script: PAYER_SCRIPT })
}

function phoneHtml(phone: string, texts: Texts): Html {
  const address = pageAddress(`tel:${phone.replaceAll(/[^\d+]/g, '')}`)
  return html`<br><span class="faint">${texts.phone}</span> <a href="${address}">${phone}</a>`
}

function stateHtml({ type, status, refunded }: OpenedReceipt, texts: Texts): Html {
  if (status === 'voided') return notice('note', texts.voidedState)
  if (status === 'rejected') return notice('problem', texts.rejectedState)
  if (refunded > 0) return notice('note', fillText(texts.partRefunded, { amount: displayAmount(refunded) }))
  return notice('done', type === 'payment' ? texts.thanks : texts.onItsWay)
}

type Fact = readonly [label: string, value: Insert | null]

function factsOf(receipt: OpenedReceipt, texts: Texts): readonly Fact[] {
  const { type, amount, surcharge, descriptor, invoices } = receipt
  const amounts = { payment: texts.amount, refund: texts.refunded, credit: texts.credited }
  const charged: readonly Fact[] = [
    [amounts[type], displayAmount(amount)],
    [texts.convenienceFee, displayAmount(surcharge)],
    [texts.charged, displayAmount(amount + surcharge)],
  ]
  return [
    [texts.purpose, receipt.description],
    [texts.date, timeHtml(receipt.made)],
    ...(surcharge > 0 ? charged : []),
    [type === 'payment' ? texts.paidBy : texts.paidTo, receipt.method],
    [texts.name, receipt.payer],
    [invoices.length > 1 ? texts.invoices : texts.invoice, invoices.length > 0 ? linksHtml(invoices) : null],
    [texts.order, receipt.orderNumber],
    [texts.refundOf, receipt.refundOf],
    [texts.reference, receipt.reference],
    [texts.onStatement, descriptor],
    [texts.receipt, receipt.number],
  ]
}

/** A time in UTC, which the page's script shows in the time zone of the reader. */
function timeHtml(datetime: string): Html {
  return html`<time datetime="${datetime.replace(' ', 'T')}Z" data-local>${datetime.slice(0, 16)} UTC</time>`
}

function linksHtml(invoices: OpenedReceipt['invoices']): Html {
  const links = invoices.map(({ number, url }) =>
    url === undefined ? html`${number}` : html`<a href="${pageAddress(url)}">${number}</a>`,
  )
  return html`${links.map((link, index) => html`${index > 0 ? ', ' : undefined}${link}`)}`
}

function detailsHtml({ details }: OpenedReceipt, texts: Texts): Html | undefined {
  if (details.length === 0) return undefined
  return html`<h2>${texts.details}</h2>
<dl>
${details.map(([name, value]) => fact(name, value))}</dl>
`
}

function fact(label: string, value: Insert | null): Html | undefined {
  return value === null ? undefined : html`<dt dir="auto">${label}</dt><dd dir="auto">${value}</dd>\n`
}
