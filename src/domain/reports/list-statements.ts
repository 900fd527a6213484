import { addDays } from '../../platform/calendar/date.js'
import { balancesAtEnd } from './account-balances.js'
import { broughtTo, inOrder, type JournalPosting, readPostings } from './read-postings.js'
import { dayFinder, momentsOfDays, type ReportPeriod, slicesOf } from './report-period.js'
import { type ReportContent, type ReportRequest, type ReportRow, totalsOfRows } from './report-source.js'

/** Book accounts whose postings against a merchant's balance are fees. */
const FEES: readonly string[] = ['fee_income', 'fee_receivable']

/** The changes of an account's balance in a moment by one object. Amounts in minor units. */
interface StatementLine
  extends Pick<JournalPosting, 'kind' | 'object_id' | 'reference' | 'created_at' | 'processing_id'> {
  readonly amount: number
  readonly fee: number
}

/** Statements of processing accounts, one after another: the opening balance, each change, and the closing balance. */
export async function listStatements(request: ReportRequest, account: string): Promise<ReportContent> {
  const { db, report, period, accounts } = request
  const lastDay = addDays(period.from, -1)
  const openings = await balancesAtEnd(db, { zone: period.zone, accounts }, account, lastDay)
  const changes = await readLines(request, account)
  const named = accounts?.length === 1 ? accounts : []
  const ids = [...new Set([...openings.keys(), ...changes.keys(), ...named])].sort(inOrder)
  const statements = ids.map((id) =>
    statementOf(period, { id, opening: openings.get(id) ?? 0, lines: changes.get(id) ?? [] }),
  )
  const rows = statements.flatMap((statement) => statement.rows)
  const sum = (figure: (one: Statement) => number) =>
    statements.reduce((total, one) => total + figure(one), 0)
  return {
    rows,
    totals: {
      ...totalsOfRows(report, rows),
      opening: sum(({ opening }) => opening),
      closing: sum(({ closing }) => closing),
    },
  }
}

/** Balances in minor units. */
interface Statement {
  readonly rows: readonly ReportRow[]
  readonly opening: number
  readonly closing: number
}

function statementOf(
  period: ReportPeriod,
  {
    id,
    opening,
    lines,
  }: { readonly id: string; readonly opening: number; readonly lines: readonly StatementLine[] },
): Statement {
  const processing_id = id === '' ? null : id
  const dayOf = dayFinder(period)
  let balance = opening
  const rows = lines.map(({ kind, object_id, reference, created_at, amount, fee }): ReportRow => {
    const net = amount - fee
    balance += net
    const date = dayOf(created_at)
    return {
      processing_id,
      date,
      kind,
      reference,
      object_id,
      amount,
      fee,
      net,
      balance,
      booked_at: created_at,
    }
  })
  const first = { ...NO_LINE, processing_id, date: period.from, kind: 'opening', balance: opening }
  const last = { ...NO_LINE, processing_id, date: period.to, kind: 'closing', balance }
  return { rows: [first, ...rows, last], opening, closing: balance }
}

const NO_LINE: ReportRow = {
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

/** Lines in order, by processing account; the key of what belongs to none is empty. */
async function readLines(
  { db, period, accounts }: ReportRequest,
  account: string,
): Promise<ReadonlyMap<string, readonly StatementLine[]>> {
  const all = new Map<string, StatementLine[]>()
  for (const slice of slicesOf(period)) {
    const postings = await readPostings(db, momentsOfDays(slice, period.zone), { accounts, account })
    for (const line of linesIn(postings, account)) {
      const known = all.get(line.processing_id ?? '')
      if (known) known.push(line)
      else all.set(line.processing_id ?? '', [line])
    }
  }
  return all
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
