import type { Store } from '../../src/engine/store/database/store.js'
import { resources } from '../../src/resources/resource-table.js'
import { type Row, tableColumnsOf } from '../../src/schema/columns.js'
import { datetimeOf } from '../../src/schema/datetime.js'
import { type Resource, tableNameOf } from '../../src/schema/resource.js'

/**
 * Number of merchants; `METHODS` is the number of payment methods. Transactions on a page have few merchants and many
 * methods.
 */
const MERCHANTS = 20
const METHODS = 10_000
/** Rows per statement; `BATCHES` is the number of statements per unit of work. */
const BATCH_SIZE = 200
const BATCHES = 25

/** Time of the first transaction; `STEP` is the interval between two. Both are in milliseconds. */
const START = Date.UTC(2025, 0, 1)
const STEP = 20_000

export const merchantId = (n: number): string => `acct_${padded(n % MERCHANTS)}`

/** Fills an empty database with merchants, cards, payments and their activity, like those of a year of business. */
export async function fill(
  store: Store,
  transactions: number,
  onDone: (done: number) => void,
): Promise<void> {
  await insert(store, resources.account, MERCHANTS, merchant)
  await insert(store, resources.payment_method, METHODS, method)
  await insert(store, resources.transaction, transactions, transaction, { onDone })
}

/** Number of the last payments (two days) that are in no deposit yet. */
const UNDEPOSITED = 8_640
/** Number of transactions per customer and per invoice. */
const EACH = 10

/**
 * Fills a database with the books of a single merchant: payments with postings, customers and invoices. They end at the
 * time `until`, in milliseconds since 1970.
 */
export async function fillBooks(store: Store, transactions: number, until: number): Promise<void> {
  const start = until - transactions * STEP
  const ofOne = (n: number): Row => {
    const row: Row = { ...transaction(n, start), processing_id: merchantId(0) }
    const isDeposited = row.status === 'processed' && n < transactions - UNDEPOSITED
    return isDeposited ? { ...row, funding_status: 'batched' } : row
  }
  await insert(store, resources.account, 1, merchant)
  await insert(store, resources.payment_method, METHODS, method)
  await insert(store, resources.transaction, transactions, ofOne, { start })
  await insertInBatches(store, transactions, 'postings', (n) => postingsOf(n, ofOne(n), start))
  const payers = Math.ceil(transactions / EACH)
  const spread = { start, step: STEP * EACH }
  await insert(store, resources.customer, payers, customer, spread)
  await insert(store, resources.invoice, payers, (n) => invoice(n, start), spread)
}

/** Id of the n-th customer; no merchant has such an id. */
const customerId = (n: number): string => `acct_1${String(n).padStart(21, '0')}`

function customer(n: number): Row {
  return { id: customerId(n), type: 'customer', name: `Payer ${n}`, email: `payer${n}@example.com` }
}

function invoice(n: number, start: number): Row {
  const isPaid = n % 3 > 0
  const total_due = 100 + ((n * 7919) % 50_000)
  return {
    customer_id: customerId(n),
    processing_id: merchantId(0),
    description: `Order ${n}`,
    number: `2025-${n}`,
    number_series: merchantId(0),
    number_position: n,
    due_date: datetimeOf(start + n * STEP * EACH).slice(0, 10),
    total_due,
    total_paid: isPaid ? total_due : 0,
    amount_due: isPaid ? 0 : total_due,
    item_count: 1,
  }
}

/** Postings of a payment: its amount and its fee. A declined payment has none. */
function postingsOf(n: number, { status, amount = 0, fee = 0 }: Row, start: number): readonly Row[] {
  if (status === 'declined') return []
  const posting = (part: number, from_account: string, to_account: string, moved: Row[string]): Row => ({
    id: padded(n * 2 + part),
    transaction_id: `${resources.transaction.prefix}${padded(n)}`,
    processing_id: merchantId(0),
    currency: 'USD',
    from_account,
    to_account,
    amount: moved,
    created_at: datetimeOf(start + n * STEP),
  })
  return [
    posting(0, 'processor_clearing', 'merchant_payable', amount),
    posting(1, 'merchant_payable', 'fee_income', fee),
  ]
}

/** Time of the first inserted row (milliseconds since 1970), and milliseconds between two rows. */
interface Times {
  readonly start?: number
  readonly step?: number
  readonly onDone?: (done: number) => void
}

