import { mayBeId } from '../../engine/core/request/route.js'
import type { Work } from '../../engine/core/write/work.js'
import type { Environment } from '../../engine/store/database/store.js'
import type {
  AccountRow,
  InvoiceRow,
  LineItemRow,
  PaymentLinkRow,
  ProcessingSettingsRow,
} from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { Language } from '../../schema/language.js'
import type { Minor } from '../../schema/money.js'
import { organizationOf, type ShownOrganization } from '../accounts/organization-shown.js'
import { processingSettingsOf } from '../accounts/processing-settings-rule.js'
import type { Gateways } from '../gateways/gateways.js'
import { type FieldsEntry, type PayerEntry, payerEntry } from '../gateways/payer-entry.js'
import { feesOf, type MethodKind, priceOf } from '../ledger/fees.js'
import { type CheckoutOptions, readCheckoutOptions } from '../payments/parties/checkout-options.js'
import { mayProcess } from '../payments/parties/find-destination.js'
import { notPayable } from '../payments/parties/pay-through-link.js'
import { type DataField, readDataFields } from './data-fields.js'
import { type Redirects, redirectsOf } from './redirects.js'

export type PayingMethod = 'card' | 'bank_account'

/** A payment link, as any visitor with its address may see it. */
export interface OpenedLink extends Payable {
  readonly id: string
  /** Address of its page. */
  readonly url: string
}

/** Contents of a page on which a payer pays, as any visitor of the page may see them. */
export interface Payable {
  readonly environment: Environment
  /** Whether the payer can pay, or the reason why not. `busy`: a payment through the link is under way. */
  readonly state: 'payable' | 'busy' | 'completed' | 'expired' | 'inactive' | 'nothing_due' | 'no_method'
  /** Name of the account that is paid. */
  readonly merchant: string
  readonly organization: ShownOrganization | undefined
  /** Language of its page; undefined: the payer's browser chooses. */
  readonly locale: Language | undefined
  readonly description: string | undefined
  /** Amount to pay (minor units): the link's amount, or the amount due on its invoice. */
  readonly amount: Minor
  /** Whether part of the amount may be paid. */
  readonly takesParts: boolean
  readonly methods: readonly PayingMethod[]
  /** Gateways whose own fields take a method; other methods are typed into the page. */
  readonly fields: ReadonlyMap<PayingMethod, FieldsEntry>
  /** Customer for whom a method is saved, on a page without a payment. */
  readonly saves: string | undefined
  /** Whether the payment method is stored for later payments. */
  readonly keepsMethod: boolean
  /** The payer's surcharge on the whole amount, by each kind of method that is accepted. */
  readonly surcharges: readonly Surcharge[]
  readonly dataFields: readonly DataField[]
  readonly invoice: InvoiceOfLink | undefined
  readonly files: readonly { readonly name: string; readonly url: string }[]
  /** Addresses of the shop for payers who have paid, or have given up. */
  readonly redirects: Redirects
  /** Address of the receipt of a completed link's payment, if there is one. */
  readonly receipt: string | undefined
  /** The operator's message while the environment is in maintenance, perhaps empty; undefined when it is not. */
  readonly maintenance: string | undefined
}

export interface Surcharge {
  readonly kind: MethodKind
  readonly amount: Minor
}

/** A charge on the invoice. Amounts in minor units. */
export interface ChargeOfLink {
  readonly text: string | undefined
  readonly qty: number
  readonly price: Minor
  readonly total: Minor
}

export interface InvoiceOfLink {
  readonly number: string
  /** `YYYY-MM-DD`. */
  readonly due: string | undefined
  readonly charges: readonly ChargeOfLink[]
  readonly paid: Minor
  /** Signed address of the invoice's page. */
  readonly url: string | undefined
}

/** Contents of a payment link's page; undefined if there is no such link. */
export async function openLink(work: Work, gateways: Gateways, id: string): Promise<OpenedLink | undefined> {
  const link = mayBeId(id) ? await work.find(resources.payment_link, id) : undefined
  const account = link?.processing_id
    ? await work.find(resources.processing_account, link.processing_id)
    : undefined
  if (!link || !account) return undefined
  const invoice = link.invoice_id === null ? undefined : await work.find(resources.invoice, link.invoice_id)
  const amount = amountOf(link, invoice)
  const accepted = known(readCheckoutOptions(stored(link.checkout_options)))
  const paid = await openAccount(work, gateways, { account, accepted, amount })
  const state = stateOf(link, invoice, work.now)
  return {
    ...paid,
    id,
    url: work.addresses.show(resources.payment_link.fields.url, id, work.now) ?? '',
    state: state === 'payable' ? paid.state : state,
    redirects: redirectsOf(link),
    receipt: link.status === 'completed' ? await receiptOf(work, id) : undefined,
    locale: link.locale ?? undefined,
    description: link.description ?? invoice?.description ?? undefined,
    saves: link.type === 'method' ? (link.customer_id ?? undefined) : undefined,
    takesParts: link.invoice_id !== null && link.type === 'reusable',
    dataFields: known(readDataFields(stored(link.additional_datafields))),
    invoice: invoice && (await shown(work, invoice)),
    files: await filesOf(work, id),
  }
}

interface PaidAccount {
  readonly account: AccountRow
  readonly accepted: CheckoutOptions
  readonly amount: Minor
}

