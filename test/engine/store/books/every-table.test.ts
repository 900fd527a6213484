import { expect } from 'chai'
import { type SealedTable, sealedTables } from '../../../../src/engine/store/books/sealed-table.js'
import { resources } from '../../../../src/resources/resource-table.js'
import { type ServiceTable, serviceTables } from '../../../../src/resources/service-tables.js'
import { tableColumnsOf } from '../../../../src/schema/columns.js'
import { type Resource, tableNameOf } from '../../../../src/schema/resource.js'
import { story } from '../../../domain/verify/story.js'
import { makeControlRows } from '../../../support/control-rows.js'
import { openCore, type TestCore } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { eachCase } from '../../../support/each-case.js'
import { asOutsider, booksSealed } from '../../../support/outsider.js'
import { putBack, type StolenRow, stolenRows } from '../../../support/stolen-rows.js'

const declared: readonly Resource[] = Object.values(resources)
/** Reasons why tables are not sealed, by table name. */
const unsealed = new Map(
  [
    ...declared.map((declaration) => [tableNameOf(declaration), declaration.seals] as const),
    ...Object.entries<ServiceTable>(serviceTables).map(([table, { seals }]) => [table, seals] as const),
  ].flatMap(([table, seals]) => (seals && 'unsealed' in seals ? [[table, seals.unsealed] as const] : [])),
)
/** Tables without rows in this history; the books of `npm run long -- corruptions` fill most of them. */
const EMPTY = [
  'batches',
  'batch_rows',
  'books_acceptances',
  'collections',
  'payment_activations',
  'processing_agreements',
  'admin_exceptions',
  'admin_settlements',
  'admin_settlement_lines',
]

/** Tables that the tests about money attack, not this test. */
const JOURNALS = ['postings', 'exception_postings', 'settlement_postings', 'events', 'idempotency_records']

/** Columns that are not sealed, because each attempt changes them. */
const UNCOUNTED: Readonly<Record<string, readonly string[]>> = {
  deliveries: ['due_at', 'lease', 'attempts'],
  admin_mail_messages: ['attempts', 'problem', 'modified_at', 'due_at', 'lease'],
  // The time of the next gateway read does not belong to the dispute.
  disputes: ['modified_at', 'read_at'],
  // Notes of the service about gateways, which move no money.
  admin_gateways: [
    'problem',
    'circuit_opened_at',
    'account',
    'checked_at',
    'checks',
    'verifies_notifications',
    'notified_at',
    'settlements_problem',
    'modified_at',
    'settlements_due_at',
    'circuits_closed',
  ],
}

/** Tables whose columns are all sealed. */
const whole = [...sealedTables().values()].filter(({ table }) => isWhole(table))

describe('tables of a database', () => {
  onDatabases('seals', (open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
      await story(core)
      await makeControlRows(core.app)
      await booksSealed(core.place)
    })

    async function findings(): Promise<string> {
      const { findings: found } = await core.ok('GET', '/admin/verify')
      return JSON.stringify(found)
    }

    it('are sealed or declare why they are not', async () => {
      const { tables } = await core.environment.core.read(async ({ tx }) => ({
        tables: await tx.db.introspection.getTables(),
      }))
      const names = new Set(tables.map(({ name }) => name).filter((name) => name !== 'migrations'))
      const known = [...sealedTables().keys(), ...unsealed.keys()]
      expect([...names].filter((name) => !known.includes(name))).to.deep.equal([])
      expect([...unsealed.values()].every((reason) => reason.length > 20)).to.equal(true)
    })

    it('pass verification unchanged', async () => {
      expect(await findings()).to.equal('[]')
    })

    /** A row of each table that has rows, and its sealed columns. */
    async function attacked(): Promise<Attacked[]> {
      const rows: Attacked[] = []
      for (const sealed of whole) {
        const [row] = await stolenRows(core.place, sealed.table, '1 = 1')
        if (row) rows.push({ ...sealed, row })
        else expect(EMPTY).to.include(sealed.table)
      }
      return rows
    }

    it('seal all columns that count', async () => {
      for (const { table, columns, row } of await attacked()) {
        const names = columns.map(({ column }) => column)
        const uncounted = Object.keys(row).filter((column) => !names.includes(column))
        expect(uncounted, table).to.deep.equal(UNCOUNTED[table] ?? [])
      }
    })

    // Each finding names its object, so all tables are attacked at once and each is found by itself.
    it('fail verification after a changed row in each', async () => {
      const all = await attacked()
      for (const { table, columns, row } of all) {
        const column = columns.findLast(({ column: name }) => name !== 'id')?.column ?? ''
        const value = other(table, column, row)
        await asOutsider(core.place, `update ${table} set ${column} = ${value} where id = '${row['id']}'`)
      }
      const found = await findings()
      for (const { table, row } of all) await putBack(core.place, table, [row])
      await eachCase(
        all,
        ({ table }) => table,
        ({ object }) => {
          expect(found).to.contain(` ${object} is not what was sealed last`)
        },
      )
      expect(await findings()).to.equal('[]')
    })

    it('fail verification after a row with another id in each, which is reported as missing and added', async () => {
      const all = await attacked()
      for (const { table, row } of all)
        await asOutsider(
          core.place,
          `update ${table} set id = '${renamed(table, row)}' where id = '${row['id']}'`,
        )
      const found = await findings()
      for (const { table, row } of all) {
        await asOutsider(core.place, `delete from ${table} where id = '${renamed(table, row)}'`)
        await putBack(core.place, table, [row])
      }
      await eachCase(
        all,
        ({ table }) => table,
        ({ object }) => {
          expect(found)
            .to.contain(` ${object} was sealed and is gone`)
            .and.to.contain(` ${object} was never sealed`)
        },
      )
      expect(await findings()).to.equal('[]')
    })
  })
})

interface Attacked extends SealedTable {
  readonly row: StolenRow
}

function renamed(table: string, { id }: StolenRow): string {
  return isInteger(table, 'id') ? String(Number(id) + 1_000_000) : `${id}0`
}

function isWhole(table: string): boolean {
  const service: ServiceTable | undefined = Object.entries<ServiceTable>(serviceTables).find(
    ([name]) => name === table,
  )?.[1]
  const declaration = declared.find((each) => !each.view && tableNameOf(each) === table)
  const seals = service?.seals ?? declaration?.seals
  return seals !== undefined && 'columns' in seals && seals.columns === 'all' && !JOURNALS.includes(table)
}

/** A different value for a column of a row, in SQL. */
function other(table: string, column: string, row: StolenRow): string {
  const value = row[column]
  // PostgreSQL's driver returns 64-bit numbers as texts.
  if (isInteger(table, column)) return String(Number(value ?? 0) + 1)
  if (value === null) return "'x'"
  return `'${String(value).slice(0, -1).replaceAll("'", '')}~'`
}

function isInteger(table: string, column: string): boolean {
  const declaration = declared.find((each) => !each.view && tableNameOf(each) === table)
  const specs = Object.entries<ServiceTable>(serviceTables).find(([name]) => name === table)?.[1].columns
  const type = declaration
    ? tableColumnsOf(declaration).find(({ name }) => name === column)?.type
    : specs?.[column]
  return type?.startsWith('integer') === true
}
