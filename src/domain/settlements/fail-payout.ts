import type { Work } from '../../engine/core/write/work.js'
import type { SettlementLineRow, SettlementRow, TransactionRow } from '../../engine/store/database/tables.js'
import type { FailedPayout } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { millisecondsOf } from '../../schema/datetime.js'
import { formatMoney } from '../../schema/money.js'
import { closeExplained } from '../exceptions/close-exception.js'
import { raiseException } from '../exceptions/raise-exception.js'
import { reversed } from '../ledger/postings.js'
import { writePostings } from '../ledger/write-postings.js'
import { linePostings } from './line-postings.js'
import { writePayout } from './mirror-payouts.js'

/**
 * Records that a payout did not arrive: its money is at the gateway again. Its lines and deposits are reversed. The
 * lines match again when a later payout contains them. A repetition has no effect. See docs/money.md, "Payouts".
 */
export async function failPayout(work: Work, gateway: string, failed: FailedPayout): Promise<void> {
  const [row] = await work.findBy(resources.gateway, 'name', gateway)
  const known = await settlementOf(work, gateway, failed.payout)
  const since = row && millisecondsOf(row.since ?? row.created_at)
  if (!known && since !== undefined && failed.madeAt < since) return
  const settlement = known && (await work.lock(resources.settlement, known.id))
  if (settlement?.status === 'failed') return
  const accounts = settlement ? await bookBack(work, settlement, failed) : []
  const raised = await raise(work, gateway, failed, accounts)
  if (raised && row)
    work.emit({
      trigger: 'gateway',
      object: resources.gateway,
      id: row.id,
      value: 'payout_failed',
      processingId: null,
    })
}

/**
 * Records that a payout did not arrive, because a later payout contains its money. Used where the gateway has not
 * reported the failure.
 */
export async function failRepaid(work: Work, gateway: string, payout: string): Promise<void> {
  const known = await settlementOf(work, gateway, payout)
  if (!known) return
  await failPayout(work, gateway, {
    kind: 'payout_failed',
    payout,
    madeAt: millisecondsOf(known.settled_at ?? known.created_at),
    amount: known.net ?? 0,
    currency: known.currency ?? '',
    code: 'returned',
  })
}

/** Closes the exception about a failed payout, because a later payout has paid its money. */
export async function closeFailedPayout(
  work: Work,
  gateway: string,
  payout: string,
  later: string,
): Promise<void> {
  const [raised] = await work.findBy(resources.exception, 'about', failedPayoutAbout(gateway, payout))
  if (raised?.status === 'open') await closeExplained(work, raised, `Paid out again by ${later}`)
}

/** Key of the exception about a payout that failed. */
function failedPayoutAbout(gateway: string, payout: string): string {
  return `failed payout ${gateway} ${payout}`
}

async function settlementOf(work: Work, gateway: string, id: string): Promise<SettlementRow | undefined> {
  const rows = await work.findBy(resources.settlement, 'gateway_id', id)
  return rows.find((each) => each.gateway === gateway)
}

/** Reverses the lines and deposits of a settlement. Returns the accounts whose deposits were reversed. */
async function bookBack(
  work: Work,
  { id }: SettlementRow,
  { code, message }: FailedPayout,
): Promise<readonly string[]> {
  const lines = await work.findBy(resources.settlement_line, 'settlement_id', id)
  for (const line of lines) await bookLineBack(work, line)
  const accounts = new Set<string>()
  for (const payout of await payoutsOf(work, id)) {
    if (payout.processing_id === null) continue
    accounts.add(payout.processing_id)
    await payBack(work, id, payout.processing_id, payout)
  }
  await work.change(resources.settlement, id, {
    status: 'failed',
    failed_at: work.now,
    failure: message ? `${code}: ${message}` : code,
  })
  return [...accounts]
}

/** All deposits and reversals of a settlement, also those that moved a line to another account. */
async function payoutsOf({ tx: { db } }: Work, settlementId: string): Promise<TransactionRow[]> {
  return await db
    .selectFrom('transactions')
    .selectAll()
    .where('settlement_id', '=', settlementId)
    .where('type', 'in', ['deposit', 'reversal'])
    .orderBy('id')
    .execute()
}

/** Reverses the postings of a line. It is booked again when a later payout contains its money. */
async function bookLineBack(work: Work, line: SettlementLineRow): Promise<void> {
  const { kind, amount, fee, status, booked, transaction_id: id } = line
  if (kind === null || status === null || status === 'repeated') return
  const postings = linePostings({ kind, amount: amount ?? 0, fee, status, booked: booked ?? 'nothing' })
  await writePostings(work, 'settlement_line', line, reversed(postings))
  await work.change(resources.settlement_line, line.id, {
    status: 'failed',
    booked: 'nothing',
    exception_id: null,
  })
  // The deposit of a funding run is not affected: its payments stay `batched`.
  if (id === null || booked !== 'payout') return
  await work.tx.db
    .updateTable('transactions')
    .set({ funding_status: 'captured', modified_at: work.now })
    .where('id', '=', id)
    .where('funding_status', '=', 'batched')
    .execute()
}

/** Reverses a deposit or a reversal by a transaction of the opposite type, with opposite ledger entries. */
async function payBack(
  work: Work,
  settlementId: string,
  account: string,
  payout: TransactionRow,
): Promise<void> {
  const entries = await work.tx.db
    .selectFrom('transaction_ledgers')
    .select(['assoc_transaction_id', 'entry_type', 'amount'])
    .where('transaction_id', '=', payout.id)
    .orderBy('id')
    .execute()
  const net = payout.type === 'deposit' ? (payout.amount ?? 0) : -(payout.amount ?? 0)
  await writePayout(work, {
    settlementId,
    account,
    net: -net,
    fee: -(payout.fee ?? 0),
    unexplained: -(payout.unexplained ?? 0),
    items: entries.flatMap(({ assoc_transaction_id: id, entry_type: type, amount }) =>
      id === null ? [] : [{ id, type, amount: -(amount ?? 0) }],
    ),
  })
}

async function raise(
  work: Work,
  gateway: string,
  { payout, amount, code, message }: FailedPayout,
  accounts: readonly string[],
) {
  const words = message ? `: ${message}` : ''
  const isBooked = accounts.length > 0
  return await raiseException(work, {
    kind: 'payout_failed',
    about: failedPayoutAbout(gateway, payout),
    gateway,
    gatewayId: payout,
    processingId: accounts.length === 1 ? (accounts[0] ?? null) : null,
    amount: Math.abs(amount),
    direction: amount > 0 ? 'taken' : 'paid',
    resolutions: ['ignore'],
    happened: `The payout ${payout} of ${formatMoney(amount)} failed at the gateway (${code})${words}`,
    explanation: isBooked
      ? `The bank account did not get ${formatMoney(amount)}. The deposit is booked back; the gateway pays again once the account there is right`
      : `The bank account did not get ${formatMoney(amount)}. The gateway pays again once the account there is right`,
    notice: JSON.stringify({ payout, amount, code, message }),
  })
}
