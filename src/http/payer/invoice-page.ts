import type { Json, JsonObject } from '../../schema/json.js'
import { CURRENCY, groupedMoney, parseMoney } from '../../schema/money.js'
import { isTree } from '../../schema/types.js'
import { ENGLISH, type Texts } from './texts/payer-english.js'
import { fillText } from './texts/payer-texts.js'

/** The content of an invoice's page: amounts with their decimals, dates as `YYYY-MM-DD`. */
export interface InvoicePage {
  readonly number: string
  /** The attribute `status` of the API. */
  readonly status: string
  readonly description: string | undefined
  readonly issued: string | undefined
  readonly due: string | undefined
  readonly paidOn: string | undefined
  /** Name and address of the seller, as lines. */
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly charges: readonly Charge[]
  readonly payments: readonly Payment[]
  readonly currency: string
  readonly totalDue: string
  readonly totalPaid: string
  readonly amountDue: string
}

export interface Charge {
  readonly text: string
  readonly date: string | undefined
  readonly qty: string
  readonly price: string
  readonly total: string
}

export interface Payment {
  readonly text: string
  readonly date: string | undefined
  readonly amount: string
}

/** Value of `fields` for the attributes that an invoice's page shows. */
export const INVOICE_FIELDS = '*,items[*],items[payment][payment_method][description]'
/** Value of `fields` for the processing account that is paid. */
export const SELLER_FIELDS =
  'name,legal_entity[street_address],legal_entity[unit_number],legal_entity[city],legal_entity[state_province],legal_entity[postal_code]'

/**
 * The page's content, from an invoice and its account as the API returns them with these fields. Payments of 0 (so far)
 * are left out.
 */
export function invoicePage(invoice: JsonObject, seller: JsonObject, texts: Texts = ENGLISH): InvoicePage {
  const items = Array.isArray(invoice.items) ? invoice.items.map(objectOf) : []
  const contact = objectOf(invoice.billing_contact)
  const entity = objectOf(seller.legal_entity)
  return {
    number: textOf(invoice.number) ?? textOf(invoice.id) ?? '',
    status: textOf(invoice.status) ?? '',
    description: textOf(invoice.description),
    issued: dateOf(invoice.created_at),
    due: dateOf(invoice.due_date),
    paidOn: dateOf(invoice.paid_timestamp),
    from: lines(seller.name, entity.street_address, entity.unit_number, placeOf(entity)),
    to: lines(contact.name, contact.street_address1, placeOf(contact), contact.email),
    charges: items.filter(({ entry_type: type }) => type === 'charge').map((item) => chargeOf(item, texts)),
    payments: items
      .filter(({ entry_type: type, total }) => type === 'payment' && total !== 0)
      .map((item) => paymentOf(item, texts)),
    currency: CURRENCY,
    totalDue: moneyOf(invoice.total_due),
    totalPaid: moneyOf(invoice.total_paid),
    amountDue: moneyOf(invoice.amount_due),
  }
}

function chargeOf(
  { description, type, incurred_date, qty, amount, total }: JsonObject,
  texts: Texts,
): Charge {
  return {
    text: textOf(description) ?? textOf(type) ?? texts.charge,
    date: dateOf(incurred_date),
    qty: String(qty ?? 1),
    price: moneyOf(amount),
    total: moneyOf(total),
  }
}

function paymentOf(
  { description, payment, incurred_date, created_at, total }: JsonObject,
  texts: Texts,
): Payment {
  const method = textOf(objectOf(objectOf(payment).payment_method).description)
  return {
    text:
      textOf(description) ?? (method === undefined ? texts.payment : fillText(texts.paymentBy, { method })),
    date: dateOf(incurred_date) ?? dateOf(created_at),
    amount: moneyOf(total),
  }
}

function placeOf({ city, state_province: state, postal_code: code }: JsonObject): string | undefined {
  const region = lines(state, code).join(' ')
  return lines(city, region).join(', ') || undefined
}

function lines(...values: readonly (Json | undefined)[]): string[] {
  return values.map(textOf).filter((line) => line !== undefined)
}

/** Text on one line, without control characters and those that change its direction; undefined when it is empty. */
function textOf(value: Json | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ').trim()
  return text === '' ? undefined : text
}

function dateOf(value: Json | undefined): string | undefined {
  return textOf(value)?.slice(0, 10)
}

function moneyOf(value: Json | undefined): string {
  const minor = typeof value === 'number' ? parseMoney(value) : undefined
  return groupedMoney(minor ?? 0)
}

function objectOf(value: Json | undefined): JsonObject {
  return isTree(value) ? value : {}
}
