import type { ShownOrganization } from '../../domain/accounts/organization-shown.js'
import { DEFAULT_LANGUAGE, type Language } from '../../schema/language.js'
import { notice } from '../html/form.js'
import { element, type Html, html } from '../html/html.js'
import { type HtmlPage, page } from '../html/page.js'
import { pageAddress } from '../html/page-address.js'
import { qrCodeHtml } from '../html/qr-code-html.js'
import type { Charge, InvoicePage, Payment } from './invoice-page.js'
import { payee } from './payee.js'
import { PAYER_SCRIPT } from './payer-script.js'
import { printButton } from './print-button.js'
import type { Texts } from './texts/payer-english.js'
import { fillText, textsIn } from './texts/payer-texts.js'

/** Parts of an invoice's page besides the invoice. */
export interface InvoiceSurroundings {
  readonly organization?: ShownOrganization | undefined
  readonly isTest?: boolean
  /** Address at which the invoice is paid. */
  readonly payAddress?: string | undefined
  /** Address of the page for paying, with scheme and host, for the QR code on paper. */
  readonly scanAddress?: string | undefined
  readonly language?: Language
}

/** The page of an invoice, to read, print or pay. */
export function invoiceHtml(invoice: InvoicePage, surroundings: InvoiceSurroundings = {}): HtmlPage {
  const { organization, isTest = false, payAddress, scanAddress, language = DEFAULT_LANGUAGE } = surroundings
  const texts = textsIn(language)
  const { number, charges, payments, currency, from, to } = invoice
  const [seller = ''] = from
  const title = `${texts.invoice} ${number}`
  const pay =
    payAddress &&
    html`<p class="screen"><a class="button" href="${pageAddress(payAddress)}">${texts.payInvoice}</a></p>
`
  const body = html`${payee(organization, seller)}<h1>${texts.invoice}</h1>
<p class="faint">${statusOf(invoice, texts)}</p>
<p class="sum">${invoice.amountDue} <small>${currency} ${texts.due}</small></p>
${isTest ? notice('note', texts.testNow) : undefined}${pay}<div class="parties">
<address dir="auto"><strong>${texts.from}</strong>${from.map(lineOf)}</address>
<address dir="auto"><strong>${texts.billTo}</strong>${to.map(lineOf)}</address>
</div>
<dl>
${factsOf(invoice, texts)}</dl>
<table>
<thead><tr>${heading(texts.description)}${heading(texts.quantity, 'number')}${heading(texts.price, 'number')}${heading(texts.total, 'number')}</tr></thead>
<tbody>
${charges.map(chargeRow)}</tbody>
<tbody class="sums">
${sumRow(`${texts.totalDue} (${currency})`, invoice.totalDue)}${payments.map(paymentRow)}${sumRow(texts.paid, invoice.totalPaid)}${sumRow(`${texts.amountDue} (${currency})`, invoice.amountDue, 'due')}</tbody>
</table>
${
  scanAddress &&
  html`<figure class="paper">${qrCodeHtml(scanAddress, texts.payInvoice)}<figcaption>${texts.scanToPay}</figcaption></figure>
`
}${printButton(texts)}`
  const heads = fillText(texts.titleOf, { title, merchant: seller })
  return page({ title: seller === '' ? title : heads, body, language, script: PAYER_SCRIPT, width: 'wide' })
}

function statusOf({ status }: InvoicePage, texts: Texts): string {
  switch (status) {
    case 'pending':
    case 'overdue':
    case 'partially_paid':
    case 'paid':
      return texts[status]
    default:
      return status.replaceAll('_', ' ')
  }
}

function factsOf(invoice: InvoicePage, texts: Texts): readonly (Html | undefined)[] {
  return [
    fact(texts.number, invoice.number),
    fact(texts.date, invoice.issued),
    fact(texts.dueDate, invoice.due),
    fact(texts.paid, invoice.paidOn),
    fact(texts.purpose, invoice.description),
  ]
}

function fact(name: string, value: string | undefined): Html | undefined {
  return value === undefined ? undefined : html`<dt>${name}</dt><dd dir="auto">${value}</dd>\n`
}

function lineOf(text: string): Html {
  return html`<br>${text}`
}

function heading(text: string, kind?: string): Html {
  return element('th', { scope: 'col', class: kind }, text)
}

function chargeRow({ text, date, qty, price, total }: Charge): Html {
  return html`<tr><td dir="auto">${text}${dayOf(date)}</td>${number(qty)}${number(price)}${number(total)}</tr>
`
}

function paymentRow({ text, date, amount }: Payment): Html {
  return html`<tr><td colspan="3" dir="auto">${text}${dayOf(date)}</td>${number(amount)}</tr>
`
}

function dayOf(date: string | undefined): Html | undefined {
  return date === undefined ? undefined : html` <time>${date}</time>`
}

function sumRow(name: string, amount: string, kind?: string): Html {
  const cells = html`<th scope="row" colspan="3">${name}</th>${number(amount)}`
  return html`${element('tr', { class: kind }, cells)}
`
}

function number(text: string): Html {
  return html`<td class="number">${text}</td>`
}
