import type { FieldsOrigins } from '../../domain/gateways/payer-entry.js'
import type { InvoiceOfLink, Payable, PayingMethod } from '../../domain/links/open-link.js'
import type { Language } from '../../schema/language.js'
import { CURRENCY, formatMoney, groupedMoney } from '../../schema/money.js'
import { button, form, hidden, notice } from '../html/form.js'
import { element, type Html, html } from '../html/html.js'
import { type HtmlPage, page, type ShowPage } from '../html/page.js'
import { pageAddress } from '../html/page-address.js'
import { displayAmount } from './display-amount.js'
import { payee } from './payee.js'
import { PAYER_SCRIPT } from './payer-script.js'
import { type FilledFields, fieldHtml, type PaymentField, paymentFields } from './payment-fields.js'
import { railFieldsHtml, type ShownFields } from './rail-fields-html.js'
import { surchargeNote, totalOf } from './surcharge.js'
import type { Texts } from './texts/payer-english.js'
import { fillText, textPieces, textsIn } from './texts/payer-texts.js'

/** The form with the earlier input, and its errors. */
export interface PayForm extends FilledFields {
  readonly method: PayingMethod
  /** Token that proves that this service made the form, if the payer's browser has a cookie for it. */
  readonly token?: string
  /** The idempotency key: the same as long as the form is sent for the same payment. */
  readonly key: string
  /** Problem of the form as a whole. */
  readonly problem?: string | undefined
  /** Fields of gateways, by payment method. */
  readonly fields: ReadonlyMap<PayingMethod, ShownFields>
}

/** Address and layout of a page for payers. */
export interface PayPlace {
  /** Address of the page, to which its form is sent; with a method, the address of the page for this method. */
  address(method?: PayingMethod): string
  readonly show?: ShowPage
}

/** The page on which a payer pays a payment link, or makes the payment that a client key allows. */
export function payPage(link: Payable, sent: PayForm, language: Language, place: PayPlace): HtmlPage {
  const { merchant, organization, description, environment, files, invoice } = link
  const texts = textsIn(language)
  const isWrong = sent.problem !== undefined || sent.errors.size > 0
  const isSaved = link.saves !== undefined
  const title = isSaved ? texts.saveTitle : texts.payMerchant
  const heading = fillText(title, { merchant })
  const due = link.takesParts ? ` ${texts.due}` : ''
  const body = html`${payee(organization, merchant)}<h1>${fillHtml(title, { merchant })}</h1>
${description && html`<p dir="auto">${description}</p>\n`}${isSaved ? undefined : html`<p class="sum">${groupedMoney(link.amount)} <small>${CURRENCY}${due}</small></p>`}
${environment === 'test' ? notice('note', texts.testNow) : undefined}${invoice && invoiceHtml(invoice, texts)}${filesHtml(files, texts)}${methodsHtml(link, sent, texts, place)}${problemHtml(sent, texts)}${formHtml(link, sent, texts, place)}${cancelHtml(link, texts)}
<footer>${keepingText(link, texts)}${sent.fields.has(sent.method) ? html` ${texts.processorFields}` : undefined}</footer>`
  const { success_url: success } = link.redirects
  const { show = page } = place
  return show({
    title: isWrong ? fillText(texts.errorTitle, { title: heading }) : heading,
    body,
    language,
    script: PAYER_SCRIPT,
    connects: true,
    origins: originsOf(sent.fields),
    formTargets: success === undefined ? [] : [new URL(success).origin],
  })
}

/**
 * Origins of all fields that the page may show, because another way to pay is chosen without loading the page again.
 */
function originsOf(shown: PayForm['fields']): FieldsOrigins {
  const all = [...shown.values()].map(({ fields }) => fields.origins)
  const named = (directive: keyof FieldsOrigins) => [...new Set(all.flatMap((origins) => origins[directive]))]
  return { script: named('script'), frame: named('frame'), connect: named('connect') }
}

function cancelHtml({ redirects }: Payable, texts: Texts): Html | undefined {
  const { cancel_url: address } = redirects
  if (address === undefined) return undefined
  const href = pageAddress(new URL(address).href)
  return html`<p><a class="button quiet" href="${href}" rel="noreferrer">${texts.cancel}</a></p>\n`
}

