import { expect } from 'chai'
import { type SelectQueryBuilder, sql } from 'kysely'
import { fill, merchantId } from '../../../bench/million/fill.js'
import { parseQuery } from '../../../src/engine/core/query/parse-query.js'
import { rangesOf } from '../../../src/engine/core/read/read-page.js'
import { owner } from '../../../src/engine/core/request/principal.js'
import type { QueryPair } from '../../../src/engine/core/request/request.js'
import { using } from '../../../src/engine/store/database/raw-use.js'
import type { AnyTables, SqlDialect, Tx } from '../../../src/engine/store/database/store.js'
import { Model } from '../../../src/model/model.js'
import { resources } from '../../../src/resources/resource-table.js'
import { registryOf } from '../../../src/schema/registry.js'
import { onDatabases, type TestDatabase } from '../../support/databases.js'

const transaction = new Model(registryOf(resources)).get('transaction')
const ROWS = 20_000
const LATE = `txn_${String(ROWS - 100).padStart(22, '0')}`

type Pairs = readonly QueryPair[]

/** Pages that operators use often, with the expected index. */
const pages: readonly (readonly [what: string, query: Pairs, index: string])[] = [
  ['the newest transactions', [], 'by_created_at_id'],
  ['transactions of a merchant', [['processing_id', merchantId(3)]], 'by_processing_id_created_at'],
  [
    'transactions of a merchant above an amount, newest first',
    [
      ['processing_id', merchantId(3)],
      ['amount', '>=2'],
      ['order_by', '-created_at'],
    ],
    'by_processing_id_created_at',
  ],
  ['transactions with a status', [['status', 'declined']], 'by_status_created_at'],
  [
    'transactions of a day',
    [
      ['created_at', '>=2025-01-02'],
      ['created_at', '<2025-01-03'],
    ],
    'by_created_at_id',
  ],
]

/** A page is read along an index instead of sorting all matches, so its cost does not grow with the table. */
describe('the plan of a page', () => {
  onDatabases('sql', (open) => {
    let db: TestDatabase
    before(async () => {
      db = await open()
      await fill(db.store, ROWS, () => undefined)
      // PostgreSQL collects statistics by itself; here they are requested.
      if (db.dialect === 'postgres')
        await db.store.write(
          async (tx) => void (await using({ reads: [], schema: true }, sql`analyze`).execute(tx.any)),
        )
    })

    for (const [what, query, index] of pages) {
      for (const after of [[], [['after', LATE]]] satisfies Pairs[])
        it(`of ${what}${after.length > 0 ? ', far behind the first page,' : ''} uses ${index}`, async () => {
          const plans = await db.store.read((tx) => planned(tx, db, [...query, ...after]))
          for (const plan of plans) {
            expect(plan).to.include(`transactions_${index}`)
            expect(plan).to.not.match(/USE TEMP B-TREE FOR ORDER BY|Seq Scan|-> {2}Sort {2}/)
          }
        })
    }
  })
})

async function planned(tx: Tx, { vault, dialect }: TestDatabase, pairs: Pairs): Promise<string[]> {
  const query = parseQuery(transaction, pairs, true)
  const asking = { principal: owner, vault, dialect, now: '2026-01-01 00:00:00' }
  const stretches = await rangesOf(tx, transaction, query, asking)
  return await Promise.all(stretches.map(({ rows }) => explained(dialect, rows.limit(101))))
}

async function explained(
  dialect: SqlDialect,
  query: SelectQueryBuilder<AnyTables, string, object>,
): Promise<string> {
  const rows =
    dialect === 'sqlite'
      ? await query.explain<Record<string, unknown>>(undefined, sql`query plan`)
      : await query.explain<Record<string, unknown>>()
  return rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n')
}
