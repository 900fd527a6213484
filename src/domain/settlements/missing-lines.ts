import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import type { GatewayRow, TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { formatMoney } from '../../schema/money.js'
import { raiseException, waitForMismatch } from '../exceptions/raise-exception.js'
import { noteRead } from '../gateways/note-read.js'
import { missingAbout } from './record-line.js'

/** Time after which a gateway must have settled a transaction: 14 days, in milliseconds. */
const SETTLED_AFTER = 14 * 86_400_000
const PAGE = 200

/**
 * Finds transactions of a gateway that are in no settlement, although it has settled much later ones. Each
 * transaction is examined once.
 */
export async function findMissingLines(
  { read, write }: WorkRunner,
  { id, name }: Pick<GatewayRow, 'id' | 'name'>,
): Promise<void> {
  const until = await read((work) => settledUntil(work, name ?? ''))
  const row = await read((work) => work.find(resources.gateway, id))
  const since = row?.settlements_compared_until ?? ''
  if (!row || until === undefined || since >= until) return
  for (let last: Place | undefined = { created_at: since, id: AFTER_ALL }; last; ) {
    const after: Place = last
    const page = await read((work) => unsettled(work, name ?? '', after, until))
    await write(async (work) => {
      for (const each of page) await raiseMissing(work, each)
    })
    last = page.length < PAGE ? undefined : page.at(-1)
  }
  // Written last: after a crash the search is repeated, and no exception is opened twice.
  await write((work) => noteRead(work, id, { settlements_compared_until: until }))
}

/** A position in the order of creation; transactions of the same second are ordered by id. */
type Place = Pick<TransactionRow, 'created_at' | 'id'>
/** Sorts behind every id. */
const AFTER_ALL = '~'

/** Datetime up to which the gateway must have settled all transactions; undefined while it has no settlements. */
async function settledUntil({ tx }: Work, gateway: string): Promise<string | undefined> {
  const [last] = await tx.db
    .selectFrom('admin_settlements')
    .select('settled_at')
    .where('gateway', '=', gateway)
    .where('settled_at', 'is not', null)
    .orderBy('settled_at', 'desc')
    .limit(1)
    .execute()
  return last?.settled_at ? datetimeOf(millisecondsOf(last.settled_at) - SETTLED_AFTER) : undefined
}

async function unsettled(
  { tx }: Work,
  gateway: string,
  after: Place,
  until: string,
): Promise<TransactionRow[]> {
  return await tx.db
    .selectFrom('transactions as t')
    .selectAll()
    .where(sql<boolean>`(t.created_at, t.id) > (${after.created_at}, ${after.id})`)
    .where('t.created_at', '<=', until)
    .where('t.gateway', '=', gateway)
    .where('t.type', 'in', ['payment', 'refund', 'credit'])
    .where('t.status', 'in', ['processed', 'rejected'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('admin_settlement_lines as l')
            .select('l.id')
            .whereRef('l.transaction_id', '=', 't.id')
            .where('l.status', '!=', 'failed'),
        ),
      ),
    )
    .orderBy('t.created_at')
    .orderBy('t.id')
    .limit(PAGE)
    .execute()
}

async function raiseMissing(work: Work, row: TransactionRow): Promise<void> {
  const about = missingAbout(row.id)
  // Another process may be storing its line. The one that comes second sees what the first one has written.
  await waitForMismatch(work, about)
  const lines = await work.findBy(resources.settlement_line, 'transaction_id', row.id)
  if (lines.some(({ status }) => status !== 'failed')) return
  const amount = (row.amount ?? 0) + (row.conv_fee ?? 0)
  await raiseException(work, {
    kind: 'settlement_differs',
    about,
    transaction: row,
    amount,
    direction: row.type === 'payment' ? 'taken' : 'paid',
    happened: `The gateway has settled transactions of two weeks later, without ${row.gateway_id ?? row.id}`,
    // Only a payment that is never settled can be a loss.
    resolutions: row.type === 'payment' ? ['loss', 'ignore'] : ['ignore'],
    explanation: `The gateway has settled transactions of two weeks later, and not this ${row.type} of ${formatMoney(amount)}`,
  })
}
