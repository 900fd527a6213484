import type { AddressParts } from '../../engine/core/read/addresses.js'
import type { Work } from '../../engine/core/write/work.js'
import type { Environment } from '../../engine/store/database/store.js'
import type { PaymentLinkRow, ReceiptRow, TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { Language } from '../../schema/language.js'
import type { Minor } from '../../schema/money.js'
import { isTree } from '../../schema/types.js'
import { organizationOf, type ShownOrganization } from '../accounts/organization-shown.js'
import { readDataFields } from '../links/data-fields.js'

/** A receipt, for any visitor with its address. Amounts in minor units. */
export interface OpenedReceipt {
  readonly environment: Environment
  readonly number: string
  readonly type: 'payment' | 'refund' | 'credit'
  readonly status: TransactionRow['status']
  /** Name and address of the merchant, as lines. */
  readonly merchant: readonly string[]
  readonly phone: string | null
  /** Language of the payment's link; undefined: the payer's browser chooses. */
  readonly locale: Language | undefined
  readonly organization: ShownOrganization | undefined
  readonly payer: string | null
  readonly amount: Minor
  /** Convenience fee that the payer was charged in addition to the amount. */
  readonly surcharge: Minor
  /** Part of the amount that was refunded since. */
  readonly refunded: Minor
  /** Datetime of the transaction, UTC. */
  readonly made: string
  readonly reference: string | null
  readonly description: string | null
  readonly orderNumber: string | null
  /** Kind and last digits of the payment method. */
  readonly method: string | null
  /** Text on the bank statement. */
  readonly descriptor: string | null
  readonly invoices: readonly { readonly number: string; readonly url: string | undefined }[]
  /** Reference of a refund's payment. */
  readonly refundOf: string | null
  /** Details of the payment: names and values from its `attrs`. */
  readonly details: readonly (readonly [name: string, value: string])[]
}

/** The receipt of an address; undefined when the address is wrong or the receipt is gone. */
export async function openReceipt(
  work: Work,
  requested: Omit<AddressParts, 'page'>,
): Promise<OpenedReceipt | undefined> {
  if (!work.addresses.isGood({ ...requested, page: 'receipt' }, work.now)) return undefined
  const receipt = await work.find(resources.receipt, requested.id)
  const row = receipt?.transaction_id
    ? await work.find(resources.transaction, receipt.transaction_id)
    : undefined
  if (!receipt?.type || !row) return undefined
  const link = row.payment_link_id ? await work.find(resources.payment_link, row.payment_link_id) : undefined
  return {
    ...said(row),
    environment: work.environment,
    number: receipt.id,
    type: receipt.type,
    ...(await merchantOf(work, row)),
    ...(await partiesOf(work, row)),
    refundOf: row.type === 'refund' ? await refundOf(work, row.id) : null,
    locale: link?.locale ?? undefined,
    details: detailsOf(link, row, receipt),
  }
}

/** The part of a receipt that the transaction itself holds. */
function said(row: TransactionRow) {
  const { status, description, descriptor } = row
  return {
    status,
    description,
    descriptor,
    made: row.created_at,
    amount: row.amount ?? 0,
    surcharge: row.conv_fee ?? 0,
    refunded: (row.type === 'payment' && row.refunded) || 0,
    reference: row.ref_number,
    orderNumber: row.order_number,
  }
}

/** Payer (or payee), method and purpose of a transaction. */
async function partiesOf(work: Work, row: TransactionRow) {
  const items = await work.findBy(resources.line_item, 'transaction_id', row.id)
  const method = row.payment_method_id && (await work.find(resources.payment_method, row.payment_method_id))
  const customer = row.customer_id && (await work.find(resources.customer, row.customer_id))
  return {
    payer: (customer ? customer.name : null) ?? (method ? method.account_holder : null),
    method: method ? method.description : null,
    invoices: await invoicesOf(work, [...new Set(items.flatMap(({ invoice_id: id }) => id ?? []))]),
  }
}

async function merchantOf(
  work: Work,
  { processing_id: id }: TransactionRow,
): Promise<Pick<OpenedReceipt, 'merchant' | 'organization' | 'phone'>> {
  const account = id === null ? undefined : await work.find(resources.processing_account, id)
  if (!account) return { merchant: id === null ? [] : [id], organization: undefined, phone: null }
  const organization = await organizationOf(work, account)
  const entity = account.legal_entity_id && (await work.find(resources.legal_entity, account.legal_entity_id))
  const phone = account.phone_number ?? (entity ? entity.phone_number : null)
  if (!entity) return { merchant: lines(account.name), organization, phone }
  const { street_address: street, unit_number: unit, city, state_province: state, postal_code: code } = entity
  const place = lines(city, lines(state, code).join(' ')).join(', ')
  return { merchant: lines(account.name, street, unit, place), organization, phone }
}

function lines(...texts: readonly (string | null)[]): string[] {
  return texts.filter((text) => text !== null).filter((text) => text !== '')
}

async function refundOf(work: Work, id: string): Promise<string | null> {
  const [entry] = await work.findBy(resources.transaction_ledger, 'transaction_id', id)
  const payment =
    entry?.assoc_transaction_id && (await work.find(resources.transaction, entry.assoc_transaction_id))
  return payment ? (payment.ref_number ?? payment.id) : null
}

/** Details from `attrs`. An answer to a question on the link's page has the question as its name. */
function detailsOf(link: PaymentLinkRow | undefined, row: TransactionRow, receipt: ReceiptRow) {
  const requested = readDataFields(parsed(link?.additional_datafields))
  const labels = new Map(
    typeof requested === 'string' ? [] : requested.map(({ name, label }) => [name, label]),
  )
  return [...shownAttributes(parsed(row.attrs)), ...shownAttributes(parsed(receipt.attrs))].map(
    ([name, value]) => [labels.get(name) ?? name, value] as const,
  )
}

function parsed(json: string | null | undefined): unknown {
  return typeof json === 'string' ? JSON.parse(json) : undefined
}

/** Maximum number of details on a receipt. */
const MAX_DETAILS = 50

/**
 * The part of `attrs` that may be shown; a nested value has its path as its name. Names that begin with `_`, with all
 * their contents, are private to the merchant.
 */
function shownAttributes(attrs: unknown): readonly (readonly [name: string, value: string])[] {
  return leaves(attrs, '').slice(0, MAX_DETAILS)
}

function leaves(value: unknown, name: string): (readonly [string, string])[] {
  if (isTree(value))
    return Object.entries(value)
      .filter(([key]) => !key.startsWith('_'))
      .flatMap(([key, inner]) => leaves(inner, name === '' ? key : `${name} ${key}`))
  if (Array.isArray(value)) return value.flatMap((inner: unknown) => leaves(inner, name))
  if (name === '' || value === null || value === undefined || value === '') return []
  return [[name, String(value)]]
}

/** Numbers of invoices with the addresses of their pages; for a deleted invoice only its id. */
async function invoicesOf(work: Work, ids: readonly string[]): Promise<OpenedReceipt['invoices']> {
  const { url } = resources.invoice.fields
  const shown: OpenedReceipt['invoices'][number][] = []
  for (const id of ids) {
    const invoice = await work.find(resources.invoice, id)
    const address = invoice && work.addresses.show(url, id, work.now)
    shown.push({ number: invoice?.number ?? id, url: address ?? undefined })
  }
  return shown
}
