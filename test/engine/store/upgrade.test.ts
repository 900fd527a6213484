import { copyFileSync } from 'node:fs'
import { expect } from 'chai'
import { sql } from 'kysely'
import { openApp } from '../../../src/app.js'
import { operator } from '../../../src/engine/core/request/principal.js'
import { proofProblem } from '../../../src/engine/store/books/inclusion-proof.js'
import { publicKeyText, signingKey } from '../../../src/engine/store/books/signing-key.js'
import { beginMigration } from '../../../src/engine/store/database/differences.js'
import { unpackAnswer } from '../../../src/engine/store/database/packed-answer.js'
import type { Store, Tx } from '../../../src/engine/store/database/store.js'
import { migrations } from '../../../src/engine/store/migrations/all.js'
import { type MigrationName, migrationNames } from '../../../src/engine/store/migrations/builder/migration.js'
import { openAsIs } from '../../../src/engine/store/open-store.js'
import { databasePath, makeDatabaseFile } from '../../../src/engine/store/sqlite/database-file.js'
import { keyFilePath } from '../../../src/engine/store/vault/key-file.js'
import { openVault } from '../../../src/engine/store/vault/vault.js'
import { proveRow } from '../../../src/installation/prove-row.js'
import { systemClock } from '../../../src/platform/clock.js'
import { systemRandom } from '../../../src/platform/random.js'
import type { Row } from '../../../src/schema/columns.js'
import { story } from '../../domain/verify/story.js'
import { idOf, listOf, openCore, type TestCore } from '../../support/core.js'
import { onEachDatabase, type Place } from '../../support/databases.js'
import { card, makeCustomer, makeProcessing } from '../../support/examples.js'
import { asOutsider, booksSealed } from '../../support/outsider.js'

/** Rows by their table. */
type Books = ReadonlyMap<string, readonly Row[]>

const at = { created_at: '2025-01-01 00:00:00', modified_at: '2025-01-01 00:00:00' }

describe('a database with money in it that an older version made', () => {
  onEachDatabase((open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
      await story(core)
      await moreStories(core)
    })

    for (const last of ['0001_first', '0002_vault_keys', '0004_event_order'] as const)
      it(`is brought from ${last} to now, and all its books are right and sealed`, async () => {
        const place = await open.place()
        copyFileSync(keyFilePath(core.place.home), keyFilePath(place.home))
        const names = migrationNames.slice(0, migrationNames.indexOf(last) + 1)
        const isOpen = !names.includes('0003_one_of_each')
        await inOldStore(place, async (tx) => {
          await applyOld(tx, names, place)
          await fill(tx, await oldBooks(core, tx))
          if (isOpen) await breakRules(tx)
        })

        const app = openApp({ ...place })
        try {
          const { core: now } = await app.environment('test')
          const verify = async () => {
            const request = { method: 'GET', path: '/admin/verify', query: [], principal: operator } as const
            const { body } = await now.handle(request)
            return { examined: Number(body.examined), findings: listOf(body.findings) }
          }
          const { examined, findings } = await verify()
          expect(findings).to.deep.equal([])
          expect(examined).to.be.above(100)
          const answers = await core.environment.core.read(({ tx }) => answersIn(tx))
          expect(answers.size).to.be.above(0)
          expect(await now.read(({ tx }) => answersIn(tx))).to.deep.equal(answers)
          if (isOpen) expect(await now.read(({ tx }) => onesThatStay(tx))).to.deep.equal(STAYING)
          // Commits that older versions made, which name their rows in text, prove them, too.
          const first = await now.read(({ tx }) =>
            tx.db.selectFrom('transactions').select('id').executeTakeFirst(),
          )
          const options = { ...place, environment: 'test', clock: systemClock, random: systemRandom } as const
          const proof = await proveRow(options, first?.id ?? '')
          const key = publicKeyText(signingKey(openVault(place.home, systemRandom).hash))
          expect(proofProblem(proof, key)).to.equal(undefined)
          // It goes on: what is new is sealed behind what there was.
          const paid = await now.handle({
            method: 'POST',
            path: '/transactions',
            query: [],
            principal: operator,
            body: {
              type: 'payment',
              amount: 1,
              processing_id: await firstProcessing(core),
              payment_method: card(),
            },
          })
          expect(paid.status, JSON.stringify(paid.body)).to.equal(200)
          await booksSealed(place)
          expect((await verify()).findings).to.deep.equal([])
          await asOutsider(place, 'delete from idempotency_records', "update receipts set type = 'credit'")
          expect((await verify()).findings).to.have.length.above(5)
        } finally {
          await app.close()
        }
      })
  })
})

/** What the story leaves out: links, a batch, answers that are kept, a receipt for somebody else. */
async function moreStories(core: TestCore): Promise<void> {
  const processing_id = await makeProcessing(core)
  await makeCustomer(core, processing_id)
  const payment = { type: 'payment', amount: 10, payment_method: card() }
  const link = idOf(
    await core.ok('POST', '/payment_links', { amount: 10, description: 'A book', processing_id }),
  )
  const paid = await core.ok(
    'POST',
    '/transactions',
    { ...payment, payment_link_id: link },
    { idempotencyKey: 'one' },
  )
  await core.ok('POST', '/receipts', { transaction_id: idOf(paid), email: 'ada@example.com' })
  const batch = { id: 'payments.csv', as: 'payment' }
  await core.ok('POST', '/admin/batches', { ...batch, content: 'one', rows: 1 })
  const body = { amount: 2, processing_id, payment_method: card() }
  await core.ok('POST', '/admin/batches/rows', { ...batch, rows: [{ row: 2, body }] })
  await core.ok('PUT', '/admin/batches', { id: batch.id })
}

