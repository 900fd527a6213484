import type { Random } from '../../../platform/random.js'
import { tableExists, waitForName } from '../database/differences.js'
import type { Store, Tx } from '../database/store.js'
import { StoreError } from '../database/store-error.js'
import type { VaultKeyRow } from '../database/tables.js'
import { fingerprintOf, HASH_KEY } from './fingerprint.js'
import type { Keyring } from './keyring.js'

const SALT_BYTES = 16

/** Key as recorded by a database, and the place of that database. */
export interface KnownKey extends VaultKeyRow {
  readonly place: string
}

export interface RecognizedKeys {
  readonly keyring: Keyring
  /** Path of the key file. */
  readonly path: string
  /** Place of the database, for messages. */
  readonly place: string
  readonly random: Random
  /**
   * Reads the keys that other databases of the home have recorded. Only called for a database without
   * recorded keys.
   */
  readonly neighbours: () => Promise<readonly KnownKey[]>
}

/** Keys that a database has recorded; empty if it is older than their table. */
export async function knownKeys(tx: Tx): Promise<readonly VaultKeyRow[]> {
  if (!(await tableExists(tx, 'vault_keys'))) return []
  return await tx.db.selectFrom('vault_keys').selectAll().orderBy('id').execute()
}

/**
 * Compares the keys of a key file with the keys that the database has recorded, and records the current key.
 * So no value is ever encrypted with keys of another home. Throws a `StoreError`.
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

/** Records that a database needs keys of the file. */
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
 * Key that a database needs and that the file lacks, or has with other content. If the hash key is among
 * them, it is returned, because every key file of the home has it.
 */
export function missingKey(keyring: Keyring, known: readonly VaultKeyRow[]): VaultKeyRow | undefined {
  const missing = known.filter(
    ({ id, fingerprint, retired_at }) => retired_at === null && fingerprintOf(keyring, id) !== fingerprint,
  )
  return missing.find(({ id }) => id === HASH_KEY) ?? missing[0]
}

/** Explains that a key file lacks a key that a database needs, and how to proceed. */
export function explainMissingKey(path: string, place: string, id: string): string {
  return id === HASH_KEY
    ? `The key file ${path} belongs to another home: ${place} is sealed under other keys; put its own key file back, or restore it from your backup of it.`
    : `The key file ${path} lacks the key ${id} that ${place} is sealed under; put the newest key file back, or restore it from your newest backup of it.`
}

/** Throws a `StoreError` for a key file that lacks a key that the database needs. */
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

/**
 * Checks a database without recorded keys. Throws a `StoreError` if its values are encrypted with a key
 * that the file lacks.
 */
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
