import { sql } from 'kysely'
import { using } from '../../src/engine/store/database/raw-use.js'
import type { Tx } from '../../src/engine/store/database/store.js'
import type { Row, Stored } from '../../src/schema/columns.js'
import { datetimeOf, millisecondsOf } from '../../src/schema/datetime.js'
import type { Chance } from '../../test/support/chance.js'
import { type CountedColumn, sealedColumns } from './counted-columns.js'

/** Kinds of corruption that an attacker with access to the database could write. */
export const KINDS = ['change', 'null', 'swap', 'delete', 'duplicate', 'story'] as const
export type Kind = (typeof KINDS)[number]

/** A corruption that was written: its kind, its place, and a description (`what`). */
export interface Corruption {
  readonly kind: Kind
  /** A column, `table.column`; or a table, for corruptions of whole rows. */
  readonly place: string
  readonly what: string
}

const COLUMNS = sealedColumns()

/** Tables that are corrupted. */
export const TABLES: readonly string[] = [...new Set(COLUMNS.map(({ table }) => table))]

/** Random place for a corruption of a kind: a column or a table. All tables are equally likely. */
export function placeOf(kind: Kind, chance: Chance): string {
  switch (kind) {
    case 'change':
    case 'null':
    case 'swap': {
      const of = chance.pick(TABLES)
      const column = chance.pick(COLUMNS.filter(({ table }) => table === of))
      return `${of}.${column?.name}`
    }
    case 'delete':
    case 'duplicate':
      return chance.pick(TABLES) ?? ''
    case 'story':
      return chance.pick(Object.keys(STORIES)) ?? ''
  }
}

/**
 * Writes one corruption; returns undefined if there is no value to corrupt. Throws if the database refuses the change.
 */
export async function corrupt(
  tx: Tx,
  chance: Chance,
  kind: Kind,
  place: string,
): Promise<Corruption | undefined> {
  const column = COLUMNS.find(({ table, name }) => `${table}.${name}` === place)
  const what = column
    ? await corruptColumn(tx, chance, kind, column)
    : await corruptRows(tx, chance, kind, place)
  return what === undefined ? undefined : { kind, place, what }
}

async function corruptColumn(
  tx: Tx,
  chance: Chance,
  kind: Kind,
  column: CountedColumn,
): Promise<string | undefined> {
  const { table, name } = column
  const row = chance.pick(await rowsWith(tx, column))
  if (!row) return undefined
  switch (kind) {
    case 'null':
      await set(tx, column, row.id, null)
      return `${row.id}: ${row.value} becomes nothing`
    case 'swap': {
      const others = (await rowsWith(tx, column)).filter(({ value }) => value !== row.value)
      const other = chance.pick(others)
      if (!other) return undefined
      await set(tx, column, row.id, other.value)
      await set(tx, column, other.id, row.value)
      return `${row.id} and ${other.id}: ${row.value} and ${other.value}`
    }
    default: {
      const value = await changed(tx, chance, column, row)
      if (value === undefined) return undefined
      await set(tx, column, row.id, value)
      return `${row.id}: ${row.value} becomes ${value} in ${table}.${name}`
    }
  }
}

interface Cell {
  readonly id: string
  readonly value: Stored
}

async function rowsWith({ any }: Tx, { table, name }: CountedColumn): Promise<Cell[]> {
  const { rows } = await using(
    { reads: [] },
    sql<Cell>`
    select id, ${sql.ref(name)} as value from ${sql.table(table)} where ${sql.ref(name)} is not null order by id`,
  ).execute(any)
  return rows
}

async function set({ any }: Tx, { table, name }: CountedColumn, id: string, value: Stored): Promise<void> {
  await using(
    { reads: [], schema: true },
    sql`update ${sql.table(table)} set ${sql.ref(name)} = ${value} where id = ${id}`,
  ).execute(any)
}

/** A different valid value for the column. */
async function changed(tx: Tx, chance: Chance, { table, name, holds }: CountedColumn, { id, value }: Cell) {
  const text = String(value)
  const sign = chance.percent(50) ? 1 : -1
  switch (holds.kind) {
    case 'amount':
      return Number(value) + sign * chance.integer(1, 10_000)
    case 'count':
      return Number(value) + sign * chance.integer(1, 5)
    case 'flag':
      return 1 - Number(value)
    case 'choice':
      return chance.pick(holds.values.filter((each) => each !== value))
    case 'date':
      return datetimeOf(Date.parse(text) + sign * chance.integer(1, 400) * DAY).slice(0, 10)
    case 'datetime':
      return datetimeOf(millisecondsOf(text) + sign * chance.integer(1, 400 * 86_400) * 1000)
    case 'reference':
      return await otherId(tx, chance, holds.to, text)
    case 'text':
    case 'sealed':
      return (await otherOf(tx, chance, table, name, text)) ?? misspelt(chance, text, id)
  }
}