async function firstProcessing(core: TestCore): Promise<string> {
  const [first] = listOf((await core.ok('GET', '/processing_accounts')).values)
  return idOf(Object(first))
}

/** Works in an empty database in which nothing is migrated and nothing sealed. */
async function inOldStore(place: Place, work: (tx: Tx) => Promise<void>): Promise<void> {
  if (place.databaseUrl === undefined) makeDatabaseFile(databasePath(place.home, 'test'))
  const opened = await openAsIs({ ...place, environment: 'test' })
  const store: Store | undefined = opened?.store
  if (!store) throw new Error('There is no database')
  try {
    await store.write(work)
  } finally {
    await store.close()
  }
}

async function applyOld(tx: Tx, names: readonly MigrationName[], { home }: Place): Promise<void> {
  await beginMigration(tx)
  await tx.any.schema.createTable('migrations').addColumn('name', sql`text primary key`).execute()
  for (const name of names) {
    await migrations[name](tx, openVault(home, systemRandom).hash)
    await tx.any.insertInto('migrations').values({ name }).execute()
  }
}

/** All rows of the story, as far as the old schema has their tables and columns. */
async function oldBooks(core: TestCore, old: Tx): Promise<Books> {
  const books = new Map<string, Row[]>()
  const handle = core.environment.core
  const schema = await old.any.introspection.getTables()
  const known = schema.filter((table) => table.name !== 'migrations' && isOurs(table.schema, old))
  await handle.read(async ({ tx }) => {
    for (const { name, columns } of known) {
      const rows = await tx.any.selectFrom(name).selectAll().orderBy('id').execute()
      books.set(
        name,
        rows.map((row) => only(columns, asBefore(name, row))),
      )
    }
  })
  return books
}

function isOurs(schema: string | undefined, { dialect }: Tx): boolean {
  return dialect === 'sqlite' || schema === 'payctl_test'
}

/** Receipts had ids of their own, and stored answers were not packed. */
function asBefore(table: string, row: Row): Row {
  if (table === 'idempotency_records') return { ...row, body: answerIn(row) }
  if (table !== 'receipts') return row
  const id = String(row.id)
  return { ...row, id: `${id.slice(0, -6)}${[...id.slice(-6)].reverse().join('')}` }
}

function answerIn(row: Row): string | null {
  const packed: unknown = row.packed
  return Buffer.isBuffer(packed) ? unpackAnswer(packed) : null
}

function only(columns: readonly { readonly name: string }[], row: Row): Row {
  return Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null]))
}

/** Stored answers by their ids. */
async function answersIn({ any }: Tx): Promise<ReadonlyMap<string, string | null>> {
  const rows = await any.selectFrom('idempotency_records').selectAll().execute()
  return new Map(rows.map((row) => [String(row.id), answerIn(row)]))
}

async function fill({ any, dialect }: Tx, books: Books): Promise<void> {
  const unordered =
    dialect === 'sqlite' ? 'pragma defer_foreign_keys = on' : "set local session_replication_role = 'replica'"
  await sql.raw(unordered).execute(any)
  for (const [table, rows] of books)
    for (let start = 0; start < rows.length; start += 50)
      await any
        .insertInto(table)
        .values(rows.slice(start, start + 50))
        .execute()
}

/** What concurrent requests of older versions could leave: several of what there is one of. */
async function breakRules({ any, db }: Tx): Promise<void> {
  const owner = await db
    .selectFrom('payment_methods')
    .select('account_id')
    .where('account_id', 'is not', null)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const method = { type: 'card', default_payment_method: 1, account_id: owner.account_id, ...at }
  const again = { org_id: 'org_1', account_id: owner.account_id, ...at }
  const user = { org_id: 'org_1', email: 'ada@example.com', password_hash: 'a hash', ...at }
  const redirect = { org_id: 'org_1', kind: 'redirect', uri: 'https://example.com/', ...at }
  await any
    .insertInto('payment_methods')
    .values(['pm_zz1', 'pm_zz2'].map((id) => ({ id, ...method })))
    .execute()
  await any
    .insertInto('orgs')
    .values({ id: 'org_1', name: 'An organization', industry: 'retail', org_type: 'reseller', ...at })
    .execute()
  await any
    .insertInto('account_access')
    .values(['acc_1', 'acc_2'].map((id) => ({ id, ...again })))
    .execute()
  await any
    .insertInto('admin_oauth_users')
    .values(['user_1', 'user_2'].map((id) => ({ id, ...user })))
    .execute()
  await any
    .insertInto('admin_oauth_redirects')
    .values(['redir_1', 'redir_2'].map((id) => ({ id, ...redirect })))
    .execute()
}

const STAYING = {
  defaults: ['pm_zz2'],
  access: ['acc_1'],
  users: ['user_1'],
  redirects: ['redir_1'],
}

async function onesThatStay({ any }: Tx): Promise<typeof STAYING> {
  const ids = async (table: string, where: string) => {
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(table)} where deleted_at is null and ${sql.raw(where)} order by id`.execute(
      any,
    )
    return rows.map(({ id }) => id)
  }
  const ownersDefault =
    "default_payment_method = 1 and account_id = (select account_id from payment_methods where id = 'pm_zz2')"
  return {
    defaults: await ids('payment_methods', ownersDefault),
    access: await ids('account_access', 'true'),
    users: await ids('admin_oauth_users', 'true'),
    redirects: await ids('admin_oauth_redirects', 'true'),
  }
}
