import type { Random } from '../../../platform/random.js'
import { tableExists, waitForName } from '../database/differences.js'
import type { Store, Tx } from '../database/store.js'
import { StoreError } from '../database/store-error.js'
import type { VaultKeyRow } from '../database/tables.js'
import { fingerprintOf, HASH_KEY } from './fingerprint.js'
import type { Keyring } from './keyring.js'

const SALT_BYTES = 16

/** A key as a database knows it, and which database that is. */
export interface KnownKey extends VaultKeyRow {
  readonly place: string
}

export interface RecognizedKeys {
  readonly keyring: Keyring
  /** The key file. */
  readonly path: string
  /** The database. */
  readonly place: string
  readonly random: Random
  /** What other databases of the home record of its keys; only needed by one that records none yet. */
  readonly neighbours: () => Promise<readonly KnownKey[]>
}

/** The keys that a database knows; none when it is older than their table. */
export async function knownKeys(tx: Tx): Promise<readonly VaultKeyRow[]> {
  if (!(await tableExists(tx, 'vault_keys'))) return []
  return await tx.db.selectFrom('vault_keys').selectAll().orderBy('id').execute()
}

/**
 * Compares the keys of a key file with those that the database knows, and notes the current one, so that nothing is ever
 * sealed under keys of another home. Throws a `StoreError`.
 */
export async function recognizeKeys(store: Store, recognized: RecognizedKeys): Promise<void> {
  const { keyring } = recognized
  const known = await store.read(async ({ db }) => db.selectFrom('vault_keys').selectAll().execute())
  expectKnownKeys(recognized, known)
  if ([HASH_KEY, keyring.current].every((id) => isNeeded(known, id))) return
  if (known.length === 0) {
    expectKeys(recognized, await recognized.neighbours())
    await expectOpening(store, recognized)
  }
  await store.write(async (tx) => {
    await waitForName(tx, 'vault keys')
    expectKnownKeys(recognized, await knownKeys(tx))
    await noteKeys(tx, keyring, [HASH_KEY, keyring.current], recognized.random)
  })
}

/** Notes that a database needs keys of the file. */
export async function noteKeys(
  { db }: Tx,
  keyring: Keyring,
  ids: readonly string[],
  random: Random,
): Promise<void> {
  for (const id of ids) {
    const fingerprint = fingerprintOf(keyring, id)
    if (fingerprint === undefined) throw new Error(`The key ${id} is not in the key file`)
    await db
      .insertInto('vault_keys')
      .values({
        id,
        fingerprint,
        salt: Buffer.from(random.bytes(SALT_BYTES)).toString('hex'),
        retired_at: null,
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ retired_at: null }))
      .execute()
  }
}

/**
 * A key that a database needs and the file does not have, or has another one in its place: the one that no file of the
 * home lacks, where it is that.
 */
export function missingKey(keyring: Keyring, known: readonly VaultKeyRow[]): VaultKeyRow | undefined {
  const missing = known.filter(
    ({ id, fingerprint, retired_at }) => retired_at === null && fingerprintOf(keyring, id) !== fingerprint,
  )
  return missing.find(({ id }) => id === HASH_KEY) ?? missing[0]
}

/** What is wrong with a key file that lacks a key which a database needs, and what to do. */
export function explainMissingKey(path: string, place: string, id: string): string {
  return id === HASH_KEY
    ? `The key file ${path} belongs to another home: ${place} is sealed under other keys; put its own key file back, or restore it from your backup of it.`
    : `The key file ${path} lacks the key ${id} that ${place} is sealed under; put the newest key file back, or restore it from your newest backup of it.`
}

/** Throws a `StoreError` for a key file that lacks a key which the database needs. */
export function expectKnownKeys(
  recognized: Pick<RecognizedKeys, 'keyring' | 'path' | 'place'>,
  known: readonly VaultKeyRow[],
): void {
  const { place } = recognized
  expectKeys(
    recognized,
    known.map((row) => ({ ...row, place })),
  )
}

function expectKeys(
  { keyring, path }: Pick<RecognizedKeys, 'keyring' | 'path'>,
  known: readonly KnownKey[],
): void {
  const missing = missingKey(keyring, known)
  const place = known.find((key) => key === missing)?.place
  if (missing && place !== undefined)
    throw new StoreError('key_foreign', explainMissingKey(path, place, missing.id))
}

/** A database that was used before it knew any key: what is sealed in it has to be under a key of the file. */
async function expectOpening(store: Store, { keyring, path, place }: RecognizedKeys): Promise<void> {
  const { sealedColumns } = await import('./sealed-columns.js')
  const sealed = sealedColumns().filter(({ content }) => content === 'sealed')
  await store.read(async ({ any }) => {
    for (const { table, name } of sealed) {
      const row = await any
        .selectFrom(table)
        .select(name)
        .where(name, 'is not', null)
        .limit(1)
        .executeTakeFirst()
      const [id = ''] = String(row?.[name] ?? '').split('.')
      if (row && !keyring.seal.has(id))
        throw new StoreError('key_foreign', explainMissingKey(path, place, id))
    }
  })
}

function isNeeded(known: readonly VaultKeyRow[], id: string): boolean {
  return known.some((row) => row.id === id && row.retired_at === null)
}
