import { expect } from 'chai'
import { sql, type TableMetadata } from 'kysely'
import type { Store, Tx } from '../../../src/engine/store/database/store.js'
import { isCheckViolation } from '../../../src/engine/store/database/store-error.js'
import type { Tables } from '../../../src/engine/store/database/tables.js'
import { resources } from '../../../src/resources/resource-table.js'
import { tableColumnsOf } from '../../../src/schema/columns.js'
import { type Resource, tableNameOf } from '../../../src/schema/resource.js'
import { onDatabases } from '../../support/databases.js'
import { eachCase } from '../../support/each-case.js'
import { rejection } from '../../support/rejection.js'
import { account, posting, transaction } from './bare-rows.js'

/** Columns that are texts. */
function texts<Name extends string>(...names: Name[]): Record<Name, string>
function texts(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, 'text']))
}

/** Tables that no resource declares, by the keys of their types. */
const others: {
  readonly [T in
    | 'events'
    | 'postings'
    | 'exception_postings'
    | 'settlement_postings'
    | 'idempotency_records'
    | 'maintenance'
    | 'operator_entries'
    | 'operator_settings'
    | 'report_days'
    | 'clock'
    | 'collections'
    | 'batches'
    | 'batch_rows'
    | 'deliveries'
    | 'fan_out'
    | 'mail_progress'
    | 'mail_refusals'
    | 'oauth_tokens'
    | 'gateway_routes'
    | 'attempts'
    | 'gateway_circuits'
    | 'catch_ups'
    | 'vault_keys'
    | 'seal_log'
    | 'seal_queue'
    | 'checkpoints'
    | 'books_acceptances'
    | 'attachment_contents']: Record<keyof Tables[T], string>
} = {
  events: {
    ...texts('id', 'trigger', 'object', 'object_id', 'value', 'processing_id', 'principal_id', 'created_at'),
    work: 'integer',
  },
  deliveries: {
    ...texts('id', 'event_id', 'webhook_id', 'waiting', 'lease', 'outcome'),
    due_at: 'integer',
    attempts: 'integer',
  },
  fan_out: { id: 'text', event_id: 'text', swept_id: 'text', swept_work: 'integer' },
  mail_progress: { id: 'text', events_after: 'text', cards_of: 'text' },
  mail_refusals: { id: 'text', email: 'text', processing_id: 'text', created_at: 'text' },
  seal_log: {
    id: 'integer',
    entries: 'text',
    leaves: 'bytes',
    hash: 'text',
    mac: 'text',
    control: 'integer',
    control_before: 'integer',
  },
  seal_queue: { id: 'integer', entries: 'text', leaves: 'bytes', mac: 'text', control: 'integer' },
  books_acceptances: { id: 'text', reason: 'text', problem: 'text', accepted_at: 'text' },
  checkpoints: { id: 'integer', hash: 'text', signed_at: 'text', signature: 'text' },
  vault_keys: { id: 'text', fingerprint: 'text', salt: 'text', retired_at: 'text' },
  postings: {
    ...texts('id', 'transaction_id', 'processing_id', 'currency', 'from_account', 'to_account', 'created_at'),
    amount: 'integer',
  },
  settlement_postings: {
    ...texts(
      'id',
      'settlement_line_id',
      'processing_id',
      'currency',
      'from_account',
      'to_account',
      'created_at',
    ),
    amount: 'integer',
  },
  exception_postings: {
    ...texts('id', 'exception_id', 'processing_id', 'currency', 'from_account', 'to_account', 'created_at'),
    amount: 'integer',
  },
  idempotency_records: {
    ...texts('id', 'request_hash', 'answer', 'continuation', 'created_at'),
    status: 'integer',
  },
  collections: {
    ...texts('id', 'invoice_id', 'attempt_date', 'transaction_id', 'refusal', 'created_at'),
    ...texts('payment_method_id', 'identified_by'),
    requested: 'integer',
  },
  batches: {
    ...texts('id', 'kind', 'content_hash', 'source', 'options', 'key', 'created_at', 'finished_at'),
    rows: 'integer',
  },
  batch_rows: {
    ...texts('id', 'batch_id', 'status', 'object_id', 'error', 'content', 'created_at'),
    row: 'integer',
  },
  oauth_tokens: texts('id', 'grant_id', 'kind', 'token_hash', 'expires_at', 'used_at'),
  gateway_routes: texts('id', 'gateway_id', 'method', 'processing_id', 'merchant', 'created_at'),
  attempts: { ...texts('id', 'purpose', 'subject', 'what'), until: 'integer' },
  gateway_circuits: {
    ...texts('id', 'gateway_id', 'scope', 'subject', 'problem', 'since'),
    noticed_at: 'integer',
  },
  operator_entries: { ...texts('id', 'operator_id', 'code_hash'), expires_at: 'integer', used_at: 'integer' },
  operator_settings: { id: 'text', require_mapping: 'integer', since: 'text' },
  report_days: {
    ...texts('id', 'zone', 'day', 'kind', 'processing_id', 'from_account', 'to_account'),
    number: 'integer',
    amount: 'integer',
  },
  catch_ups: texts('id', 'since', 'restored_at'),
  maintenance: texts('id', 'message', 'since'),
  attachment_contents: { id: 'text', content: 'bytes' },
  clock: { id: 'text', offset_milliseconds: 'integer', advancing_until: 'integer' },
}