/** Contents of a page for the payment of an amount to an account, without a link or an invoice. */
export async function openAccount(
  work: Work,
  gateways: Gateways,
  { account, accepted, amount }: PaidAccount,
): Promise<Payable> {
  const settings = await processingSettingsOf(work, account)
  const accepting = kindsTaken(accepted, settings)
  const entries = await entriesOf(work, gateways, account, accepting.map(methodOf))
  const kinds = accepting.filter((kind) => entries.has(methodOf(kind)))
  const methods = [...entries.keys()]
  const fields = [...entries].flatMap(([method, entry]) =>
    entry.kind === 'fields' ? [[method, entry] as const] : [],
  )
  return {
    environment: work.environment,
    state: methods.length === 0 ? 'no_method' : 'payable',
    merchant: nameOf(account),
    organization: await organizationOf(work, account),
    redirects: {},
    receipt: undefined,
    locale: undefined,
    description: undefined,
    amount,
    takesParts: false,
    saves: undefined,
    methods,
    fields: new Map(fields),
    keepsMethod: false,
    surcharges: kinds.map((kind) => ({ kind, amount: feesOf(amount, priceOf(settings, kind)).convFee })),
    dataFields: [],
    invoice: undefined,
    files: [],
    maintenance: await maintenanceOf(work),
  }
}

/** Amount of a link, in minor units: its own, or the amount due on its invoice. */
function amountOf(link: PaymentLinkRow, invoice: InvoiceRow | undefined): Minor {
  return (link.invoice_id === null ? link.amount : invoice?.amount_due) ?? 0
}

/** State of a link: `payable`, or the reason why it cannot be paid now. */
function stateOf(link: PaymentLinkRow, invoice: InvoiceRow | undefined, now: string): OpenedLink['state'] {
  if (link.status === 'completed') return 'completed'
  if (notPayable(link, now)) return link.status === 'inactive' ? 'inactive' : 'expired'
  // The link's invoice was deleted.
  if (link.invoice_id !== null && !invoice) return 'inactive'
  if (link.type !== 'method' && amountOf(link, invoice) <= 0) return 'nothing_due'
  return link.taken === 1 ? 'busy' : 'payable'
}

const CARD_KINDS = ['credit', 'debit', 'prepaid'] as const

function kindsTaken({ card, bank_account }: CheckoutOptions, settings: ProcessingSettingsRow): MethodKind[] {
  const cards = CARD_KINDS.filter((kind) => settings[`card_processing__${kind}`] === 1)
  return [
    ...(card && settings.card_processing_enabled === 1 ? cards : []),
    ...(bank_account && settings.bank_account_processing_enabled === 1 ? (['bank_account'] as const) : []),
  ]
}

/**
 * The way in which each accepted method is entered, if a gateway accepts it now. Empty if the account may take no
 * payments.
 */
async function entriesOf(
  work: Work,
  gateways: Gateways,
  { id: processingId, processing__status: status }: AccountRow,
  accepted: readonly PayingMethod[],
): Promise<ReadonlyMap<PayingMethod, PayerEntry>> {
  const entries = new Map<PayingMethod, PayerEntry>()
  if (!mayProcess(work.environment, status)) return entries
  for (const method of ['card', 'bank_account'] as const) {
    const entry = accepted.includes(method)
      ? await payerEntry(work, gateways, { method, processingId })
      : undefined
    if (entry) entries.set(method, entry)
  }
  return entries
}

function methodOf(kind: MethodKind): PayingMethod {
  return kind === 'bank_account' ? kind : 'card'
}

/** Unwraps a stored value; it was checked when it was written. */
function known<T>(read: T | string): T {
  if (typeof read === 'string') throw new Error(`A payment link was stored that ${read}`)
  return read
}

function stored(json: string | null): unknown {
  return json === null ? null : JSON.parse(json)
}

function nameOf({ name, id }: AccountRow): string {
  return name ?? id
}

async function shown(work: Work, invoice: InvoiceRow): Promise<InvoiceOfLink> {
  const items = await work.findBy(resources.line_item, 'invoice_id', invoice.id)
  return {
    number: invoice.number ?? invoice.id,
    due: invoice.due_date ?? undefined,
    charges: items.filter(({ entry_type: type }) => type === 'charge').map(chargeOf),
    paid: invoice.total_paid ?? 0,
    url: work.addresses.show(resources.invoice.fields.url, invoice.id, work.now) ?? undefined,
  }
}

function chargeOf({ description, type, qty, amount, total }: LineItemRow): ChargeOfLink {
  return { text: description ?? type ?? undefined, qty: qty ?? 1, price: amount ?? 0, total: total ?? 0 }
}

async function filesOf(work: Work, id: string): Promise<OpenedLink['files']> {
  const { url } = resources.invoice_attachment.fields
  const rows = await work.findBy(resources.invoice_attachment, 'payment_link_id', id)
  return rows.map((row) => ({
    name: row.name ?? row.id,
    url: work.addresses.show(url, row.id, work.now) ?? '',
  }))
}

/**
 * Address of the receipt of a link's payment. Only the payment that succeeded has a receipt; declined ones have none.
 */
async function receiptOf(work: Work, linkId: string): Promise<string | undefined> {
  const { url } = resources.receipt.fields
  for (const { id } of await work.findBy(resources.transaction, 'payment_link_id', linkId)) {
    const [receipt] = await work.findBy(resources.receipt, 'transaction_id', id)
    if (receipt) return work.addresses.show(url, receipt.id, work.now) ?? undefined
  }
  return undefined
}

async function maintenanceOf({ tx }: Work): Promise<string | undefined> {
  const row = await tx.db.selectFrom('maintenance').select('message').executeTakeFirst()
  return row && (row.message ?? '')
}
