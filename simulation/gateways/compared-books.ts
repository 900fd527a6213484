import type { App } from '../../src/app.js'
import type { JsonObject } from '../../src/schema/json.js'
import type { WireServer } from '../../test/gateways/contract/opened-rail.js'
import { type Ask, allOf, allTransactions } from './connected-place.js'

const minor = (value: unknown) => Math.round(100 * Number(value ?? 0))

/** Sum of payments less refunds in our books, in minor units (cents). */
export function takenBy(transactions: readonly JsonObject[]): number {
  return transactions
    .filter(({ status }) => status === 'processed' || status === 'rejected')
    .reduce((sum, { type, amount, conv_fee: fee }) => {
      if (type === 'payment') return sum + minor(amount) + minor(fee)
      return type === 'refund' || type === 'credit' ? sum - minor(amount) : sum
    }, 0)
}

/**
 * Compares our books with the rail's, when no request is under way. A difference is allowed only if an exception
 * explains it that is open, ignored or booked as a loss. Returns the problems.
 */
export async function compareBooks(ask: Ask, taken: number): Promise<string[]> {
  const transactions = await allTransactions(ask)
  const open = transactions.filter(({ status }) => status === 'processing')
  const types = new Map(transactions.map(({ id, type }) => [id ?? null, type]))
  const explained = (await allOf(ask, '/admin/exceptions')).reduce(
    (sum, each) => sum + explainedBy(each, types.get(each.transaction_id ?? null)),
    0,
  )
  const ours = takenBy(transactions) + explained
  const { found, findings } = await ask('GET', '/admin/verify')
  return [
    ...open.map(({ id, type }) => `${type} ${id} has no outcome`),
    ...(ours === taken ? [] : [`The rail has taken ${taken}, and our books and exceptions say ${ours}`]),
    ...(found === 0 ? [] : [`verify found ${found}: ${JSON.stringify(findings)}`]),
  ]
}

/**
 * Minor units that the rail has but our books do not, according to an exception. `type` is the type of the exception's
 * transaction.
 */
function explainedBy(exception: JsonObject, type: unknown): number {
  const { kind, status, resolution } = exception
  const amount = minor(exception.amount)
  if (kind === 'refund_failed') return failedRefund(exception, type)
  if (status !== 'open' && resolution !== 'ignore' && resolution !== 'loss') return 0
  const isTaken = type !== 'refund' && !isGivenBack(exception)
  switch (kind) {
    case 'late_approval':
    case 'partial_approval':
    case 'amount_differs':
      return isTaken ? amount : -amount
    default:
      return 0
  }
}

/**
 * Whether an exception is about money that the rail returned without payctl, rather than money that it captured without
 * payctl.
 */
function isGivenBack({ kind, resolutions }: JsonObject): boolean {
  return kind === 'amount_differs' && !JSON.stringify(resolutions).includes('partial')
}

/**
 * Minor units that an exception about a failed refund explains. For a refund, its amount if the payer was paid in
 * another way. For a void, its amount unless it was retried.
 */
function failedRefund({ status, resolution, amount }: JsonObject, type: unknown): number {
  if (type !== 'payment') return resolution === 'paid_otherwise' ? minor(amount) : 0
  return status === 'resolved' && resolution === 'retry' ? 0 : minor(amount)
}

/**
 * Compares our deposits with the rail's payouts, if it reports payouts. Deposits plus the settlement lines that are not
 * ours or were ignored must equal the payouts to the cent. The book account `suspense` must be empty.
 */
export async function comparePayouts(ask: Ask, app: App, paidOut: number | undefined): Promise<string[]> {
  const suspense = await suspenseOf(app)
  const suspended = suspense === 0 ? [] : [`${suspense} are in suspense`]
  if (paidOut === undefined) return suspended
  const settlements = await allOf(ask, '/admin/settlements')
  const failed = new Set(settlements.filter(({ status }) => status === 'failed').map(({ id }) => id))
  const net = settlements
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, each) => sum + minor(each.net), 0)
  const lines = (await allOf(ask, '/admin/settlement_lines')).filter(isOfOthers)
  const outside = lines
    .filter(({ settlement_id: of }) => !failed.has(of))
    .reduce((sum, { amount, fee }) => sum + minor(amount) - minor(fee), 0)
  const deposited = (await allTransactions(ask)).reduce((sum, { type, amount }) => {
    if (type === 'deposit') return sum + minor(amount)
    return type === 'reversal' ? sum - minor(amount) : sum
  }, 0)
  return [
    ...(net === paidOut ? [] : [`The rail has paid out ${paidOut}, and our settlements say ${net}`]),
    ...(deposited + outside === paidOut
      ? []
      : [`The rail has paid out ${paidOut}: ${deposited} are deposited, and ${outside} are of others`]),
    ...suspended,
  ]
}

/** Whether a settlement line is about someone else's payment, or was ignored before it was in a deposit. */
function isOfOthers({ kind, booked, payout_id: deposit }: JsonObject): boolean {
  return kind === 'foreign' || (booked === 'outside' && deposit === null)
}

async function suspenseOf(app: App): Promise<number> {
  const { core } = await app.environment('test')
  const rows = await core.read(async ({ tx }) => [
    ...(await tx.db.selectFrom('settlement_postings').selectAll().execute()),
    ...(await tx.db.selectFrom('exception_postings').selectAll().execute()),
  ])
  return rows.reduce((sum, { from_account: from, to_account: to, amount }) => {
    if (from === to) return sum
    if (to === 'suspense') return sum + Number(amount)
    return from === 'suspense' ? sum - Number(amount) : sum
  }, 0)
}

/** Compares our answers to disputes with those that the rail received, if the rail accepts answers. */
export async function compareDisputes(
  ask: Ask,
  { disputes }: Pick<WireServer, 'disputes'>,
): Promise<string[]> {
  const there = (await disputes?.()) ?? []
  const ours = new Map((await allOf(ask, '/disputes')).map((each) => [each.reference, each]))
  return there.flatMap(({ id, stage, isContested }) => {
    const found = ours.get(id)
    if (!found) return [`The dispute ${id} is not here`]
    const { answer, stage: here, pending_operation: pending } = found
    const isRight = (answer === 'contest') === isContested && here === stage && pending === null
    return isRight
      ? []
      : [`The dispute ${id} is ${stage}, contested ${isContested}; here ${here}, ${answer}, ${pending}`]
  })
}

/** Methods whose storing still has no known outcome, as problems. */
export async function undecidedMethods(app: App): Promise<string[]> {
  const { core } = await app.environment('test')
  const waiting = await core.read(({ tx }) =>
    tx.db.selectFrom('payment_methods').select('id').where('pending_store', 'is not', null).execute(),
  )
  return waiting.map(({ id }) => `The method ${id} is neither stored nor gone`)
}
