import type { Work } from '../../engine/core/write/work.js'
import type { SettlementLineRow, TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { Minor } from '../../schema/money.js'
import { type PaidItem, writePayoutEntries } from '../ledger/payout-entries.js'
import { payoutsOf } from '../ledger/payouts.js'
import { depositPostings, withdrawalPostings } from '../ledger/postings.js'
import { systemTransaction } from '../payments/new-transaction.js'
import { insertDecided } from '../payments/persist-decision.js'
import { businessDayFor } from '../payments/today.js'
import { amountDue } from './decide-line.js'
import { isPlaced, netOf } from './line-postings.js'

/** Ids that a statement names at most. */
const CHUNK = 500

/** A line that is paid out, with the transaction that it is about and the one in whose ledger it stands. */
interface PaidLine {
  readonly line: SettlementLineRow
  readonly ours: TransactionRow | undefined
  /** Transaction whose ledger has the entry: the payment of a refund or dispute, else the transaction itself. */
  readonly holder: TransactionRow | undefined
}

/**
 * Makes a deposit, or a reversal, for each account in a settlement whose gateway pays it out. It covers the lines
 * without one, with one entry a line. A repetition has no effect. Money: "Ledger, deposits, journal".
 */
export async function mirrorPayouts(work: Work, settlementId: string): Promise<number> {
  const settlement = await work.lock(resources.settlement, settlementId)
  if (settlement?.status !== 'complete' || settlement.net === null) return 0
  const lines = await work.tx.db
    .selectFrom('admin_settlement_lines')
    .selectAll()
    .where('settlement_id', '=', settlementId)
    .where('payout_id', 'is', null)
    .where('booked', '=', 'payout')
    .orderBy('id')
    .execute()
  const open = lines.filter(({ status }) => status !== null && isPlaced({ status }))
  const accounts = new Set(open.flatMap(({ processing_id: id }) => id ?? []))
  let made = 0
  for (const account of accounts) {
    if ((await payoutsOf(work, { processing_id: account })) !== 'gateway') continue
    const own = open.filter(({ processing_id: id }) => id === account)
    if (await payOut(work, settlementId, account, own)) made++
  }
  return made
}

async function payOut(
  work: Work,
  settlementId: string,
  account: string,
  lines: readonly SettlementLineRow[],
): Promise<boolean> {
  const net = lines.reduce((sum, line) => sum + netOf({ amount: line.amount ?? 0, fee: line.fee }), 0)
  // A sum of 0 moves no money: there is no transaction of 0.
  if (net === 0) return false
  const paid = await withTransactions(work, lines)
  const entered = paid.reduce((sum, each) => sum + entryOf(each), 0)
  const type = net > 0 ? 'deposit' : 'reversal'
  const amount = Math.abs(net)
  const row = systemTransaction(work, { processing_id: account, type, amount, settlement_id: settlementId })
  const { date } = await businessDayFor(work, row)
  const payout = await insertDecided(work, row, {
    changes: {
      status: 'processed',
      status_code: type === 'deposit' ? 'deposited' : 'taken_back',
      processed_date: date,
      fee: entered - net,
    },
    entries: [],
    postings: type === 'deposit' ? depositPostings(amount) : withdrawalPostings(amount),
    events: [type],
  })
  await writePayoutEntries(work, payout, paid.flatMap(paidItemOf))
  await setBatched(work, paid)
  for (const ids of chunks(lines.map(({ id }) => id)))
    await work.tx.db
      .updateTable('admin_settlement_lines')
      .set({ payout_id: payout.id, modified_at: work.now })
      .where('id', 'in', ids)
      .execute()
  return true
}

function entryOf({ line, ours }: PaidLine): Minor {
  return ours ? amountDue({ amount: line.amount ?? 0 }, ours) : 0
}

function paidItemOf(paid: PaidLine): PaidItem[] {
  const amount = entryOf(paid)
  const { holder } = paid
  return holder && amount !== 0 ? [{ id: holder.id, type: holder.type, amount }] : []
}

/** Refunds and chargebacks are entered in the ledger of their payment. */
async function withTransactions(work: Work, lines: readonly SettlementLineRow[]): Promise<PaidLine[]> {
  const own = await transactionsOf(
    work,
    lines.flatMap(({ transaction_id: id }) => id ?? []),
  )
  const following = [...own.values()].filter(({ type }) => type !== 'payment').map(({ id }) => id)
  const parents = new Map<string, string>()
  for (const ids of chunks(following))
    for (const { transaction_id: id, assoc_transaction_id: parent } of await work.tx.db
      .selectFrom('transaction_ledgers')
      .select(['transaction_id', 'assoc_transaction_id'])
      .where('transaction_id', 'in', ids)
      .where('entry_type', '=', 'payment')
      .execute())
      if (id !== null && parent !== null) parents.set(id, parent)
  const payments = await transactionsOf(work, [...parents.values()])
  return lines.map((line) => {
    const ours = own.get(line.transaction_id ?? '')
    const parent = ours && parents.get(ours.id)
    return { line, ours, holder: parent === undefined ? ours : payments.get(parent) }
  })
}

async function transactionsOf(work: Work, ids: readonly string[]): Promise<Map<string, TransactionRow>> {
  const found = new Map<string, TransactionRow>()
  for (const some of chunks([...new Set(ids)]))
    for (const row of await work.tx.db
      .selectFrom('transactions')
      .selectAll()
      .where('id', 'in', some)
      .execute())
      found.set(row.id, row)
  return found
}

/** Sets captured payments in a payout to `batched`; refunded or charged back ones keep their status. */
async function setBatched(work: Work, paid: readonly PaidLine[]): Promise<void> {
  const ids = paid.flatMap(({ ours }) => (ours?.funding_status === 'captured' ? [ours.id] : []))
  for (const some of chunks([...new Set(ids)].sort()))
    await work.tx.db
      .updateTable('transactions')
      .set({ funding_status: 'batched', modified_at: work.now })
      .where('id', 'in', some)
      .where('funding_status', '=', 'captured')
      .execute()
}

function chunks<T>(values: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(values.length / CHUNK) }, (_, n) =>
    values.slice(n * CHUNK, (n + 1) * CHUNK),
  )
}