const declared: readonly Resource[] = Object.values(resources)
const declarations = declared.filter(({ view }) => !view)

describe('the migrations', () => {
  onDatabases('upgrade', (open) => {
    let store: Store
    let tables: TableMetadata[]
    let indexes: Index[]
    before(async () => {
      store = (await open()).store
      ;[tables, indexes] = await store.read(async (tx) => [await tablesIn(tx), await indexesIn(tx)])
    })

    it('create exactly the tables of the declarations and row types', () => {
      const expected = [...declarations.map(tableNameOf), ...Object.keys(others), 'migrations']
      expect(tables.map(({ name }) => name).sort()).to.deep.equal(expected.sort())
    })

    it('give each resource the columns that its declaration needs', async () => {
      await eachCase(declarations, tableNameOf, (declaration) => {
        const needed = Object.fromEntries(tableColumnsOf(declaration).map(({ name, type }) => [name, type]))
        expect(columnsIn(tables, tableNameOf(declaration))).to.deep.equal(needed)
      })
    })

    it('give each other table the columns of its type', async () => {
      await eachCase(
        Object.entries(others),
        ([table]) => table,
        ([table, columns]) => {
          expect(columnsIn(tables, table)).to.deep.equal(columns)
        },
      )
    })

    it('give each resource the indexes that its declaration names', async () => {
      const needed = declarations.flatMap((declaration) =>
        [['created_at', 'id'], ['id'], ...declaration.indexes].map((columns) => ({
          table: tableNameOf(declaration),
          columns,
        })),
      )
      await eachCase(
        needed,
        ({ table, columns }) => `${table} by ${columns.join(', ')}`,
        ({ table, columns }) => {
          const begins = (index: Index) => columns.every((column, n) => index.columns[n] === column)
          expect(indexes.filter((index) => index.table === table && begins(index))).to.not.be.empty
        },
      )
    })

    it('enforce uniqueness', () => {
      const unique = indexes.filter(({ unique, columns }) => unique && columns.join() !== 'id')
      expect(unique.map(({ table, columns }) => `${table} ${columns.join()}`).sort()).to.deep.equal([
        'account_access org_id,account_id',
        'accounts is_default',
        'admin_exceptions about',
        'admin_gateway_notifications event_id,gateway',
        'admin_gateways name',
        'admin_keys key_hash',
        'admin_mail_messages key',
        'admin_oauth_grants code_hash',
        'admin_oauth_redirects org_id,kind,uri',
        'admin_oauth_users email',
        'admin_operators email',
        'admin_operators login',
        'admin_operators uid',
        'admin_settlement_lines settlement_id,line_id,kind',
        'admin_settlements gateway_id,gateway',
        'collections invoice_id,attempt_date,requested',
        'disputes reference,gateway',
        'invoices billing_schedule_id,slot',
        'invoices number_series,number_position',
        'migrations name',
        'oauth_tokens token_hash',
        'payment_methods account_id',
        'transactions dispute,gateway,type',
        'transactions period,processing_id',
        'transactions ref_number',
      ])
    })

    it('order texts by their bytes', async () => {
      const ids = ['Z', 'a', 'é', 'A', 'z', '𐐷', '﹏', '_', '9', '']
      await store.write(async (tx) => {
        for (const id of ids) await account(tx, id)
      })
      const rows = await store.read((tx) => tx.db.selectFrom('accounts').select('id').orderBy('id').execute())
      expect(rows.map(({ id }) => id)).to.deep.equal(
        [...ids].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
      )
    })

    it('store the largest amount exactly', async () => {
      await store.write((tx) => transaction(tx, 'largest', { amount: 9_999_999_999 }))
      const rows = await store.read((tx) =>
        tx.db
          .selectFrom('transactions')
          .select((eb) => [
            'amount',
            eb.fn.sum<number>('amount').as('sum'),
            eb.fn.countAll<number>().as('count'),
          ])
          .where('id', '=', 'largest')
          .groupBy('amount')
          .execute(),
      )
      expect(rows).to.deep.equal([{ amount: 9_999_999_999, sum: 9_999_999_999, count: 1 }])
    })

    for (const [what, amounts] of Object.entries({
      'a transaction of nothing': { amount: 0 },
      'a refund of more than was paid': { amount: 100, refunded: 101 },
      'a refund and a chargeback of more than was paid': { amount: 100, refunded: 60, charged_back: 41 },
      'a negative refund': { amount: 100, refunded: -1 },
      'a negative chargeback': { amount: 100, refunded: 50, charged_back: -50 },
    }))
      it(`refuse ${what}`, async () => {
        const error = await rejection(store.write((tx) => transaction(tx, 'refused', amounts)))
        expect(isCheckViolation(error)).to.equal(true)
      })

    for (const [what, change] of Object.entries({
      'a posting of nothing': { amount: 0 },
      'a negative posting': { amount: -1 },
      'a posting from an account to itself': { to_account: 'a' },
    }))
      it(`refuse ${what}`, async () => {
        const error = await rejection(store.write((tx) => posting(tx, change)))
        expect(isCheckViolation(error)).to.equal(true)
      })

    it('refuse rows that refer to no transaction', async () => {
      const error = await rejection(store.write((tx) => posting(tx, { transaction_id: 'none' })))
      expect(error.message).to.match(/foreign key/i)
    })

    it('refuse a number with decimals', async () => {
      await rejection(store.write((tx) => transaction(tx, 'half', { amount: 0.5 })))
      const rows = await store.read((tx) =>
        tx.db.selectFrom('transactions').select('id').where('id', '=', 'half').execute(),
      )
      expect(rows).to.deep.equal([])
    })
  })
})