async function insert(
  store: Store,
  resource: Resource,
  count: number,
  rowOf: (n: number) => Row,
  { start = START, step = STEP, onDone }: Times = {},
): Promise<void> {
  const empty = emptyRow(resource)
  const whole = (n: number): Row => {
    const at = datetimeOf(start + n * step)
    const stamps = { id: `${resource.prefix}${padded(n)}`, created_at: at, modified_at: at }
    return { ...empty, ...stamps, ...rowOf(n) }
  }
  await insertInBatches(store, count, tableNameOf(resource), (n) => [whole(n)], onDone)
  await insertInBatches(store, count, tableNameOf(resources.activity), (n) => [lineOf(resource, whole(n))])
}

const NO_LINE = emptyRow(resources.activity)

/** The line of the activity log for a new row. Without it, verify would report it as missing. */
function lineOf(
  { name }: Resource,
  { id = null, created_at = null, processing_id = null, amount = null, status = null }: Row,
): Row {
  return {
    ...NO_LINE,
    id: `${resources.activity.prefix}${id}`,
    created_at,
    modified_at: created_at,
    by: 'key',
    by_id: 'key_of_a_shop',
    through: 'http',
    action: `create ${name}`,
    verb: amount === null ? null : 'pay',
    amount,
    object_id: id,
    processing_id,
    outcome: status,
  }
}

function emptyRow(resource: Resource): Row {
  return Object.fromEntries(tableColumnsOf(resource).map(({ name }) => [name, null]))
}

async function insertInBatches(
  store: Store,
  count: number,
  table: string,
  rowsOf: (n: number) => readonly Row[],
  onDone: (done: number) => void = () => undefined,
): Promise<void> {
  for (let start = 0; start < count; start += BATCH_SIZE * BATCHES) {
    await store.write(async ({ any }) => {
      const end = Math.min(count, start + BATCH_SIZE * BATCHES)
      for (let batch = start; batch < end; batch += BATCH_SIZE) {
        const numbers = Array.from({ length: Math.min(BATCH_SIZE, end - batch) }, (_, n) => batch + n)
        await any.insertInto(table).values(numbers.flatMap(rowsOf)).execute()
      }
    })
    onDone(Math.min(count, start + BATCH_SIZE * BATCHES))
  }
}

function merchant(n: number): Row {
  return {
    type: 'processing',
    name: `Merchant ${n}`,
    processing__industry: 'books',
    processing__status: 'active',
  }
}

function method(n: number): Row {
  const last = String(n % 10_000).padStart(4, '0')
  return {
    type: 'card',
    account_holder: `Payer ${n}`,
    description: `Visa x-${last}`,
    keep_active: 1,
    last_four: last,
    card__card_brand: 'visa',
    card__card_type: 'credit',
    card__card_number_mask: `xxxxxxxxxxxx${last}`,
    card__expiry: '12/39',
  }
}

function transaction(n: number, start = START): Row {
  // One payment in 17 is declined, and one in 11 is deposited: indexes then have the shape of real days.
  const isDeclined = n % 17 === 0
  return {
    type: 'payment',
    amount: 100 + ((n * 7919) % 50_000),
    fee: isDeclined ? 0 : 117,
    conv_fee: 0,
    avs: 'street_and_zip',
    description: `Order ${n}`,
    order_number: `order-${n}`,
    processing_id: merchantId(n),
    payment_method_id: `pm_${padded((n * 31) % METHODS)}`,
    ref_number: `F${padded(n)}`,
    risk_flag: 'allowed',
    risk_score: 0,
    source: 'keyed',
    status: isDeclined ? 'declined' : 'processed',
    status_code: isDeclined ? 'general_decline' : 'approved',
    status_message: isDeclined ? 'Declined' : 'Transaction approved.',
    funding_status: fundingOf(n, isDeclined),
    processed_date: isDeclined ? null : datetimeOf(start + n * STEP).slice(0, 10),
    refunded: 0,
    charged_back: 0,
  }
}

function padded(n: number): string {
  return String(n).padStart(22, '0')
}

function fundingOf(n: number, isDeclined: boolean): string | null {
  if (isDeclined) return null
  return n % 11 === 0 ? 'batched' : 'pending'
}
