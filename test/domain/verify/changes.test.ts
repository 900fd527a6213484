import { expect } from 'chai'
import { sql } from 'kysely'
import { verify } from '../../../src/domain/verify/verify.js'
import type { Work } from '../../../src/engine/core/write/work.js'
import { using } from '../../../src/engine/store/database/raw-use.js'
import { seededChance } from '../../support/chance.js'
import { openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { pay } from '../../support/examples.js'
import { story } from './story.js'

/** Every column that holds money, with a condition for rows that no other data contradict. */
const COLUMNS: readonly { readonly table: string; readonly column: string; readonly free?: string }[] = [
  // Rows without postings.
  {
    table: 'transactions',
    column: 'amount',
    free: `status in ('declined', 'authorized', 'processing')
      or (status = 'voided' and id not in (select transaction_id from postings))`,
  },
  { table: 'transactions', column: 'fee', free: "status in ('authorized', 'processing')" },
  { table: 'transactions', column: 'conv_fee', free: "status in ('authorized', 'processing')" },
  { table: 'transactions', column: 'accrued_fee', free: "status in ('authorized', 'processing')" },
  { table: 'transactions', column: 'refunded' },
  { table: 'transactions', column: 'charged_back' },
  { table: 'transactions', column: 'allocated' },
  { table: 'transactions', column: 'entered' },
  { table: 'transaction_ledgers', column: 'amount' },
  { table: 'postings', column: 'amount' },
  { table: 'invoices', column: 'total_due' },
  { table: 'invoices', column: 'total_paid' },
  { table: 'invoices', column: 'amount_due' },
  { table: 'line_items', column: 'amount', free: 'total = 0 and transaction_id is not null' },
  { table: 'line_items', column: 'total' },
  // Without a requested amount, no other row shows how much fitted at that time.
  { table: 'line_items', column: 'set_aside', free: 'amount is null' },
  { table: 'invoices', column: 'number_position' },
  { table: 'billing_charges', column: 'amount', free: 'qty = 0' },
  { table: 'billing_charges', column: 'total' },
]

describe('a money column changed outside of payctl', () => {
  onDatabases((open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
      await story(core)
      await setAside(core)
    })

    for (const { table, column, free = '1 = 0' } of COLUMNS)
      it(`is found by verify, if it is ${column} of ${table}`, async () => {
        const chance = seededChance(20261121)
        const times = core.place.dialect === 'sqlite' ? 8 : 3
        const changed = await rollingBack(core, async (work) => {
          const found = await using(
            { reads: [] },
            sql<{ id: string; value: number }>`
            select id, ${sql.ref(column)} as value from ${sql.table(table)}
            where ${sql.ref(column)} is not null and not (${sql.raw(free)}) order by id`,
          ).execute(work.tx.any)
          expect(found.rows, 'rows to change').to.not.be.empty
          for (let time = 0; time < times; time++) {
            const { id, value } = chance.pick(found.rows) ?? { id: '', value: 0 }
            const change = (chance.percent(50) ? 1 : -1) * chance.integer(1, 100_000)
            await set(work, table, column, id, Number(value) + change)
            const { found: problems } = await verify({ read: (job) => job(work) })
            expect(problems, `${id} by ${change}`).to.be.above(0)
            await set(work, table, column, id, Number(value))
          }
          return times
        })
        expect(changed).to.equal(times)
      })
  })
})

/** Authorizes a payment for an invoice. */
async function setAside(core: TestCore): Promise<void> {
  const [invoice = {}] = valuesOf(await core.ok('GET', '/invoices'))
  const { id, customer_id, processing_id = null } = invoice
  const allocations = [{ invoice_id: id ?? null, amount: 4 }]
  const more = { status: 'authorized', customer_id: customer_id ?? null, allocations }
  await pay(core, String(processing_id), 9, more)
}

class Undone<T> extends Error {
  constructor(readonly result: T) {
    super('to be rolled back')
  }
}

/**
 * Runs a job in a unit of work that is rolled back. Constraints are off, because an attacker can break them,
 * too.
 */
async function rollingBack<T>(core: TestCore, job: (work: Work) => Promise<T>): Promise<T> {
  const handle = core.environment.core
  return await handle
    .write(async (work) => {
      await withoutChecks(work)
      throw new Undone(await job(work))
    })
    .catch((error: unknown) => {
      if (error instanceof Undone) return error.result
      throw error
    })
}

async function withoutChecks({ tx }: Work): Promise<void> {
  if (tx.dialect === 'sqlite') {
    await using({ reads: [], schema: true }, sql`pragma ignore_check_constraints = on`).execute(tx.any)
    return
  }
  const { rows } = await using(
    { reads: [] },
    sql<{ name: string; on: string }>`
    select conname as name, conrelid::regclass::text as on from pg_constraint
    where contype = 'c' and connamespace = current_schema()::regnamespace`,
  ).execute(tx.any)
  for (const { name, on } of rows)
    await using(
      { reads: [], schema: true },
      sql`alter table ${sql.raw(on)} drop constraint ${sql.ref(name)}`,
    ).execute(tx.any)
}

async function set({ tx }: Work, table: string, column: string, id: string, value: number): Promise<void> {
  await using(
    { reads: [], schema: true },
    sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value} where id = ${id}`,
  ).execute(tx.any)
}
