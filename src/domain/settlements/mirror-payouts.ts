import type { Work } from '../../engine/core/write/work.js'
import type { SettlementLineRow, TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { Minor } from '../../schema/money.js'
import { type PaidItem, writePayoutEntries } from '../ledger/payout-entries.js'
import { payoutsOf } from '../ledger/payouts.js'
import { depositPostings, withdrawalPostings } from '../ledger/postings.js'
import { insertDecided } from '../payments/outcome/persist-decision.js'
import { systemTransaction } from '../payments/parties/new-transaction.js'
import { businessDayFor } from '../payments/pending/today.js'
import { amountDue } from './decide-line.js'
import { isPlaced, netOf } from './line-postings.js'
import type { PlacedLine } from './record-line.js'

/** Maximum number of ids in one SQL statement. */
const CHUNK = 500

/** A line that is paid out, its transaction, and the transaction in whose ledger it is entered. */
interface PaidLine {
  readonly line: SettlementLineRow
  readonly ours: TransactionRow | undefined
  /** Transaction whose ledger has the entry: the payment of a refund or dispute, else the transaction itself. */
  readonly holder: TransactionRow | undefined
}

/**
 * Makes a deposit or a reversal for each account in a settlement whose payouts are those of the gateway. It covers the
 * lines that no deposit covers yet, also those that an operator ignored before they came: the bank shows them all. Each
 * line with a transaction gets a ledger entry; the amounts of the others are its `unexplained`. A repetition has no
 * effect. See docs/money.md, "Payouts".
 */
export async function mirrorPayouts(work: Work, settlementId: string): Promise<number> {
  const settlement = await work.lock(resources.settlement, settlementId)
  if (settlement?.status !== 'complete' || settlement.net === null) return 0
  const lines = await work.tx.db
    .selectFrom('admin_settlement_lines')
    .selectAll()
    .where('settlement_id', '=', settlementId)
    .where('payout_id', 'is', null)
    .where('booked', 'in', ['payout', 'outside'])
    .orderBy('id')
    .execute()
  const accounts = new Set(lines.flatMap(({ processing_id: id }) => id ?? []))
  let made = 0
  for (const account of accounts) {
    if ((await payoutsOf(work, { processing_id: account })) !== 'gateway') continue
    const own = lines.filter(({ processing_id: id }) => id === account)
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
  const paid = await withTransactions(work, lines)
  if (net === 0) {
    // A sum of 0 moves no money and needs no deposit. The payments in it count as paid out all the same.
    await setBatched(work, paid)
    return false
  }
  const entered = paid.reduce((sum, each) => sum + entryOf(each), 0)
  const unexplained = lines.reduce((sum, line) => sum + unexplainedOf(line), 0)
  const payout = await writePayout(work, {
    settlementId,
    account,
    net,
    fee: entered + unexplained - net,
    unexplained,
    items: paid.flatMap(paidItemOf),
  })
  await setBatched(work, paid)
  await setPayout(
    work,
    payout.id,
    lines.map(({ id }) => id),
  )
  return true
}

/** Updates the deposit or reversal of a line that was matched only after it was paid out. */
export async function explainPaid(work: Work, { before, line, ours }: PlacedLine): Promise<void> {
  const payout =
    before.payout_id === null ? undefined : await work.lock(resources.transaction, before.payout_id)
  if (!payout || line.settlement_id === null) return
  const explained = unexplainedOf(before)
  if (line.processing_id !== null && line.processing_id !== payout.processing_id) {
    await moveLine(work, line, payout)
    return
  }
  const [paid] = await withTransactions(work, [line])
  const entered = paid ? entryOf(paid) : 0
  await work.change(resources.transaction, payout.id, {
    fee: (payout.fee ?? 0) + entered - explained,
    unexplained: (payout.unexplained ?? 0) - explained,
  })
  if (paid) await writePayoutEntries(work, payout, paidItemOf(paid))
  if (paid && ours) await setBatched(work, [paid])
}

/** Moves a line from the payout of one account to a payout of its transaction's account. */
async function moveLine(
  work: Work,
  line: SettlementLineRow,
  { processing_id: from }: TransactionRow,
): Promise<void> {
  const { settlement_id: settlementId, processing_id: account } = line
  if (settlementId === null || account === null || from === null) return
  const net = netOf({ amount: line.amount ?? 0, fee: line.fee })
  const gross = line.amount ?? 0
  if (net !== 0)
    await writePayout(work, {
      settlementId,
      account: from,
      net: -net,
      fee: net - gross,
      unexplained: -gross,
      items: [],
    })
  await setPayout(work, null, [line.id])
  if ((await payoutsOf(work, { processing_id: account })) === 'gateway')
    await payOut(work, settlementId, account, [{ ...line, payout_id: null }])
}

interface NewPayout {
  readonly settlementId: string
  readonly account: string
  /** Amount that moves to the bank account: above zero makes a deposit, below zero a reversal. */
  readonly net: Minor
  readonly fee: Minor
  readonly unexplained: Minor
  readonly items: readonly PaidItem[]
}

/** Writes a deposit or a reversal that mirrors a gateway's payout. */
export async function writePayout(
  work: Work,
  { settlementId, account, net, fee, unexplained, items }: NewPayout,
): Promise<TransactionRow> {
  const type = net > 0 ? 'deposit' : 'reversal'
  const amount = Math.abs(net)
  const row = systemTransaction(work, { processing_id: account, type, amount, settlement_id: settlementId })
  const { date } = await businessDayFor(work, row)
  const payout = await insertDecided(work, row, {
    changes: {
      status: 'processed',
      status_code: type === 'deposit' ? 'deposited' : 'taken_back',
      processed_date: date,
      fee,
      unexplained,
    },
    entries: [],
    postings: type === 'deposit' ? depositPostings(amount) : withdrawalPostings(amount),
    events: [type],
  })
  await writePayoutEntries(work, payout, items)
  return payout
}

async function setPayout(work: Work, payout: string | null, lines: readonly string[]): Promise<void> {
  for (const ids of chunks(lines))
    await work.tx.db
      .updateTable('admin_settlement_lines')
      .set({ payout_id: payout, modified_at: work.now })
      .where('id', 'in', ids)
      .execute()
}

/** Amount of a line that is unexplained here, in minor units; 0 for a line that matches or differs. */
function unexplainedOf(line: SettlementLineRow): Minor {
  return isExplained(line) ? 0 : (line.amount ?? 0)
}

function isExplained({ status }: SettlementLineRow): boolean {
  return status !== null && isPlaced({ status })
}

function entryOf({ line, ours }: PaidLine): Minor {
  const isOfOurs = ours && isExplained(line) && line.exception_id === null
  return isOfOurs ? amountDue({ amount: line.amount ?? 0 }, ours) : 0
}

function paidItemOf(paid: PaidLine): PaidItem[] {
  const amount = entryOf(paid)
  const { holder } = paid
  return holder && amount !== 0 ? [{ id: holder.id, type: holder.type, amount }] : []
}

/** The lines with their transactions. Refunds and chargebacks are entered in the ledger of their payment. */
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
  const ids = paid.flatMap(({ line, ours }) =>
    isExplained(line) && ours?.funding_status === 'captured' ? [ours.id] : [],
  )
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
