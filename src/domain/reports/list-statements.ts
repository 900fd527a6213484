import { balancesBefore } from './account-balances.js'
import { pagesOfDays } from './page-postings.js'
import { broughtTo, inOrder, type JournalPosting } from './read-postings.js'
import type { ReportRow } from './report-cursor.js'
import { momentsOfDays } from './report-period.js'
import { figureIn, type ReportContent, type ReportRequest, totalsOfRows } from './report-source.js'

/** Book accounts whose postings against a merchant's balance are fees. */
const FEES: readonly string[] = ['fee_income', 'fee_receivable']

/** The changes of an account's balance by one object at one moment. Amounts in minor units. */
interface StatementLine
  extends Pick<JournalPosting, 'kind' | 'object_id' | 'reference' | 'created_at' | 'processing_id'> {
  readonly amount: number
  readonly fee: number
}

/** Statements of processing accounts: opening balances, each change in order of time, and closing balances. */
export async function listStatements(request: ReportRequest, account: string): Promise<ReportContent> {
  const { db, report, period, accounts, start, limit } = request
  const { zone } = period
  const first = start?.moment ?? momentsOfDays(period, zone).start
  const balances = new Map(start?.balances ?? (await balancesBefore(db, { zone, accounts }, account, first)))
  const [only, ...others] = accounts ?? []
  if (only !== undefined && others.length === 0 && !balances.has(only)) balances.set(only, 0)
  const opening = start ? figureIn(start.totals['opening']) : sumOf(balances)
  const rows = start ? [] : balanceRows('opening', period.from, balances)
  const totals = () => ({
    ...totalsOfRows(report, rows, start?.totals),
    opening,
    closing: sumOf(balances),
  })
  for await (const { date, postings, next } of pagesOfDays(request, account)) {
    for (const line of linesIn(postings, account)) {
      rows.push(...openingOf(line, period.from, balances), rowOf(line, date, balances))
    }
    if (rows.length >= limit && next !== undefined)
      return { rows, totals: totals(), next: { moment: next, totals: totals(), balances } }
  }
  rows.push(...balanceRows('closing', period.to, balances))
  return { rows, totals: totals() }
}

/** An opening balance of 0 before the first line of an account, if the account has no balance yet. */
function openingOf(
  { processing_id: id }: StatementLine,
  date: string,
  balances: ReadonlyMap<string, number>,
): readonly ReportRow[] {
  return balances.has(id ?? '') ? [] : [balanceRow('opening', date, [id ?? '', 0])]
}

function sumOf(balances: ReadonlyMap<string, number>): number {
  return [...balances.values()].reduce((sum, balance) => sum + balance, 0)
}

/** The row of a line. Adds the line's net amount to the balance of its account. */
function rowOf(
  { kind, object_id, reference, created_at, processing_id, amount, fee }: StatementLine,
  date: string,
  balances: Map<string, number>,
): ReportRow {
  const net = amount - fee
  const balance = (balances.get(processing_id ?? '') ?? 0) + net
  balances.set(processing_id ?? '', balance)
  return { processing_id, date, kind, reference, object_id, amount, fee, net, balance, booked_at: created_at }
}

function balanceRows(
  kind: 'opening' | 'closing',
  date: string,
  balances: ReadonlyMap<string, number>,
): ReportRow[] {
  return [...balances].sort(([a], [b]) => inOrder(a, b)).map((each) => balanceRow(kind, date, each))
}

function balanceRow(
  kind: 'opening' | 'closing',
  date: string,
  [id, balance]: readonly [string, number],
): ReportRow {
  const processing_id = id === '' ? null : id
  return { ...NO_LINE, processing_id, date, kind, balance }
}

const NO_LINE = {
  processing_id: null,
  date: null,
  kind: null,
  reference: null,
  object_id: null,
  amount: null,
  fee: null,
  net: null,
  balance: null,
  booked_at: null,
}

function linesIn(postings: readonly JournalPosting[], account: string): Iterable<StatementLine> {
  const lines = new Map<string, StatementLine>()
  for (const posting of postings) {
    const { kind, object_id, reference, created_at, processing_id, from_account, to_account } = posting
    const key = `${object_id} ${created_at} ${processing_id}`
    const { amount, fee } = lines.get(key) ?? { amount: 0, fee: 0 }
    const change = broughtTo(account, posting)
    const isFee = FEES.includes(from_account === account ? to_account : from_account)
    lines.set(key, {
      kind,
      object_id,
      reference,
      created_at,
      processing_id,
      amount: isFee ? amount : amount + change,
      fee: isFee ? fee - change : fee,
    })
  }
  return lines.values()
}