function invoiceHtml({ number, due, charges, paid, url }: InvoiceOfLink, texts: Texts): Html {
  const rows = charges.map(({ text, qty, price, total }) => {
    const count = qty === 1 ? undefined : html` (${qty} × ${groupedMoney(price)})`
    return html`<dt dir="auto">${text ?? texts.charge}${count}</dt><dd>${groupedMoney(total)}</dd>\n`
  })
  const dueOn = due && html`, ${fillHtml(texts.dueOn, { date: due })}`
  return html`<h2>${texts.invoice}</h2>
<p class="faint">${number}${dueOn}</p>
<dl class="items">
${rows}${paid > 0 ? html`<dt>${texts.alreadyPaid}</dt><dd>-${groupedMoney(paid)}</dd>\n` : undefined}</dl>
${url && html`<p><a href="${pageAddress(url)}">${texts.showInvoice}</a></p>\n`}`
}

function filesHtml(files: Payable['files'], texts: Texts): Html | undefined {
  if (files.length === 0) return undefined
  return html`<h2>${texts.files}</h2>
<ul>${files.map(({ name, url }) => html`<li><a href="${pageAddress(url)}" rel="noreferrer" dir="auto">${name}</a></li>`)}</ul>
`
}

/** Each method has an address, so that a payer can choose a method without a script. */
function methodsHtml(
  { methods }: Payable,
  { method: chosen }: PayForm,
  texts: Texts,
  { address }: PayPlace,
): Html | undefined {
  if (methods.length < 2) return undefined
  const names = { card: texts.card, bank_account: texts.bankAccount }
  return html`<nav aria-label="${texts.waysToPay}">${methods.map((method) => {
    const href = pageAddress(address(method))
    const current = method === chosen ? 'page' : undefined
    return element('a', { href, 'aria-current': current }, names[method])
  })}</nav>
`
}

function problemHtml({ problem, errors }: PayForm, texts: Texts): Html | undefined {
  if (problem !== undefined) return notice('problem', problem, errors.size === 0)
  return errors.size > 0 ? notice('problem', texts.checkMarked) : undefined
}

function formHtml(link: Payable, sent: PayForm, texts: Texts, { address }: PayPlace): Html {
  const fields = paymentFields(link, sent.method, texts)
  const first = fields.find(({ name }) => sent.errors.has(name))
  const total = totalOf(link, sent.method)
  const isSaved = link.saves !== undefined
  const rail = sent.fields.get(sent.method)
  const shown = (field: PaymentField) => fieldHtml(field, sent, texts, field === first)
  return form(
    address(),
    sent.token,
    hidden('key', sent.key),
    hidden('method', sent.method),
    link.takesParts || isSaved ? undefined : hidden('amount', formatMoney(link.amount)),
    rail && railFieldsHtml(rail, sent.method, sent.errors.get('gateway_token'), texts),
    sectionsOf(fields).map((section) => sectionHtml(section, shown)),
    isSaved ? html`<p>${fillHtml(texts.saveConsent, { merchant: link.merchant })}</p>\n` : undefined,
    isSaved ? undefined : surchargeNote(link, sent.method, texts),
    sent.method === 'bank_account' && !isSaved
      ? html`<p>${fillHtml(texts.mandate, { merchant: link.merchant })}</p>\n`
      : undefined,
    button(isSaved ? texts.saveButton : payingText(total, texts)),
  )
}

function payingText(total: number | undefined, texts: Texts): string {
  return total === undefined ? texts.pay : fillText(texts.payAmount, { amount: displayAmount(total) })
}

function keepingText({ saves, keepsMethod, merchant }: Payable, texts: Texts): Html | string | undefined {
  if (saves !== undefined) return undefined
  return keepsMethod ? fillHtml(texts.stored, { merchant }) : texts.notStored
}

/** The text on the page to which a customer agrees by saving a method. */
export function consentText({ merchant }: Payable, language: Language): string {
  return fillText(textsIn(language).saveConsent, { merchant })
}

/** Groups successive fields of the same section; successive fields without a section are a group, too. */
function sectionsOf(fields: readonly PaymentField[]): readonly (readonly PaymentField[])[] {
  const sections: PaymentField[][] = []
  for (const field of fields) {
    const last = sections.at(-1)
    if (last && last[0]?.section === field.section) last.push(field)
    else sections.push([field])
  }
  return sections
}

function sectionHtml(fields: readonly PaymentField[], shown: (field: PaymentField) => Html): Html {
  const title = fields[0]?.section
  if (title === undefined) return html`${fields.map(shown)}`
  return html`<fieldset class="section">
<legend dir="auto">${title}</legend>
${fields.map(shown)}</fieldset>
`
}

/** Fills values into a text for a page. Each value keeps its own direction of writing. */
function fillHtml(text: string, values: Readonly<Record<string, string>>): Html {
  const pieces = textPieces(text, values)
  return html`${pieces.map(({ piece, isValue }) => (isValue ? html`<bdi>${piece}</bdi>` : piece))}`
}