const DAY = 86_400_000

/** Random id of another row; sometimes an id that does not exist. */
async function otherId({ any }: Tx, chance: Chance, table: string, than: string): Promise<string> {
  const { rows } = await using(
    { reads: [] },
    sql<{ id: string }>`select id from ${sql.table(table)} order by id`,
  ).execute(any)
  const other = chance.percent(80) ? chance.pick(rows.filter(({ id }) => id !== than)) : undefined
  return other?.id ?? misspelt(chance, than, than)
}

async function otherOf(
  { any }: Tx,
  chance: Chance,
  table: string,
  name: string,
  than: string,
): Promise<string | undefined> {
  if (chance.percent(50)) return undefined
  const { rows } = await using(
    { reads: [] },
    sql<{ value: string }>`
    select distinct ${sql.ref(name)} as value from ${sql.table(table)} where ${sql.ref(name)} <> ${than} order by 1`,
  ).execute(any)
  return chance.pick(rows)?.value
}

function misspelt(chance: Chance, text: string, seed: string): string {
  const at = chance.integer(0, Math.max(0, text.length - 1))
  const letter = text[at] === 'A' ? 'B' : 'A'
  return text === '' ? seed : text.slice(0, at) + letter + text.slice(at + 1)
}

async function corruptRows(tx: Tx, chance: Chance, kind: Kind, table: string): Promise<string | undefined> {
  const { rows } = await using(
    { reads: [] },
    sql<Row>`select * from ${sql.table(table)} order by id`,
  ).execute(tx.any)
  const row = chance.pick(rows)
  if (!row) return undefined
  const id = String(row.id)
  switch (kind) {
    case 'duplicate': {
      const copy = id.slice(0, -6) + String(chance.integer(100_000, 999_999))
      await tx.any
        .insertInto(table)
        .values({ ...row, id: copy })
        .execute()
      return `${id} is there again as ${copy}`
    }
    case 'story':
      await removeStory(tx, table, id)
      return `${id} and all that names it is gone`
    default:
      await removeRow(tx, table, id)
      return `${id} is gone`
  }
}

async function removeRow({ any }: Tx, table: string, id: string): Promise<void> {
  await using({ reads: [], schema: true }, sql`delete from ${sql.table(table)} where id = ${id}`).execute(any)
}

/** References to the rows of a table, by table. Rows with such a reference are deleted together with the row. */
const STORIES: Readonly<Record<string, readonly (readonly [table: string, column: string])[]>> = {
  transactions: [
    ['transaction_ledgers', 'transaction_id'],
    ['transaction_ledgers', 'assoc_transaction_id'],
    ['postings', 'transaction_id'],
    ['receipts', 'transaction_id'],
    ['line_items', 'transaction_id'],
    ['collections', 'transaction_id'],
    ['events', 'object_id'],
    ['batch_rows', 'object_id'],
  ],
  invoices: [
    ['line_items', 'invoice_id'],
    ['collections', 'invoice_id'],
    ['events', 'object_id'],
  ],
  admin_exceptions: [
    ['exception_postings', 'exception_id'],
    ['events', 'object_id'],
  ],
  admin_settlements: [['admin_settlement_lines', 'settlement_id']],
  admin_settlement_lines: [['settlement_postings', 'settlement_line_id']],
  billing_schedules: [['billing_charges', 'billing_schedule_id']],
}

async function removeStory(tx: Tx, table: string, id: string): Promise<void> {
  const { any } = tx
  for (const [child, column] of STORIES[table] ?? [])
    await using(
      { reads: [], schema: true },
      sql`delete from ${sql.table(child)} where ${sql.ref(column)} = ${id}`,
    ).execute(any)
  if (table === 'transactions') await removeAnswers(tx, id)
  await using({ reads: [], schema: true }, sql`delete from ${sql.table(table)} where id = ${id}`).execute(any)
}

/** Removes the stored answers that show an object. */
async function removeAnswers({ db }: Tx, id: string): Promise<void> {
  const answers = await db.selectFrom('idempotency_records').select(['id', 'answer']).execute()
  const showing = answers.filter(({ answer }) => answer?.includes(`"id":"${id}"`))
  for (const answer of showing)
    await db.deleteFrom('idempotency_records').where('id', '=', answer.id).execute()
}
