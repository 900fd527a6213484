import { existsSync } from 'node:fs'
import type { StoreOptions } from '../engine/store/open-store.js'
import { HASH_KEY } from '../engine/store/vault/fingerprint.js'
import { changeKeyFile, keyFilePath, readKeyFile } from '../engine/store/vault/key-file.js'
import { type Keyring, withNextKey } from '../engine/store/vault/keyring.js'
import { noteKeys } from '../engine/store/vault/known-keys.js'
import { findUnderOlderKey, sealedColumns } from '../engine/store/vault/sealed-columns.js'
import { openVault } from '../engine/store/vault/vault.js'
import type { Clock } from '../platform/clock.js'
import { datetimeOf } from '../schema/datetime.js'
import { type ExistingStore, withExistingStores } from './existing-stores.js'
import { InstallationError } from './installation-error.js'
import { earlierWorkEnded, resealAll } from './reseal.js'

export interface RotateOptions extends Omit<StoreOptions, 'environment'> {
  readonly clock: Clock
  /**
   * Whether to only make the new key, so that the key file can be copied to other machines before any value
   * is encrypted with it.
   */
  readonly prepareOnly?: boolean
}

export interface RotatedKeys {
  readonly key: string
  /** Ids of keys that no value is encrypted with any more. */
  readonly retired: readonly string[]
  /** Number of values that were renewed under the new key. */
  readonly resealed: number
  /** Whether an unfinished rotation was continued. */
  readonly resumed: boolean
}

/**
 * Gives a home a new encryption key and a new key for hashes of numbers. Renews all values under these keys while the
 * service runs. An unfinished rotation is continued, and so is a rotation that a restored backup has undone. Throws a
 * `StoreError`, and an `InstallationError` if a value cannot be decrypted.
 */
export async function rotateKeys(options: RotateOptions): Promise<RotatedKeys> {
  return await withExistingStores(options, async (stores) => {
    if (stores.length === 0)
      throw new InstallationError(`There is no database in ${options.home}: nothing to rotate.`)
    const path = keyFilePath(options.home)
    const begun = await beginRotation(options, stores)
    const { next, resumed } = begun
    for (const { store } of stores)
      await store.write(async (tx) => await noteKeys(tx, begun.keyring, [HASH_KEY, next], options.random))
    if (options.prepareOnly) return { key: next, retired: [], resealed: 0, resumed }
    // Every process must know the new key before a number is stored under it.
    for (const { store } of stores) await earlierWorkEnded(store)
    const keyring = changeKeyFile(path, (keys) => {
      if (keys.next !== next)
        throw new InstallationError('Another rotation was faster; run payctl vault rotate again.')
      return keys.current === next ? keys : { ...keys, current: next }
    })
    const vault = openVault(options.home, options.random)
    let resealed = 0
    const broken: string[] = []
    for (const { environment, store } of stores) {
      const done = await resealAll(store, vault.forEnvironment(environment), keyring)
      resealed += done.count
      broken.push(...done.broken.map((reason) => `${environment}: ${reason}`))
    }
    if (broken.length > 0) throw new InstallationError(explainBroken(broken))
    for (const each of stores) await retire(each, next, datetimeOf(options.clock.now()))
    changeKeyFile(path, (keys) => (keys.next === next ? { ...keys, next: undefined } : keys))
    return { key: next, retired: [...keyring.seal.keys()].filter((id) => id !== next), resealed, resumed }
  })
}

/**
 * Id of the key that a rotation would replace; undefined while a rotation is unfinished, or without a key
 * file.
 */
export function keyToReplace(home: string): string | undefined {
  const path = keyFilePath(home)
  if (!existsSync(path)) return undefined
  const { current, next } = readKeyFile(path)
  return next === undefined ? current : undefined
}

/**
 * Makes the next key, unless it exists. If values are left under an older key, the current key already is the next key.
 */
async function beginRotation(
  options: RotateOptions,
  stores: readonly ExistingStore[],
): Promise<{ readonly keyring: Keyring; readonly next: string; readonly resumed: boolean }> {
  const path = keyFilePath(options.home)
  const isLeft = await isUnfinished(stores, readKeyFile(path))
  let resumed = true
  const keyring = changeKeyFile(path, (keys) => {
    resumed = keys.next !== undefined || isLeft
    if (keys.next !== undefined) return keys
    return isLeft ? { ...keys, next: keys.current } : withNextKey(keys, options.random)
  })
  if (keyring.next === undefined) throw new Error('The key file has no next key after a rotation began')
  return { keyring, next: keyring.next, resumed }
}

async function isUnfinished(stores: readonly ExistingStore[], keyring: Keyring): Promise<boolean> {
  for (const { store } of stores)
    if (await store.read(async (tx) => await findUnderOlderKey(tx, keyring, sealedColumns()))) return true
  return false
}

async function retire({ store }: ExistingStore, current: string, now: string): Promise<void> {
  await store.write(async ({ db }) =>
    db
      .updateTable('vault_keys')
      .set({ retired_at: now })
      .where('id', 'not in', [current, HASH_KEY])
      .where('retired_at', 'is', null)
      .execute(),
  )
}

function explainBroken([first = '', ...more]: readonly string[]): string {
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`
  return `Everything else is under the new key, but ${first}${others}; restore what is damaged from a backup, then run payctl vault rotate again.`
}