interface Index {
  readonly table: string
  readonly unique: boolean
  readonly columns: readonly string[]
}

async function tablesIn(tx: Tx): Promise<TableMetadata[]> {
  const all = await tx.any.introspection.getTables()
  return all.filter(({ schema }) => tx.dialect === 'sqlite' || schema === 'payctl_test')
}

/** The columns with `text` or `integer`, as the declarations call them. */
function columnsIn(tables: readonly TableMetadata[], name: string): Record<string, string> {
  const columns = tables.find((table) => table.name === name)?.columns ?? []
  return Object.fromEntries(
    columns.map((column) => [
      column.name,
      column.dataType
        .toLowerCase()
        .replace('int8', 'integer')
        .replace(/^(blob|bytea)$/, 'bytes'),
    ]),
  )
}

async function indexesIn({ any, dialect }: Tx): Promise<Index[]> {
  const query = dialect === 'sqlite' ? sqliteIndexes : postgresIndexes
  const { rows } = await query.execute(any)
  return rows.map(({ table, is_unique, columns }) => ({
    table,
    unique: Boolean(is_unique),
    columns: columns.split(','),
  }))
}

const sqliteIndexes = sql<IndexRow>`
  select t.name as "table", i."unique" as is_unique, (select group_concat(name) from pragma_index_info(i.name)) as columns
  from sqlite_master t, pragma_index_list(t.name) i where t.type = 'table'`

const postgresIndexes = sql<IndexRow>`
  select t.relname as "table", x.indisunique as is_unique,
    (select string_agg(a.attname, ',' order by k.n) from unnest(x.indkey::int[]) with ordinality as k(attnum, n)
      join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum) as columns
  from pg_index x join pg_class t on t.oid = x.indrelid where t.relnamespace = 'payctl_test'::regnamespace`

interface IndexRow {
  readonly table: string
  readonly is_unique: number | boolean
  readonly columns: string
}
